"""``trut calibrate knock``: learns how a fist sounds on this table, from five knocks and half a minute without any."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from assistant.i18n import N_, _, ngettext
from audio.knocks import Gestures, KnockDetector, Onset, Onsets, calibrated, read_profile, shipped_net
from audio.resampling import RATE, Samples
from audio.source import SoundSource, microphone, open_sound
from calibration.knocks import WANTED, Gain, learn, loudness
from engine.errors import TrutError

TALK_SECONDS = 30.0
"""How long the players talk and put glasses down."""
PATIENCE = 30.0
"""Seconds to wait for the knocks."""
STANDS_OUT_DB = 12.0
"""What a knock must at least stand out of the room to be taken for one of the five."""
NOW_TALK = N_(
    "Merci. Maintenant, pendant une demi-minute, ne tapez plus : parlez, riez, posez des verres et des cartes."
)
REST = 0.5
"""Seconds that are still recorded after the last knock."""


class CalibrationError(TrutError):
    """The command was asked for something it cannot do."""

    code = "calibrate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md, ``trut calibrate knock``."""
    parser.add_argument(
        "--out", type=Path, metavar=_("FICHIER"), help=_("le fichier du profil ; sans lui, celui de votre table")
    )
    parser.add_argument("--mic", metavar=_("MICRO"), help=_("quel micro (numéro ou nom)"))
    parser.add_argument("--knocks", metavar=_("FICHIER"), help=_("un enregistrement de cinq coups, au lieu du micro"))
    parser.add_argument("--talk", metavar=_("FICHIER"), help=_("un enregistrement où personne ne tape"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON"))


def run(args: argparse.Namespace) -> int:
    """Learn one table; 1 where not every knock is heard even then."""
    if (args.knocks is None) != (args.talk is None):
        raise CalibrationError(N_("donnez les deux enregistrements : --knocks FICHIER et --talk FICHIER"))
    path = args.out or profile_path()
    if args.knocks is not None:
        knocks, talk = heard(open_sound(args.knocks)), heard(open_sound(args.talk))
    else:
        with microphone(args.mic or None) as source:
            knocks, talk = sitting(source)
    profile, gain = learn(knocks, talk)
    profile.save(path)
    _report(args.json, path, gain)
    return 0 if gain.after == gain.knocks else 1


def profile_path() -> Path:
    """Where the profile of the user's table is kept."""
    from platformdirs import user_data_path

    return user_data_path("trut", appauthor=False) / "knocks.json"


def profile_here(named: str | Path | None = None) -> Path | None:
    """The profile to listen with: the one named, else that of the user's table, if there is one that still serves."""
    if named is not None:
        return Path(named)
    path = profile_path()
    if not path.is_file():
        return None
    try:
        read_profile(path)
    except TrutError:
        _say(_("{file} : ce profil de coups ne sert plus, on s'en passe ; refaites trut calibrate knock"), file=path)
        return None
    return path


def detector(profile: Path | None = None, *, first: float | None = None) -> KnockDetector:
    """The knock detector for a table; without a profile the shipped one.

    Args:
        profile: a file of ``trut calibrate knock``.
        first: another threshold for the first hit of a gesture.

    Raises:
        UnreadableKnockProfile: the file is none.
    """
    return (
        KnockDetector(first=first) if profile is None else KnockDetector(calibrated(read_profile(profile)), first=first)
    )


def heard(source: SoundSource) -> Samples:
    """A whole recording."""
    blocks = list(source)
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


class Asked:
    """Five knocks are asked for, then half a minute without any: sound in, both recordings out.

    Attributes:
        count: knocks that were heard so far; things that stood out of the room.
        level: loudest sample of the last block, 0 to 1.
    """

    def __init__(self) -> None:
        self.count = 0
        self.level = 0.0
        self._finder = Onsets()
        self._strikes = Gestures(first=0.5, further=2.0)  # nothing counts within a gesture but its first
        self._knocks: list[Samples] = []
        self._talk: list[Samples] = []
        self._until = PATIENCE
        self._knocked = False

    @property
    def phase(self) -> Literal["knocks", "talk", "done"]:
        """What is asked for."""
        if not self._knocked:
            return "knocks"
        return "talk" if _seconds(self._talk) < TALK_SECONDS else "done"

    @property
    def left(self) -> float:
        """Seconds that the talk still lasts."""
        return max(0.0, TALK_SECONDS - _seconds(self._talk))

    def accept(self, block: Samples) -> None:
        """Listen on; the knocks are over once enough were heard, or after a while."""
        self.level = float(np.abs(block).max(initial=0.0))
        if self.phase == "talk":
            self._talk.append(block)
        elif self.phase == "knocks":
            before = _seconds(self._knocks)
            self._knocks.append(block)
            self._count(self._finder.accept(block), before)
            self._knocked = _seconds(self._knocks) >= self._until

    def _count(self, onsets: list[Onset], length: float) -> None:
        for onset in onsets:
            stands_out = loudness(onset) >= STANDS_OUT_DB and self._strikes.judge(onset.t, 1.0) is not None
            if stands_out and self.count < WANTED:
                self.count += 1
                if self.count == WANTED:
                    self._until = length + REST

    def heard(self) -> tuple[Samples, Samples]:
        """The recordings of the knocks and of the talk, as far as they go.

        Raises:
            CalibrationError: nothing was recorded of one of them.
        """
        if not self._knocks or not self._talk:
            raise CalibrationError(N_("le micro s'est tu : rien n'a été enregistré"))
        return np.concatenate(self._knocks), np.concatenate(self._talk)


def _seconds(blocks: list[Samples]) -> float:
    return sum(map(len, blocks)) / RATE


def sitting(source: SoundSource, show: Callable[[str], None] | None = None) -> tuple[Samples, Samples]:
    """The knocks and the talk, asked for at the microphone."""
    show = show or _say_plainly
    asked = Asked()
    show(_("Tapez cinq fois du poing sur la table, comme au jeu, en laissant une seconde entre les coups."))
    counted, told = 0, 0
    for block in source:
        before = asked.phase
        asked.accept(block)
        for n in range(counted + 1, asked.count + 1):
            show(_("  coup {n} sur {all}").format(n=n, all=WANTED))
        counted = asked.count
        if before == "knocks" and asked.phase == "talk":
            show(_(NOW_TALK))
        if asked.phase == "talk" and TALK_SECONDS - asked.left > told + 10:
            told += 10
            show(_("… encore {n} secondes").format(n=round(TALK_SECONDS - told)))
        if asked.phase == "done":
            break
    return asked.heard()


def _say_plainly(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def _say(sentence: str, **fields: object) -> None:
    sys.stderr.write("trut: " + sentence.format(**fields) + "\n")


def _report(as_json: bool, path: Path, gain: Gain) -> None:
    """What was gained, on the sounds that were recorded."""
    if as_json:
        facts = {
            "file": str(path),
            "net": shipped_net().mark,
            "knocks": gain.knocks,
            "heard": {"before": gain.before, "after": gain.after},
            "talk_s": round(gain.seconds, 1),
            "false_gestures": {"before": gain.false_before, "after": gain.false_after},
        }
        print(json.dumps(facts, ensure_ascii=False))
        return
    print(_("{file} : profil des coups sur votre table").format(file=path))
    n = gain.knocks
    line = ngettext(
        "  coups entendus : {before} sur {n} avant, {after} sur {n} après",
        "  coups entendus : {before} sur {n} avant, {after} sur {n} après",
        n,
    )
    print(line.format(before=gain.before, after=gain.after, n=n))
    print(
        _("  faux coups en {seconds} secondes de table : {before} avant, {after} après").format(
            seconds=round(gain.seconds), before=gain.false_before, after=gain.false_after
        )
    )
