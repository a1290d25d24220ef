"""What is said: every outcome has its French sentence, in the right number, and its English one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from assistant.acts import Action, Notice, Question
from assistant.announcer import INFRACTIONS, NOTICES, QUESTIONS, Announcer
from assistant.bench.own_voice import announcements
from assistant.following import RECORDED
from assistant.i18n import set_language
from assistant.names import Names
from engine import Accepted, Event, Game, Header, PointsScored, Refusal, parse_event


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("fr")


def table(*lines: str, **header: object) -> tuple[Game, Announcer, list[str]]:
    """A game after these events, its announcer, and all that was said."""
    game = Game(Header("trut", **{"seats": 4, "dealer": 4, **header}))  # type: ignore[arg-type]
    announcer = Announcer(game)
    said: list[str] = []
    for line in lines:
        said += [a.text for a in announcer.words(act(game, line))]
    return game, announcer, said


def act(game: Game, line: str) -> Action:
    event = parse_event(line)
    answer = game.apply(event)
    if isinstance(answer, Refusal):
        return Action(
            1.0, 1.5, event, "camera", 0.9, answer.code, (answer,), turn=game.turn, awaiting=game.awaiting
        )
    assert isinstance(answer, Accepted)
    return Action(
        1.0, 1.5, event, "camera", 0.9, None, answer.outcomes, turn=game.turn, awaiting=game.awaiting
    )


TRICK = ("deal", "play 1 9d", "play 2 Jd", "play 3 10s", "play 4 7s")


def test_a_trick_goes_to_whoever_laid_the_highest_card() -> None:
    assert table(*TRICK)[2] == ["Pli pour Est."]


def test_a_rotten_trick_is_called_rotten() -> None:
    assert table(*TRICK, "play 4 7h", "play 1 7c", "play 2 8s", "play 3 9s")[2][1] == "Pli pourri."


def test_a_trut_says_who_must_answer_and_what_the_round_is_worth() -> None:
    assert table("deal", "play 1 9d", "trut 4", "fold 1", "accept 3")[2] == [
        "Est trute. À Sud de répondre.",
        "Sud se couche. À Nord de répondre.",
        "Nord va voir : la manche vaut un long.",
    ]


def test_when_all_fold_the_award_and_the_score_follow() -> None:
    assert table("deal", "trut 1", "fold 2", "fold 4")[2][-3:] == [
        "Est se couche.",
        "Tout le monde se couche. Un petit pour Nord-Sud.",
        "Nord-Sud contre Est-Ouest : 0 long et 1 petit à 0 long et 0 petit.",
    ]


def test_three_petits_make_a_long_before_the_score_is_said() -> None:
    score = {"A": {"longs": 1, "petits": 2}, "B": {"longs": 0, "petits": 1}}
    assert table("deal", "trut 1", "fold 2", "fold 4", score=score)[2][-2:] == [
        "Trois petits font un long pour Nord-Sud.",
        "Nord-Sud contre Est-Ouest : 2 longs et 0 petit à 0 long et 0 petit.",
    ]


def test_the_end_of_the_game_is_announced() -> None:
    score = {"A": {"longs": 6, "petits": 0}, "B": {"longs": 0, "petits": 0}}
    said = table("deal", "trut 1", "accept 2", "play 1 7h", "play 2 9h", "play 3 9d", "play 4 9c",
                 "play 1 8h", "play 2 9s", "play 3 10d", "play 4 10c", score=score)[2]  # fmt: skip
    assert "Partie gagnée par Nord-Sud !" in said


@pytest.mark.parametrize(
    ("longs", "petits", "text"),
    [(0, 0, "0 long et 0 petit"), (1, 1, "1 long et 1 petit"), (2, 2, "2 longs et 2 petits")],
)
def test_french_counts_zero_and_one_in_the_singular(longs: int, petits: int, text: str) -> None:
    assert Names(Header("trut")).points({"longs": longs, "petits": petits}) == text


@pytest.mark.parametrize(
    ("longs", "petits", "text"),
    [(0, 0, "0 longs and 0 petits"), (1, 1, "1 long and 1 petit"), (2, 2, "2 longs and 2 petits")],
)
def test_english_counts_only_one_in_the_singular(longs: int, petits: int, text: str) -> None:
    set_language("en")
    assert Names(Header("trut")).points({"longs": longs, "petits": petits}) == text


def test_names_given_are_names_said() -> None:
    said = table(*TRICK, names={4: "Marie"})[2]
    assert said == ["Pli pour Marie."]
    names = Names(Header("trut", names={1: "Anne", 3: "Jean"}))
    assert names.team("A") == "Anne et Jean"
    assert names.team("B") == "Est-Ouest"
    assert Names(Header("trut", seats=2)).team("B") == "Nord"


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("7h", "le sept de cœur"),
        ("Qs", "la dame de pique"),
        ("Ac", "l'as de trèfle"),
        ("10?", "le dix"),
        ("5", "le 5"),
    ],
)
def test_cards_have_names(card: str, text: str) -> None:
    assert Names(Header("trut")).card(card) == text


def test_an_infraction_names_the_rule() -> None:
    game, announcer, _ = table("deal", "play 1 9d")
    assert announcer.words(act(game, "play 3 Jd"))[0].text == (
        "Ce n'est pas à Nord de jouer, c'est à Ouest (règle C-8)."
    )
    act(game, "trut 2")
    assert announcer.words(act(game, "play 2 Jd"))[0].text == (
        "Ouest doit attendre : à Sud de répondre d'abord (règle T-22)."
    )


def test_every_recorded_infraction_has_a_sentence() -> None:
    assert RECORDED["camera"] | RECORDED["microphone"] <= set(INFRACTIONS)


@pytest.mark.parametrize("kind", sorted(kind for kind in QUESTIONS if not kind.startswith("which-card-")))
def test_questions_have_words(kind: str) -> None:
    question = Question(1.0, 1.5, kind, {"seat": 1, "card": "7h", "verb": "trut"})
    (said,) = table()[1].words(question)
    assert said.question
    assert "{" not in said.text


@pytest.mark.parametrize("kind", sorted(NOTICES))
def test_notices_have_words(kind: str) -> None:
    (said,) = table()[1].words(Notice(1.0, 1.5, kind, {"seat": 1, "card": "7h"}))
    assert not said.question
    assert "{" not in said.text


def test_the_turn_and_the_score_are_said_on_request_and_the_last_words_repeated() -> None:
    _, announcer, said = table("deal", "play 1 9d", "trut 4")
    assert announcer.words(Notice(1.0, 1.5, "repeat"))[0].text == said[-1]
    assert announcer.words(Notice(1.0, 1.5, "turn"))[0].text == "À Sud de répondre."
    assert "0 long et 0 petit" in announcer.words(Notice(1.0, 1.5, "score"))[0].text
    assert table()[1].words(Notice(1.0, 1.5, "turn"))[0].text == "À Est de donner."


def test_what_a_correction_only_repeats_is_not_said_again() -> None:
    game, announcer, _ = table(*TRICK[:-1])
    repeated = act(game, "play 4 7s")
    quiet = Action(1.0, 1.5, repeated.event, "camera", outcomes=repeated.outcomes, quiet=True)
    assert announcer.words(quiet) == []


def test_the_same_in_english() -> None:
    set_language("en")
    assert table(*TRICK)[2] == ["Trick to East."]


@pytest.mark.parametrize(
    ("kind", "fields", "text"),
    [
        ("which-card", {"seat": 1}, "Quelle carte, Marie ?"),
        ("which-card", {"seat": 2, "card": "Qs"}, "Quelle carte, Ouest ? Je lis la dame de pique."),
        ("which-card", {"seat": None}, "Quelle carte a été jouée ?"),
        ("who", {"verb": "trut"}, "Qui trute ?"),
        ("who", {"verb": "fold"}, "Qui se couche ?"),
        ("who", {"verb": "concede"}, "Qui a parlé ?"),
        ("whose-card", {"seat": 4, "card": "8h"}, "Qui a joué le huit de cœur ? Je compte cette carte pour Anne."),
        ("twice", {"seat": 4, "card": "Ac"}, "Deux fois l'as de trèfle ? Quelle carte, Anne ?"),
        ("taken", {"seat": 4}, "Je n'ai pas entendu Anne répondre : je compte le défi pour tenu."),
        ("sure", {"meaning": "dealer 4"}, "À Anne de donner, c'est bien ça ?"),
        ("sure", {"meaning": "seat 1"}, "Marie, c'est bien ça ?"),
        ("sure", {"meaning": "seat dealer"}, "Le donneur, c'est bien ça ?"),
        ("sure", {"meaning": "rematch"}, "Commencer la revanche ?"),
    ],
)
def test_questions_are_short_and_name_whom_they_ask(kind: str, fields: dict[str, object], text: str) -> None:
    announcer = table(names={1: "Marie", 4: "Anne"})[1]
    assert announcer.words(Question(1.0, 1.5, kind, fields))[0].text == text


@pytest.mark.parametrize(
    ("reason", "first", "then"),
    [
        ("gone", "Je ne vois plus la table.", "La caméra est-elle débranchée ?"),
        ("blocked", "Je ne vois plus la table.", "La caméra ne répond plus."),
        ("frozen", "Je ne vois plus la table.", "L'image est figée."),
        ("dark", "Je ne vois plus la table.", "L'image est noire : la lumière, ou un cache ?"),
        ("moved", "La caméra a bougé : je ne lis plus les cartes.", "Remettez-la en place."),
    ],
)
def test_a_lost_camera_is_told_with_why_and_what_helps(reason: str, first: str, then: str) -> None:
    said = table()[1].words(Notice(1.0, 1.5, "camera-lost", {"reason": reason}))
    assert [announcement.text for announcement in said] == [first, f"{then} En attendant, dictez les cartes."]


def test_what_was_lost_for_an_unknown_reason_has_no_hint() -> None:
    assert len(table()[1].words(Notice(1.0, 1.5, "camera-lost", {"reason": "stolen"}))) == 1
    assert len(table()[1].words(Notice(1.0, 1.5, "microphone-lost"))) == 1
    assert len(table()[1].words(Notice(1.0, 1.5, "microphone-lost", {"reason": "gone"}))) == 2


def test_another_game_says_who_deals() -> None:
    _, announcer, _ = table(names={4: "Anne"})
    assert announcer.words(Notice(1.0, 1.5, "rematch"))[0].text == "La revanche. À Anne de donner."
    assert announcer.words(Notice(1.0, 1.5, "new-game"))[0].text == "Nouvelle partie. À Anne de donner."


SLIPS = {
    "fr": r"[{}]|None|  |\b[dD]e [AEIOUÉaeioué]|\bque [AEIOUaeiou]|\b[àÀ] les?\b|\bde les?\b|[^ ][?!:;»]"
    r"|\b[01] (longs|petits|points)\b|\b[2-9] (long|petit|point)\b",
    "en": r"[{}]|None|  | [?!:;]|\b1 (longs|petits|points)\b|\b[02] (long|petit|point)\b",
}
"""What no sentence has: holes, wrong elisions, wrong numbers, wrong spaces."""


@pytest.mark.parametrize("code", ["fr", "en"])
def test_no_sentence_has_a_slip_of_the_pen(code: str) -> None:
    set_language(code)
    for text in announcements(seeds=[1]):
        assert not re.search(SLIPS[code], text.replace("« ", "").replace(" »", "")), text
        assert re.match(r"[A-ZÀÉ«“\"\d]", text), text
        assert re.search(r"[.!?»]$", text) or re.match(r"\d+ ", text), text


def test_points_that_are_lost_are_said_without_a_minus() -> None:
    game = Game(Header("truc-y-flou"))
    scored = Action(1.0, 1.5, Event("flor", 1), "camera", outcomes=(PointsScored("flor", "B", -11),))
    assert Announcer(game).words(scored)[0].text == "11 points de moins pour l'équipe du Nord."
