"""The story of a game adds up to its score, tells every card once, and says what was corrected and refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_to_tell import RECORDS, TABLES, random_record

from assistant.acts import Action
from assistant.journal import lines_of
from assistant.report.story import Broken, Corrected, Laid, Said, Story, Teller, story_of
from engine import Event, Game, Header, Record, TrickRotten, replay
from engine.record import Line


def told(text: str) -> Story:
    return story_of(Record.parse(text))


def adds_up(story: Story, game: Game) -> None:
    """The story says what the game says: the score, the rounds, and every event of the log once."""
    assert (story.score, story.winner, story.manches) == (game.score, game.winner, game.manches)
    assert tuple(played.ended for played in story.rounds if played.ended is not None) == game.rounds
    told = [thing for thing in story.things() if isinstance(thing, Laid | Said)]
    assert [thing.at for thing in told] == list(range(len(game.log)))
    assert [thing.event if isinstance(thing, Said) else Event("play", thing.seat, (thing.card,)) for thing in told] == [
        *game.log
    ]
    before = story.start
    for played in story.rounds:
        assert played.before == before
        before = played.score
    if not story.after:
        assert before == story.score


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_record(path: Path) -> None:
    record = Record.load(path)
    adds_up(story_of(record), replay(record).game)


@given(st.sampled_from(TABLES), st.integers(0, 10_000))
@settings(max_examples=40)
def test_any_game(table: tuple[str, int], seed: int) -> None:
    record = random_record(*table, seed)
    story, game = story_of(record), replay(record).game
    adds_up(story, game)
    tricks = [passage for played in story.rounds for passage in played.passages if passage.result is not None]
    for trick in tricks:
        assert len(trick.cards) == game.seats
        best = [card for card in trick.cards if card.best]
        assert (
            len(best) > 1
            if isinstance(trick.result, TrickRotten)
            else {card.seat for card in best} == {trick.result.seat}
        )
    results = [trick for ended in game.rounds for trick in ended.tricks]
    assert ["rotten" if isinstance(t.result, TrickRotten) else t.result.team for t in tricks if t.result] == results


@given(st.integers(0, 10_000), st.data())
@settings(max_examples=40)
def test_what_is_taken_back_is_told_as_a_correction(seed: int, data: st.DataObject) -> None:
    """Undo at any place, and go on: the log is told, what was taken back is not forgotten."""
    lines = [line.text for line in random_record("trut", 4, seed).lines]
    place = data.draw(st.integers(8, len(lines)))
    count = data.draw(st.integers(1, 3))
    text = "\n".join([*lines[:place], f"undo {count}", *lines[place - count :], ""])
    record = Record.parse(text)
    game = replay(record).game
    story = story_of(record)
    adds_up(story, game)
    corrected = [thing for thing in story.things() if isinstance(thing, Corrected)]
    taken = replay(record).refused
    assert len(corrected) == (0 if taken and taken[0].event.verb == "undo" else 1)


def test_a_correction_says_what_was_counted_and_what_was_right() -> None:
    """An ``undo`` that says how many events belong to it is one correction, without what stayed the same; what had been
    refused only because of the error is not told."""
    wrong = Action(1.0, 1.0, Event("play", 1, ("7h",)), "camera", 0.5)
    infraction = Action(2.0, 2.0, Event("play", 2, ("7h",)), "camera", 0.9, "duplicate-card")
    lines = "game trut\nseats 2\ndeal\n" + lines_of(wrong, infraction)
    right = [
        Action(1.0, 3.0, Event("undo"), "page"),
        Action(1.0, 3.0, Event("play", 1, ("8h",)), "page"),
        Action(2.0, 3.0, Event("play", 2, ("7h",)), "camera", 0.9),
    ]
    story = told(lines + lines_of(*right))
    notes = [thing for thing in story.things() if isinstance(thing, Corrected | Broken)]
    assert len(notes) == 1
    assert isinstance(notes[0], Corrected)
    assert notes[0].removed == (Event("play", 1, ("7h",)),)
    assert notes[0].put == (Event("play", 1, ("8h",)), Event("play", 2, ("7h",)))
    assert (notes[0].at, notes[0].source.by) == (1, "page")


def test_a_card_in_the_middle_renamed() -> None:
    """Only the card itself is told, not those that were offered again behind it."""
    cards = "play 1 7h\nplay 2 8h\nplay 3 9h\n"
    story = told(f"game trut\ndealer 4\ndeal\n{cards}undo 2 | then=2 by=page\nplay 2 Kh\nplay 3 9h\n")
    notes = [thing for thing in story.things() if isinstance(thing, Corrected)]
    assert [(note.at, note.removed, note.put) for note in notes] == [
        (2, (Event("play", 2, ("8h",)),), (Event("play", 2, ("Kh",)),))
    ]


def test_an_infraction_stands_where_it_happened() -> None:
    story = told("game trut\nseats 2\ndeal\nplay 2 7h\nexpect error out-of-turn\nplay 1 8h\nplay 1 9h\n")
    things = story.rounds[0].passages[0].things
    assert [type(thing).__name__ for thing in things] == ["Said", "Broken", "Laid", "Broken"]
    broken = [thing for thing in things if isinstance(thing, Broken)]
    assert [(thing.refusal.code, thing.expected, thing.at) for thing in broken] == [
        ("out-of-turn", True, 1),
        ("out-of-turn", False, 2),
    ]


def test_a_running_game_is_followed_line_by_line() -> None:
    """The story after any line is that of the record up to there."""
    record = random_record("trut-gatine", 4, 3)
    teller = Teller(record.header)
    for place, line in enumerate(record.lines, 1):
        teller.hear(line)
        if place % 7 == 0:
            assert teller.story() == told("".join(f"{line}\n" for line in record.lines[:place]))


def test_a_long_quarrel_takes_no_more_than_its_length() -> None:
    """Notes are moved, not copied, when events before them are taken back: 30,000 lines in much less than a second
    each thousand."""
    teller = Teller(Header("trut", seats=2))
    for _ in range(5000):
        teller.hear(Line.parse("deal"))
        teller.hear(Line.parse("annul"))
    for _ in range(10_000):
        teller.hear(Line.parse("play 9 9h"))
    for _ in range(10_000):
        teller.hear(Line.parse("undo"))
    story = teller.story()
    assert (story.events, sum(isinstance(thing, Broken) for thing in story.after)) == (0, 10_000)
