"""Cutting, searching and choosing, on outputs of the net that are made here."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audio.choosing import Choice, Chooser, Evidence
from audio.decoding import Chains, Loop, held
from audio.everyday import Everyday, words
from audio.lexicon import phone_ids, pronounce
from audio.phones import INDEX, PHONES, SIL
from audio.phrasebook import Call, calls_from, calls_of
from audio.spotter import WEIGHING, Strictness, confidence
from audio.utterances import PAUSE, Cutter, Span
from audio.voices import Joined

T, R, Y, A, K, P = (INDEX[name] for name in ("t", "r", "y", "a", "k", "p"))
TRUT = phone_ids(("t", "r", "y", "t"))


def rows(*phones: int, sure: float = 6.0) -> np.ndarray:
    """Outputs that are sure of these phones."""
    found = np.full((len(phones), len(PHONES)), -sure)
    found[np.arange(len(phones)), phones] = 0.0
    return found


def saying(*names: str, hold: int = 2) -> list[int]:
    return [INDEX[name] for name in names for _ in range(hold)]


SILENCE = [SIL] * 12


def cut(outputs: np.ndarray) -> list[Span]:
    cutter = Cutter()
    return [span for span in map(cutter.step, outputs) if span is not None]


def test_an_utterance_is_what_lies_between_two_silences() -> None:
    assert cut(rows(*SILENCE, *saying("t", "r", "y", "t"), *SILENCE)) == [Span(12, 20, 20 + PAUSE - 1)]


def test_a_closure_ends_no_utterance_and_a_blip_begins_none() -> None:
    closure = rows(*SILENCE, T, R, Y, Y, SIL, SIL, SIL, SIL, T, *SILENCE)
    (span,) = cut(closure)
    assert span.start == 12
    assert span.known >= 20  # the burst of the last t is still looked at
    assert cut(rows(*SILENCE, A, *SILENCE)) == []


@given(st.lists(st.integers(0, len(PHONES) - 1), max_size=80))
@settings(max_examples=60, deadline=None)
def test_utterances_follow_each_other(phones: list[int]) -> None:
    spans = cut(rows(*phones, *SILENCE))
    assert all(a.stop + PAUSE <= b.start + 1 or a.known < b.known for a, b in pairwise(spans))
    assert all(span.start < span.stop <= span.known for span in spans)


def test_a_phrase_is_found_where_it_lies_whatever_the_silence() -> None:
    for before, after in ((3, 3), (8, 5), (20, 12)):
        outputs = rows(*[SIL] * before, T, T, R, Y, Y, Y, T, *[SIL] * after)
        best = Chains([held(TRUT)]).search(outputs)
        assert (best.start[0], best.stop[0]) == (before, before + 7)
        assert best.score[0] == 0.0


def test_a_phrase_that_does_not_fit_pays_for_each_output() -> None:
    outputs = rows(*[SIL] * 4, T, R, A, A, T, *[SIL] * 5)
    assert Chains([held(TRUT)]).search(outputs).score[0] == -12.0


def test_chains_do_not_run_into_each_other() -> None:
    outputs = rows(*[SIL] * 4, T, A, *[SIL] * 5)
    best = Chains([[T], [A], [T, A]]).search(outputs)
    assert best.score.tolist() == [-6.0, -6.0, 0.0]


def test_words_follow_each_other_at_their_cost() -> None:
    loop = Loop([[T, A], [K, A]], np.array([1.0, 2.0]))
    said = rows(SIL, T, A, SIL, K, A, SIL)
    assert loop.run(said)[-1] == pytest.approx(-3.0)
    assert loop.run(said, np.array([1]))[-1] < -7


def test_the_everyday_words_have_what_sounds_nearly_like_a_call() -> None:
    texts = {word.text for word in words()}
    assert {"truite", "brute", "flûte", "mouche", "boire", "suis", "c'est"} <= texts
    assert all(phone in INDEX for word in words() for phone in word.phones)
    counts = [word.count for word in words()]
    assert counts == sorted(counts, reverse=True)


def test_a_word_that_is_a_call_is_left_out() -> None:
    outputs = rows(*SILENCE, *saying(*pronounce("oui")[0], hold=3), *SILENCE)
    assert Everyday().score(outputs) > Everyday(set(pronounce("oui"))).score(outputs) + 1


def choose(chooser: Chooser, outputs: np.ndarray) -> list[Choice]:
    return [c for c in (chooser.step(row) for row in outputs) if c is not None]


def said(text: str, hold: int = 3) -> np.ndarray:
    return rows(*SILENCE, *saying(*pronounce(text)[0], hold=hold), *SILENCE)


def best_text(chooser: Chooser, outputs: np.ndarray) -> str:
    (choice,) = choose(chooser, outputs)
    return chooser.calls[choice.matches[0].call].text


@pytest.mark.parametrize("text", ["je trute", "je me couche", "je vais voir", "annule", "brelan"])
def test_each_call_is_the_likeliest_of_what_it_is(text: str) -> None:
    assert best_text(Chooser(calls_of("trut")), said(text)) == text


def test_a_call_beats_everyday_words_and_a_near_word_does_not() -> None:
    chooser = Chooser(calls_of("trut"))
    (call,) = choose(chooser, said("brelan"))
    assert call.gain > 0
    (near,) = choose(Chooser(calls_of("trut")), said("truite"))
    assert near.gain < 0


def test_what_may_not_be_said_competes_at_a_price() -> None:
    calls = calls_from(["truc", "trut"])
    between = (
        rows(*SILENCE, *saying("t", "r", "y"), *[K] * 3, *SILENCE)
        + rows(*SILENCE, *saying("t", "r", "y"), *[T] * 3, *SILENCE)
    ) / 2
    between[:, T] += 0.3
    chooser = Chooser(calls)
    assert best_text(chooser, between) == "trut"
    chooser = Chooser(calls)
    chooser.welcome = np.array([True, False])
    assert best_text(chooser, between) == "truc"


def test_a_pause_at_a_comma_divides_no_call() -> None:
    way = next(way for way in pronounce("deux petits, un grand") if "SIL" in way)
    at = way.index("SIL")
    outputs = rows(
        *SILENCE, *saying(*way[:at], hold=3), *[SIL] * 9, *saying(*way[at + 1 :], hold=3), *SILENCE
    )  # fmt: skip
    chooser = Chooser(calls_of("trut-gatine"))
    *_, last = choose(chooser, outputs)
    assert chooser.calls[last.matches[0].call].phrase == "deux-petits"


def test_long_talk_is_no_call() -> None:
    assert choose(Chooser(calls_of("trut")), rows(*SILENCE, *saying("t", "a", "p", "a") * 25, *SILENCE)) == []


def test_names_compete_only_while_one_may_be_said() -> None:
    calls = calls_of("trut")
    chooser = Chooser(calls)
    assert chooser.calls[choose(chooser, said("le huit de cœur"))[0].matches[0].call].card
    chooser = Chooser(calls)
    chooser.welcome = np.array([not call.name for call in calls])
    assert not any(calls[m.call].card for m in choose(chooser, said("le huit de cœur"))[0].matches)


def evidence_of(calls: tuple[Call, ...], outputs: np.ndarray) -> tuple[Chooser, Choice]:
    chooser = Chooser(calls)
    for row in outputs:
        choice = chooser.step(row)
        if choice is not None:
            return chooser, choice
    raise AssertionError("no utterance")


def test_evidence_of_a_clear_call_and_of_none() -> None:
    chooser, choice = evidence_of(calls_of("trut"), said("brelan"))
    clear = chooser.evidence(choice, choice.matches[0])
    assert clear is not None
    assert clear.near == clear.worst == 0
    assert clear.alone == 1
    assert clear.lead > 5
    chooser, choice = evidence_of(calls_of("trut"), said("la minute"))
    other = chooser.evidence(choice, choice.matches[0])
    assert other is not None
    assert confidence(clear) > 0.9 > 0.3 > confidence(other)
    assert len(WEIGHING) == len(fields(Evidence)) + 1


def test_a_call_of_two_sounds_must_be_surer() -> None:
    strict = Strictness()
    by_text = {call.text: call for call in calls_of("trut")}
    assert strict.at_least(by_text["aide"]) > 0.9 > strict.at_least(by_text["pause"]) == strict.least
    assert strict.at_least(by_text["joue"]) < strict.least  # an answer


def test_doubt() -> None:
    chooser, choice = evidence_of(calls_of("trut"), said("brelan"))
    clear = chooser.evidence(choice, choice.matches[0])
    assert clear is not None
    strict = Strictness()
    assert not strict.doubts(clear, 0.99)
    assert strict.doubts(clear, strict.sure - 0.01)
    assert strict.doubts(replace(clear, lead=strict.lead - 0.1), 0.99)
    taught = Joined("oui", margin=12.0, distance=2.0, taught=True, speaker=None)
    assert not strict.doubts(replace(clear, lead=strict.lead - 0.1), 0.99, taught)
    assert strict.doubts(clear, 0.99, replace(taught, margin=1.0))
