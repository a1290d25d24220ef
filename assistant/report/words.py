"""The sentences of a story, in the language in force: what was said, ruled, refused, corrected and scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assistant.acts import Action
from assistant.announcer import ASKED_BACK, ASKED_BACK_HERE, Announcer
from assistant.commands.score import award_words
from assistant.i18n import N_, _, language, ngettext
from assistant.names import FRENCH_SUITS, SPANISH_SUITS, Names, capital
from assistant.report.story import Broken, Corrected, Passage, Round, Said
from assistant.rules_in_words import TITLES, rule_in_words
from engine import (
    OPTIONS,
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    Declared,
    Event,
    Game,
    Header,
    Outcome,
    PointsScored,
    Refusal,
    Ruling,
    TrickRotten,
)
from engine.cards import FRENCH32, NUMBERED8, SPANISH40, UNSEEN, Pack, rank_of, team_of
from engine.outcomes import Score
from engine.rulebook import Clause, clause, numbers

PACKS: Final = {"truc-y-flou": SPANISH40, "trut-robin-red": NUMBERED8}
SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
FRENCH_LETTERS: Final = {"J": "V", "Q": "D", "K": "R"}
_DONE: Final = {
    "cut": N_("{name} coupe."),
    "deal": N_("{name} donne."),
    "redeal": N_("On redonne trois cartes à chacun."),
    "annul": N_("Maldonne."),
    "hand": N_("La main de {name} est connue : {cards}."),
    "discard": N_("{name} écarte."),
    "rest": N_("{name} joue son reste."),
    "concede": N_("{team} abandonne la partie."),
    "set-score": N_("Les joueurs s'accordent sur la marque."),
}
"""Sentences for events that are no quotable words."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence and the clauses of the rulebook that stand behind it."""

    text: str
    clauses: tuple[str, ...] = ()


def pack_of(header: Header) -> Pack:
    """The cards that a game is played with."""
    return PACKS.get(header.game, FRENCH32)


class Words:
    """What is told of one game.

    Args:
        header: how the game started; names and house rules are in it.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.names = Names(header)
        self._game = Game(header)
        self._announcer = Announcer(self._game)

    # -- the game --------------------------------------------------------------------------------------------

    def title(self) -> str:
        """ "Trut de Gâtine" """
        return _(TITLES[self.header.game])

    def team(self, team: str) -> str:
        """ "Nord-Sud" """
        return capital(self.names.team(team))

    def players(self, team: str) -> list[str]:
        """Who plays for a team, in the order of the seats."""
        return [self.names.seat(seat) for seat in range(1, self.header.seats + 1) if team_of(seat) == team]

    def house_rules(self) -> list[Told]:
        """The house rules that the record names, each with its clauses."""
        here = numbers(self.header.game)
        return [
            Told(rule_in_words(name, value), tuple(number for number in OPTIONS[name].clauses if number in here))
            for name, value in sorted(self.header.options.items())
        ]

    def score(self, score: Score) -> list[tuple[str, str]]:
        """Each team with what it has: ``("Nord-Sud", "1 long et 2 petits")``."""
        return [(self.team(team), self.names.points(score[team])) for team in ("A", "B")]

    def clause(self, number: str) -> Clause:
        """A clause of the rulebook, as it holds in this game."""
        return clause(number, self.header)

    # -- cards -----------------------------------------------------------------------------------------------

    def short(self, card: str) -> str:
        """A card in few letters: ``R♠``, ``7♥``, in a Spanish pack "12 d'or"."""
        pack = pack_of(self.header)
        if not pack.suits:
            return card
        rank, suit = rank_of(card), card[-1]
        if suit == UNSEEN:
            return f"{rank_label(rank)} ?"
        if pack is SPANISH40:
            return f"{rank} {_(SPANISH_SUITS[suit])}"
        return f"{rank_label(rank)}{SIGNS[suit]}"

    def card(self, card: str) -> str:
        """A card in full: "le roi de pique"; of one whose suit was not seen that is said."""
        name = self.names.card(card)
        return name if not card.endswith(UNSEEN) else _("{card}, couleur non vue").format(card=name)

    # -- what happened ---------------------------------------------------------------------------------------

    def quote(self, event: Event) -> str:
        """The words of a call as a player says them, without quotation marks; empty for what is no call."""
        if event.seat is None or event.verb in ("hand", "cut", "discard"):
            return ""
        if event.verb == "declare":
            return ngettext("{n} point", "{n} points", int(event.args[0])).format(n=event.args[0])
        here = ASKED_BACK_HERE.get(self.header.game, {})
        whole = " ".join((event.verb, *event.args))
        words = here.get(event.verb) or ASKED_BACK.get(whole) or ASKED_BACK.get(event.verb)
        return _(words) if words else ""

    def said(self, said: Said) -> Told:
        """What somebody did or said, and what followed from it at once."""
        texts = [self.event(said.event), *self._followed(said.outcomes)]
        return Told(" ".join(text for text in texts if text), self._clauses(said.outcomes))

    def event(self, event: Event) -> str:
        """An event in a sentence, whatever it is."""
        name = self.names.seat(event.seat)
        quote = self.quote(event)
        if quote and event.verb not in ("redeal",):
            return _("{name} : « {words} ».").format(name=name, words=quote)
        if event.verb == "redeal" and event.seat is not None and self.header.game == "truc":
            return self._announcer.sentence(event)
        if event.verb == "deal" and event.seat is None:
            return _("On donne.")
        if event.verb in _DONE:
            team = self.team(event.args[0]) if event.verb == "concede" and event.args[0] in "AB" else ""
            cards = ", ".join(self.short(card) for card in event.args) if event.verb == "hand" else ""
            return _(_DONE[event.verb]).format(name=name, team=team, cards=cards)
        return self._announcer.sentence(event)

    def effects(self, outcomes: tuple[Outcome, ...]) -> Told:
        """What followed from a card or call besides its trick and the end of its round; often nothing."""
        return Told(" ".join(self._followed(outcomes)), self._clauses(outcomes))

    def _followed(self, outcomes: tuple[Outcome, ...]) -> list[str]:
        texts = []
        for outcome in outcomes:
            match outcome:
                case ChallengeTaken(stake=stake):
                    texts.append(_("La manche vaut {worth}.").format(worth=worth(stake)))
                case PointsScored(kind="annulled"):
                    texts.append(_("L'embit est annulé par la flor."))
                case PointsScored():
                    texts.append(self._announcer.outcome(outcome))
        return texts

    def _clauses(self, outcomes: tuple[Outcome, ...]) -> tuple[str, ...]:
        asked = ChallengeMade | ChallengeTaken | ChallengeFolded | Declared | PointsScored
        return tuple(dict.fromkeys(self.ruling(o).clause.number for o in outcomes if isinstance(o, asked)))

    def result(self, passage: Passage) -> Told:
        """Whose a trick is, why it is rotten, and who leads the next one."""
        outcome = passage.result
        assert outcome is not None
        ruling = self.ruling(outcome)
        numbers = [ruling.clause.number]
        if isinstance(outcome, TrickRotten):
            text = capital(ruling.english if language() == "en" else ruling.french) + "."
        else:
            text = self._announcer.outcome(outcome)
        winner = None if isinstance(outcome, TrickRotten) else outcome.seat
        if passage.next_leader not in (None, winner):
            text += " " + _("À {name} d'entamer.").format(name=self.names.seat(passage.next_leader))
            numbers.append("C-14" if isinstance(outcome, TrickRotten) else "C-13")
        return Told(text, tuple(numbers))

    def award(self, played: Round) -> Told:
        """What a round gave to whom and by which rule, and what came of it."""
        ended = played.ended
        if ended is None:
            return Told(_("Manche en cours."))
        outcomes = (ended, *played.closing)
        texts = [self._announcer.outcome(outcome) for outcome in outcomes]
        if ended.award in ("game", "manche") and ended.winner and not played.closing:
            texts.append(_("{team} : {award}.").format(team=self.team(ended.winner), award=award_words(ended.award)))
        text = " ".join(text for text in texts if text)
        if not text:
            ruling = self.ruling(ended)
            text = capital(ruling.english if language() == "en" else ruling.french) + "."
        return Told(text, tuple(dict.fromkeys(self.ruling(outcome).clause.number for outcome in outcomes)))

    def infraction(self, broken: Broken) -> Told:
        """What was refused, and why."""
        refusal = broken.refusal
        expected = refusal.fields.get("expected")
        waiting = (expected,) if isinstance(expected, int) else ()
        turn = waiting[0] if waiting else None
        action = Action(0.0, 0.0, broken.event, "", None, refusal.code, (refusal,), False, turn, waiting)
        if self._malformed(broken):
            text = capital(_(refusal.template).format(**refusal.fields)) + "."
        else:
            text = self._announcer.infraction(action)
        number = self.ruling(refusal).clause.number
        return Told(text, () if number in text else (number,))

    def _malformed(self, broken: Broken) -> bool:
        """Whether the event cannot be told in the words of the table: no such seat, no such card, words missing."""
        event = broken.event
        if event.seat is not None and not 1 <= event.seat <= self.header.seats:
            return True
        return broken.refusal.code in ("syntax", "unknown-verb", "bad-header", "bad-seat") or (
            event.verb == "play" and event.seat is None
        )

    def correction(self, corrected: Corrected) -> Told:
        """What was taken back, and what was put in its place."""
        removed, put = corrected.removed, corrected.put
        if not removed and not put:
            return Told(_("Une correction a été essayée, puis reprise."))
        if not put:
            sentence = ngettext("Repris : {what}", "Repris, {n} coups : {what}", len(removed))
            return Told(sentence.format(n=len(removed), what=self._several(removed)))
        if not removed:
            return Told(_("Ajouté après coup : {what}").format(what=self._several(put)))
        return Told(
            _("Compté d'abord : {before} En fait : {after}").format(
                before=self._several(removed), after=self._several(put)
            )
        )

    def _several(self, events: tuple[Event, ...]) -> str:
        shown = [self.event(event) for event in events[:_SHOWN]]
        if len(events) > _SHOWN:
            more = len(events) - _SHOWN
            shown.append(ngettext("Et {n} autre.", "Et {n} autres.", more).format(n=more))
        return " ".join(shown)

    def ruling(self, what: Outcome | Refusal) -> Ruling:
        """The engine's ruling on it."""
        return self._game.explain(what)


_SHOWN: Final = 6
"""So many events of a correction are told one by one."""


def rank_label(rank: str) -> str:
    """What stands in the corner of a card: R D V in French, K Q J in English."""
    return FRENCH_LETTERS.get(rank, rank) if language() == "fr" else rank


def worth(stake: str) -> str:
    """What a round is worth, in words: "un long", "3 points", "le reste"."""
    if stake.isdigit():
        return ngettext("{n} point", "{n} points", int(stake)).format(n=stake)
    words = {"petit": N_("un petit"), "long": N_("un long"), "rest": N_("le reste"), "partido": N_("la manche entière")}
    return _(words[stake]) if stake in words else stake


def suit_name(suit: str, pack: Pack) -> str:
    """ "de pique", "d'or" """
    return _((SPANISH_SUITS if pack is SPANISH40 else FRENCH_SUITS)[suit])


def clock(seconds: float) -> str:
    """A time in the record: ``0:42``, ``1:02:05``."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
