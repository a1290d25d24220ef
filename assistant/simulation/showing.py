"""What ``trut demo`` prints: what is seen, heard, counted and announced, as it comes."""

from __future__ import annotations

from typing import TextIO

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.i18n import _
from assistant.names import Names
from assistant.speaking import Voice
from audio.events import Knock, Phrase
from audio.health import Trouble
from engine import Header
from vision.events import CardLaid, CardReread, CardsTaken


class Everything:
    """A viewer for people who want to see the machine at work.

    Args:
        header: of the game, for names.
        voice: says the announcements, None says nothing. Here and not in the session: what the loudspeaker
            says is not in the simulated sound, so the ears need not be shut meanwhile.
        out: where it is printed; standard output if None.
    """

    def __init__(self, header: Header, voice: Voice | None = None, out: TextIO | None = None) -> None:
        self._names, self._voice, self._out = Names(header), voice, out

    def observed(self, observation: Observation | Trouble) -> None:
        text = self._seen(observation)
        if text:
            self._line(observation.t, text)

    def _seen(self, observation: Observation | Trouble) -> str:
        match observation:
            case CardLaid(card=card, zone=zone):
                return _("vu       {card}, devant {name}").format(
                    card=self._names.card(card), name=self._names.seat(zone)
                )
            case CardReread(card=card):
                return _("relu     {card}").format(card=self._names.card(card))
            case CardsTaken():
                return _("vu       le pli est ramassé")
            case Knock(hit=1):
                return _("entendu  un coup sur la table")
            case Phrase(text=text):
                return _("entendu  « {text} »").format(text=text)
        return ""

    def acted(self, act: Act) -> None:
        if isinstance(act, Action) and act.event.verb == "play" and act.refused is None and not act.quiet:
            name, card = self._names.seat(act.event.seat), self._names.card(act.event.args[0])
            self._line(act.t, _("compté   {name} joue {card}").format(name=name, card=card))

    def announced(self, announcement: Announcement) -> None:
        mark = "  ?" if announcement.question else "  »"
        self._line(announcement.t, f"{mark} {announcement.text}")
        if self._voice is not None:
            self._voice.say(announcement.text)

    def _line(self, t: float, text: str) -> None:
        print(f"{t:7.2f} s  {text}", file=self._out, flush=True)
