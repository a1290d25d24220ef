"""The manners of a real table, drawn: hands that hold, lean and cross, things, light, a camera that sways."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn_table import HEIGHT, WIDTH, Stage, only, run
from vision.events import CardLaid, CardMoved, CardSighting, CardsTaken, HandGone, HandSeen
from vision.table import TableWatcher


def opened(**table: object) -> tuple[Stage, TableWatcher]:
    """A table that has been watched for half a second."""
    stage = Stage(**table)
    watcher = TableWatcher(stage)
    run(stage, watcher, 0.5)
    return stage, watcher


# -- hands that hold a card ----------------------------------------------------------------------------------

AT_THE_CARD = ((320, 359), (320, 281))
"""An arm whose fingers touch a card at (320, 230)."""


def test_a_card_is_told_when_the_hand_lets_go_with_the_time_at_which_it_came_to_lie() -> None:
    stage, watcher = opened()

    def fiddling(t: float) -> None:
        sway = 6 * round(np.sin(9 * t))
        stage.arm = ((320 + sway, 359), (320 + sway, 281))

    stage.cards["7h"] = (320, 230)
    assert only(run(stage, watcher, 1.2, fiddling), CardLaid) == []
    stage.arm = None
    laid = only(run(stage, watcher, 1), CardLaid)
    assert [(e.card, e.hand) for e in laid] == [("7h", 1)]
    assert abs(laid[0].t - 0.5) <= 0.2
    assert laid[0].decided <= 2.0


def test_a_hand_that_rests_at_a_card_holds_it_for_a_second_only() -> None:
    stage, watcher = opened()
    stage.cards["7h"], stage.arm = (320, 230), AT_THE_CARD
    laid = only(run(stage, watcher, 2.5), CardLaid)
    assert [e.card for e in laid] == ["7h"]
    assert abs(laid[0].t - 0.5) <= 0.2
    assert 1.0 <= laid[0].decided - 0.5 <= 1.6


def test_an_arm_over_half_a_card_delays_it_and_does_not_change_its_time() -> None:
    stage, watcher = opened()
    stage.cards["7h"], stage.arm = (320, 230), ((320, 359), (320, 240))
    assert only(run(stage, watcher, 2), CardLaid) == []
    stage.arm = None
    laid = only(run(stage, watcher, 1), CardLaid)
    assert [e.card for e in laid] == ["7h"]
    assert abs(laid[0].t - 0.5) <= 0.3


def test_an_arm_that_passes_over_lying_cards_changes_nothing() -> None:
    stage, watcher = opened()
    stage.cards.update({"7h": (320, 250), "Ks": (220, 180)})
    run(stage, watcher, 1)

    def passing(t: float) -> None:
        stage.arm = ((0, 100), (int(60 + 260 * t), int(120 + 80 * t)))

    assert [type(e) for e in run(stage, watcher, 1.5, passing)] == [HandSeen]
    stage.arm = None
    assert [type(e) for e in run(stage, watcher, 2)] == [HandGone]


# -- whose hand ----------------------------------------------------------------------------------------------


def test_crossed_arms_are_two_hands_and_the_card_is_that_of_the_hand_that_laid_it() -> None:
    stage, watcher = opened()
    stage.arms = [((320, 359), (320, 150)), ((0, 230), (400, 230))]
    events = run(stage, watcher, 0.5)
    assert {e.seat for e in only(events, HandSeen)} == {1, 2}
    stage.cards["7h"] = (320, 80)
    stage.arms = [((320, 359), (320, 134)), ((0, 230), (400, 230))]
    run(stage, watcher, 0.4)
    stage.arms = [((0, 230), (400, 230))]
    laid = only(run(stage, watcher, 1), CardLaid)
    assert [(e.card, e.hand) for e in laid] == [("7h", 1)]


def test_another_hand_in_the_picture_is_not_taken_for_the_one_that_laid() -> None:
    stage, watcher = opened()
    stage.arms = [((639, 100), (560, 100))]
    run(stage, watcher, 0.5)
    stage.arms.append(((320, 359), (320, 281)))
    stage.cards["7h"] = (320, 230)
    events = run(stage, watcher, 0.4)
    stage.arms.pop()
    events += run(stage, watcher, 1)
    assert [(e.card, e.hand) for e in only(events, CardLaid)] == [("7h", 1)]


def test_a_leaning_arm_becomes_table_and_its_next_reach_is_seen() -> None:
    stage, watcher = opened()
    leaning = ((0, 250), (90, 250))
    stage.arm = leaning
    run(stage, watcher, 6)
    reads = stage.reads
    assert run(stage, watcher, 1) == []
    assert stage.reads == reads
    stage.arms = [((90, 250), (200, 200))]  # the same arm reaches out from where it leant
    reach = run(stage, watcher, 0.5)
    assert [e.seat for e in only(reach, HandSeen)] == [2]
    stage.cards["7h"] = (240, 150)
    laid = run(stage, watcher, 0.4)
    stage.arms = []
    laid += run(stage, watcher, 1)
    assert [(e.card, e.hand) for e in only(laid, CardLaid)] == [("7h", 2)]
    stage.arm = None  # it is drawn back: what comes to light is the table
    assert only(run(stage, watcher, 2), CardLaid) == []
    stage.arm = ((0, 250), (120, 250))
    assert [e.seat for e in only(run(stage, watcher, 0.5), HandSeen)] == [2]


def test_a_hand_that_was_there_from_the_start_leaves_no_ghost() -> None:
    stage = Stage(arm=((0, 180), (200, 180)))
    watcher = TableWatcher(stage)
    run(stage, watcher, 1)
    stage.arm = None
    run(stage, watcher, 0.8)
    events = run(stage, watcher, 2)
    assert only(events, HandSeen) == only(events, CardLaid) == []
    stage.cards["7h"] = (180, 180)
    assert [e.card for e in only(run(stage, watcher, 1), CardLaid)] == ["7h"]


# -- cards on their way --------------------------------------------------------------------------------------


def test_a_card_that_slides_across_zones_is_laid_once_where_it_comes_to_rest() -> None:
    stage, watcher = opened()

    def sliding(t: float) -> None:
        stage.cards["7h"] = (140 + 180 * min(t, 1.0), 180 - 100 * min(t, 1.0))

    laid = only(run(stage, watcher, 2, sliding), CardLaid)
    assert [(e.card, e.zone) for e in laid] == [("7h", 3)]
    assert abs(laid[0].t - 1.5) <= 0.2


def test_a_lying_card_that_is_pushed_slowly_is_moved_and_not_laid_again() -> None:
    stage, watcher = opened()
    stage.cards["7h"] = (320, 270)
    first = only(run(stage, watcher, 1), CardLaid)

    def pushing(t: float) -> None:
        stage.cards["7h"] = (320 - 40 * min(t, 2.0), 270 - 45 * min(t, 2.0))

    events = run(stage, watcher, 3.5, pushing)
    assert only(events, CardLaid) == []
    assert {e.track for e in only(events, CardMoved)} == {first[0].track}
    assert only(events, CardMoved)[-1].zone == 2


def test_two_cards_laid_at_once_are_two() -> None:
    stage, watcher = opened()
    stage.cards.update({"7h": (300, 250), "Ks": (345, 250)})
    assert {e.card for e in only(run(stage, watcher, 1), CardLaid)} == {"7h", "Ks"}


def test_the_next_card_is_laid_while_the_last_trick_is_being_taken() -> None:
    stage, watcher = opened()
    stage.cards.update({"7h": (320, 270), "8s": (320, 90)})
    tracks = {e.track for e in only(run(stage, watcher, 1), CardLaid)}
    stage.cards = {"Qd": (220, 180), "8s": (320, 90)}
    stage.arm = ((320, 0), (320, 100))
    events = run(stage, watcher, 0.5)
    del stage.cards["8s"]
    stage.arm = ((320, 0), (320, 60))
    events += run(stage, watcher, 0.3)
    stage.arm = None
    events += run(stage, watcher, 1)
    assert [e.card for e in only(events, CardLaid)] == ["Qd"]
    assert {t for e in only(events, CardsTaken) for t in e.tracks} == tracks


# -- what is no card -----------------------------------------------------------------------------------------


def test_a_glass_is_put_down_and_moved_and_a_card_is_laid_where_it_stood() -> None:
    stage, watcher = opened()
    bare = stage.table.copy()
    events = []
    for x in (200, 420):
        stage.table = bare.copy()
        cv2.circle(stage.table, (x, 180), 26, (190, 200, 160), -1)
        events += run(stage, watcher, 4.5)
    assert events == []
    stage.cards["7h"] = (200, 180)
    assert [e.card for e in only(run(stage, watcher, 1), CardLaid)] == ["7h"]


def test_what_seems_a_card_and_is_only_a_piece_of_what_changed_is_none() -> None:
    """A letter of the cloth that comes to light when a sleeve goes, a badge on it when it rests."""
    stage, watcher = opened(arm=((0, 180), (320, 180)))
    run(stage, watcher, 1)
    stage.also = [CardSighting(None, 0.6, ((150, 172), (180, 172), (180, 190), (150, 190)), (("2c", 0.1),))]
    stage.arm = ((0, 180), (300, 200))
    events = run(stage, watcher, 2)
    stage.arm = None
    events += run(stage, watcher, 2)
    assert only(events, CardLaid) == []


def test_a_card_that_lay_face_down_is_laid_when_it_is_turned() -> None:
    stage = Stage(cards={"back pack": (560, 60)})
    watcher = TableWatcher(stage)
    run(stage, watcher, 0.5)
    stage.cards["back 1"] = (320, 250)
    assert only(run(stage, watcher, 4), CardLaid) == []
    del stage.cards["back 1"]
    stage.cards["7h"] = (320, 250)
    laid = only(run(stage, watcher, 1), CardLaid)
    assert [e.card for e in laid] == ["7h"]
    assert abs(laid[0].t - 4.5) <= 0.2


def test_face_down_tricks_are_heaped_up_without_a_word() -> None:
    stage = Stage(cards={"back pack": (560, 60)})
    watcher = TableWatcher(stage)
    events = run(stage, watcher, 0.5)
    for k in range(4):
        stage.cards[f"back {k}"] = (80 + 6 * k, 300 - 3 * k)
        events += run(stage, watcher, 1.5)
    assert events == []


# -- light and camera ----------------------------------------------------------------------------------------


def test_the_shadow_of_somebody_who_leans_over_the_table_is_no_change() -> None:
    stage, watcher = opened()
    stage.cards["7h"] = (320, 250)
    run(stage, watcher, 1)
    reads = stage.reads
    x = np.linspace(0, 1, WIDTH, dtype=np.float32)

    def darkening(t: float) -> None:
        stage.shade = np.tile(1 - 0.3 * min(t, 1) * (1 - x) ** 2, (HEIGHT, 1)).astype(np.float32)

    assert run(stage, watcher, 3, darkening) == []
    assert stage.reads == reads


def test_a_card_laid_in_flickering_light_is_laid_once() -> None:
    stage, watcher = opened()

    def flicker(t: float) -> None:
        stage.light = 1 + 0.08 * np.sin(17 * t)
        if t > 0.5:
            stage.cards["7h"] = (320, 250)

    assert [e.card for e in only(run(stage, watcher, 3, flicker), CardLaid)] == ["7h"]


@pytest.mark.parametrize("rate", [10, 30])
def test_a_camera_held_by_hand_sees_each_card_once_and_where_it_lies_in_its_picture(rate: int) -> None:
    stage = Stage(cards={"As": (120, 90), "Ah": (520, 280)}, rate=rate)
    watcher = TableWatcher(stage)

    def camera(t: float) -> np.ndarray:
        turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 1.2 * np.sin(0.9 * t), 1 + 0.01 * np.sin(0.7 * t))
        turn[:, 2] += 9 * np.sin(1.1 * t), 7 * np.sin(1.4 * t)
        return np.asarray(turn)

    def swaying(_: float) -> None:
        stage.camera = camera(stage.t)

    events = run(stage, watcher, 1.5, swaying)
    for name, place in (("7h", (320, 270)), ("Ks", (220, 180)), ("Qd", (420, 180))):
        stage.cards[name] = place
        found = run(stage, watcher, 1.5, swaying)
        laid = only(found, CardLaid)
        assert [e.card for e in laid] == [name]
        assert np.linalg.norm(np.mean(laid[0].quad, 0) - camera(laid[0].decided) @ [*place, 1.0]) < 4
        events += found
    del stage.cards["Ks"]
    events += run(stage, watcher, 1.5, swaying)
    assert only(events, CardMoved) == []
    assert len(only(events, CardsTaken)) == 1
    assert {card for _, card, _ in watcher.cards} == {"As", "Ah", "7h", "Qd"}
