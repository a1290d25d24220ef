"""The report as one HTML file: no script, nothing loaded from anywhere, every trick drawn; to read, keep or print."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from importlib import resources
from typing import Final

from assistant.commands.score import award_words
from assistant.i18n import N_, _, in_language, ngettext
from assistant.names import capital
from assistant.report.faces import HEIGHT, WIDTH, name_of, symbols
from assistant.report.markup import Safe, join, tag
from assistant.report.story import Broken, Corrected, Laid, Passage, Round, Said, Story, Thing
from assistant.report.words import Told, Words, clock, pack_of
from engine.outcomes import Score
from engine.rulebook import SOURCES

CONTENTS_FROM: Final = 4
"""Rounds from which on there is a list of contents."""
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_MONTHS: Final = (
    N_("janvier"), N_("février"), N_("mars"), N_("avril"), N_("mai"), N_("juin"), N_("juillet"), N_("août"),
    N_("septembre"), N_("octobre"), N_("novembre"), N_("décembre"),
)  # fmt: skip
_BY: Final = {
    "camera": N_("la caméra"), "microphone": N_("le micro"), "page": N_("la page"), "keyboard": N_("le clavier"),
    "voice": N_("la voix"), "rules": N_("les règles"),
}  # fmt: skip


def page(story: Story, language: str = "fr", problems: Sequence[str] = ()) -> str:
    """The whole file.

    Args:
        language: ``fr`` or ``en``.
        problems: what is not as the record wants it, in sentences.
    """
    with in_language(language):
        return _Page(story, language, problems).html()


def day(iso: str) -> str:
    """ "30 novembre 2026"; what is no date stays as it is."""
    try:
        when = date.fromisoformat(iso)
    except ValueError:
        return iso
    number = _("1er") if when.day == 1 else str(when.day)
    return _("{day} {month} {year}").format(day=number, month=_(_MONTHS[when.month - 1]), year=when.year)


class _Page:
    def __init__(self, story: Story, language: str, problems: Sequence[str]) -> None:
        self.story, self.language, self.problems = story, language, problems
        self.words = Words(story.header)
        self._cited: dict[str, None] = {}

    def html(self) -> str:
        story = self.story
        title = _("Compte rendu : {title}").format(title=self._title())
        body = tag(
            "body",
            self._cards(),
            self._head(),
            self._contents(),
            tag("main", *(self._round(played) for played in story.rounds), self._after()),
            self._end(),
            self._rules(),
        )
        style = resources.files(__package__).joinpath("report.css").read_text(encoding="utf-8")
        head = tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", title),
            tag("style", Safe(style)),
        )
        return f"<!DOCTYPE html>\n{tag('html', head, body, lang=self.language)}\n"

    def _title(self) -> str:
        seats = ngettext("{n} joueur", "{n} joueurs", self.story.header.seats).format(n=self.story.header.seats)
        when = self.story.header.date
        return ", ".join(part for part in (self.words.title(), seats, day(when) if when else "") if part)

    def _cards(self) -> Safe:
        """The faces of the cards that were laid, drawn once, not shown here."""
        laid = (thing.card for thing in self.story.things() if isinstance(thing, Laid))
        drawn = symbols(laid, pack_of(self.story.header))
        long_chip = tag(
            "symbol", tag("rect", x="1", y="1", width="30", height="10", rx="2.5"), id="long", viewBox="0 0 32 12"
        )
        petit_chip = tag("symbol", tag("circle", cx="6", cy="6", r="5"), id="petit", viewBox="0 0 12 12")
        return tag("svg", drawn, long_chip, petit_chip, width="0", height="0", class_="faces", aria_hidden="true")

    # -- before the rounds -----------------------------------------------------------------------------------

    def _head(self) -> Safe:
        story, words = self.story, self.words
        when = story.header.date
        facts = [ngettext("{n} joueur", "{n} joueurs", story.header.seats).format(n=story.header.seats)]
        if when:
            facts.insert(0, day(when))
        played = len(story.rounds)
        facts.append(ngettext("{n} manche", "{n} manches", played).format(n=played))
        rules = words.house_rules()
        return tag(
            "header",
            tag("h1", words.title()),
            tag("p", " · ".join(facts), class_="facts"),
            self._teams(story.score, story.winner),
            tag(
                "p",
                tag("b", _("Règles maison :")),
                " ",
                join(*(self._told(rule, "span", "rule") for rule in rules)),
                class_="house",
            )
            if rules
            else Safe(""),
            tag(
                "p",
                _("Marque de départ : {score}").format(score=self._flat(story.start)),
                class_="house",
            )
            if story.header.score is not None
            else Safe(""),
            tag("ul", *(tag("li", problem) for problem in self.problems), class_="problems") if self.problems else "",
        )

    def _teams(self, score: Score, winner: str | None) -> Safe:
        """Both teams with their players and the final score."""
        boxes = []
        for team in ("A", "B"):
            players = self.words.players(team)
            boxes.append(
                tag(
                    "div",
                    tag("h2", self.words.team(team)),
                    tag("p", ", ".join(players), class_="players")
                    if len(players) > 1 and not self.story.header.names
                    else Safe(""),
                    self._chips(team, score),
                    tag("p", _("gagne la partie"), class_="won") if team == winner else Safe(""),
                    class_=f"team {team.lower()}",
                )
            )
        return tag("section", *boxes, self._manches(), class_="teams", aria_label=_("Marque finale"))

    def _manches(self) -> Safe:
        manches = self.story.manches
        if manches is None:
            return Safe("")
        return tag("p", _("manches : {a} à {b}").format(a=manches["A"], b=manches["B"]), class_="manches")

    def _contents(self) -> Safe:
        """Every round on a line, with a link to it."""
        if len(self.story.rounds) < CONTENTS_FROM:
            return Safe("")
        rows = []
        for played in self.story.rounds:
            ended = played.ended
            gives = award_words(ended.award).replace(" ", _NO_BREAK) if ended is not None and ended.winner else "–"
            winner = self.words.team(ended.winner) if ended is not None and ended.winner else "–"
            rows.append(
                tag(
                    "tr",
                    tag("th", tag("a", str(played.n), href=f"#m{played.n}"), scope="row"),
                    tag("td", self.words.names.seat(played.dealer)),
                    tag("td", winner),
                    tag("td", gives),
                    *(tag("td", self._tally(team, played.score), class_="tally") for team in ("A", "B")),
                )
            )
        titles = (_("Manche"), _("Donne"), _("Gagnée par"), _("Gain"), self.words.team("A"), self.words.team("B"))
        head = tag("tr", *(tag("th", title, scope="col") for title in titles))
        return tag(
            "nav",
            tag("h2", _("Sommaire")),
            tag(
                "div",
                tag("table", tag("thead", head), tag("tbody", *rows)),
                class_="wide",
            ),
            aria_label=_("Sommaire"),
        )

    # -- rounds ----------------------------------------------------------------------------------------------

    def _round(self, played: Round) -> Safe:
        words = self.words
        began = next((t for t in (self._time(passage) for passage in played.passages) if t is not None), None)
        when = tag("span", clock(began), class_="time") if began is not None else Safe("")
        title = _("Manche {n}").format(n=played.n)
        award = words.award(played)
        return tag(
            "section",
            tag("h2", title, when),
            tag("p", _("Donnée par {name}").format(name=words.names.seat(played.dealer)), class_="dealer"),
            *(self._passage(passage) for passage in played.passages),
            tag(
                "footer",
                self._told(award, "p", "award"),
                *(
                    tag(
                        "div",
                        tag("h3", words.team(team)),
                        self._chips(team, played.score),
                        class_=f"team {team.lower()}",
                    )
                    for team in ("A", "B")
                ),
                class_="running" if played.ended is None else None,
            ),
            id=f"m{played.n}",
            class_="round",
        )

    @staticmethod
    def _time(passage: Passage) -> float | None:
        return next((thing.source.t for thing in passage.things if thing.source.t is not None), None)

    def _passage(self, passage: Passage) -> Safe:
        things = [self._thing(thing) for thing in passage.things if not _is_deal(thing)]
        if not things and passage.result is None:
            return Safe("")
        result = Safe("")
        if passage.result is not None:
            rotten = not hasattr(passage.result, "team")
            result = self._told(self.words.result(passage), "p", "result rotten" if rotten else "result")
        title = tag("h3", _("Pli {n}").format(n=passage.n)) if passage.n is not None else Safe("")
        return tag("div", title, tag("ol", *things), result, class_="trick")

    def _thing(self, thing: Thing) -> Safe:
        match thing:
            case Laid():
                return self._laid(thing)
            case Said():
                return self._said(thing)
            case Broken():
                told = self.words.infraction(thing)
                word = _("Infraction") if thing.expected else _("Refusé")
                return tag("li", tag("b", word, " "), self._inner(told), class_="note broken")
            case Corrected():
                by = _BY.get(thing.source.by)
                word = _("Correction, par {by}").format(by=_(by)) if by else _("Correction")
                return tag(
                    "li", tag("b", word, " "), self._inner(self.words.correction(thing)), class_="note corrected"
                )

    def _laid(self, laid: Laid) -> Safe:
        name = self.words.names.seat(laid.seat)
        said = capital(self.words.card(laid.card))
        effects = self.words.effects(laid.outcomes)
        drawn = tag(
            "svg",
            tag("use", href=f"#{name_of(laid.card)}"),
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            role="img",
            aria_label=_("{card}, carte la plus forte du pli").format(card=said) if laid.best else said,
        )
        card = tag(
            "li",
            tag("span", name, class_=f"name {_team(laid.seat)}"),
            drawn,
            tag("span", self.words.short(laid.card), class_="short", aria_hidden="true"),
            class_="card best" if laid.best else "card",
        )
        return join(card, tag("li", self._inner(effects), class_="follows")) if effects.text else card

    def _said(self, said: Said) -> Safe:
        words, event = self.words, said.event
        quote = words.quote(event)
        if not quote or event.seat is None:
            return tag("li", self._inner(words.said(said)), class_="note")
        effects = words.effects(said.outcomes)
        return tag(
            "li",
            tag("span", words.names.seat(event.seat), class_=f"name {_team(event.seat)}"),
            tag("q", quote),
            self._told(effects, "span", "effect") if effects.text or effects.clauses else Safe(""),
            class_="said",
        )

    # -- after the rounds ------------------------------------------------------------------------------------

    def _after(self) -> Safe:
        things = [self._thing(thing) for thing in self.story.after]
        return tag("section", tag("div", tag("ol", *things), class_="trick"), class_="round") if things else Safe("")

    def _end(self) -> Safe:
        winner = self.story.winner
        text = _("Partie inachevée.")
        if winner:
            text = _("Partie gagnée par {team} !").format(team=self.words.names.team(winner))
        return tag(
            "section",
            tag("h2", _("Marque finale")),
            tag("p", text, class_="award"),
            self._teams(self.story.score, winner),
            class_="end",
        )

    def _rules(self) -> Safe:
        """The clauses that were named, with where they are from."""
        if not self._cited:
            return Safe("")
        entries = []
        for number in sorted(self._cited, key=_order):
            clause = self.words.clause(number)
            sources = " ; ".join(SOURCES.get(source, source) for source in clause.sources)
            entries.append(tag("dt", number, id=f"r-{number}"))
            entries.append(tag("dd", clause.text(self.language), " ", tag("small", sources)))
        return tag("section", tag("h2", _("Règles citées")), tag("dl", *entries), class_="rules")

    # -- small parts -----------------------------------------------------------------------------------------

    def _told(self, told: Told, name: str, class_: str) -> Safe:
        return tag(name, self._inner(told), class_=class_)

    def _inner(self, told: Told) -> Safe:
        parts: list[str] = [told.text]
        for number in told.clauses:
            self._cited[number] = None
            title = _("règle {number}").format(number=number)
            parts += [" ", tag("a", number, href=f"#r-{number}", class_="clause", title=title)]
        return join(*parts)

    def _chips(self, team: str, score: Score) -> Safe:
        """A score as the players know it: long chips and round ones; points as a number."""
        part = score[team]
        if "points" in part:
            return tag("p", tag("b", str(part["points"])), " ", _points_word(part["points"]), class_="chips")
        longs, petits = part["longs"], part["petits"]
        if longs + petits > _DRAWN:
            return tag("p", self.words.names.points(part), class_="chips")
        drawn = [
            *(_chip("long", "32", "12") for _count in range(longs)),
            *(_chip("petit", "12", "12") for _count in range(petits)),
        ]
        return tag("p", *drawn, tag("span", self.words.names.points(part), class_="count"), class_="chips")

    def _tally(self, team: str, score: Score) -> str:
        return self.words.names.points(score[team])

    def _flat(self, score: Score) -> str:
        return ", ".join(f"{team} {points}" for team, points in self.words.score(score))


_DRAWN: Final = 24
"""So many chips are drawn at most: with a house rule a game may go on for very long."""


def _chip(name: str, width: str, height: str) -> Safe:
    return tag(
        "svg", tag("use", href=f"#{name}"), viewBox=f"0 0 {width} {height}", class_=f"chip {name}", aria_hidden="true"
    )


def _points_word(points: int) -> str:
    return ngettext("point", "points", points)


def _team(seat: int) -> str:
    return "a" if seat % 2 else "b"


def _is_deal(thing: Thing) -> bool:
    """Whether a thing goes without saying: who deals stands above the round."""
    return isinstance(thing, Said) and thing.event.verb == "deal"


def _order(number: str) -> tuple[str, int]:
    """Clauses in the order of the rulebook."""
    letter, _dash, rest = number.partition("-")
    return letter, int(rest)
