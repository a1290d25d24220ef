"""The clerk: stands beside the referee, in its thread, for everybody who looks at the page.

After every step in which something changed it writes the board and hands it to the feed; what people tap it follows as
the game stands then. What somebody saw when he tapped and is no longer so is not followed: he is told how it is now.
Nothing is computed while nothing changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.account import Entry
from assistant.acts import Act, Action, Notice, Question
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.i18n import LANGUAGES, N_, Both, _, both, describe
from assistant.names import capital
from assistant.orders import Command, Drop, Insert, Order, Redo, Rename, Reply, Reseat, Say, Tapped, Undo
from assistant.page.board import Around, Asked, Row, Said, board
from assistant.page.event_ids import EventIds, Named
from assistant.page.feed import Answer, Feed
from assistant.page.moves import moves
from assistant.page.neighbours import likely, neighbours
from assistant.page.statebar import Bar, StateBar
from assistant.page.taps import (
    BeginTap,
    Do,
    DropTap,
    InsertTap,
    NamesTap,
    NeighboursTap,
    RedoTap,
    RenameTap,
    ReplyTap,
    ReseatTap,
    ResultTap,
    SayTap,
    UndoTap,
    WordTap,
)
from assistant.scorepad import result
from audio.health import Trouble
from engine import GAMES, Event, Header, Refusal
from engine.errors import TrutError
from engine.header import SEATS
from engine.options import options_of
from vision.events import CardLaid

if TYPE_CHECKING:
    from assistant.session import Referee

BY = "page"
SHOWN = 500
"""States of which it is remembered what they showed."""
TRACKED = 64
"""Events whose cards on the table are known (``tracks``)."""
READY_CARDS = 8
"""Cards that are offered as an answer."""
UNANSWERABLE = frozenset({"taken", "folded"})
"""Questions that tell what was counted; a correction answers them."""
NOT_DONE = frozenset(
    {
        "card-out",
        "nothing-to-undo",
        "nothing-to-redo",
        "nothing-to-correct",
        "nothing-asked",
        "so-counted",
        "dealer-later",
        "dealer-unknown",
    }
)
"""Notices that say why an order was not followed."""
ONCE_A_ROUND = frozenset({"annul", "concede", "set-score"})
"""Words of the record that are meant for the round, and the score, that were seen."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a state showed, as far as a tap may rest on it; ``n``: the how many-th game at the table."""

    n: int
    last: str | None
    undo: tuple[str | None, int | None]
    redo: tuple[int, int] | None
    turn: int | None
    rounds: int
    score: str
    names: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """Why a tap is not followed. ``by``: who had changed meanwhile what was seen, where that is known."""

    code: str
    text: Both
    by: str | None = None


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A question that can still be answered."""

    id: str
    question: Question
    text: Both


class Clerk:
    """See the module (``assistant.session.Attendant``).

    Args:
        feed: to whom the board is handed.
        mode: live, film, pad or record; None: what the table turns out to be.

    Attributes:
        tracks: of the latest events, the card on the table that each is about; replaced whole, so that any thread may
            read it.
    """

    def __init__(self, feed: Feed, mode: str | None = None) -> None:
        self.feed = feed
        self._mode = mode
        self.tracks: Mapping[str, int] = {}
        self._ids = EventIds()
        self._bar = StateBar()
        self._n = 0
        self._changed = True
        self._row: Row = {}
        self._shown: OrderedDict[int, Shown] = OrderedDict()
        self._said: Said | None = None
        self._saying: list[Announcement] = []
        self._questions: list[_Waiting] = []
        self._asked = 0
        self._infraction: Both | None = None
        self._answers: list[tuple[Tapped, Answer]] = []
        self._pace: tuple[Bar, bool, str | None] | None = None
        self._trick: str | None = None
        self._clock = 0.0

    # -- what the referee tells ------------------------------------------------------------------------------

    def attend(self, referee: Referee) -> None:
        """A table begins, or another game at it."""
        self._referee = referee
        self._ids = EventIds(self._ids.next)
        self._n += 1
        self._questions = []
        self._infraction = None
        self._changed = True
        self.feed.record_is(referee.record)
        if self._n == 1:
            self.stepped(0.0)

    def record(self) -> tuple[str, Path | None] | None:
        """The record of the running game and its file, None before there is a table. Any thread may ask."""
        return self._referee.record() if hasattr(self, "_referee") else None

    def has(self, *, camera: bool, microphone: bool) -> None:
        """Which devices the table has."""
        self._bar.has(camera=camera, microphone=microphone)
        self._changed = True

    def observed(self, observation: Observation | Trouble) -> None:
        """What eyes and ears report."""
        self._bar.observed(observation)

    def acted(self, act: Act) -> None:
        """What happened."""
        self._changed = True
        self._bar.acted(act)
        match act:
            case Action(quiet=True):
                pass
            case Action(refused=None):
                self._infraction = None
            case Action():
                infraction = both(lambda: self._referee.announcer.infraction(act))
                self._infraction = infraction if infraction["fr"] else None
            case Question(kind=kind) if kind not in UNANSWERABLE:
                self._asked += 1
                text = both(lambda: self._referee.announcer.question(act))
                self._questions = [*self._questions[-3:], _Waiting(f"q{self._asked}", act, text)]

    def announced(self, announcements: Sequence[Announcement]) -> None:
        """What is said; all that is said in one step is shown together."""
        self._changed = True
        self._saying += announcements

    def stepped(self, clock: float) -> None:
        """All of a step has happened: show it, if anything has changed, and answer the taps."""
        try:
            self._look(clock)
        finally:
            answers, self._answers = self._answers, []
            for tapped, answer in answers:
                tapped.answer(answer)

    def _look(self, clock: float) -> None:
        """Show how it stands now, if anything has changed."""
        self._clock = clock
        interpreter = self._referee.interpreter
        if self._questions:
            still = [q for q in self._questions if interpreter.waits_for(q.question, clock)]
            self._changed |= len(still) != len(self._questions)
            self._questions = still
        pace = self._paced(clock)
        if self._changed or pace != self._pace:
            self._changed = True  # until it is shown, whatever fails
            self._show(pace)
            self._pace = pace
            self._changed = False

    def bring(self, deliver: Callable[[Tapped], None] | None) -> None:
        """Hand what is tapped to ``deliver``; None: keep it."""
        self.feed.deliver_to(deliver)

    def taken(self) -> list[Tapped]:
        """What was tapped meanwhile."""
        return self.feed.taken()

    # -- the board -------------------------------------------------------------------------------------------

    def _paced(self, clock: float) -> tuple[Bar, bool, str | None]:
        """What may change by itself as time passes: the bar, whether a trick lies there, the question."""
        interpreter, game = self._referee.interpreter, self._referee.game
        if self._changed:
            self._name(game.log)
        trick = self._trick
        bar = self._bar.now(
            clock,
            over=game.phase == "over",
            paused=interpreter.paused,
            question=bool(self._questions),
            reading=interpreter.reading,
            trick=trick,
        )
        return bar, self._bar.lies(trick), self._questions[-1].id if self._questions else None

    def _name(self, log: Sequence[Event]) -> None:
        referee = self._referee
        self._ids.follow(log, referee.interpreter.entries)
        last = self._ids[len(self._ids) - 1] if len(self._ids) else None
        complete = last is not None and last.event.verb == "play" and not referee.game.trick
        self._trick = last.id if last is not None and complete else None
        latest = [self._ids[at] for at in range(max(0, len(self._ids) - TRACKED), len(self._ids))]
        self.tracks = {named.id: named.track for named in latest if named.track is not None}

    def _show(self, pace: tuple[Bar, bool, str | None]) -> None:
        referee = self._referee
        game, interpreter = referee.game, referee.interpreter
        if self._saying:
            self._say()
        bar, lies, _asked = pace
        around = Around(
            mode=self._mode or self._found_mode(),
            n=self._n,
            bar=bar,
            lies=lies,
            said=self._said,
            asked=self._question(),
            infraction=self._infraction,
            camera=self._bar.sees,
            microphone=self._bar.hears,
            paused=interpreter.paused,
            undo=self._undoes(),
            redo=self._brings_back(),
            begin=self._begins(),
            may=self._may(),
            pictured=self._pictured(),
        )
        row = board(game, self._ids, referee.announcer, around)
        if row != self._row or not self._shown:
            rev = self.feed.publish(row).rev
            self._row = row
        else:
            rev = self.feed.state().rev
        self._shown[rev] = self._now()
        if len(self._shown) > SHOWN:
            self._shown.popitem(last=False)

    def _undoes(self) -> Both | None:
        """What would be taken back, in words."""
        if not len(self._ids):
            return None
        if self._referee.interpreter.corrected is not None:
            return both(lambda: _("La dernière correction"))
        return self._sentence("{sentence}", self._ids[len(self._ids) - 1].event)

    def _brings_back(self) -> Both | None:
        interpreter = self._referee.interpreter
        if interpreter.undone is None:
            return None
        event = interpreter.brings_back
        return both(lambda: _("La dernière correction")) if event is None else self._sentence("{sentence}", event)

    def _pictured(self) -> frozenset[str]:
        """The cards of which it is kept what the eyes saw."""
        close_ups = self._referee.close_ups
        return frozenset(name for name, track in self.tracks.items() if close_ups.of(track) is not None)

    def _may(self) -> Sequence[Row]:
        """What may be said now."""
        game = self._referee.game
        if game.phase == "over":
            return ()
        resign = tuple(Event("concede", args=(team,)) for team in "AB")
        return moves(game.header.game, (*self._referee.interpreter.may(), *resign))

    def _found_mode(self) -> str:
        if not self._referee.live:
            return "film"
        return "pad" if self._bar.sees == self._bar.hears == "none" else "live"

    def _say(self) -> None:
        said = [words.both or dict.fromkeys(LANGUAGES, words.text) for words in self._saying]
        text = {language: " ".join(one[language] for one in said) for language in LANGUAGES}
        n = 1 if self._said is None else self._said.n + 1
        self._said = Said(n, text, self._saying[-1].question)
        self._saying = []

    def _now(self) -> Shown:
        """What is so at this moment."""
        game, interpreter = self._referee.game, self._referee.interpreter
        last = self._ids[len(self._ids) - 1].id if len(self._ids) else None
        names = tuple(sorted(game.header.names.items()))
        undo = (last, interpreter.corrected)
        return Shown(self._n, last, undo, interpreter.undone, game.turn, len(game.rounds), str(game.score), names)

    # -- questions -------------------------------------------------------------------------------------------

    def _question(self) -> Asked | None:
        if not self._questions:
            return None
        waiting = self._questions[-1]
        return Asked(waiting.id, waiting.question.kind, waiting.text, tuple(self._answers_to(waiting.question)))

    def _answers_to(self, question: Question) -> list[tuple[int | str | bool, Both]]:
        """What can be answered, the likeliest first."""
        names, interpreter = self._referee.announcer.names, self._referee.interpreter
        game = self._referee.game
        match question.kind:
            case "sure":
                return [(True, both(lambda: _("Oui"))), (False, both(lambda: _("Non")))]
            case "who":
                seats: Sequence[int] = interpreter.who_may(question) or range(1, game.seats + 1)
                return [(seat, both(lambda seat=seat: capital(names.seat(seat)))) for seat in seats]  # type: ignore[misc]
            case "whose-card":
                counted = question.fields.get("seat")
                all_seats = sorted(range(1, game.seats + 1), key=lambda seat: seat != counted)
                return [(seat, both(lambda seat=seat: capital(names.seat(seat)))) for seat in all_seats]  # type: ignore[misc]
        cards = self._cards_for(question)
        return [(card, both(lambda card=card: capital(names.card(card)))) for card in cards]  # type: ignore[misc]

    def _cards_for(self, question: Question) -> list[str]:
        """The cards that the one asked about may be; first what it was counted for."""
        game, interpreter = self._referee.game, self._referee.interpreter
        pack = game.table.PACK
        entry = interpreter.asked_about(self._clock)
        guesses = entry.seen.guesses if entry is not None and isinstance(entry.seen, CardLaid) else ()
        named = next((named for named in reversed(self._ids) if _is_card(named, entry)), None)
        at = None if named is None else self._ids.place(named.id)
        counted = question.fields.get("card") if named is None else named.event.args[0]
        now = counted if isinstance(counted, str) and pack.get(counted) is not None else None
        found = likely(pack, now, guesses, self._out()) if at is None else neighbours(game, at, guesses)
        return [*([] if now is None else [now]), *found][:READY_CARDS]

    def _out(self) -> list[str]:
        start = next((at for at in range(len(self._ids) - 1, -1, -1) if self._ids[at].event.verb == "deal"), 0)
        later = (self._ids[at].event for at in range(start, len(self._ids)))
        return [event.args[0] for event in later if event.verb == "play"]

    # -- taps ------------------------------------------------------------------------------------------------

    def tapped(self, tapped: Tapped) -> None:
        """Somebody tells something: it is followed, or answered why not. The answer goes out after the state that
        shows what came of it."""
        tap = tapped.tap
        self._changed = True
        try:
            self._name(self._referee.game.log)
            known = tap.rev is None or tap.rev in self._shown
            shown = self._now() if tap.rev is None else self._shown.get(tap.rev)
            came = self._follow(tap.do, shown if known else None, tapped)
        except Exception:
            broken = both(lambda: _("Un incident m'a empêché de suivre."))
            tapped.answer(Answer(tap.id, False, "broken", broken))  # the next step may be long in coming
            raise
        if isinstance(came, Unfollowed):
            came = Answer(tap.id, False, came.code, came.text, {} if came.by is None else {"by": came.by})
        self._answers.append((tapped, replace(came, id=tap.id)))

    def _follow(self, do: Do, shown: Shown | None, tapped: Tapped) -> Answer | Unfollowed:
        match do:
            case NeighboursTap(event=name):
                at = self._ids.place(name)
                if at is None or self._ids[at].event.verb != "play":
                    return self._gone()
                return Answer("", True, fields={"cards": neighbours(self._referee.game, at, self._guesses(at))})
            case NamesTap(names=names):
                return self._call(dict(names), shown, tapped.t)
            case BeginTap():
                return self._begin(do, tapped.t)
        order = self._order(do, shown, tapped)
        if isinstance(order, Unfollowed):
            return order
        came = self._came_of(order, self._referee.obey(order))
        if isinstance(do, ResultTap) and isinstance(came, Answer):
            # What was counted, not how the record writes it: a round that wins the game stands there as given up.
            announcer = self._referee.announcer
            came = replace(came, said=both(lambda: announcer.counted(do.team, do.award)))
        return came

    def _order(self, do: Do, shown: Shown | None, tapped: Tapped) -> Order | Unfollowed:
        """The order that a tap is, if all is still so that it rests on."""
        t, decided = tapped.t, tapped.decided
        now = self._now()
        if shown is not None and shown.n != now.n and not isinstance(do, WordTap):
            return Unfollowed("changed", both(lambda: _("Une autre partie vient de commencer.")))
        match do:
            case RenameTap(event=name, was=was, card=card):
                at = self._ids.place(name)
                if at is None or self._ids[at].event.verb != "play":
                    return self._gone()
                return Rename(t, decided, BY, at, card) if self._ids[at].event.args == (was,) else self._other(at)
            case ReseatTap(event=name, was=seat_was, seat=seat):
                at = self._ids.place(name)
                if at is None:
                    return self._gone()
                return Reseat(t, decided, BY, at, seat) if self._ids[at].event.seat == seat_was else self._other(at)
            case DropTap(event=name, was=was):
                at = self._ids.place(name)
                if at is None:
                    return self._gone()
                return Drop(t, decided, BY, at) if str(self._ids[at].event) == was else self._other(at)
            case InsertTap(before=None, said=event):
                if shown is None or shown.last != now.last:
                    return self._went_on()
                return Insert(t, decided, BY, len(self._ids), event)
            case InsertTap(before=str(name), said=event):
                at = self._ids.place(name)
                if at is None:
                    return self._gone()
                if event.seat is None and event.verb == "play":
                    event = Event(event.verb, self._ids[at].event.seat, event.args)
                return Insert(t, decided, BY, at, event)
            case SayTap(said=event):
                return self._say_order(event, shown, now, tapped)
            case ResultTap(team=team, award=award):
                counted = result(self._referee.game, team, award)
                if counted is None:
                    return Unfollowed("not-possible", both(lambda: _("Cela ne se compte pas ainsi dans ce jeu.")))
                return self._say_order(counted, shown, now, tapped)
            case UndoTap(event=name):
                if not len(self._ids):
                    return Unfollowed("changed", both(lambda: _("Il n'y a plus rien à reprendre.")))
                if name != now.last or shown is None or shown.undo != now.undo:
                    return self._went_on()
                return Undo(t, decided, BY)
            case RedoTap():
                if shown is None or shown.redo != now.redo:
                    return self._went_on()
                return Redo(t, decided, BY)
            case ReplyTap(question=name, answer=answer):
                return self._reply(name, answer, tapped)
            case WordTap(word=word):
                return Command(t, decided, BY, word)
        raise AssertionError(do)

    def _say_order(self, event: Event, shown: Shown | None, now: Shown, tapped: Tapped) -> Order | Unfollowed:
        """Something said rests on whose turn it was, or, where it is about the round, on round and score."""
        if event.verb == "play" and (shown is None or (shown.turn, shown.rounds) != (now.turn, now.rounds)):
            return self._went_on()
        if event.verb in ONCE_A_ROUND and (shown is None or (shown.rounds, shown.score) != (now.rounds, now.score)):
            return self._went_on()
        if event.verb == "play" and event.seat is None:  # it stays his, whatever is corrected before it
            event = Event(event.verb, self._referee.interpreter.turn, event.args)
        return Say(tapped.t, tapped.decided, BY, event)

    def _reply(self, name: str, answer: int | str | bool, tapped: Tapped) -> Order | Unfollowed:
        waiting = self._questions[-1] if self._questions else None
        if waiting is None or waiting.id != name or not self._open(waiting, tapped.t):
            return Unfollowed("changed", both(lambda: _("Cette question n'attend plus de réponse.")))
        kind = {"who": int, "whose-card": int, "sure": bool}.get(waiting.question.kind, str)
        if type(answer) is not kind:
            return Unfollowed("bad-tap", both(lambda: _("Ce n'est pas une réponse à cette question.")))
        return Reply(tapped.t, tapped.decided, BY, answer)

    def _open(self, waiting: _Waiting, clock: float) -> bool:
        return self._referee.interpreter.waits_for(waiting.question, clock)

    def _guesses(self, at: int) -> Sequence[tuple[str, float]]:
        """What the eyes took the card for that stands at ``at``."""
        back = len(self._ids) - at
        for entry in reversed(self._referee.interpreter.entries):
            back -= len(entry.events)
            if back <= 0:
                return entry.seen.guesses if isinstance(entry.seen, CardLaid) else ()
        return ()

    # -- names, another game -----------------------------------------------------------------------------------------

    def _call(self, names: Mapping[int, str], shown: Shown | None, t: float) -> Answer | Unfollowed:
        """Name players; what somebody else has named meanwhile is not written over."""
        there = self._referee.game.header.names
        was = None if shown is None else dict(shown.names)
        if was is None or any(was.get(seat) != there.get(seat) for seat in names):
            return Unfollowed("changed", both(lambda: _("Quelqu'un vient de changer ces noms.")))
        try:
            self._referee.call(_renamed(there, names), t)
        except TrutError as problem:
            return _because(problem)
        return Answer("", True)

    def _begin(self, tap: BeginTap, t: float) -> Answer | Unfollowed:
        """Begin another game at this table."""
        if tap.after != self._n:
            return Unfollowed("changed", both(lambda: _("Une autre partie vient de commencer.")))
        game = self._referee.game
        try:
            header = header_after(game.header, game.next_dealer, tap)
            if header.game not in self._begins() or not self._may_seat(header):
                return Unfollowed("not-here", both(lambda: _("Cette table ne peut pas suivre ce jeu-là.")))
            self._referee.begin(header, t, "rematch" if tap.rematch else "new-game")
        except TrutError as problem:
            return _because(problem)
        return Answer("", True, fields={"n": self._n})

    def _begins(self) -> tuple[str, ...]:
        """The games that can be begun here."""
        here = self._referee.game.header.game
        if self._referee.rewire is None and not self._blind:
            return (here,)
        return (here, *(game for game in GAMES if game != here))

    @property
    def _blind(self) -> bool:
        """Whether nothing here sees or hears: then any game can be kept."""
        return self._bar.sees == self._bar.hears == "none"

    def _may_seat(self, header: Header) -> bool:
        return self._blind or self._referee.rewire is not None or header.seats == self._referee.game.seats

    # -- answers ---------------------------------------------------------------------------------------------

    def _came_of(self, order: Order, acts: Sequence[Act]) -> Answer | Unfollowed:
        """Whether an order was followed, and if not, why; else what it changed, in a sentence."""
        announcer = self._referee.announcer
        said: Both | None = None
        for act in acts:
            match act:
                case Notice(kind="refused", fields={"refusal": Refusal() as refusal}):
                    return Unfollowed(refusal.code, both(lambda: announcer.refusal(refusal)))
                case Notice(kind=kind) if kind in NOT_DONE:
                    return Unfollowed(kind, announcer.about(act))
                case Action(refused=str(code), quiet=False, by="page", outcomes=(Refusal() as refusal, *_)):
                    return Unfollowed(code, self._infraction or both(lambda: announcer.refusal(refusal)))
                case Notice() | Question():
                    said = announcer.about(act)
                case Action(quiet=False, event=Event(verb="undo")):
                    said = announcer.about(act)
                case Action(quiet=False, by="page", event=event):
                    said = self._sentence("{sentence}", event)
        return Answer("", True, said=said, fields=self._made(order))

    def _made(self, order: Order) -> dict[str, object]:
        """The event that an order made or put right, and the last one, by their names."""
        before = {self._ids[at].id for at in range(len(self._ids))}
        event: str | None = None
        if isinstance(order, Rename | Reseat):
            event = self._ids[order.at].id
        self._name(self._referee.game.log)
        last = self._ids[len(self._ids) - 1].id if len(self._ids) else None
        if isinstance(order, Say | Insert):
            new = [named for named in reversed(self._ids) if named.id not in before]
            event = next((named.id for named in new if named.event.verb == order.event.verb), None)
        return {"event": event, "last_event": last}

    def _gone(self) -> Unfollowed:
        return Unfollowed("changed", both(lambda: _("Ce coup n'est plus là : il a été repris ou corrigé entre-temps.")))

    def _went_on(self) -> Unfollowed:
        if not len(self._ids):
            return self._gone()
        last = self._ids[len(self._ids) - 1].event
        frame = N_("Entre-temps la partie a changé. Dernier coup : {sentence}")
        return Unfollowed("changed", self._sentence(frame, last))

    def _other(self, at: int) -> Unfollowed:
        named = self._ids[at]
        frame = N_("Ce coup a changé entre-temps : {sentence}")
        if named.by in ("page", "keyboard", "voice", "told"):
            frame = N_("Quelqu'un a corrigé ce coup entre-temps : {sentence}")
        return Unfollowed("changed", self._sentence(frame, named.event), named.by)

    def _sentence(self, frame: str, event: Event) -> Both:
        announcer = self._referee.announcer
        return both(lambda: _(frame).format(sentence=announcer.sentence(event)))


def header_after(before: Header, dealer: int, tap: BeginTap) -> Header:
    """The header of the next game at a table.

    Args:
        before: of the game before; what is not asked for stays as it was.
        dealer: who would deal next.

    Raises:
        BadHeader: the rules of the game do not allow this.
    """
    game = tap.game or before.game
    same = game == before.game
    seats = tap.seats or (before.seats if before.seats in SEATS[game] else SEATS[game][0])
    alike = same and seats == before.seats
    options = {**(before.options if same else {}), **dict(tap.options or ())}
    usual = options_of(game)
    return Header(
        game,
        seats,
        tap.dealer or (dealer if alike else 0),
        options={name: value for name, value in options.items() if usual.get(name) != value},
        score=None if tap.score is None else {team: dict(part) for team, part in tap.score},
        names={seat: name for seat, name in _renamed(before.names, dict(tap.names or ())).items() if seat <= seats},
        captains=before.captains if alike else {},
        date=before.date,
    )


def _renamed(names: Mapping[int, str], others: Mapping[int, str]) -> dict[int, str]:
    return {seat: name for seat, name in {**names, **others}.items() if name}


def _because(problem: TrutError) -> Unfollowed:
    return Unfollowed(problem.code, both(lambda: describe(problem)))


def _is_card(named: Named, entry: Entry | None) -> bool:
    """Whether an event is the card of an entry."""
    origin = named.origin
    if entry is None or origin is None or named.event.verb != "play":
        return False
    return (origin.t, origin.decided) == (entry.seen.t, entry.seen.decided)
