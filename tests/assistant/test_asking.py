"""Asking back, correcting cards by name, commands by voice: what the players say to the assistant."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from assistant.acts import Action, Notice, Question
from assistant.announcer import Announcer
from assistant.asking import ANSWER_WITHIN
from assistant.holding import Observation
from assistant.i18n import set_language
from assistant.interpreter import Interpreter
from assistant.journal import Journal
from assistant.session import Referee
from assistant.testing import place_of
from audio.events import Knock, Phrase
from audio.phrasebook import CARD, CORRECTION, GAMES
from engine import Event, Game, Header, Record, replay
from vision.events import CardLaid, CardsTaken

HEADER = Header("trut", seats=4, dealer=4)
PAIR = Header("trut", seats=2, dealer=2)


def card(
    t: float, name: str | None, seat: int, track: int, *, p: float = 0.97, seats: int = 4, other: str = ""
) -> CardLaid:
    guesses = tuple((c, q) for c, q in ((name, p), (other, 0.9 * min(p, 1 - p))) if c)
    return CardLaid(t, t + 0.3, track, name, p, seat, place_of(seat, seats, track), seat, guesses)


def said(
    t: float, *means: str, doubtful: bool = False, sure: float = 0.9, text: str = "", answer: bool = False
) -> Phrase:
    return Phrase(t, t + 0.3, means[0], means, answer, text or means[0], sure, doubtful=doubtful)


def oui(t: float, *, sure: float = 0.9) -> Phrase:
    return said(t, "yes", answer=True, sure=sure, text="oui")


def non(t: float) -> Phrase:
    return said(t, "no", answer=True, text="non")


def refereed(
    observations: Iterable[Observation],
    header: Header = HEADER,
    *,
    live: bool = True,
    until: float = 0.0,
    ended: bool = True,
) -> tuple[Interpreter, list[object]]:
    """The interpreter and its acts after observations that come when they are decided."""
    interpreter = Interpreter(Game(header), live=live)
    left = sorted(observations, key=lambda o: o.decided)
    acts: list[object] = []
    t = 0.0
    while left or t < until:
        t = round(t + 0.1, 6)
        ready = [o for o in left if o.decided <= t]
        left = left[len(ready) :]
        interpreter.observe(ready)
        acts += interpreter.advance(t)
    acts += interpreter.finish(t) if ended else []
    return interpreter, acts


def events(acts: Iterable[object]) -> list[str]:
    return [str(a.event) for a in acts if isinstance(a, Action) and a.refused is None]


def questions(acts: Iterable[object]) -> list[str]:
    return [str(a.fields.get("meaning", a.kind)) for a in acts if isinstance(a, Question)]


def notices(acts: Iterable[object]) -> list[str]:
    return [a.kind for a in acts if isinstance(a, Notice)]


LEAD = card(2.0, "9h", 1, 1)


# -- a call heard with doubt ---------------------------------------------------------------------------------


@pytest.mark.parametrize("live", [True, False])
def test_a_doubtful_call_counts_once_it_is_confirmed(live: bool) -> None:
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), oui(6.0)], live=live)
    assert questions(acts) == ["trut"]
    assert events(acts) == ["deal", "play 1 9h", "trut 2"]
    (trut,) = [a for a in acts if isinstance(a, Action) and a.event.verb == "trut"]
    assert (trut.t, trut.p) == (4.0, 0.95)
    assert trut.decided > 6.0


def test_no_is_no() -> None:
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), non(6.0), oui(7.0)])
    assert events(acts) == ["deal", "play 1 9h"]


def test_said_again_it_is_confirmed() -> None:
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), said(6.5, "trut", doubtful=True)])
    assert questions(acts) == ["trut"]
    assert events(acts)[-1] == "trut 2"


@pytest.mark.parametrize("live", [True, False])
def test_unanswered_a_call_is_dropped(live: bool) -> None:
    late = 4.4 + ANSWER_WITHIN + 0.5
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), oui(late)], live=live)
    assert events(acts) == ["deal", "play 1 9h"]


def test_a_yes_that_was_said_before_the_question_is_none() -> None:
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), oui(4.1), oui(3.9)])
    assert events(acts) == ["deal", "play 1 9h"]


def test_a_faint_yes_is_believed_at_once() -> None:
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), oui(6.0, sure=0.5)])
    (trut,) = [a for a in acts if isinstance(a, Action) and a.event.verb == "trut"]
    assert trut.decided < 7.0


def test_what_is_not_allowed_now_is_never_asked() -> None:
    words = [
        said(4.0, "accept", doubtful=True, answer=True),
        said(5.0, "brelan", doubtful=True),
        said(6.0, "hold", doubtful=True),
    ]
    cards = [card(0.5 + i, c, i + 1, i + 1) for i, c in enumerate(("9h", "8h", "10h"))]
    interpreter, acts = refereed([*cards, *words])
    assert questions(acts) == ["brelan"]  # seat 4 still has three cards
    assert interpreter.game.phase == "play"


def test_one_question_at_a_time_and_other_calls_count_meanwhile() -> None:
    calls = [said(4.0, "brelan", doubtful=True), said(5.0, "trut", doubtful=True), said(6.0, "trut")]
    _, acts = refereed([LEAD, *calls, oui(7.5)])
    assert questions(acts) == ["brelan"]
    assert events(acts) == ["deal", "play 1 9h", "trut 2"]  # the brelan would be a second trut


@pytest.mark.parametrize("word", ["score", "turn", "rules", "repeat", "quieter", "louder", "resume"])
def test_other_doubtful_words_are_passed_over(word: str) -> None:
    _, acts = refereed([LEAD, said(4.0, word, doubtful=True)])
    assert (questions(acts), notices(acts)) == ([], [])


@pytest.mark.parametrize("live", [True, False])
def test_the_answer_to_a_doubtful_call_confirms_it(live: bool) -> None:
    _, acts = refereed([LEAD, said(4.0, "trut", doubtful=True), said(6.0, "accept")], live=live)
    assert events(acts) == ["deal", "play 1 9h", "trut 2", "accept 1"]


@pytest.mark.parametrize("live", [True, False])
def test_the_second_answer_confirms_the_first(live: bool) -> None:
    words = [said(4.0, "trut"), said(5.5, "fold", doubtful=True), said(7.0, "accept")]
    _, acts = refereed([LEAD, *words], live=live)
    assert events(acts)[2:] == ["trut 2", "fold 1", "accept 3"]


@pytest.mark.parametrize("live", [True, False])
def test_a_known_voice_that_doubtfully_folds_and_then_accepts_has_accepted(live: bool) -> None:
    fold = dataclasses.replace(said(5.5, "fold", doubtful=True), speaker=1)
    accept = dataclasses.replace(said(7.0, "accept"), speaker=1)
    _, acts = refereed([LEAD, said(4.0, "trut"), fold, accept], live=live)
    assert events(acts)[2:] == ["trut 2", "accept 1"]


def test_two_folds_in_a_film_are_two_answers_and_at_the_table_one_said_twice() -> None:
    words = [said(4.0, "trut"), said(5.5, "fold", doubtful=True), said(7.0, "fold")]
    assert events(refereed([LEAD, *words], live=False)[1])[2:] == ["trut 2", "fold 1", "fold 3"]
    assert events(refereed([LEAD, *words], live=True)[1])[2:] == ["trut 2", "fold 1"]


def test_the_card_that_an_acceptance_allows_confirms_it() -> None:
    words = [said(4.0, "trut"), said(5.5, "accept", doubtful=True)]
    _, acts = refereed([LEAD, *words, card(7.0, "8h", 2, 2)])
    assert events(acts)[2:] == ["trut 2", "accept 1", "play 2 8h"]


def test_in_a_film_a_doubtful_answer_that_was_due_is_taken_in_the_end() -> None:
    words = [said(4.0, "trut"), said(5.5, "fold", doubtful=True)]
    film: list[Observation] = [card(2.0, "9h", 1, 1, seats=2), *words]
    assert events(refereed(film, PAIR, live=False, until=20.0)[1])[-1] == "fold 1"
    assert events(refereed(film, PAIR, live=True, until=20.0)[1])[-1] == "trut 2"


def test_the_ears_wait_for_yes_and_no_only_while_a_question_waits() -> None:
    interpreter, _ = refereed([LEAD], ended=False)
    assert not {"yes", "no"} & interpreter.expected()
    interpreter.observe([said(4.0, "trut", doubtful=True)])
    interpreter.advance(4.6)
    assert {"yes", "no", "accept", "fold"} <= interpreter.expected()
    interpreter.advance(4.6 + ANSWER_WITHIN)
    interpreter.advance(4.6 + ANSWER_WITHIN + 1.1)
    assert not {"yes", "no"} & interpreter.expected()


def test_in_le_truc_oui_answers_the_assistant_first_and_then_the_player() -> None:
    header = Header("truc", dealer=2)
    yes = Phrase(6.0, 6.3, "accept", ("accept", "yes"), True, "oui", 0.9)
    words = [said(4.0, "raise", doubtful=True), yes, dataclasses.replace(yes, t=8.0, decided=8.3)]
    _, acts = refereed(words, header)
    assert events(acts) == ["deal", "raise 1", "accept 2"]


# -- commands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["annul", "new-game", "pause"])
def test_what_would_cost_a_game_is_always_asked_back(word: str) -> None:
    _, acts = refereed([LEAD, said(4.0, word, sure=0.99)])
    assert questions(acts) == [word]
    assert events(acts) == ["deal", "play 1 9h"]
    _, acts = refereed([LEAD, said(4.0, word, sure=0.99), said(6.0, word, sure=0.99)])
    assert events(acts) == ["deal", "play 1 9h"]  # said twice is not yet yes


def test_a_sure_undo_counts_at_once_and_a_doubtful_one_is_asked_back() -> None:
    assert events(refereed([LEAD, said(4.0, "undo", sure=0.95)])[1])[-1] == "undo"
    _, acts = refereed([LEAD, said(4.0, "undo", doubtful=True), oui(6.0)])
    assert questions(acts) == ["undo"]
    assert events(acts)[-1] == "undo"


def test_an_undo_asked_about_does_not_take_back_what_came_after() -> None:
    _, acts = refereed([LEAD, said(4.0, "undo", doubtful=True), card(5.0, "8h", 2, 2), oui(6.5)])
    assert events(acts) == ["deal", "play 1 9h", "play 2 8h"]


def test_a_misdeal_outlives_a_correction() -> None:
    words = [said(4.0, "annul"), oui(6.0)]
    late = dataclasses.replace(card(3.0, "8h", 2, 2), decided=9.0)
    _, acts = refereed([LEAD, *words, late])
    assert events(acts)[-1] == "annul"
    assert questions(acts) == ["annul"]


def test_in_a_pause_nothing_counts_until_it_is_over() -> None:
    pause = [said(4.0, "pause"), oui(6.0)]
    noise: list[Observation] = [said(8.0, "trut"), Knock(9.0, 9.2, 0.99, 1, 1), card(10.0, "8s", 4, 7)]
    _, acts = refereed([LEAD, *pause, *noise, said(12.0, "resume"), said(14.0, "trut")])
    assert notices(acts) == ["paused", "resumed"]
    assert events(acts) == ["deal", "play 1 9h", "trut 2"]


def test_a_card_in_its_turn_ends_a_pause() -> None:
    _, acts = refereed([LEAD, said(4.0, "pause"), oui(6.0), card(20.0, "8h", 2, 2)])
    assert notices(acts) == ["paused", "resumed"]
    assert events(acts)[-1] == "play 2 8h"


def test_in_a_pause_the_score_can_be_asked_for() -> None:
    interpreter, acts = refereed([LEAD, said(4.0, "pause"), oui(6.0), said(8.0, "score"), said(9.0, "undo")])
    assert notices(acts) == ["paused", "score"]
    assert "trut" not in interpreter.expected()


def test_resume_without_a_pause_says_nothing() -> None:
    assert notices(refereed([LEAD, said(4.0, "resume")])[1]) == []


# -- cards by name -------------------------------------------------------------------------------------------


def test_the_rank_alone_answers_with_the_suit_that_was_seen() -> None:
    poor = card(2.0, "Jh", 1, 1, p=0.4, other="Qs")
    _, acts = refereed([poor, said(6.0, "Q?", text="la dame")])
    assert questions(acts) == ["which-card"]
    assert events(acts)[-1] == "play 1 Qs"


def test_the_name_of_the_card_that_was_taken_settles_the_question() -> None:
    poor = card(2.0, "Jh", 1, 1, p=0.4, other="Qs")
    interpreter, acts = refereed(
        [poor, said(6.0, "Jh", text="le valet de cœur"), said(7.0, "Qs", text="la dame de pique")]
    )
    assert events(acts) == ["deal", "play 1 Jh"]
    assert CARD not in interpreter.expected()


def test_a_correction_is_for_the_card_that_looked_like_it() -> None:
    cards = [card(2.0, "Kh", 1, 1, p=0.9, other="Qh"), card(3.5, "8h", 2, 2)]
    _, acts = refereed([*cards, said(6.0, "Q?", text="non, la dame")])
    assert notices(acts) == ["corrected"]
    assert events(acts)[-2:] == ["play 1 Qh", "play 2 8h"]


def test_a_correction_of_the_newest_card() -> None:
    cards = [card(2.0, "Kh", 1, 1), card(3.5, "8h", 2, 2)]
    _, acts = refereed([*cards, said(6.0, "7s", text="c'était le sept de pique")])
    assert events(acts)[-2:] == ["undo", "play 2 7s"]


def test_a_card_that_is_out_is_no_correction() -> None:
    cards = [card(2.0, "Kh", 1, 1), card(3.5, "8h", 2, 2)]
    _, acts = refereed([*cards, said(6.0, "Kh", text="non, le roi de cœur")])
    assert notices(acts) == ["card-out"]
    assert events(acts) == ["deal", "play 1 Kh", "play 2 8h"]


def test_a_bare_name_that_nobody_asked_for_is_talk() -> None:
    _, acts = refereed([LEAD, said(6.0, "K?", text="le roi")])
    assert events(acts) == ["deal", "play 1 9h"]


def test_a_doubtful_name_is_asked_back() -> None:
    _, acts = refereed([LEAD, said(6.0, "10s", text="non, le dix de pique", doubtful=True), oui(8.0)])
    assert questions(acts) == ["10s"]
    assert events(acts)[-1] == "play 1 10s"


def test_cards_are_expected_while_one_is_in_question_and_corrections_while_cards_lie() -> None:
    assert not {CARD, CORRECTION} & refereed([])[0].expected()
    assert {CARD, CORRECTION} & refereed([LEAD], until=5.0, ended=False)[0].expected() == {CORRECTION}
    poor = card(2.0, "Jh", 1, 1, p=0.4, other="Qs")
    interpreter, _ = refereed([poor], until=5.0, ended=False)
    assert {CARD, CORRECTION} <= interpreter.expected()


# -- voices --------------------------------------------------------------------------------------------------


def test_an_enrolled_voice_speaks_for_its_seat() -> None:
    header = dataclasses.replace(HEADER, names={4: "Marie", 1: "Jean"})
    marie = dataclasses.replace(said(4.0, "trut"), speaker_name="marie")
    _, acts = refereed([LEAD, marie], header)
    assert events(acts)[-1] == "trut 4"
    assert [a.by for a in acts if isinstance(a, Action)][-1] == "voice"


def test_a_voice_that_may_not_say_it_is_taken_for_an_unknown_one() -> None:
    header = dataclasses.replace(HEADER, names={4: "Marie", 1: "Jean"})
    marie = dataclasses.replace(said(6.0, "accept"), speaker_name="Marie")
    _, acts = refereed([LEAD, said(4.0, "trut"), marie], header)
    assert events(acts)[-1] == "accept 1"


# -- words ---------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("fr")


def question_about(meaning: str, game: str = "trut") -> str:
    (announcement,) = Announcer(Game(Header(game))).words(Question(1.0, 1.5, "sure", {"meaning": meaning}))
    assert announcement.question
    return announcement.text


@pytest.mark.parametrize(
    ("meaning", "text"),
    [
        ("trut", "Je trute, c'est bien ça ?"),
        ("accept", "Je vais voir, c'est bien ça ?"),
        ("8h", "Le huit de cœur, c'est bien ça ?"),
        ("undo", "Reprendre le dernier coup, c'est bien ça ?"),
        ("pause", "Faire une pause ?"),
    ],
)
def test_what_is_asked_back(meaning: str, text: str) -> None:
    assert question_about(meaning) == text


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_can_be_said_can_be_asked_back(game: str) -> None:
    from audio.phrasebook import calls_of

    for call in calls_of(game):
        for meaning in call.means:
            if call.card or meaning in ("yes", "no"):
                continue
            text = question_about(meaning, game) if meaning not in IGNORED else ""
            assert "une carte" not in text.lower(), meaning


IGNORED = {"score", "turn", "rules", "repeat", "quieter", "louder", "resume", "hush", "speak", "review", "dealer me"}


def test_totals_are_asked_back_in_the_right_number() -> None:
    assert question_about("declare 0", "truc-y-flou") == "0 point, c'est bien ça ?"
    assert question_about("declare 27", "truc-y-flou") == "27 points, c'est bien ça ?"


def test_help_tells_the_rule_of_what_happened_last() -> None:
    game = Game(dataclasses.replace(HEADER, names={4: "Marie"}))
    announcer = Announcer(game)

    def rule() -> str:
        return announcer.words(Notice(1.0, 1.5, "rules"))[0].text

    assert rule() == "À Marie de donner."
    for event in (Event("deal"), Event("play", 1, ("9d",)), Event("trut", 4)):
        outcomes = game.apply(event).outcomes  # type: ignore[union-attr]
        announcer.words(Action(1.0, 1.5, event, "camera", outcomes=outcomes))
    assert rule() == "Tant qu'on n'a pas répondu au trut, personne ne joue ni ne trute. Règle T-22."


def test_cards_taken_in_a_pause_do_no_harm() -> None:
    _, acts = refereed([LEAD, said(4.0, "trut"), said(5.0, "pause"), oui(6.5), CardsTaken(8.0, 8.2, (1,))], until=15.0)
    assert events(acts)[-1] == "trut 2"


def test_a_new_game_has_a_record_of_its_own_and_the_deal_goes_on(tmp_path: Path) -> None:
    header = Header("trut", seats=2, dealer=2, names={1: "Anne"})
    referee = Referee(Game(header), Journal(tmp_path, header), live=True)
    first = card(2.0, "9h", 1, 1, seats=2)
    again = card(20.0, "8h", 2, 2, seats=2)
    for t, seen in ((2.4, first), (4.4, said(4.0, "new-game")), (6.4, oui(6.0)), (20.4, again)):
        referee.advance(t - 0.1)
        referee.observe([seen])
        referee.advance(t + 1.0)
    referee.finish(25.0)
    assert referee.journal is not None
    referee.journal.close()
    records = sorted(tmp_path.glob("*.trut"))
    assert [path.name for path in records] == ["trut-1.trut", "trut-2.trut"]
    assert "play 1 9h" in records[0].read_text()
    assert "play 2 8h" in records[1].read_text()
    assert "name 1 Anne" in records[1].read_text()
    assert (referee.game.header.dealer, referee.game.score["A"]) == (1, {"longs": 0, "petits": 0})
    assert all(replay(Record.load(path)).holds for path in records)


def test_the_first_card_of_the_next_round_confirms_a_fold() -> None:
    words = [said(4.0, "trut"), said(5.5, "fold", doubtful=True)]
    cards = [card(2.0, "9h", 1, 1, seats=2), card(12.0, "8h", 2, 2, seats=2)]
    _, acts = refereed([*cards, *words], PAIR)
    assert [e for e in events(acts) if e != "undo"][2:] == ["trut 2", "fold 1", "deal", "play 2 8h"]


def test_a_rare_word_that_is_not_quite_sure_is_asked_back() -> None:
    _, acts = refereed([LEAD, said(4.0, "undo", sure=0.85), oui(6.0)])
    assert questions(acts) == ["undo"]
    assert events(acts)[-1] == "undo"


def test_what_the_next_seat_may_say_is_expected_as_soon_as_the_card_before_is_seen() -> None:
    interpreter = Interpreter(Game(Header("truc-y-flou", dealer=6)))
    first = card(2.0, "7o", 1, 1, seats=6)
    interpreter.observe([first])
    interpreter.advance(2.3)  # the card is known and still held back
    assert "raise" not in interpreter.expected()
    second = Phrase(2.4, 2.5, "embit", ("embit",), False, "j'embide", 0.95)
    interpreter.observe([second])
    acts = [*interpreter.advance(3.2), *interpreter.finish(4.0)]
    assert events(acts) == ["deal", "play 1 7o", "embit 2"]
    third = Interpreter(Game(Header("truc-y-flou", dealer=6)))
    third.game.apply(Event("deal"))
    third.game.apply(Event("embit", 1))
    third.observe([card(2.0, "7o", 1, 1, seats=6)])
    third.advance(2.1)
    assert {"sing", "raise"} <= third.expected()  # seat 2 may challenge the embit once the card counts
