"""How phrases are pronounced, and the phrase book of the five games."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audio.errors import UnpronounceablePhrase, UnreadablePhrases
from audio.lexicon import LONGEST, MOST_VARIANTS, pronounce
from audio.phones import INDEX, from_espeak
from audio.phrasebook import BOOK, COMMANDS, GAMES, calls_from, calls_of, read_phrases

SHARED = Path(__file__).parents[2].parent / "shared"

#: Verbs of the record that can be said, by game (NOTATION.md, section 4).
SAYABLE = {
    "trut": "trut brelan accept fold pass",
    "trut-gatine": "trut brelan tierce deux-petits accept fold hold refuse sing silent redeal",
    "trut-robin-red": "trut brelan accept fold pass",
    "truc": "raise rest accept refuse fold redeal",
    "truc-y-flou": "embit falta sing raise declare flor better rest truc retruc balou trucrest accept refuse",
}


def ways(text: str) -> set[str]:
    return {" ".join(way) for way in pronounce(text)}


def test_the_careful_way_comes_first() -> None:
    assert pronounce("je trute")[0] == ("Z", "@", "t", "r", "y", "t")


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("je trute", "Z t r y t"),
        ("je trute", "S t r y t"),
        ("je trute", "Z @ t r y t @"),
        ("j'trute", "Z t r y t"),
        ("j’trute", "Z t r y t"),
        ("trut !", "t r y t"),
        ("Trut", "t r y t"),
        ("je me couche", "Z @ m k u S"),
        ("je me couche", "Z m @ k u S"),
        ("je ne trute pas", "Z t r y t p a"),
        ("je suis", "S y i"),
        ("petit", "p t i"),
        ("quatre", "k a t"),
        ("deux petits, un grand", "d Y p t i SIL W~ g r A~"),
        ("12", "d u z"),
    ],
)
def test_ways_to_say(text: str, way: str) -> None:
    assert way in ways(text)


def test_a_sentence_has_no_more_ways_than_are_kept_and_none_is_too_much_to_think_about() -> None:
    """Ten words with three ways each have sixty thousand together: they come one by one, the careful ones first."""
    said = pronounce("je me te le " * 6)
    assert len(said) == MOST_VARIANTS
    assert len(said[0]) == 48
    assert all(len(way) < 48 for way in said[1:])


def test_what_lasts_longer_than_any_call_is_refused() -> None:
    with pytest.raises(UnpronounceablePhrase, match="trop longue"):
        pronounce("je trute " * 2000)


def test_two_spellings_of_one_phrase_sound_alike() -> None:
    assert ways("JE  TRUTE ?") == ways("je trute")
    assert ways("l'score") == ways("le score")


@pytest.mark.parametrize("text", ["", " ", "!?", "…", "日本", "🙂", "mot " * 100])
def test_what_cannot_be_said(text: str) -> None:
    with pytest.raises(UnpronounceablePhrase):
        pronounce(text)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzàâçéèêëîïôöùûüœ '-,0123456789", max_size=25))
def test_any_french_text_has_sound_ways_or_none(text: str) -> None:
    try:
        found = pronounce(text)
    except UnpronounceablePhrase:
        return
    assert 1 <= len(found) <= MOST_VARIANTS
    assert len(set(found)) == len(found)
    assert all(way and all(phone in INDEX for phone in way) for way in found)
    assert len(found[0]) <= LONGEST + len(text)


def test_english_sounds_have_no_place() -> None:
    assert from_espeak("dZ") is None
    assert from_espeak("'e") == "e"
    assert from_espeak("_|") == ""


@pytest.mark.parametrize("game", GAMES)
def test_every_sayable_event_of_a_game_has_a_phrase(game: str) -> None:
    events = {verb for call in calls_of(game) if not call.name for verb in call.verbs}
    assert events == set(SAYABLE[game].split()) | COMMANDS | {"yes", "no"}


@pytest.mark.parametrize("game", GAMES)
def test_the_likeliest_event_is_among_the_meanings(game: str) -> None:
    for call in calls_of(game):
        assert call.phrase in call.means or (call.phrase == "" and call.means == ())


@pytest.mark.parametrize("game", GAMES)
def test_no_two_meanings_sound_the_same(game: str) -> None:
    meaning: dict[tuple[str, ...], tuple[str, ...]] = {}
    for call in calls_of(game):
        for way in call.pronunciations:
            assert meaning.setdefault(way, call.means) == call.means, (game, call.text)


def test_everyday_answers_are_marked() -> None:
    answers = {call.text for game in GAMES for call in calls_of(game) if call.answer}
    assert {"oui", "non", "joue", "je suis", "je vois", "je passe", "je tiens", "je veux"} <= answers
    assert not {"je trute", "brelan", "je vais voir", "je me couche"} & answers


def test_the_book_is_plain_data() -> None:
    book = tomllib.loads(BOOK.read_text(encoding="utf-8"))
    for entries in book.values():
        for entry in entries:
            assert set(entry) <= {"phrase", "means", "answer", "careful", "say"}
            assert entry["say"]


def test_an_unknown_game() -> None:
    with pytest.raises(KeyError):
        calls_of("belote")


def test_a_list_keeps_its_lines() -> None:
    calls = calls_from(["Bonjour !", "", "Bonjour !", "au revoir"])
    assert [(call.text, call.phrase, call.means) for call in calls] == [
        ("Bonjour !", "Bonjour !", ("Bonjour !",)),
        ("au revoir", "au revoir", ("au revoir",)),
    ]


def test_lists_in_files(tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_bytes("\ufeff# commentaire\nje relance\r\n\nça tourne\n".encode())
    assert read_phrases(good) == ("je relance", "ça tourne")
    bad = tmp_path / "bad.txt"
    for content in (b"", b"\n\n", b"\xff\xfe\x00\x01", b"a\x00b"):
        bad.write_bytes(content)
        with pytest.raises(UnreadablePhrases):
            read_phrases(bad)
    for path in (tmp_path, tmp_path / "missing.txt"):
        with pytest.raises(UnreadablePhrases):
            read_phrases(path)
