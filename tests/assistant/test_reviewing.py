"""The last trick once more: its cards, how sure they were, and their pictures, few, small and of cards alone."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from assistant.account import Entry, Told
from assistant.announcer import Announcer
from assistant.reviewing import LARGEST, MOST, SIDE, CloseUps, Reading, Review, close_up, review
from assistant.session import Referee, looked_at, run_files
from assistant.testing import ScriptedEyes, script_of
from engine import Event, Game, Header, parse_event
from vision.camera import Frame
from vision.events import CardLaid, CardReread, Quad, TableObservation

QUAD: Quad = ((600, 300), (680, 300), (680, 420), (600, 420))


def frame(value: int = 90, t: float = 1.0) -> Frame:
    return Frame(t, np.full((720, 1280, 3), value, np.uint8), 0)


def laid(track: int, card: str = "7h", quad: Quad = QUAD) -> CardLaid:
    return CardLaid(1.0, 1.4, track, card, 0.97, 1, quad, 1, ((card, 0.97),))


def shade(jpeg: bytes | None) -> float:
    assert jpeg is not None
    return float(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).mean())


def test_a_picture_has_the_card_and_a_rim_and_nothing_farther() -> None:
    picture = frame(200)
    picture.image[300:420, 600:680] = 20
    picture.image[:250] = 255  # what somebody holds, above the table
    jpeg = close_up(picture, QUAD)
    assert jpeg is not None
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[:2] == (180, 120)
    assert image.max() < 240


def test_a_large_card_is_made_small_and_noise_still_fits() -> None:
    image = np.random.default_rng(2).integers(0, 255, (2000, 2000, 3)).astype(np.uint8)
    jpeg = close_up(Frame(0, image, 0), ((0, 0), (2000, 0), (2000, 2000), (0, 2000)))
    assert jpeg is not None
    assert len(jpeg) <= LARGEST
    assert max(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape) == SIDE


def test_a_card_outside_the_picture_has_none() -> None:
    assert close_up(frame(), ((2000, 10), (2080, 10), (2080, 90), (2000, 90))) is None


def test_few_pictures_are_kept_the_newest() -> None:
    close_ups = CloseUps()
    for track in range(3 * MOST):
        close_ups.keep(frame(), [laid(track)])
    assert len(close_ups) == MOST
    assert close_ups.of(2 * MOST - 1) is None
    assert close_ups.of(3 * MOST - 1) is not None


def test_a_card_read_again_is_shown_as_it_was_then() -> None:
    close_ups = CloseUps()
    close_ups.keep(frame(50), [laid(3)])
    close_ups.keep(frame(180), [CardReread(2.0, 2.4, 3, "8h", 0.99)])
    close_ups.keep(frame(250), [])
    assert shade(close_ups.of(3)) == pytest.approx(180, abs=3)


TRUTH = """\
game trut
seats 2
dealer 2
deal | t=1.00
play 1 As | t=2.75
play 2 Kh | t=4.00
play 1 8d | t=8.00
"""


class GreyTable:
    """A camera of a grey table."""

    def __iter__(self) -> Iterator[Frame]:
        yield from (frame(90, index / 10) for index in range(120))

    def close(self) -> None: ...


def refereed() -> Referee:
    referee = Referee(Game(Header("trut", seats=2, dealer=2, names={1: "Marie"})))
    run_files(referee, GreyTable(), ScriptedEyes(script_of(TRUTH)), None, None)
    return referee


def test_the_last_trick_is_the_last_complete_one_with_its_pictures() -> None:
    found = refereed().review()
    assert [(reading.seat, reading.card) for reading in found.cards] == [(1, "As"), (2, "Kh")]
    assert (found.complete, found.winner) == (True, 1)
    for reading in found.cards:
        assert reading.p is not None
        assert reading.p > 0.9
        assert shade(reading.picture) == pytest.approx(90, abs=2)


def test_before_the_first_trick_it_is_the_running_one() -> None:
    game = Game(Header("trut", seats=2))
    assert review(game, [], CloseUps()) == Review(())
    for line in ("deal", "play 1 As"):
        game.apply(parse_event(line))
    told = Entry(Told(1, 1, Event("play", 1, ("As",)), "keyboard"), events=[*game.log])
    assert review(game, [told], CloseUps()) == Review((Reading(1, "As"),))


def test_what_is_taken_back_is_in_no_trick() -> None:
    referee = refereed()
    referee.game.undo(2)
    assert [reading.card for reading in referee.review().cards] == ["As"]


def test_the_last_trick_is_read_out() -> None:
    announcer = Announcer(Game(Header("trut", seats=2, names={1: "Marie"})))
    cards = (Reading(1, "As", 0.9), Reading(2, "Kh", 0.9))

    def words(found: Review) -> str:
        from assistant.acts import Notice

        return announcer.words(Notice(1, 1, "review", {"review": found}))[0].text

    assert words(Review(cards, True, 1)) == "Dernier pli : Marie, l'as de pique ; Nord, le roi de cœur. Pli pour Marie."
    assert words(Review(cards, True)) == "Dernier pli : Marie, l'as de pique ; Nord, le roi de cœur. Pli pourri."
    assert words(Review(cards[:1])) == "Pli en cours : Marie, l'as de pique."
    assert words(Review(())) == "Personne n'a encore joué de carte."


def test_nothing_is_kept_of_a_frame_that_the_eyes_held_back() -> None:
    class HeldBack:
        view: Frame | None = None

        def accept(self, frame: Frame) -> list[TableObservation]:
            return []

    frame = Frame(1.0, np.zeros((720, 1280, 3), np.uint8), 0)
    assert looked_at(HeldBack(), frame) is None
    kept = CloseUps()
    kept.keep(None, [laid(1)])
    assert len(kept) == 0
