"""Simulated tables: the game keeps the rules, pictures and sound show what the truth says, in time."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.simulation.faces import DECKS, PACK, RANKS, SHIPPED, FolderFaces, faces_named
from assistant.simulation.manners import MANNERS
from assistant.simulation.plan import UnknownTable, plan
from assistant.simulation.script import Fist, Lay, Script, Take, Words
from assistant.simulation.seating import place
from assistant.simulation.sound import RATE, RoomSound, render
from assistant.simulation.stage import FPS, Stage, TableLook
from assistant.simulation.surface import SURFACES, table_top
from assistant.simulation.table import SimulatedTable
from assistant.simulation.verdict import judge, truth_of
from assistant.simulation.view import View
from audio.phrasebook import calls_of
from engine import Game, Refusal, parse_event
from engine.header import SEATS
from vision.decks import PATTERNS
from vision.errors import UnknownDeck

SMALL = {"width": 320, "height": 180}
SHORT = 11
"""A seed whose first round for two is played to its end, without a trut."""


def small_table(seed: int = 3, **options: object) -> SimulatedTable:
    return SimulatedTable(seed, **{"rounds": 1, "seats": 4, **SMALL, **options})  # type: ignore[arg-type]


def events_of(record: str) -> list[tuple[float, str]]:
    return [(float(t), event) for event, t in re.findall(r"^(.*?) \| t=([\d.]+)", record, re.MULTILINE)]


# the game


TABLES = [(game, seats) for game, numbers in SEATS.items() for seats in numbers]


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    table=st.sampled_from(TABLES),
    rounds=st.integers(1, 5),
    manners=st.sets(st.sampled_from(sorted(MANNERS))),
)
def test_every_simulated_game_keeps_the_rules(
    seed: int, table: tuple[str, int], rounds: int, manners: set[str]
) -> None:
    script = plan(seed, game=table[0], seats=table[1], rounds=rounds, manners=manners)
    game = truth_of(script.record)  # raises where an expectation fails or an event is refused
    assert len(game.rounds) == script.rounds
    times = [t for t, _event in events_of(script.record)]
    assert times == sorted(times)
    assert times[-1] < script.duration


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), table=st.sampled_from(TABLES))
def test_gestures_tell_the_same_story_as_the_record(seed: int, table: tuple[str, int]) -> None:
    script = plan(seed, game=table[0], seats=table[1], rounds=3)
    told = events_of(script.record)
    plays = [(t, event) for t, event in told if event.startswith("play")]
    assert [(g.t, f"play {g.seat} {g.card}") for g in script.gestures if isinstance(g, Lay)] == plays
    wordless = ("deal", "play", "discard", "silent" if table[0] == "truc-y-flou" else "")
    words = [(t, event.split()) for t, event in told if event.split()[0] not in wordless]
    called = [(t, int(word[1])) for t, word in words if len(word) > 1]
    redealt = [t for t, word in words if len(word) == 1]  # the dealer may just deal, without a word
    assert [(g.t, g.seat) for g in script.gestures if isinstance(g, Words | Fist) and g.t not in redealt] == called


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_is_said_is_what_the_ears_know(game: str, seats: int) -> None:
    heard: dict[str, set[str]] = {}
    for call in calls_of(game):
        heard.setdefault(call.text, set()).update(call.means)
    said = 0
    for seed in range(25):
        script = plan(seed, game=game, seats=seats, rounds=2)
        events = {t: event.split() for t, event in events_of(script.record) if event.split()[0] != "play"}
        for words in (g for g in script.gestures if isinstance(g, Words)):
            verb, *rest = events[words.t]
            text = words.text.rstrip(" !.")
            assert " ".join([verb, *rest[1:]]) in heard[text[0].lower() + text[1:]]
            said += 1
    assert said > 20


CALLED = {
    "trut": "trut brelan accept fold pass",
    "trut-gatine": "trut brelan tierce deux-petits accept fold hold refuse sing silent discard redeal",
    "trut-robin-red": "trut accept fold",
    "truc": "raise rest accept refuse fold redeal",
    "truc-y-flou": "embit falta flor sing raise better rest truc retruc declare accept refuse trucrest",
}


@pytest.mark.parametrize("game", list(SEATS))
def test_every_call_of_a_game_comes_up(game: str) -> None:
    verbs: set[str] = set()
    for seed in range(500):
        seats = SEATS[game][seed % len(SEATS[game])]
        verbs.update(event.split()[0] for _t, event in events_of(plan(seed, game=game, seats=seats).record))
        if verbs >= set(CALLED[game].split()):
            break
    assert verbs >= set(CALLED[game].split())


def test_a_spoken_trut_comes_from_the_seat_whose_turn_it_is() -> None:
    spoken = 0
    for seed in range(40):
        script = plan(seed, seats=4, rounds=3)
        said = {(g.t, g.seat) for g in script.gestures if isinstance(g, Words)}
        game = Game(truth_of(script.record).header)
        for t, event in events_of(script.record):
            verb, *rest = event.split()
            if verb == "trut" and (t, int(rest[0])) in said:
                spoken += 1
                assert int(rest[0]) == (game.awaiting[0] if game.phase == "fortial" else game.turn)
            assert not isinstance(game.apply(parse_event(event)), Refusal)
    assert spoken > 10


def test_seeds_decide() -> None:
    assert plan(5).record == plan(5).record
    assert len({plan(seed, rounds=1).record for seed in range(10)}) == 10


@pytest.mark.parametrize(
    "options", [{"game": "belote"}, {"seats": 3}, {"game": "truc-y-flou", "seats": 4}, {"rounds": 0}]
)
def test_what_cannot_be_simulated_is_said(options: dict[str, object]) -> None:
    with pytest.raises(UnknownTable):
        plan(1, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_long_game_ends_when_it_is_won(game: str, seats: int) -> None:
    script = plan(1, game=game, seats=seats, rounds=500)
    assert truth_of(script.record).winner is not None
    assert script.rounds < 500


# the pictures


def test_the_same_seed_gives_the_same_pictures_in_any_order() -> None:
    a, b = small_table().stage, small_table().stage
    numbers = [0, 27, 60, 61]
    forwards = [a.frame(i) for i in numbers]
    backwards = [b.frame(i) for i in reversed(numbers)][::-1]
    assert all(np.array_equal(x, y) for x, y in zip(forwards, backwards, strict=True))
    assert not np.array_equal(forwards[0], small_table(4).stage.frame(0))


def test_a_card_shows_from_its_time_on_until_it_is_taken() -> None:
    table = small_table(SHORT, seats=2)
    stage = table.stage
    lay = next(g for g in table.script.gestures if isinstance(g, Lay))
    take = next(g for g in table.script.gestures if isinstance(g, Take))
    quad = stage.view.project(np.array([[lay.x + dx, lay.y + dy, 0] for dx in (-15, 15) for dy in (-20, 20)]))
    (x0, y0), (x1, y1) = np.floor(quad.min(0)).astype(int), np.ceil(quad.max(0)).astype(int)

    def patch(t: float) -> np.ndarray:
        return stage.frame(round(t * FPS))[y0:y1, x0:x1].astype(float)

    bare = patch(0.2)
    assert np.abs(patch(lay.t - 0.9) - bare).mean() < 12
    assert np.abs(patch(lay.t + 0.1) - bare).mean() > 20
    assert np.abs(patch(take.t - 0.1) - bare).mean() > 20
    assert np.abs(patch(take.t + 1.4) - bare).mean() < 12


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_an_arm_comes_in_from_the_side_of_its_seat(seat: int) -> None:
    script = Script("trut", 4, (Fist(2.0, seat, *place(seat, 4).before(120), (2.0,)),), "", 1, 4.0)
    stage = Stage(script, TableLook.random(1, surface="laminate", **SMALL), faces_named("letele"))
    changed = cv2.blur(np.abs(stage.frame(20).astype(np.float32) - stage.frame(0)).max(2), (3, 3)) > 25
    sides = {1: changed[-1], 2: changed[:, 0], 3: changed[0], 4: changed[:, -1]}
    assert sides[seat].sum() >= 5
    assert all(not row.any() for other, row in sides.items() if other != seat)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), table=st.sampled_from(TABLES))
def test_every_card_lies_wholly_in_the_picture(seed: int, table: tuple[str, int]) -> None:
    view = TableLook.random(seed).view
    for g in plan(seed, game=table[0], seats=table[1], rounds=2).gestures:
        if isinstance(g, Lay):
            corners = [[g.x + 54 * np.cos(a), g.y + 54 * np.sin(a), 0] for a in np.linspace(0, 2 * np.pi, 12)]
            seen = view.project(np.array(corners))
            assert (seen >= 0).all()
            assert (seen < [1280, 720]).all()


def test_the_camera_sees_near_things_larger() -> None:
    view = View(slant=25)
    near, far = (np.ptp(view.project(np.array([[-10, y, 0], [10, y, 0.0]]))[:, 0]) for y in (-120, 120))
    assert near > 1.05 * far
    assert view.project(np.array([[0, 0, 0.0]]))[0] == pytest.approx([640, 360])


@pytest.mark.parametrize("name", sorted(SURFACES))
def test_every_surface_can_be_drawn(name: str) -> None:
    image = table_top(np.random.default_rng(1), View(320, 180, 0.44), name)
    assert image.shape == (180, 320, 3)
    assert image.std() > 0.5
    assert image.max() < 255 or name == "marble"


# the decks


@pytest.mark.parametrize("name", [name for names in DECKS.values() for name in names])
def test_every_face_of_a_deck_is_its_own(name: str) -> None:
    faces = faces_named(name)
    cards = PATTERNS[faces.like].cards
    pictures = {card: faces.face(card) for card in cards}
    assert len({picture.tobytes() for picture in pictures.values()}) == len(cards)
    for picture in [*pictures.values(), faces.back()]:
        assert picture.shape[2] == 4
        assert 1.3 < picture.shape[0] / picture.shape[1] < 1.5
        assert picture[0, 0, 3] < 30  # rounded corners
        assert picture[picture.shape[0] // 2, picture.shape[1] // 2, 3] == 255


def test_red_suits_are_red() -> None:
    for rank in RANKS:
        red, black = (faces_named("drawn").face(rank + suit)[..., :3].astype(int) for suit in "hs")
        assert (red[..., 2] - red[..., 0] > 100).sum() > (black[..., 2] - black[..., 0] > 100).sum()


def test_the_shipped_deck_is_small_and_says_where_it_comes_from() -> None:
    files = list((SHIPPED / "letele").iterdir())
    assert sum(file.stat().st_size for file in files) < 800_000
    assert "CC0" in (SHIPPED / "letele" / "README.md").read_text(encoding="utf-8")


def test_a_folder_of_faces_can_be_given(tmp_path: Path) -> None:
    for card in PACK:
        cv2.imwrite(str(tmp_path / f"{card}.png"), np.full((140, 100, 3), 200, np.uint8))
    assert FolderFaces(tmp_path).face("7h").shape == (140, 100, 4)
    (tmp_path / "7h.png").write_bytes(b"no picture")
    with pytest.raises(UnknownDeck):
        FolderFaces(tmp_path).face("7h")
    (tmp_path / "7h.png").unlink()
    with pytest.raises(UnknownDeck, match="7h"):
        FolderFaces(tmp_path)
    with pytest.raises(UnknownDeck):
        FolderFaces(tmp_path / "nowhere")
    with pytest.raises(UnknownDeck):
        faces_named("../simulation")


# the sound


def sound_of(*gestures: object, noise: float = 60.0, seed: int = 2) -> np.ndarray:
    script = Script("trut", 4, gestures, "", 1, 6.0)  # type: ignore[arg-type]
    return render(script, RoomSound(noise, 0.3, False, seed))


@pytest.mark.parametrize("seed", range(6))
def test_a_knock_sounds_at_its_time(seed: int) -> None:
    sound = np.abs(sound_of(Fist(2.0, 1, 0, 0, (2.0, 2.3)), seed=seed))
    loud = np.flatnonzero(sound > 0.2 * sound.max()) / RATE
    assert loud[0] == pytest.approx(2.0, abs=0.012)
    assert loud[loud > 2.2][0] == pytest.approx(2.3, abs=0.012)


@pytest.mark.parametrize("text", ["Je trute !", "Je vais voir.", "Joue !", "Je me couche."])
def test_a_phrase_ends_at_its_time(text: str) -> None:
    sound = np.abs(sound_of(Words(3.0, 2, text)))
    loud = np.flatnonzero(sound > 0.12 * sound.max()) / RATE
    assert 1.4 < loud[0] < 2.8
    assert loud[-1] == pytest.approx(3.0, abs=0.15)  # the room goes on a little


def test_noise_is_as_far_below_the_voices_as_asked() -> None:
    levels = {noise: np.sqrt(np.mean(sound_of(noise=noise)[: RATE * 4] ** 2)) for noise in (10.0, 30.0)}
    assert 20 * np.log10(levels[10.0] / levels[30.0]) == pytest.approx(20, abs=0.5)


def test_the_same_seed_gives_the_same_sound() -> None:
    assert np.array_equal(small_table().sound(), small_table().sound())


# the verdict


def test_the_truth_agrees_with_itself() -> None:
    game = truth_of(small_table().truth)
    assert judge(game, game).perfect


def played(record: str, change: dict[str, str] | None = None, keep: int | None = None) -> Game:
    """The game of a record with some events changed, or only the first of them."""
    game = Game(truth_of(record).header)
    for _t, event in events_of(record)[:keep]:
        game.apply(parse_event((change or {}).get(event, event)))
    return game


def test_a_wrong_rank_a_wrong_suit_and_a_missing_end_are_told_apart() -> None:
    record = plan(SHORT, seats=2, rounds=2, truts=0.0).record
    truth = truth_of(record)
    event = next(e for _t, e in events_of(record) if e.startswith("play"))
    laid = {e.split()[2] for _t, e in events_of(record) if e.startswith("play")}
    head, card = event.rsplit(" ", 1)
    other_suit = next(card[:-1] + suit for suit in "shdc" if card[:-1] + suit not in laid)
    other_rank = next(f"{rank}s" for rank in RANKS if rank != card[:-1] and f"{rank}s" not in laid)
    assert judge(truth, played(record, {event: f"{head} {other_suit}"})).perfect
    wrong = judge(truth, played(record, {event: f"{head} {other_rank}"}))
    assert not wrong.rounds[0].right
    assert not wrong.perfect
    short = judge(truth, played(record, keep=-1))
    assert short.rounds[0].right
    assert not short.rounds[-1].right
    assert judge(truth, Game(truth.header)).right == 0


def test_a_round_too_many_is_not_perfect() -> None:
    record = plan(SHORT, seats=2, rounds=2, truts=0.0).record
    long, short = truth_of(record), truth_of(plan(SHORT, seats=2, rounds=1, truts=0.0).record)
    verdict = judge(short, long)
    assert verdict.right == 1
    assert verdict.extra == 1
    assert not verdict.perfect


def test_a_truth_that_contradicts_itself_is_no_truth() -> None:
    record = plan(SHORT, seats=2, rounds=1, truts=0.0).record
    with pytest.raises(ValueError, match="truth"):
        truth_of(re.sub(r"expect score .*", "expect score A 3 0 B 0 0", record))
