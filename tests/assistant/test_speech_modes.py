"""The ways to speak: words, every card, tones, large text; "tais-toi"; the last trick once more."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest

from assistant.acts import Act, Action, Notice, Question
from assistant.announcer import Announcement, Announcer
from assistant.i18n import set_language
from assistant.modes import Mode
from assistant.names import Names
from assistant.session import Referee
from assistant.showing import LargeSentences, Sentences
from assistant.speaking import CARD_WITHIN, Loudspeaker, Samples, Spokesman, earcon_of
from audio.earcons import EARCONS, earcon
from audio.events import Knock, Phrase
from audio.speech import Utterance
from engine import Accepted, Game, Header, Refusal, parse_event

HEADER = Header("trut", seats=4, dealer=4, names={1: "Marie", 2: "Jean"})


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("fr")


class Heard:
    """A loudspeaker that remembers: texts, and tones by their name in brackets."""

    speaking = False

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.said: list[Utterance] = []
        self.steps = 0

    def say(self, text: str) -> None:
        self.announce(Utterance(text))

    def announce(self, utterance: Utterance) -> None:
        self.heard.append(utterance.text)
        self.said.append(utterance)

    def sound(self, samples: Samples, rate: int) -> None:
        self.heard.append(next(f"[{name}]" for name in EARCONS if earcon(name) is samples))

    def tell(self, began: Callable[[Samples, int], None], ended: Callable[[], None]) -> None: ...

    def turn(self, steps: int) -> None:
        self.steps += steps


class Round:
    """A round at a table whose spokesman speaks in one mode."""

    def __init__(self, mode: Mode) -> None:
        self.game, self.voice = Game(HEADER), Heard()
        self.announcer = Announcer(self.game)
        self.spokesman = Spokesman(mode, self.announcer.names)

    def tell(self, *acts: Act) -> list[str]:
        """What is heard of these acts."""
        before = len(self.voice.heard)
        for act in acts:
            self.spokesman.tell(self.voice, act, self.announcer.words(act))
        return self.voice.heard[before:]

    def play(self, *lines: str) -> list[str]:
        """What is heard of these events."""
        return [text for line in lines for text in self.tell(self.act(line))]

    def act(self, line: str) -> Action:
        event = parse_event(line)
        answer = self.game.apply(event)
        refused = answer.code if isinstance(answer, Refusal) else None
        outcomes = answer.outcomes if isinstance(answer, Accepted) else (answer,)
        game, by = self.game, "rules" if event.verb == "deal" else "camera"
        return Action(1.0, 1.4, event, by, 0.9, refused, outcomes, turn=game.turn, awaiting=game.awaiting)


TRICK = ("deal", "play 1 7h", "play 2 8d", "play 3 10s", "play 4 9s")


def test_the_loudspeaker_of_this_test_is_one() -> None:
    assert isinstance(Heard(), Loudspeaker)


def test_usually_tricks_are_said_and_cards_are_not() -> None:
    assert Round(Mode.NORMAL).play(*TRICK) == ["Pli pour Marie."]


def test_every_card_is_said_with_its_player_and_whose_turn_it_is() -> None:
    table = Round(Mode.EVERY_CARD)
    assert table.play(*TRICK[:3]) == [
        "Marie, le sept de cœur.",
        "À Jean.",
        "Jean, le huit de carreau.",
        "À Nord.",
    ]
    assert table.play(*TRICK[3:]) == [
        "Nord, le dix de pique.", "À Est.", "Est, le neuf de pique.", "Pli pour Marie.", "À Marie.",
    ]  # fmt: skip
    turns = [said for said in table.voice.said if said.topic == "turn"]
    assert [said.text for said in turns] == ["À Jean.", "À Nord.", "À Est.", "À Marie."]
    assert {said.within for said in table.voice.said if said.text.endswith("de pique.")} == {CARD_WITHIN}


def test_tones_alone_say_what_happened() -> None:
    table = Round(Mode.TONES)
    assert table.play(*TRICK) == ["[card]", "[card]", "[card]", "[trick]"]
    assert table.play("play 3 7d") == ["[refused]"]
    assert table.play("trut 1", "fold 2", "fold 4") == ["[challenge]", "[done]", "[round]"]
    assert table.tell(Question(1, 1, "which-card", {"seat": 1}), Notice(1, 1, "camera-lost", {"reason": "dark"})) == [
        "[question]",
        "[lost]",
    ]
    assert table.tell(Notice(1, 1, "camera-back"), Notice(1, 1, "score")) == ["[back]", "[done]"]


@pytest.mark.parametrize("mode", [Mode.TEXT, Mode.OFF])
def test_who_wants_no_sound_hears_none(mode: Mode) -> None:
    table = Round(mode)
    assert table.play(*TRICK, "trut 1") == []
    assert not mode.sounds


def test_a_trut_has_its_tone_before_its_words() -> None:
    assert Round(Mode.NORMAL).play("deal", "play 1 7h", "trut 4") == ["[challenge]", "Est trute. À Marie de répondre."]


def test_told_to_be_silent_it_asks_and_answers_but_announces_nothing() -> None:
    table = Round(Mode.NORMAL)
    assert table.tell(Notice(1, 1, "hush")) == ["[done]"]
    assert table.play(*TRICK) == ["[card]", "[card]", "[card]", "[trick]"]
    assert table.tell(Question(1, 1, "which-card", {"seat": 1})) == ["[question]", "Quelle carte, Marie ?"]
    assert table.tell(Notice(1, 1, "turn")) == ["[done]", "À Marie de jouer."]
    assert table.tell(Notice(1, 1, "speak")) == ["Je parle de nouveau."]
    assert table.play("play 1 7d", "play 2 7c", "play 3 8s", "play 4 8h")[0] == "Pli pourri."


def test_two_scores_are_one_topic_and_a_question_waits_longer() -> None:
    table = Round(Mode.NORMAL)
    table.tell(Notice(1, 1, "score"), Question(1, 1, "which-card", {"seat": 1}))
    assert table.play("deal", "trut 1", "fold 2", "fold 4")[-1].startswith("Marie et Nord contre")
    assert table.voice.said.pop().topic == "score"
    score, question = table.voice.said[:2]
    assert score.topic == "score"
    assert (question.topic, question.within > score.within) == ("", True)


def test_louder_and_quieter_reach_the_loudspeaker_in_every_mode() -> None:
    table = Round(Mode.TONES)
    table.tell(Notice(1, 1, "louder"), Notice(1, 1, "louder"), Notice(1, 1, "quieter"))
    assert table.voice.steps == 1


@pytest.mark.parametrize("kind", ["heard", "score", "camera-lost", "camera-back", "record-lost", "microphone-silent"])
def test_every_notice_has_a_tone_that_there_is(kind: str) -> None:
    assert earcon_of(Notice(0, 0, kind)) in EARCONS


def test_what_only_repeats_makes_no_sound() -> None:
    action = Round(Mode.TONES).act("deal")
    quiet = Action(1, 1, action.event, "camera", outcomes=action.outcomes, quiet=True)
    assert earcon_of(quiet) is None


# ------------------------------------------------------------------ the fist is acknowledged at once


def knock(t: float, confidence: float = 0.97, hit: int = 1) -> Knock:
    return Knock(t, t + 0.18, confidence, 1, hit)


def referee(mode: Mode = Mode.NORMAL) -> tuple[Referee, Heard]:
    voice = Heard()
    return Referee(Game(HEADER), voice=voice, live=True, mode=mode), voice


def test_a_fist_is_acknowledged_before_it_is_known_whose_it_was() -> None:
    table, voice = referee()
    table.observe([knock(5.0)])
    assert voice.heard == ["[heard]"]
    table.observe([knock(5.2, hit=2)])
    assert voice.heard == ["[heard]"]


def test_a_faint_thud_and_a_fist_that_can_mean_nothing_are_not() -> None:
    table, voice = referee()
    table.observe([knock(5.0, confidence=0.5)])
    for line in ("deal", "play 1 7h", "trut 4"):
        table.game.apply(parse_event(line))
    table.observe([knock(9.0)])
    assert voice.heard == []


# ------------------------------------------------------------------ words to the assistant


def said(table: Referee, t: float, phrase: str, confidence: float = 0.97, speaker_name: str | None = None) -> None:
    table.observe([Phrase(t, t + 0.4, phrase, (phrase,), False, phrase, confidence, speaker_name=speaker_name)])
    table.advance(t + 1.5)


def test_who_deals_is_asked_back_and_goes_into_a_new_record_with_the_score() -> None:
    table, voice = referee()
    for line in ("deal", "trut 1", "fold 2", "fold 4"):
        table.game.apply(parse_event(line))
    assert table.game.next_dealer == 1
    said(table, 10.0, "dealer 3")
    assert voice.heard[-1] == "À Nord de donner, c'est bien ça ?"
    said(table, 13.0, "yes")
    assert voice.heard[-1] == "À Nord de donner ; le score reste."
    assert (table.game.next_dealer, table.game.score["A"]) == (3, {"longs": 0, "petits": 1})


def test_who_deals_anyway_is_only_confirmed() -> None:
    table, voice = referee()
    game = table.game
    said(table, 10.0, "dealer 4")
    assert voice.heard[-1] == "À Est de donner."
    assert table.game is game


def test_i_deal_needs_a_known_voice() -> None:
    table, voice = referee()
    said(table, 10.0, "dealer me")
    assert voice.heard[-1] == "Qui donne ? Dites par exemple « le donneur est le trois »."
    said(table, 13.0, "dealer me", speaker_name="Jean")
    assert voice.heard[-1] == "À Jean de donner, c'est bien ça ?"


def test_in_a_round_nobody_says_who_deals() -> None:
    table, voice = referee()
    table.game.apply(parse_event("deal"))
    assert "dealer" not in table.interpreter.expected()
    said(table, 10.0, "dealer 3")
    assert voice.heard == []


def test_the_return_game_is_asked_about_unless_the_game_is_over() -> None:
    table, voice = referee()
    table.game.apply(parse_event("deal"))
    said(table, 10.0, "rematch")
    assert voice.heard[-1] == "Commencer la revanche ?"
    said(table, 13.0, "no")
    table.game.apply(parse_event("concede A"))
    over, dealer = table.game, table.game.next_dealer
    said(table, 16.0, "rematch")
    assert voice.heard[-1] == f"La revanche. À {Names(HEADER).seat(dealer)} de donner."
    assert table.game is not over
    assert (table.game.header.dealer, table.game.log) == (dealer, ())


# ------------------------------------------------------------------ what is shown


def test_large_text_stands_in_a_frame() -> None:
    out = io.StringIO()
    LargeSentences(HEADER, out).announced(Announcement(1, 1, "Pli pour Marie.", question=False))
    assert out.getvalue() == "╔═══════════════════╗\n║ » Pli pour Marie. ║\n╚═══════════════════╝\n"


def test_a_question_rings_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    shown = LargeSentences(HEADER, out)
    shown.announced(Announcement(1, 1, "Qui trute ?", question=True))
    assert out.getvalue().startswith("\a\x1b[1m╔")
    before = out.tell()
    shown.announced(Announcement(1, 1, "Pli pourri.", question=False))
    assert "\a" not in out.getvalue()[before:]


def test_usual_sentences_show_how_sure_the_last_trick_was_read() -> None:
    from assistant.reviewing import Reading, Review

    out = io.StringIO()
    trick = Review((Reading(1, "7h", 0.974), Reading(2, "8d")), complete=False)
    Sentences(HEADER, out).acted(Notice(61.0, 61.0, "review", {"review": trick}))
    assert out.getvalue() == "  1:01.0  Marie : le sept de cœur (97 %)\n  1:01.0  Jean : le huit de carreau\n"


