"""The header of a record: which game, who deals, from which score, by which house rules.

NOTATION.md section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import team_of
from engine.errors import TrutError
from engine.options import GAMES, OPTIONS, options_of

SEATS: Final[dict[str, tuple[int, ...]]] = {
    "trut": (4, 2),
    "trut-gatine": (4, 2),
    "trut-robin-red": (4, 2),
    "truc": (2,),
    "truc-y-flou": (6,),
}
"""Numbers of players of each game, the default first."""

TRUT_FAMILY: Final = ("trut", "trut-gatine", "trut-robin-red")

ScoreTable = Mapping[str, Mapping[str, int]]


class BadHeader(TrutError):
    """A header that makes a record, or a game, unusable (``bad-header``)."""

    code = "bad-header"


@dataclass(frozen=True, slots=True)
class Header:
    """How a game starts. Only ``game`` must be given; the rest has the defaults of NOTATION.md section 2.

    Attributes:
        game: one of ``engine.GAMES``.
        seats: number of players; 0 stands for the default of the game.
        dealer: seat that deals the first round; 0 stands for the last seat.
        options: house rules that differ from the defaults.
        score: starting score; None for nothing.
        manches: truc-y-flou: manches already won.
        names: who sits where.
        captains: truc-y-flou: the meneur de jeu of each team.
        version: of the notation.
        date: ``YYYY-MM-DD``.

    Raises:
        BadHeader: a value that cannot be.
    """

    game: str
    seats: int = 0
    dealer: int = 0
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    score: ScoreTable | None = field(default=None, hash=False)
    manches: Mapping[str, int] | None = field(default=None, hash=False)
    names: Mapping[int, str] = field(default_factory=dict, hash=False)
    captains: Mapping[str, int] = field(default_factory=dict, hash=False)
    version: int | None = None
    date: str | None = None

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise BadHeader(
                "jeu inconnu : « {game} » ; les jeux : {games}", game=self.game, games=", ".join(GAMES)
            )
        if not self.seats:
            object.__setattr__(self, "seats", SEATS[self.game][0])
        if self.seats not in SEATS[self.game]:
            raise BadHeader("{game} ne se joue pas à {seats}", game=self.game, seats=self.seats)
        if not self.dealer:
            object.__setattr__(self, "dealer", self.seats)
        for seat in (self.dealer, *self.names, *self.captains.values()):
            if not 1 <= seat <= self.seats:
                raise BadHeader("il n'y a pas de place {seat} à cette table", seat=seat)
        for name, value in self.options.items():
            if name not in OPTIONS or self.game not in OPTIONS[name].defaults:
                raise BadHeader("option inconnue pour {game} : « {name} »", game=self.game, name=name)
            if not OPTIONS[name].allows(value):
                values = ", ".join(OPTIONS[name].values) or "1, 2, 3 …"
                raise BadHeader(
                    "option {name} : « {value} » n'est pas permis ({values})",
                    name=name,
                    value=value,
                    values=values,
                )
        self._check_score()

    def _check_score(self) -> None:
        if self.score is not None and not score_possible(self.game, self.target, self.score):
            raise BadHeader("score de départ impossible")
        if self.manches is not None:
            most = 1 if self.options.get("manches", "3") == "3" else 0
            possible = all(0 <= self.manches.get(team, -1) <= most for team in "AB")
            if self.game != "truc-y-flou" or not possible:
                raise BadHeader("nombre de manches impossible")
        if self.captains and self.game != "truc-y-flou":
            raise BadHeader("il n'y a de meneurs de jeu que dans truc-y-flou")
        for team, seat in self.captains.items():
            if team not in ("A", "B") or team_of(seat) != team:
                raise BadHeader("la place {seat} n'est pas de l'équipe {team}", seat=seat, team=team)

    def option(self, name: str) -> str:
        """The value of a house rule in this game."""
        return self.options.get(name) or options_of(self.game)[name]

    @property
    def target(self) -> int:
        """What wins: longs or points."""
        return int(self.option("target"))


def score_possible(game: str, target: int, score: ScoreTable) -> bool:
    """Whether ``score`` may be a starting or an agreed score: below the target, and at most two petits."""
    wanted = {"longs": target - 1, "petits": 2} if game in TRUT_FAMILY else {"points": target - 1}
    return set(score) == {"A", "B"} and all(
        set(part) == set(wanted) and all(0 <= part[name] <= most for name, most in wanted.items())
        for part in score.values()
    )


def score_of_words(game: str, words: tuple[str, ...]) -> ScoreTable | None:
    """``A 1 2 B 0 1`` or ``A 7 B 3`` as a score, None where the words are none."""
    from engine.events import number

    names = ("longs", "petits") if game in TRUT_FAMILY else ("points",)
    size = len(names) + 1
    if len(words) != 2 * size or words[0] != "A" or words[size] != "B":
        return None
    numbers = [number(word) for word in (*words[1:size], *words[size + 1 :])]
    known = [n for n in numbers if n is not None]
    if len(known) != len(numbers):
        return None
    half = len(names)
    return {
        "A": dict(zip(names, known[:half], strict=True)),
        "B": dict(zip(names, known[half:], strict=True)),
    }


def score_words(score: ScoreTable) -> str:
    """A score as records write it: ``A 1 2 B 0 1``."""
    return " ".join(" ".join((team, *map(str, score[team].values()))) for team in ("A", "B"))
