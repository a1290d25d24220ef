"""Both listeners on one stream."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import RATE, table

from audio.ears import CHUNK, Ears
from audio.events import Knock, Phrase, SoundObservation
from audio.knocks import KnockDetector
from audio.resampling import resampled
from audio.source import open_sound


class Parrot:
    """Hears a phrase each second; what it says depends on how it was fed, so that a test can see it."""

    def __init__(self) -> None:
        self.heard = 0
        self.fed: list[int] = []
        self.verbs: frozenset[str] | None = frozenset({"never told"})

    def accept(self, samples: np.ndarray) -> list[Phrase]:
        self.fed.append(len(samples))
        before, self.heard = self.heard, self.heard + len(samples)
        if before // RATE == self.heard // RATE:
            return []
        return [phrase(self.heard // RATE - 0.2, self.heard / RATE, f"{len(self.fed)} blocks")]

    def finish(self) -> list[Phrase]:
        return [phrase(self.heard / RATE, self.heard / RATE, "end")]

    def expect(self, verbs: frozenset[str] | None) -> None:
        self.verbs = verbs


def phrase(t: float, decided: float, text: str) -> Phrase:
    return Phrase(t, decided, "trut", ("trut",), False, text, 0.9)


def ears(parrot: Parrot) -> Ears:
    return Ears(knocks=KnockDetector(lambda p: np.ones(len(p), np.float32)), spotter=parrot)  # type: ignore[arg-type]


def run(sound: np.ndarray, cuts: list[int]) -> list[SoundObservation]:
    listener = ears(Parrot())
    return [e for part in np.split(sound, sorted(cuts)) for e in listener.accept(part)] + listener.finish()


@given(st.lists(st.integers(0, 3 * RATE), max_size=10))
@settings(max_examples=25, deadline=None)
def test_what_is_heard_does_not_depend_on_the_blocks(cuts: list[int]) -> None:
    sound = table([0.3, 0.9, 1.1, 2.05], 3.1)
    assert run(sound, cuts) == run(sound, [])


def test_knocks_and_phrases_come_in_the_order_of_their_decisions() -> None:
    sound = table([0.3, 0.85, 1.1, 1.9, 2.3], 3.0)
    events = run(sound, [])
    assert [e.decided for e in events] == sorted(e.decided for e in events)
    kinds = [type(e).__name__ for e in events]
    assert kinds.count("Phrase") == 4  # three seconds and the end
    assert kinds.count("Knock") >= 5
    assert "Knock" in kinds[kinds.index("Phrase") :]


def test_both_listeners_get_even_chunks() -> None:
    parrot = Parrot()
    listener = ears(parrot)
    for size in (1, 1000, 7, 5000, 333):
        listener.accept(np.zeros(size, np.float32))
    listener.finish()
    assert set(parrot.fed[:-1]) == {CHUNK}
    assert sum(parrot.fed) == 6341


class Says(Parrot):
    """Says one phrase, decided when 1.5 s were heard."""

    def __init__(self, said: Phrase) -> None:
        super().__init__()
        self.said = said

    def accept(self, samples: np.ndarray) -> list[Phrase]:
        before, self.heard = self.heard, self.heard + len(samples)
        return [self.said] if before < self.said.decided * RATE <= self.heard else []

    def finish(self) -> list[Phrase]:
        return []


@pytest.mark.parametrize(
    ("t", "means", "confidence", "counts"),
    [
        (1.1, "accept", 0.6, False),  # the thud of the knock at 1.0 taken for a word
        (1.1, "accept", 0.95, True),  # a word beside a knock
        (1.1, "trut", 0.95, False),  # "je trute" with the fist on the table: one trut
        (0.8, "accept", 0.6, True),  # before it
        (1.45, "accept", 0.6, True),  # after it
    ],
)
def test_one_sound_counts_once(t: float, means: str, confidence: float, counts: bool) -> None:
    said = Phrase(t, 1.5, means, (means,), False, "…", confidence)
    listener = ears(Says(said))
    events = listener.accept(table([1.0], 2.0)) + listener.finish()
    assert [e for e in events if isinstance(e, Phrase)] == ([said] if counts else [])
    assert sum(isinstance(e, Knock) and abs(e.t - 1.0) < 0.03 for e in events) == 1


def test_expectations_reach_the_phrases() -> None:
    parrot = Parrot()
    listener = ears(parrot)
    listener.expect(frozenset({"trut"}))
    listener.expect(frozenset({"accept", "fold"}))
    assert parrot.verbs == {"never told"}  # another thread may be listening just now
    listener.accept(np.zeros(1, np.float32))
    assert parrot.verbs == {"accept", "fold"}
    listener.expect(None)
    listener.finish()
    assert parrot.verbs is None


@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (11025, 2), (44100, 1), (48000, 8), (96000, 1)])
def test_the_same_knocks_at_any_rate_and_channel_count(tmp_path: Path, rate: int, channels: int) -> None:
    def knocks(path: Path) -> list[tuple[float, int, int]]:
        detector = KnockDetector()
        heard = [knock for block in open_sound(path) for knock in detector.accept(block)] + detector.finish()
        return [(knock.t, knock.gesture, knock.hit) for knock in heard]

    sound = table([0.5, 0.8, 2.0, 3.1], 4.0, -50)
    soundfile.write(tmp_path / "here.wav", sound, RATE, subtype="FLOAT")
    other = resampled(sound, RATE, rate)[:, None] * np.array([1.0, -0.8, 0, 0, 0.5, 0, 0, 0][:channels])
    other += 0.2  # as cheap microphones do
    soundfile.write(tmp_path / "there.wav", other, rate)
    here, there = knocks(tmp_path / "here.wav"), knocks(tmp_path / "there.wav")
    assert len(here) == 4
    assert [k[1:] for k in there] == [k[1:] for k in here]
    assert [k[0] for k in there] == pytest.approx([k[0] for k in here], abs=0.009)
