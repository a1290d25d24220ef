"""``trut calibrate voice``: learns the players' voices, from recordings or by asking them at the microphone."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assistant.i18n import N_, _, ngettext
from audio.features import RATE, Floats
from audio.phrasebook import GAMES, calls_from, calls_of, read_phrases
from audio.source import SoundSource, microphone
from audio.voices import SUFFIX, SpeakerVoices, Take, VoicesOfAnotherNet
from calibration.voices import Asked, BadTakes, Learner, NothingHeard, clipped, learn, read_rows
from engine.errors import TrutError

if TYPE_CHECKING:
    from audio.resampling import Samples

MATTERS = (
    "trut", "brelan", "tierce", "deux-petits", "embit", "falta", "flor", "raise", "raise 2", "rest", "truc", "retruc",
    "accept", "hold", "refuse", "fold", "yes", "no",
)  # fmt: skip
"""The events that cost something when they are misheard, in the order in which their phrases are asked."""
MOST_ASKED = 8
"""Phrases a player: more, and nobody would do it."""
TRIES = 3
PATIENCE = 8.0
"""Seconds to wait for a phrase before it is asked again."""
QUIET, LOUDEST = -60.0, 0.0
BAR = 20
"""Columns of the level, and the decibels at its ends."""

Ask = Callable[[str], str]
"""Puts a question and gives the line that was typed."""


class CalibrationError(TrutError):
    """The command was asked for something it cannot do."""

    code = "calibrate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md, ``trut calibrate voice``."""
    parser.add_argument("--takes", type=Path, metavar=_("FICHIER"), help=_("une liste d'enregistrements (JSON)"))
    parser.add_argument("--out", type=Path, metavar=_("FICHIER"), help=_("le fichier des voix, nouveau ou à compléter"))
    parser.add_argument(
        "--game", choices=GAMES, metavar=_("JEU"), default="trut", help=_("le jeu dont on dit les annonces")
    )
    parser.add_argument("--phrases", type=Path, metavar=_("FICHIER"), help=_("d'autres phrases à dire, une par ligne"))
    parser.add_argument("--name", action="append", metavar=_("NOM"), help=_("qui parle ; une fois par joueur"))
    parser.add_argument("--mic", metavar=_("MICRO"), help=_("quel micro (numéro ou nom)"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON"))


def run(args: argparse.Namespace) -> int:
    """Learn voices; 1 where nothing could be learnt of somebody who was asked."""
    if args.out is None:
        raise CalibrationError(N_("dites où vont les voix : --out FICHIER"))
    old = known_voices(args.out)
    if args.takes is not None:
        return _from_files(args, old)
    phrases = _listed(args.phrases) if args.phrases else phrases_to_say(args.game)
    names = list(dict.fromkeys(name.strip() for name in args.name or () if name.strip())) or _names(_typed)
    with microphone(args.mic or None) as source:
        voices = Sitting(source, phrases, out=args.out, old=old).of(names)
    _report(args.json, args.out, voices, len(voices.takes) - len(old.takes))
    return 0 if set(names) <= set(voices.names) else 1


def phrases_to_say(game: str) -> tuple[str, ...]:
    """The phrases that matter in this game, one for each event, the usual words."""
    first: dict[str, str] = {}
    for call in calls_of(game):
        first.setdefault(call.phrase, call.text)
    return tuple(first[event] for event in MATTERS if event in first)[:MOST_ASKED]


def voices_path() -> Path:
    """Where the voices of the players at the user's table are kept, as the page learns them."""
    from platformdirs import user_data_path

    return user_data_path("trut", appauthor=False) / "voices" / f"table{SUFFIX}"


def voices_here(named: Path | None = None) -> Path | None:
    """The voices to listen with: those named, else those of the user's table, if there are some that still serve."""
    if named is not None:
        return named
    path = voices_path()
    if not path.is_file():
        return None
    try:
        SpeakerVoices.load(path)
    except TrutError:
        _say(_("{file} : ces voix ne servent plus, on s'en passe ; apprenez-les à nouveau"), file=path)
        return None
    return path


def _listed(path: Path) -> tuple[str, ...]:
    """The first phrases of a list; all of them can be said."""
    texts = tuple(call.text for call in calls_from(read_phrases(path)))
    if len(texts) > MOST_ASKED:
        _say(
            _("{path} : {count} phrases, on demande les {most} premières"), path=path, count=len(texts), most=MOST_ASKED
        )
    return texts[:MOST_ASKED]


def known_voices(path: Path) -> SpeakerVoices:
    """The voices that the file already holds."""
    if not path.exists():
        return SpeakerVoices()
    try:
        return SpeakerVoices.load(path)
    except VoicesOfAnotherNet:
        _say(_("{file} : ces voix venaient d'un autre réseau, on recommence à neuf"), file=path)
        return SpeakerVoices()


def _from_files(args: argparse.Namespace, old: SpeakerVoices) -> int:
    learnt = learn(read_rows(args.takes), old)
    for row in learnt.unheard:
        _say(_("{file} : on n'y entend pas « {text} », laissé de côté"), file=row.file, text=row.text)
    for row in learnt.doubtful:
        _say(_("{file} : est-ce bien « {text} » ? gardé tel quel"), file=row.file, text=row.text)
    if not learnt.voices.takes:
        raise BadTakes(N_("{path} : aucune parole dans ces enregistrements"), path=args.takes)
    learnt.voices.save(args.out)
    _report(args.json, args.out, learnt.voices, learnt.added)
    return 0


def _typed(question: str) -> str:
    _to_terminal(question)
    return input()


def _names(typed: Ask) -> list[str]:
    """Who is at the table, asked one by one; an empty line ends it."""
    names: list[str] = []
    while True:
        try:
            name = typed(_("Prénom du joueur {n} (rien pour finir) : ").format(n=len(names) + 1)).strip()
        except EOFError:
            name = ""
        if not name:
            break
        if name not in names:
            names.append(name)
    if not names:
        raise CalibrationError(N_("personne à écouter : donnez un prénom, ou --name PRÉNOM"))
    return names


Remark = Literal["silent", "loud", "short", "unclear", "thanks", "kept", "passed"]
"""What came of a try."""
REMARKS: dict[Remark, str] = {
    "silent": N_("    rien entendu ; plus près du micro, peut-être ?"),
    "loud": N_("    trop fort pour le micro ; un peu plus loin ?"),
    "short": N_("    trop court, ou trop bas ; encore une fois ?"),
    "unclear": N_("    pas bien compris ; encore une fois ?"),
    "thanks": N_("    merci"),
    "kept": N_("    gardé tel quel"),
    "passed": N_("    on passe"),
}


class Phrases:
    """One player says each phrase once: sound in, takes out.

    A phrase is asked for up to three times; a doubtful take is better than none.

    Args:
        name: who speaks.
        phrases: what is said, one after another.
        sitting: number of this evening for this player.
        floor: how loud the room is, as far as it is known.

    Attributes:
        takes: what was learnt so far.
        asked: the microphone as it hears the present try: level, and whether somebody speaks.
    """

    def __init__(
        self, name: str, phrases: Sequence[str], sitting: int, learner: Learner, floor: float | None = None
    ) -> None:
        self.name, self.sitting = name, sitting
        self.takes: list[Take] = []
        self.asked = Asked(floor)
        self._phrases, self._learner = tuple(phrases), learner
        self._n, self._tries, self._heard = 0, 0, 0
        self._doubtful: Take | None = None

    @property
    def number(self) -> int:
        """Which phrase is asked for, from 1; one more than there are when all were said."""
        return self._n + 1

    @property
    def text(self) -> str | None:
        """The phrase that is asked for; None when all were said."""
        return self._phrases[self._n] if self._n < len(self._phrases) else None

    def skip(self) -> None:
        """Leave this phrase."""
        self._next(self._doubtful)

    def accept(self, block: Samples) -> list[Remark]:
        """Listen on; what came of a try that is over now, the last remark also of the phrase."""
        if self.text is None:
            return []
        found = self.asked.accept(block)
        self._heard += len(block)
        if found is not None:
            return self._judge(self.text, found)
        if self._heard > PATIENCE * RATE and not self.asked.begun:
            return self._again("silent")
        return []

    def _judge(self, text: str, samples: Floats) -> list[Remark]:
        if clipped(samples):
            return self._again("loud")
        try:
            said = self._learner.listen(samples, text, self.name, self.sitting)
        except NothingHeard:
            return self._again("short")
        if said.doubtful and self._doubtful is None:
            self._doubtful = said.take
            return self._again("unclear")
        self._next(said.take)
        return ["thanks"]

    def _again(self, why: Remark) -> list[Remark]:
        self._tries += 1
        if self._tries < TRIES:
            self._listen()
            return [why]
        given_up: Remark = "passed" if self._doubtful is None else "kept"
        self._next(self._doubtful)
        return [why, given_up]

    def _next(self, take: Take | None) -> None:
        if take is not None:
            self.takes.append(take)
        self._n, self._tries, self._doubtful = self._n + 1, 0, None
        self._listen()

    def _listen(self) -> None:
        self.asked, self._heard = Asked(self.asked.floor), 0


class Sitting:
    """One round of the table: each player says each phrase once.

    Args:
        source: the microphone.
        phrases: what is said.
        out: where the voices go, after every player and when somebody has had enough (Ctrl-C).
        old: what is known already; this sitting is added.
        show: where the prompts go.
    """

    def __init__(
        self,
        source: SoundSource,
        phrases: Sequence[str],
        *,
        out: Path,
        old: SpeakerVoices,
        show: Callable[[str], None] | None = None,
    ) -> None:
        self._source: Iterator[Samples] = iter(source)
        self._phrases, self._out, self._voices = tuple(phrases), out, old
        self._show = show or _to_terminal
        self._learner = Learner()
        self._floor: float | None = None

    def of(self, names: Sequence[str]) -> SpeakerVoices:
        """All these players; what was learnt is on the disk when this returns."""
        try:
            for name in names:
                self._player(name)
        except (KeyboardInterrupt, EOFError):
            self._show("\n" + _("On s'arrête là ; ce qui a été dit est gardé.") + "\n")
        if self._voices.takes:
            self._voices.save(self._out)
        return self._voices

    def _player(self, name: str) -> None:
        phrases = Phrases(name, self._phrases, self._voices.next_sitting(name), self._learner, self._floor)
        hello = (
            _("{name}, à vous : dites chaque phrase comme au jeu.")
            if phrases.sitting == 1
            else _("{name}, encore une fois, comme ce soir : la voix change d'un jour à l'autre.")
        )
        self._show(hello.format(name=name) + "\n")
        try:
            while phrases.text is not None:
                self._try(phrases, phrases.text)
        finally:
            if phrases.takes:
                self._voices = self._voices.with_takes(phrases.takes)
        if self._voices.takes:
            self._voices.save(self._out)

    def _try(self, phrases: Phrases, text: str) -> None:
        """Ask once, and say what came of it."""
        self._show(_("  {n}/{all}  « {text} »").format(n=phrases.number, all=len(self._phrases), text=text) + "\n")
        for block in self._source:
            listening = phrases.asked
            remarks = phrases.accept(block)
            self._show("\r    " + level_bar(listening.level) + "\r")
            self._floor = listening.floor
            for remark in remarks:
                self._show(_(REMARKS[remark]) + "\n")
            if remarks:
                return
        raise EOFError  # the microphone is gone


def level_bar(level: float) -> str:
    """The level as a bar of fixed width."""
    filled = round(BAR * min(1.0, max(0.0, (level - QUIET) / (LOUDEST - QUIET))))
    return "█" * filled + "·" * (BAR - filled)


def _to_terminal(text: str) -> None:
    """Prompts go to stderr, so that stdout stays for the answer; the level only where somebody watches."""
    if "\r" in text and not sys.stderr.isatty():
        return
    sys.stderr.write(text)
    sys.stderr.flush()


def _say(sentence: str, **fields: object) -> None:
    sys.stderr.write("trut: " + sentence.format(**fields) + "\n")


def _report(as_json: bool, path: Path, voices: SpeakerVoices, added: int) -> None:
    """Whose voices the file holds now."""
    if as_json:
        speakers = {
            name: {"phrases": sorted(voices.texts(name)), "takes": _count(voices, name)} for name in voices.names
        }
        print(json.dumps({"file": str(path), "added": added, "speakers": speakers}, ensure_ascii=False))
        return
    n = len(voices.names)
    print(ngettext("{file} : {n} voix", "{file} : {n} voix", n).format(file=path, n=n))
    for name in voices.names:
        phrases, takes = len(voices.texts(name)), _count(voices, name)
        said = ngettext("{n} phrase", "{n} phrases", phrases).format(n=phrases)
        took = ngettext("{n} prise", "{n} prises", takes).format(n=takes)
        print(_("  {name} : {phrases}, {takes}").format(name=name, phrases=said, takes=took))


def _count(voices: SpeakerVoices, name: str) -> int:
    return sum(take.speaker == name for take in voices.takes)
