"""The record: reading, writing, replaying (NOTATION.md), and the golden records."""

from __future__ import annotations

import contextlib
import random
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, OPTIONS, Event, Game, Header, Record, RecordError, event_line, header_lines, replay
from engine.events import FORMS
from engine.expectations import KEYS
from engine.header import BadHeader
from engine.replay import LISTED
from engine.rulesets import RULESETS
from engine.table import HEADER_WORDS

RECORDS = Path(__file__).parents[1] / "cases" / "records"
GOLDEN = sorted(path for path in RECORDS.rglob("*.trut") if path.parent.name in RULESETS)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_record(path: Path) -> None:
    """Every expectation of every golden record holds, and turning one wrong is noticed."""
    record = Record.load(path)
    result = replay(record)
    assert result.holds, result
    assert result.passed == sum(line.kind == "expect" for line in record.lines)
    turned = [place for place, line in enumerate(record.lines) if line.words[:2] == ("expect", "score")]
    for place in turned[:1]:
        lines = [line.text for line in record.lines]
        lines[place] = "expect score A 5 1 B 5 1"
        assert len(replay(Record.parse("\n".join(lines) + "\n")).failures) == 1


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_writing_gives_back_what_was_read(path: Path) -> None:
    """Parse, write, parse is the identity, with remarks and comments kept."""
    text = path.read_text(encoding="utf-8")
    record = Record.parse(text)
    assert str(record) == text
    assert Record.parse(str(record)) == record


def test_remarks_and_comments() -> None:
    """Section 4: an event line may end with remarks; unknown keys are kept; they have no effect."""
    record = Record.parse("game trut # c'est nous\ndeal | t=1.5 by=camera mood=good # dealt\n")
    line = record.lines[1]
    assert line.remarks == {"t": "1.5", "by": "camera", "mood": "good"}
    assert line.comment == " dealt"
    assert line.event == Event("deal")
    assert str(record) == "game trut # c'est nous\ndeal | t=1.5 by=camera mood=good # dealt\n"


def test_tolerated() -> None:
    """Section 10: CRLF, a byte-order mark, trailing blanks, tabs and runs of spaces."""
    data = b"\xef\xbb\xbfgame trut\r\n\r\nseats\t 2  \r\n  deal \r\nexpect  turn\t1\r\n"
    result = replay(Record.from_bytes(data))
    assert result.holds
    assert result.passed == 1
    assert result.game.seats == 2


def test_digits_are_ascii() -> None:
    """Section 10: digits are ASCII; another script's digit is no number, a no-break space no blank."""
    result = replay(
        Record.parse(
            "game trut\ndeal\nplay １ 7h\nexpect error syntax\nplay\u00a01 7h\nexpect error unknown-verb\n"
        )
    )
    assert result.holds


def test_torn_tail() -> None:
    """Section 9: a last line without a newline is dropped and reported."""
    record = Record.parse("game trut\ndeal\nplay 1 7h")
    assert (record.torn, len(record.lines)) == ("play 1 7h", 2)
    assert not replay(record).holds
    assert Record.parse("game trut\ndeal\n").torn is None
    assert Record.parse("game trut\ndeal\n  ").torn is None
    assert Record.from_bytes(b"game trut\nname 1 Ren\xc3\xa9\nname 2 Ren\xc3").torn == "name 2 Ren\ufffd"


def test_refused_at_the_end() -> None:
    """Section 9: a refused event at the very end without its ``expect error`` is reported."""
    result = replay(Record.parse("game trut\ndeal\nplay 2 7h\n"))
    assert [(r.line, r.refusal.code, r.expected) for r in result.refused] == [(3, "out-of-turn", False)]
    assert not result.holds


@pytest.mark.parametrize(("expectation", "passes"), [
    ("expect error out-of-turn", True),
    ("expect error syntax", False),
    ("expect turn 1\nexpect error out-of-turn", False),  # it must come first
])  # fmt: skip
def test_expected_errors(expectation: str, passes: bool) -> None:
    """Section 1: a refused event must be followed by ``expect error CODE``, as the very next item."""
    assert replay(Record.parse(f"game trut\ndeal\nplay 2 7h\n\n# later\n{expectation}\n")).holds == passes


def test_error_of_an_accepted_event() -> None:
    """Section 1: ``expect error`` after an event that was accepted makes the record fail."""
    result = replay(Record.parse("game trut\ndeal\nexpect error out-of-turn\n"))
    assert [(f.want, f.got) for f in result.failures] == [("error out-of-turn", "error none")]


def test_headers() -> None:
    """Section 2: every header line."""
    record = Record.parse(
        "game trut\nversion 1\ndate 2026-11-30\nseats 2\ndealer 1\nscore A 1 2 B 3 0\n"
        "option fortial off\noption target 9\nname 1 Marie | Jeanne\nname 2 Paul # him\n"
    )
    header = record.header
    assert (header.game, header.version, header.date) == ("trut", 1, "2026-11-30")
    assert (header.seats, header.dealer, header.target) == (2, 1, 9)
    assert header.score == {"A": {"longs": 1, "petits": 2}, "B": {"longs": 3, "petits": 0}}
    assert header.names == {1: "Marie | Jeanne", 2: "Paul"}
    assert Record.parse("\n".join(header_lines(header)) + "\n").header == header


def test_headers_given_twice() -> None:
    """Section 10: the last one counts, but options of different names and names of different seats add up."""
    header = Record.parse(
        "game trut\nscore A 8 0 B 0 0\nseats 2\nseats 4\ndealer 1\ndealer 2\n"
        "option target 9\noption fortial off\noption fortial on\nname 1 X\nname 2 Y\nname 1 Z\n"
    ).header
    assert (header.seats, header.dealer, header.names) == (4, 2, {1: "Z", 2: "Y"})
    assert header.options == {"target": "9", "fortial": "on"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# nothing\n",
        "deal\n",
        "seats 2\ngame trut\n",
        "expect turn 1\ngame trut\n",
        "game\n",
        "game tarot\n",
        "game trut 4\n",
        "game trut\nseats 3\n",
        "game trut\nseats x\n",
        "game trut\nseats 0\n",
        "game trut\nseats\n",
        "game trut\ndealer 5\n",
        "game trut\ndealer 0\n",
        "game trut\ndealer 3\nseats 2\n",
        "game trut\ndealer ٣\n",
        "game trut\nscore A 7 0 B 0 0\n",
        "game trut\nscore A 0 3 B 0 0\n",
        "game trut\nscore A 1 B 2\n",
        "game trut\nscore\n",
        "game trut\noption\n",
        "game trut\noption fortial\n",
        "game trut\noption fortial maybe\n",
        "game trut\noption ten high\n",
        "game trut\noption target 0\n",
        "game trut\noption target x\n",
        "game trut\noption foo on\n",
        "game trut\nmanche A 0 B 0\n",
        "game trut\nname 1\n",
        "game trut\nname 5 X\n",
        "game trut\nname x X\n",
        "game trut\ncaptain A 1\n",
        "game trut\nversion 2\n",
        "game trut\nversion x\n",
        "game trut\ndate 2026-13-01\n",
        "game trut\ndate today\n",
    ],
)
def test_bad_headers(text: str) -> None:
    """Section 2: a malformed header line before the first event makes the record unusable: ``bad-header``."""
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert caught.value.code == "bad-header"


def test_header_after_the_first_event() -> None:
    """Section 2: then it is an event that is refused, and can be expected as such."""
    assert replay(Record.parse("game trut\ndeal\nseats 2\nexpect error bad-header\nexpect turn 1\n")).holds


def test_unknown_expectation() -> None:
    """Section 11: an unknown ``expect`` key is ``syntax`` of the record."""
    for line in ("expect", "expect luck 1"):
        with pytest.raises(RecordError) as caught:
            Record.parse(f"game trut\ndeal\n{line}\n")
        assert (caught.value.code, caught.value.line) == ("syntax", 3)


def test_undefined_expectations_fail() -> None:
    """Section 11: ``stake`` and ``cards`` are defined only while a round is running; ``manche``, ``foot``,
    ``value`` not here."""
    lines = (
        "stake petit",
        "cards 1 3",
        "cards 9 3",
        "cards",
        "manche A 0 B 0",
        "foot A 1",
        "value embit 1 20",
        "turn x",
        "score A 0 B 0",
    )
    for line in lines:
        assert len(replay(Record.parse(f"game trut\nexpect {line}\n")).failures) == 1


def test_undo_over_everything(table: Callable[[str], Game]) -> None:
    """Section 4: undo across the end of a trick, a round and the game; nothing-to-undo; syntax."""
    table("""
        game trut
        seats 2
        option target 1
        undo
        expect error nothing-to-undo
        deal
        trut 1
        accept 2
        play 1 7s
        play 2 8s
        play 1 7h
        play 2 9s
        expect winner A
        undo 8
        expect error nothing-to-undo
        undo x
        expect error syntax
        undo 1 2
        expect error syntax
        undo
        expect winner none
        expect turn 2
        expect stake long
        undo 2
        expect turn 2
        expect cards 1 2
        expect trick none
        undo 4
        expect phase deal
        undo
        expect error nothing-to-undo
    """)


def test_lines_for_a_live_record() -> None:
    """Section 4: how an event came about."""
    assert event_line(Event("trut", 2)) == "trut 2"
    assert event_line(Event("play", 1, ("7?",)), {"t": 3.0, "by": "camera"}) == "play 1 7? | t=3.00 by=camera"


def test_unreadable_files(tmp_path: Path) -> None:
    """Bad input: a missing file, a directory, a picture: one error of our own."""
    (tmp_path / "x.trut").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe\n")
    for path in (tmp_path / "none", tmp_path, tmp_path / "x.trut"):
        with pytest.raises(RecordError):
            Record.load(path)


def test_bad_header_object() -> None:
    """A header made by hand is judged like one that was read."""
    for fault in ({"game": "x"}, {"game": "trut", "seats": 3}, {"game": "trut", "dealer": 9}):
        with pytest.raises(BadHeader):
            Header(**fault)  # type: ignore[arg-type]


@given(st.binary(max_size=200))
def test_arbitrary_bytes(data: bytes) -> None:
    """Fuzzing: arbitrary bytes never raise anything but the record's own error."""
    for prefix in (b"", b"game trut\n", b"game trut\ndeal\nplay "):
        with contextlib.suppress(RecordError):
            replay(Record.from_bytes(prefix + data))


WORDS = st.sampled_from(
    (*FORMS, *HEADER_WORDS, *KEYS, *OPTIONS, *GAMES, "expect", "1", "2", "3", "4", "0", "99")
)
MARKS = st.sampled_from(("7h", "8s", "Kd", "7?", "5", "1e", "A", "B", "#", "|", "t=1", "on", "off", "C"))


@given(st.lists(st.lists(WORDS | MARKS | st.text(max_size=5), max_size=7).map(" ".join), max_size=20))
def test_arbitrary_lines(lines: list[str]) -> None:
    """Fuzzing: arbitrary lines never raise anything but the record's own error; what is read is written as it
    was."""
    for start in ("", "game trut\n"):
        try:
            record = Record.parse(start + "\n".join(lines) + "\n")
        except RecordError:
            continue
        replay(record)
        assert Record.parse(str(record)) == record


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULESETS)))
def test_written_game_is_the_game(seed: int, name: str) -> None:
    """A record written from the events of a game replays to the same state."""
    rng = random.Random(seed)
    game = Game(Header(name))
    for _ in range(60):
        if not game.legal():
            break
        game.apply(rng.choice(game.legal()))
    text = "\n".join([*header_lines(game.header), *map(event_line, game.log)]) + "\n"
    assert replay(Record.parse(text)).game.state() == game.state()


def test_the_last_of_equal_headers_counts() -> None:
    """Section 10: a header given twice, the last one counts, also where an earlier one is repeated."""
    assert Record.parse("game trut\ndealer 1\ndealer 2\ndealer 1\n").header.dealer == 1


def test_what_is_undefined_is_never_true() -> None:
    """Section 11: an expectation about what is not defined fails, whatever it wants; an accepted event has no error."""
    lines = ("stake -", "cards -", "cards 1 -", "foot -", "manche -", "value -", "error -", "error none")
    result = replay(Record.parse("game trut\n" + "".join(f"cut 3\nexpect {line}\n" for line in lines)))
    assert (result.passed, len(result.failures)) == (0, len(lines))


def long_record(rounds: int) -> str:
    """Rounds with a trut, an undo and every line different, as live records are."""
    lines = ["game trut", "seats 2"]
    for place in range(rounds):
        first = place % 2 + 1
        events = (
            "deal",
            f"play {first} 7h",
            f"trut {first}",
            f"accept {3 - first}",
            "undo 2",
            "annul",
            "undo",
            "annul",
        )
        for event in events:
            lines.append(f"{event} | t={len(lines) / 10:.2f}")
        lines.append(f"set-score A {place % 7} 2 B 0 {place % 3}")
        lines.append(f"deal {3 - first}\nexpect error wrong-dealer")
        lines.append(f"deal {2 if place % 2 == 0 else 1}\nannul")
    return "\n".join(lines) + "\n"


def calls_of_replay(text: str) -> int:
    """How many function calls the reading and replaying of a record takes: the same on every machine."""
    calls = 0

    def count(frame: object, what: str, extra: object) -> None:
        nonlocal calls
        calls += what in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        replay(Record.parse(text))
    finally:
        sys.setprofile(before)
    return calls


def test_time_is_linear() -> None:
    """A record twice as long takes twice as many steps, undo and refused events included."""
    short, long = calls_of_replay(long_record(400)), calls_of_replay(long_record(800))
    assert 1.9 < long / short < 2.1


def test_memory_of_a_text_that_is_hardly_a_record() -> None:
    """Fuzzing: of very many refused events and failed expectations the first are listed, the others counted."""
    many = 3 * LISTED
    tracemalloc.start()
    result = replay(Record.parse("game trut\n" + "x\nexpect turn 9\n" * many))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(result.refused) == len(result.failures) == LISTED
    assert (result.unlisted_refused, result.unlisted_failures) == (many - LISTED, many - LISTED)
    assert not result.holds
    assert peak < 60_000_000


def test_unlisted_refusals_may_be_expected() -> None:
    """A record that expects all of very many refusals holds."""
    result = replay(Record.parse("game trut\n" + "deal x\nexpect error syntax\n" * (LISTED + 10)))
    assert result.holds
    assert result.unlisted_refused == 10
