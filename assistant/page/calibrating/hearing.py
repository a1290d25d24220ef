"""Knocks and voices in the page: heard by the table's own microphone, learnt, and listened with at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistant.calibrating.knock import Asked as KnocksAsked
from assistant.calibrating.knock import profile_path
from assistant.calibrating.voice import QUIET, Phrases, Remark, known_voices, phrases_to_say, voices_path
from assistant.i18n import N_
from assistant.page.calibrating.desk import Desk
from assistant.page.calibrating.errors import Exists, NobodyToHear
from assistant.session import Samples
from audio.knocks import KnockProfile, calibrated
from audio.voices import SpeakerVoices
from calibration.knocks import WANTED, Gain, learn
from calibration.voices import Learner
from engine.errors import TrutError
from vision.camera import Frame

MOST_PLAYERS = 6
MOST_LETTERS = 40
"""Of a name."""


class KnocksLesson:
    """Five knocks, half a minute of talk, and the profile of this table's knocks.

    Args:
        desk: puts what was learnt into the ears.
        path: where the profile is kept.
    """

    kind, uses = "knocks", "sound"

    def __init__(self, desk: Desk, path: Path) -> None:
        self._desk, self._path = desk, path
        self._asked = KnocksAsked()
        self._gain: Gain | None = None
        self._problem: TrutError | None = None
        self._used = False

    @classmethod
    def opened(cls, desk: Desk, *, replace: bool) -> KnocksLesson:
        """A lesson for the user's table.

        Raises:
            Exists: its knocks are known, and shall not be replaced.
        """
        path = profile_path()
        if path.exists() and not replace:
            raise Exists(N_("les coups de cette table sont déjà appris : les remplacer ?"))
        return cls(desk, path)

    @property
    def over(self) -> bool:
        return self._gain is not None or self._problem is not None

    def see(self, frame: Frame) -> None: ...

    def hear(self, block: Samples) -> None:
        if self.over:
            return
        self._asked.accept(block)
        if self._asked.phase == "done":
            try:
                profile, gain = learn(*self._asked.heard())
                profile.save(self._path)
                self._used = self._use(profile)
                self._gain = gain
            except TrutError as problem:
                self._problem = problem

    def _use(self, profile: KnockProfile) -> bool:
        def change(ears: Any) -> bool:
            calibrate = getattr(ears, "calibrate", None)
            if calibrate is None:
                return False
            calibrate(calibrated(profile))
            return True

        return self._desk.for_ears.run(change, "knocks")

    def state(self) -> dict[str, Any]:
        asked, gain = self._asked, self._gain
        return {
            "phase": "learnt" if gain is not None else asked.phase,
            "count": asked.count,
            "wanted": WANTED,
            "level": round(asked.level, 3),
            "left": round(asked.left, 1),
            "gain": None
            if gain is None
            else {
                "knocks": gain.knocks,
                "before": gain.before,
                "after": gain.after,
                "false_before": gain.false_before,
                "false_after": gain.false_after,
                "seconds": round(gain.seconds),
            },
            "used": self._used,
            "problem": self._problem,
        }

    def close(self) -> None: ...


def checked_names(names: object) -> list[str]:
    """Who shall speak.

    Raises:
        NobodyToHear
    """
    found = names if isinstance(names, list) else []
    clean = [" ".join(name.split()) for name in found if isinstance(name, str)]
    good = [name for name in dict.fromkeys(clean) if name and name.isprintable() and len(name) <= MOST_LETTERS]
    if not good or len(good) != len(found) or len(good) > MOST_PLAYERS:
        raise NobodyToHear(N_("dites qui parle : un prénom par joueur"))
    return good


class VoicesLesson:
    """Each player says each phrase; what was said is saved after every player.

    Args:
        desk: puts what was learnt into the ears.
        names: who speaks, in this order.
        phrases: what is said.
        path: where the voices are kept.
    """

    kind, uses = "voices", "sound"

    def __init__(self, desk: Desk, names: Sequence[str], phrases: Sequence[str], path: Path) -> None:
        self._desk, self._phrases, self._path = desk, tuple(phrases), path
        self._voices = known_voices(path)
        self._learner = Learner()
        self._left = list(names)
        self._done: list[str] = []
        self._taken = 0
        self._remarks: tuple[int, list[Remark]] = (0, [])
        self._problem: TrutError | None = None
        self._used = False
        self._skip = False
        self._now: Phrases | None = None
        self._next()

    @classmethod
    def opened(cls, desk: Desk, names: object, game: str) -> VoicesLesson:
        """A lesson for the user's table. Raises NobodyToHear."""
        return cls(desk, checked_names(names), phrases_to_say(game), voices_path())

    @property
    def over(self) -> bool:
        return self._now is None or self._problem is not None

    def skip(self) -> None:
        """Leave the phrase that is asked for; at the next sound."""
        self._skip = True

    def see(self, frame: Frame) -> None: ...

    def hear(self, block: Samples) -> None:
        speaker = self._now
        if speaker is None:
            return
        if self._skip:
            self._skip = False
            speaker.skip()
        remarks = speaker.accept(block)
        if remarks:
            self._remarks = (self._remarks[0] + 1, remarks)
        if speaker.text is None:
            self._keep(speaker)
            self._done.append(speaker.name)
            self._next()

    def _next(self) -> None:
        floor = None if self._now is None else self._now.asked.floor
        if not self._left:
            self._now = None
            return
        name = self._left.pop(0)
        self._now = Phrases(name, self._phrases, self._voices.next_sitting(name), self._learner, floor)

    def _keep(self, speaker: Phrases) -> None:
        """Save what was said, and listen with it."""
        if not speaker.takes:
            return
        voices = self._voices.with_takes(speaker.takes)
        try:
            voices.save(self._path)
        except TrutError as problem:
            self._problem = problem
            return
        self._voices, self._taken = voices, self._taken + len(speaker.takes)
        self._used = self._use(voices)

    def _use(self, voices: SpeakerVoices) -> bool:
        def change(ears: Any) -> bool:
            teach = getattr(ears, "teach", None)
            if teach is None:
                return False
            teach(voices)
            return True

        return self._desk.for_ears.run(change, "voices")

    def state(self) -> dict[str, Any]:
        now, (number, remarks) = self._now, self._remarks
        level = -100.0 if now is None else now.asked.level
        return {
            "name": None if now is None else now.name,
            "number": 0 if now is None else now.number,
            "all": len(self._phrases),
            "text": None if now is None else now.text,
            "sitting": 0 if now is None else now.sitting,
            "speaking": now is not None and now.asked.begun,
            "level": round(min(1.0, max(0.0, 1 - level / QUIET)), 3),
            "remark": {"n": number, "what": remarks},
            "done": list(self._done),
            "left": list(self._left),
            "taken": self._taken,
            "used": self._used,
            "problem": self._problem,
        }

    def close(self) -> None:
        """Who had enough keeps what was said so far."""
        if self._now is not None and self._problem is None:
            self._keep(self._now)


def learnt_voices() -> dict[str, list[str]]:
    """Whose voices are known, and which phrases of each; none where the file cannot be used any more."""
    path = voices_path()
    if not path.is_file():
        return {}
    try:
        voices = SpeakerVoices.load(path)
    except TrutError:
        return {}
    return {name: sorted(voices.texts(name)) for name in voices.names}


def forget_voice(desk: Desk, name: str) -> None:
    """Nothing is kept of a player's voice any more.

    Raises:
        UnreadableVoices: the file cannot be written.
    """
    path = voices_path()
    if not path.is_file():
        return
    try:
        known = SpeakerVoices.load(path)
    except TrutError:  # of no use to anybody
        known = SpeakerVoices()
    voices = SpeakerVoices(take for take in known.takes if take.speaker != name)
    if voices.takes:
        voices.save(path)
    else:
        path.unlink(missing_ok=True)

    def change(ears: Any) -> bool:
        if hasattr(ears, "teach"):
            ears.teach(voices)
        return True

    desk.for_ears.run(change, "voices")
