"""Cards over time, on drawn frames and with a reader that knows the truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn_table import Stage, corners, only, run
from vision.events import CardLaid, CardMoved, CardReread, CardSighting, CardsTaken, HandGone, HandSeen
from vision.table import LOOKS, TableWatcher


def test_a_laid_card_is_reported_once_with_place_and_time() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    assert run(stage, watcher, 1) == []
    stage.cards["7h"] = (320, 260)
    laid = only(run(stage, watcher, 2), CardLaid)
    assert [(e.card, e.zone) for e in laid] == [("7h", 1)]
    assert abs(laid[0].t - 1.0) <= 0.15
    assert 0 < laid[0].decided - laid[0].t <= 0.5


@pytest.mark.parametrize(("x", "y", "seat"), [(320, 270, 1), (220, 180, 2), (320, 90, 3), (420, 180, 4)])
def test_the_zone_is_that_of_the_seat_before_which_it_lies(x: int, y: int, seat: int) -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["9s"] = (x, y)
    assert [e.zone for e in only(run(stage, watcher, 1), CardLaid)] == [seat]


def test_a_card_in_motion_is_not_reported() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    events = []
    for x in range(60, 560, 25):
        stage.cards["Ks"] = (x, 180)
        events += watcher.accept(stage.frame())
    assert only(events, CardLaid) == []


def test_taken_cards_are_reported_and_may_come_back_in_another_round() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards.update({"7h": (320, 270), "8s": (320, 90)})
    tracks = {e.track for e in only(run(stage, watcher, 1), CardLaid)}
    stage.cards.clear()
    taken = only(run(stage, watcher, 1), CardsTaken)
    assert {t for e in taken for t in e.tracks} == tracks
    assert len(tracks) == 2
    stage.cards["7h"] = (320, 270)
    again = only(run(stage, watcher, 1), CardLaid)
    assert len(again) == 1
    assert again[0].track not in tracks


def test_a_card_covered_by_an_arm_is_not_taken() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["7h"] = (320, 250)
    run(stage, watcher, 1)
    stage.arm = ((320, 359), (320, 200))
    events = run(stage, watcher, 1.5)
    stage.arm = None
    events += run(stage, watcher, 1)
    assert only(events, CardsTaken) == []
    assert only(events, CardLaid) == []


def test_an_arm_is_given_to_the_seat_it_comes_from() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.arm = ((639, 180), (560, 180))
    events = run(stage, watcher, 0.6)
    stage.arm = None
    events += run(stage, watcher, 0.6)
    assert [e.seat for e in only(events, HandSeen)] == [4]
    gone = only(events, HandGone)
    assert [e.seat for e in gone] == [4]
    assert abs(gone[0].t - 1.0) <= 0.11


def test_a_pushed_card_is_moved_not_laid_again() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["Ad"] = (320, 250)
    laid = only(run(stage, watcher, 1), CardLaid)
    stage.cards["Ad"] = (300, 215)
    events = run(stage, watcher, 1.5)
    moved = only(events, CardMoved)
    assert [e.track for e in moved] == [laid[0].track]
    assert only(events, CardLaid) == []


def test_a_card_laid_on_another_replaces_it() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["7h"] = (320, 250)
    first = only(run(stage, watcher, 1), CardLaid)
    stage.cards.clear()
    stage.cards["Qs"] = (322, 251)
    events = run(stage, watcher, 1)
    assert [e.card for e in only(events, CardLaid)] == ["Qs"]
    assert [e.tracks for e in only(events, CardsTaken)] == [(first[0].track,)]


def test_what_is_no_card_is_looked_at_a_few_times_and_then_left_alone() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    cv2.circle(stage.table, (200, 100), 30, (200, 200, 60), -1)
    assert only(run(stage, watcher, 4), CardLaid) == []
    reads = stage.reads
    run(stage, watcher, 2)
    assert stage.reads == reads


def test_a_card_that_cannot_be_read_is_reported_as_unread_and_read_later() -> None:
    stage, watcher = (s := Stage(mute={"10c"})), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["10c"] = (320, 250)
    laid = only(run(stage, watcher, 1.5), CardLaid)
    assert [(e.card, e.guesses[0][0]) for e in laid] == [(None, "10c")]
    stage.mute.clear()
    reread = only(run(stage, watcher, 2), CardReread)
    assert [(e.track, e.card) for e in reread] == [(laid[0].track, "10c")]


def test_cards_that_lie_there_from_the_start_are_reported_at_the_start() -> None:
    stage, watcher = (s := Stage(cards={"7h": (320, 250)})), TableWatcher(s)
    events = run(stage, watcher, 1)
    assert [(e.card, e.t) for e in only(events, CardLaid)] == [("7h", 0.0)]
    stage.cards.clear()
    taken = only(run(stage, watcher, 3), CardsTaken)
    assert [e.tracks for e in taken] == [(1,)]


def test_they_were_laid_before_anything_that_is_seen_also_where_the_eyes_open_late() -> None:
    stage, watcher = (s := Stage(cards={"7h": (320, 250)}, t=0.7)), TableWatcher(s)
    laid = only(run(stage, watcher, 1), CardLaid)
    assert [(e.card, e.t, e.decided) for e in laid] == [("7h", 0.0, 0.7)]


def test_flickering_exposure_is_no_change() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["7h"] = (320, 250)
    run(stage, watcher, 1)
    reads = stage.reads
    for k in range(30):
        stage.light = 1 + 0.06 * np.sin(k)
        assert watcher.accept(stage.frame()) == []
    assert stage.reads == reads


def test_the_light_is_switched_and_the_table_goes_on() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.table = np.clip(stage.table * np.float32([1.9, 1.5, 1.1]) + 20, 0, 255)
    assert only(run(stage, watcher, 3), CardLaid) == []
    stage.cards["7h"] = (320, 250)
    assert [e.card for e in only(run(stage, watcher, 1), CardLaid)] == ["7h"]


def test_the_same_frames_give_the_same_events() -> None:
    def play() -> list:
        stage, watcher = (s := Stage(confidence=0.7)), TableWatcher(s)
        events = run(stage, watcher, 0.5)
        stage.cards["7h"] = (320, 250)
        events += run(stage, watcher, 1)
        stage.cards.clear()
        return events + run(stage, watcher, 1)

    assert play() == play()


# -- what a referee can add: size, covered cards, each card once ---------------------------------------------


def lay(stage: Stage, watcher: TableWatcher, **cards: tuple[float, float]) -> list:
    """Lay cards one after another, a second each."""
    events = []
    for name, place in cards.items():
        stage.cards[name.strip("_")] = place
        events += run(stage, watcher, 1)
    return events


def test_a_card_half_covered_by_another_keeps_its_track_and_its_name() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(320, 250))
    # All that shows of the king is an index, read as that of a queen and put a little beside the card.
    stage.misread["Kh"] = CardSighting("Qh", 0.95, corners(316, 246), (("Qh", 0.95),), whole=False)
    stage.cards["7s"] = (336, 262)
    events = run(stage, watcher, 2)
    assert [e.card for e in only(events, CardLaid)] == ["7s"]
    assert len(events) == 1
    assert [(track, card) for track, card, _ in watcher.cards] == [(1, "Kh"), (2, "7s")]


def test_a_covered_card_that_is_completed_badly_has_not_moved() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(320, 250))
    stage.misread["Kh"] = CardSighting("Kh", 0.95, corners(312, 240), (("Kh", 0.95),))
    stage.cards["7s"] = (336, 262)
    events = run(stage, watcher, 2)
    assert [(type(e), e.card) for e in events] == [(CardLaid, "7s")]


def test_a_covered_card_read_as_another_by_its_pips_keeps_its_name() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, _10h=(320, 250))
    stage.misread["10h"] = CardSighting("7h", 0.95, corners(320, 250), (("7h", 0.95),))
    stage.cards["7s"] = (332, 262)
    events = run(stage, watcher, 2)
    assert [(type(e), e.card) for e in events] == [(CardLaid, "7s")]


def test_a_card_pushed_under_another_is_laid_though_only_an_index_shows() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(320, 250))
    stage.cards = {"7s": (300, 240), "Kh": (320, 250)}
    stage.misread["7s"] = replace(stage._see("7s", (300, 240)), whole=False)
    events = run(stage, watcher, 2)
    assert [(type(e), e.card) for e in events] == [(CardLaid, "7s")]


def test_the_upper_card_is_taken_and_the_lower_one_stays() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(320, 250), _7s=(336, 262))
    del stage.cards["7s"]
    events = run(stage, watcher, 2)
    assert [(type(e), e.tracks) for e in events] == [(CardsTaken, (2,))]
    assert [card for _, card, _ in watcher.cards] == ["Kh"]


def test_a_card_that_comes_to_light_again_keeps_its_track() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(320, 250))
    stage.cards = {"7s": (323, 252)}
    assert [e.tracks for e in only(run(stage, watcher, 1), CardsTaken)] == [(1,)]
    stage.cards = {"Kh": (320, 250)}
    events = run(stage, watcher, 1.5)
    assert [e.tracks for e in only(events, CardsTaken)] == [(2,)]
    assert [e.track for e in only(events, CardMoved)] == [1]
    assert only(events, CardLaid) == []
    stage.cards.clear()
    assert [e.tracks for e in only(run(stage, watcher, 1), CardsTaken)] == [(1,)]


def test_the_card_on_top_is_pushed_aside_and_the_lower_one_is_there_again() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(320, 250))
    stage.cards = {"7s": (323, 252)}
    run(stage, watcher, 1)
    stage.cards = {"Kh": (320, 250), "7s": (346, 252)}
    events = run(stage, watcher, 2)
    assert {e.track for e in only(events, CardMoved)} == {1, 2}
    assert only(events, CardLaid) == only(events, CardsTaken) == []


def test_a_second_copy_of_a_card_in_plain_view_is_a_doubt() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(220, 180))
    stage.misread["Qh"] = CardSighting("Kh", 0.95, corners(320, 260), (("Kh", 0.95), ("Qh", 0.04)))
    laid = only(lay(stage, watcher, Qh=(320, 260)) + run(stage, watcher, 1), CardLaid)
    assert [e.card for e in laid] == [None]
    guesses = dict(laid[0].guesses)
    assert guesses["Qh"] > 0.4
    assert guesses["Kh"] < 0.5
    assert [card for _, card, _ in watcher.cards] == ["Kh", None]


def test_a_deck_may_hold_a_card_twice() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s, copies=2)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(220, 180))
    stage.misread["other"] = CardSighting("Kh", 0.95, corners(320, 260), (("Kh", 0.95),))
    assert [e.card for e in only(lay(stage, watcher, other=(320, 260)), CardLaid)] == ["Kh"]


def test_a_name_that_was_taken_away_is_free_again() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, Kh=(220, 180))
    stage.cards = {"Kh": (320, 260)}
    events = run(stage, watcher, 1.5)
    assert [e.track for e in only(events, CardMoved)] == [1] or [e.card for e in only(events, CardLaid)] == ["Kh"]
    assert [card for _, card, _ in watcher.cards] == ["Kh"]


def test_what_is_far_too_large_or_small_is_no_card_once_cards_were_seen() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    lay(stage, watcher, _7h=(320, 290), Ks=(220, 180), Qd=(320, 80), _8c=(420, 180))
    assert s.size is not None
    cv2.rectangle(stage.table, (500, 60), (580, 180), (30, 30, 30), -1)  # a phone
    cv2.rectangle(stage.table, (90, 250), (120, 280), (240, 240, 240), -1)  # a sugar cube
    stage.also = [
        CardSighting("As", 0.95, corners(540, 120, 80, 120), (("As", 0.95),)),
        CardSighting("Ad", 0.95, corners(105, 265, 14, 21), (("Ad", 0.95),)),
        CardSighting(None, 0.4, corners(540, 120, 80, 120), (("As", 0.4),)),
    ]
    assert run(stage, watcher, 4) == []
    assert len(watcher.cards) == 4


def test_one_misread_thing_does_not_rule_out_the_cards_that_follow() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.misread["phone"] = CardSighting("As", 0.95, corners(540, 120, 64, 100), (("As", 0.95),))
    cv2.rectangle(stage.table, (508, 70), (572, 170), (30, 30, 30), -1)
    lay(stage, watcher, phone=(540, 120))
    events = lay(stage, watcher, _7h=(320, 290), Ks=(220, 180), Qd=(320, 80), _8c=(420, 180))
    laid = only(events, CardLaid)
    assert [e.card or e.guesses[0][0] for e in laid] == ["7h", "Ks", "Qd", "8c"]
    assert [e.card for e in laid][-2:] == ["Qd", "8c"]


def test_a_restless_table_is_read_no_oftener_than_agreed() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    rng = np.random.default_rng(5)
    reads = stage.reads
    for k in range(50):  # something changes somewhere all the time, and comes to rest for a moment
        if k % 3 == 0:
            x, y = int(rng.integers(60, 580)), int(rng.integers(60, 300))
            cv2.circle(stage.table, (x, y), int(rng.integers(12, 40)), rng.uniform(0, 255, 3).tolist(), -1)
        run(stage, watcher, 0.1)
    assert 5 < stage.reads - reads <= 5 * LOOKS + 1


def test_one_restless_place_is_read_five_times_a_second_at_most() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    reads = stage.reads
    for k in range(30):
        cv2.circle(stage.table, (300, 180), 20 + 3 * k, (200, 200, 60), -1)
        run(stage, watcher, 0.1)
    assert stage.reads - reads <= 16
