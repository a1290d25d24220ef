"""The pictures of a simulated table: what the camera sees at any moment of a script.

What lies still is painted once into a settled layer; a frame adds the arms, the cards that they carry and the
noise of the sensor. A frame depends only on the script, the look of the table and its number, so any can be
made at any time and the same seed gives the same pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from assistant.simulation.arms import Look, draw_arm
from assistant.simulation.faces import CARD_MM, Faces
from assistant.simulation.props import PROPS
from assistant.simulation.script import (
    PUSH,
    TAKE_AWAY,
    TAKE_SLIDE,
    THROW,
    Fist,
    Lay,
    Push,
    Reach,
    Rest,
    Return,
    Script,
    Spot,
    Take,
    TakeBack,
    Turn,
    fanned,
    rests,
)
from assistant.simulation.seating import place
from assistant.simulation.sprites import Painter, Pixels, Sprite, card_sprite
from assistant.simulation.surface import LIGHTS, SURFACES, glare, light, table_top
from assistant.simulation.view import Array, View

BETWEEN: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((-205, 10), (200, -20)),
    4: ((-215, 95), (-210, -95), (215, -95)),
    6: ((-95, 0), (95, 0)),
}
"""Number of players -> places among the cards that glasses and jetons take (mm)."""
FPS = 10
EXPOSURE = 1 / 60
COMING, LEAVING = 0.75, 0.6  # seconds in which a hand comes to its place and leaves again
STILL = np.zeros(2)
POSES: dict[type, str] = {
    **dict.fromkeys((Lay, Turn, TakeBack, Return), "grip"),
    **dict.fromkeys((Push, Take, Reach), "rake"),
    Fist: "fist",
}
"""How the hand is held that does each thing."""
GRIP = 20.0  # how far the fingertips lie on the card that they hold


@dataclass(frozen=True, slots=True)
class TableLook:
    """What a table looks like, drawn from a seed: surface, camera, light, noise, things, arms."""

    surface: str
    view: View
    lighting: str
    sensor_noise: float
    things: str
    seed: int

    @staticmethod
    def random(
        seed: int,
        *,
        slant: float | None = None,
        surface: str | None = None,
        lighting: str = "good",
        things: str = "",
        width: int = 1280,
        height: int = 720,
    ) -> TableLook:
        """A table of its own for every seed; ``slant`` in degrees and ``surface`` may be fixed.

        ``lighting`` is a name of ``surface.LIGHTS``; ``things``: ``among`` the cards too,
        or ``none``; by default the seed decides whether things stand in the corners.
        """
        rng = np.random.default_rng([seed, 1])
        slants = [0.0, rng.uniform(3, 12), rng.uniform(12, 25), rng.uniform(25, 35)]
        drawn_slant = float(rng.choice(slants, p=[0.25, 0.35, 0.25, 0.15]))
        scale = float(rng.uniform(1.6, 1.85)) * width / 1280
        roll = float(rng.normal(0, 1.2) if rng.random() < 0.85 else rng.uniform(-6, 6))
        drawn_surface = str(rng.choice(sorted(SURFACES)))
        return TableLook(
            surface=surface or drawn_surface,
            view=View(
                width,
                height,
                scale,
                drawn_slant if slant is None else slant,
                roll,
                float(rng.uniform(800, 1100)),
            ),
            lighting=lighting,
            sensor_noise=float(rng.uniform(*LIGHTS[lighting].grain)),
            things=things or ("corners" if rng.random() < 0.5 else "none"),
            seed=seed,
        )


def ease(u: float) -> float:
    """The way a hand moves between two points: least jerk, 0 to 1."""
    u = min(1.0, max(0.0, u))
    return u * u * u * (10 + u * (6 * u - 15))


@dataclass(frozen=True, slots=True)
class _Arm:
    """One arm in one frame: pose, seat, fingertips (mm), height (mm)."""

    seat: int
    pose: str
    tip: Array
    height: float


@dataclass(frozen=True, slots=True)
class _Card:
    """One card in one frame; ``name`` None is a back."""

    name: str | None
    centre: Array
    turn: float
    height: float


def _resting(rest: Rest) -> _Card:
    return _Card(rest.card, np.array(rest.spot[:2]), rest.spot[2], 0.3)


class Stage:
    """Renders the frames of one script at one table."""

    def __init__(self, script: Script, look: TableLook, faces: Faces) -> None:
        self.script, self.look, self.faces, self.view = script, look, faces, look.view
        rng = np.random.default_rng([look.seed, 2])
        bare = table_top(rng, self.view, look.surface)
        lighting = LIGHTS[look.lighting]
        self._light = light(rng, self.view, lighting)
        self._flicker = lighting.flicker
        angle, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.7)
        self._lamp = np.array([np.cos(angle) * lean, np.sin(angle) * lean, 1.0])
        self._painter = Painter(self.view, self._light, self._lamp)
        self._paper = np.array([rng.uniform(0.86, 1.0), rng.uniform(0.93, 1.0), 1.0], np.float32)
        self._looks = [Look.random(rng) for _ in range(script.seats)]
        self._arms: dict[tuple[int, str], Sprite] = {}
        self._cards: dict[str | None, Sprite] = {}
        self._rests = rests(script)
        self._empty = np.clip(bare.astype(np.float32) * self._light, 0, 255).astype(np.uint8)
        self._put_pack(rng)
        if look.things != "none":
            self._put_props(rng)
        self._glare = glare(rng, self.view, lighting)
        self._settled: tuple[tuple[Rest, ...], Pixels] = ((), self._empty)
        h, w = self.view.height, self.view.width
        grain = rng.standard_normal((h + 48, w + 96, 3), dtype=np.float32) * np.array(
            [1.1, 0.8, 1.0], np.float32
        )
        grain = 0.6 * grain + 0.8 * grain[..., 1:2]
        self._grain = (cv2.GaussianBlur(grain, (0, 0), 0.45) * 1.5 * look.sensor_noise).astype(np.int16)

    @property
    def count(self) -> int:
        """Number of frames."""
        return int(self.script.duration * FPS)

    def warm(self) -> None:
        """Draw every arm and card now, so that no frame takes longer than another."""
        for rest in self._rests:
            self._card_sprite(rest.card)
        for gesture in self.script.gestures:
            if isinstance(gesture, Lay):
                self._card_sprite(gesture.card)
            if type(gesture) in POSES:
                self._arm_sprite(gesture.seat, POSES[type(gesture)])

    def frame(self, index: int) -> Pixels:
        """Frame ``index``, taken at ``index / FPS`` seconds."""
        t = index / FPS
        canvas = self._settled_at(t).copy()
        cards, arms = self._moving(t)
        later_cards, later_arms = self._moving(t + EXPOSURE)
        for card, later in zip(cards, later_cards, strict=False):
            self._put_card(canvas, card, drift=self._drift(card.centre, later.centre, card.height))
        for arm, later_arm in zip(arms, later_arms, strict=False):
            self._put_arm(canvas, arm, drift=self._drift(arm.tip, later_arm.tip, arm.height))
        rng = np.random.default_rng([self.look.seed, 3, index])
        if self._glare is not None:
            canvas = np.asarray(cv2.add(canvas, self._glare), dtype=np.uint8)
        flicker = 1 + self._flicker * np.sin(2 * np.pi * 0.37 * t) + rng.normal() * 0.6 * self._flicker
        canvas = np.asarray(cv2.convertScaleAbs(canvas, alpha=flicker), dtype=np.uint8)
        y, x = int(rng.integers(48)), int(rng.integers(96))
        grain = self._grain[y : y + self.view.height, x : x + self.view.width]
        return np.asarray(cv2.add(canvas, grain, dtype=cv2.CV_8U), dtype=np.uint8)

    # what lies still

    def _put_pack(self, rng: np.random.Generator) -> None:
        right, top = (self.view.reach(np.array(d)) for d in ((1.0, 0.0), (0.0, 1.0)))
        corner = np.array([right * 0.84, 0.0] if self.script.seats == 6 else [right * 0.82, top * 0.68])
        turn = float(rng.normal() * 9)
        for z in np.arange(0, 6.5, 1.0):
            self._put_card(self._empty, _Card(None, corner, turn, float(z)))

    def _put_props(self, rng: np.random.Generator) -> None:
        """Things in the corners that the pack leaves free; between the corners where players sit there."""
        x, y = (self.view.reach(np.array(d)) for d in ((1.0, 0.0), (0.0, -1.0)))
        corners = [(-0.79 * x, 0.64 * y), (-0.79 * x, -0.64 * y), (0.79 * x, -0.64 * y)]
        if self.script.seats == 6:
            corners = [(-0.82 * x, 0.0)]
        spots = [corners[i] for i in rng.permutation(len(corners))[: int(rng.integers(1, 4))]]
        if self.look.things == "among":
            spots += [spot for spot in BETWEEN[self.script.seats] if rng.random() < 0.6]
        for spot in spots:
            a = rng.uniform(0, 2 * np.pi)
            down = np.array([np.sin(a), -np.cos(a)])
            sprite = PROPS[rng.integers(len(PROPS))](rng)
            self._painter.paste(self._empty, sprite, np.array(spot), down, 1.0, 0.5, STILL)

    def _settled_at(self, t: float) -> Pixels:
        lying = tuple(rest for rest in self._rests if rest.start <= t < rest.end)
        if lying != self._settled[0]:
            canvas = self._empty.copy()
            for rest in lying:
                self._put_card(canvas, _resting(rest))
            self._settled = (lying, canvas)
        return self._settled[1]

    # what moves

    def _moving(self, t: float) -> tuple[list[_Card], list[_Arm]]:
        cards: list[_Card] = []
        arms: list[_Arm] = []
        for gesture in self.script.gestures:
            if gesture.t - COMING - 0.7 > t:
                break
            match gesture:
                case Lay():
                    self._laying(gesture, t, cards, arms)
                case Push():
                    self._pushing(gesture, t, cards, arms)
                case Turn():
                    self._visit(gesture, "grip", self._where(gesture.piece, t), t, arms, before=0.25, after=0.15)
                case TakeBack():
                    self._taking_back(gesture, t, cards, arms)
                case Fist():
                    self._knocking(gesture, t, arms)
                case Take():
                    self._taking(gesture, t, cards, arms)
                case Return():
                    self._returning(gesture, t, cards, arms)
                case Reach():
                    spot = (gesture.x, gesture.y, 0.0)
                    self._visit(gesture, "rake", spot, t, arms, before=0.0, after=0.5, height=30)
        return cards, arms

    def _where(self, piece: int, t: float) -> Spot:
        """Where a card lies at ``t``, or lay last before it."""
        mine = [rest for rest in self._rests if rest.piece == piece]
        return max((rest for rest in mine if rest.start <= t), key=lambda rest: rest.start, default=mine[0]).spot

    def _visit(
        self, gesture: Turn | Reach, pose: str, spot: Spot, t: float, arms: list[_Arm], *, before: float,
        after: float, height: float = 8,
    ) -> None:  # fmt: skip
        """A hand that is at a place from ``before`` to ``after`` the gesture's time."""
        arrives = gesture.t - before
        if arrives - COMING <= t <= gesture.t + after + LEAVING:
            tip = self._path(gesture.seat, np.array(spot[:2]), t, arrives, before + after)
            arms.append(_Arm(gesture.seat, pose, tip, height))

    def _outside(self, seat: int, target: Array) -> Array:
        """Where the hand of a seat is when it is just out of the picture, on its way to ``target``."""
        seated = place(seat, self.script.seats)
        along = 0.6 * target @ seated.across + 0.4 * seated.shoulder @ seated.across
        return np.asarray(seated.edge * (self.view.reach(seated.edge) + 70) + seated.across * along)

    def _path(self, seat: int, target: Array, t: float, arrives: float, stays: float) -> Array:
        """In, rest, out."""
        away = self._outside(seat, target)
        if t < arrives:
            return away + (target - away) * ease((t - arrives + COMING) / COMING)
        return target + (away - target) * ease((t - arrives - stays) / LEAVING)

    def _laying(self, lay: Lay, t: float, cards: list[_Card], arms: list[_Arm]) -> None:
        lets_go = lay.t if lay.thrown is None else lay.t - THROW
        if not lets_go - COMING <= t <= max(lay.t, lets_go + lay.stays + LEAVING):
            return
        name = None if lay.face_down else lay.card
        target = np.array((lay.x, lay.y) if lay.thrown is None else lay.thrown)
        hold = place(lay.seat, self.script.seats).edge * (CARD_MM[1] / 2 - GRIP)
        tip = self._path(lay.seat, target + hold, t, lets_go, lay.stays)
        if t < lets_go:
            lift = 45 * (1 - ease((t - lets_go + COMING) / COMING))
            swing = 14 * (1 - ease((t - lets_go + COMING) / COMING))
            cards.append(_Card(name, tip - hold, lay.turn + swing, lift))
        else:
            lift = 25 * ease((t - lets_go - lay.stays + 0.02) / 0.3)
        if lets_go <= t < lay.t:
            slid = 1 - (1 - (t - lets_go) / THROW) ** 2  # friction: fast first
            centre = target * (1 - slid) + np.array([lay.x, lay.y]) * slid
            cards.append(_Card(name, centre, lay.turn - 25 * (1 - slid), 0.5))
        if t <= lets_go + lay.stays + LEAVING:
            arms.append(_Arm(lay.seat, "grip", tip, lift + 4))

    def _pushing(self, push: Push, t: float, cards: list[_Card], arms: list[_Arm]) -> None:
        begins = push.t - PUSH
        if not begins - COMING <= t <= push.t + 0.1 + LEAVING:
            return
        before = self._where(push.piece, begins - 1e-3)
        here, there = np.array(before[:2]), np.array([push.x, push.y])
        if t < begins:
            tip = self._path(push.seat, here, t, begins, PUSH)
        elif t < push.t:
            pushed = ease((t - begins) / PUSH)
            tip = here * (1 - pushed) + there * pushed
            name = next(r.card for r in self._rests if r.piece == push.piece and r.start == push.t)
            cards.append(_Card(name, tip, before[2] * (1 - pushed) + push.turn * pushed, 0.4))
        else:
            tip = self._path(push.seat, there, t, push.t, 0.1)
        arms.append(_Arm(push.seat, "rake", tip, 8))

    def _taking_back(self, back: TakeBack, t: float, cards: list[_Card], arms: list[_Arm]) -> None:
        if not back.t - COMING <= t <= back.t + LEAVING:
            return
        x, y, turn = self._where(back.piece, back.t - 1e-3)
        hold = place(back.seat, self.script.seats).edge * (CARD_MM[1] / 2 - GRIP)
        tip = self._path(back.seat, np.array([x, y]) + hold, t, back.t, 0.0)
        if t >= back.t:
            name = next(r.card for r in self._rests if r.piece == back.piece and r.end == back.t)
            cards.append(_Card(name, tip - hold, turn, 20 * ease((t - back.t) / LEAVING)))
        arms.append(_Arm(back.seat, "grip", tip, 8))

    def _returning(self, back: Return, t: float, cards: list[_Card], arms: list[_Arm]) -> None:
        if not back.t - COMING <= t <= back.t + 0.1 + LEAVING:
            return
        spots = [fanned(back, n) for n in range(len(back.cards))]
        hold = place(back.seat, self.script.seats).edge * (CARD_MM[1] / 2 - GRIP)
        tip = self._path(back.seat, np.array(spots[0][:2]) + hold, t, back.t, 0.1)
        if t < back.t:
            for card, spot in zip(back.cards, spots, strict=True):
                centre = tip - hold + np.array(spot[:2]) - np.array(spots[0][:2])
                cards.append(_Card(None if back.face_down else card, centre, spot[2], 12))
        arms.append(_Arm(back.seat, "grip", tip, 16))

    def _knocking(self, fist: Fist, t: float, arms: list[_Arm]) -> None:
        first, last = fist.hits[0], fist.hits[-1]
        if fist.hidden or not first - COMING <= t <= last + 0.2 + LEAVING:
            return
        tip = self._path(fist.seat, np.array([fist.x, fist.y]), t, first - 0.12, last - first + 0.25)
        swing = min(abs(t - hit) for hit in fist.hits)
        arms.append(_Arm(fist.seat, "fist", tip, 6 + 55 * ease(swing / 0.2)))

    def _taking(self, take: Take, t: float, cards: list[_Card], arms: list[_Arm]) -> None:
        drawn_in = take.t + take.apart * max(0, len(take.pieces) - 1) + TAKE_SLIDE
        if not take.t - COMING <= t <= take.over + (LEAVING if take.heap is not None else 0):
            return
        ends = {rest.piece: rest for rest in self._rests if rest.piece in take.pieces and rest.end >= take.t}
        middle = np.mean([rest.spot[:2] for rest in ends.values()], axis=0) if ends else np.zeros(2)
        seated = place(take.seat, self.script.seats)
        reached = middle + seated.edge * 15
        away = self._outside(take.seat, reached) + seated.edge * 60
        goal = away if take.heap is None else np.array(take.heap[:2]) + seated.edge * 18
        if t < take.t:
            tip = away + (reached - away) * ease((t - take.t + COMING) / COMING)
        elif t < take.over:
            tip = reached + (goal - reached) * ease((t - drawn_in) / TAKE_AWAY)
            for n, piece in enumerate(take.pieces):
                drawn = ease((t - take.t - n * take.apart) / TAKE_SLIDE)
                if t >= take.t + n * take.apart:
                    cards.append(self._drawn_in(take, ends[piece], tip, drawn, hidden=take.face_down and t > drawn_in))
        else:
            tip = goal + (away - goal) * ease((t - take.over) / LEAVING)
        arms.append(_Arm(take.seat, "rake", tip, 8))

    def _drawn_in(self, take: Take, rest: Rest, tip: Array, drawn: float, *, hidden: bool) -> _Card:
        """A card on its way into a gathering hand."""
        rng = np.random.default_rng([self.look.seed, 11, rest.piece])
        seated = place(take.seat, self.script.seats)
        in_hand = tip - seated.edge * 18 + rng.normal(size=2) * 5
        centre = np.array(rest.spot[:2]) * (1 - drawn) + in_hand * drawn
        spin = (seated.upright + float(rng.normal()) * 12 - rest.spot[2] + 180) % 360 - 180
        return _Card(None if hidden else rest.card, centre, rest.spot[2] + spin * drawn, 0.5 + 0.2 * rest.piece % 3)

    # putting sprites into a picture

    def _drift(self, here: Array, there: Array, height: float) -> Array:
        """How many pixels a point moves while the shutter is open."""
        ends = self.view.project(np.array([[*here, height], [*there, height]]))
        return np.asarray(ends[1] - ends[0])

    def _card_sprite(self, name: str | None) -> Sprite:
        if name not in self._cards:
            picture = self.faces.back() if name is None else self.faces.face(name)
            self._cards[name] = card_sprite(picture, self.view.scale, self._paper)
        return self._cards[name]

    def _put_card(self, canvas: Pixels, card: _Card, drift: Array = STILL) -> None:
        down = np.array([np.sin(np.radians(card.turn)), -np.cos(np.radians(card.turn))])
        self._painter.paste(canvas, self._card_sprite(card.name), card.centre, down, card.height, 0.5, drift)

    def _arm_sprite(self, seat: int, pose: str) -> Sprite:
        if (seat, pose) not in self._arms:
            seated = place(seat, self.script.seats)
            down, across = seated.edge, seated.across
            lamp = (float(self._lamp[:2] @ across), float(self._lamp[:2] @ down), float(self._lamp[2]))
            self._arms[seat, pose] = draw_arm(self._looks[seat - 1], pose, lamp, self.view.scale)
        return self._arms[seat, pose]

    def _put_arm(self, canvas: Pixels, arm: _Arm, drift: Array) -> None:
        down = place(arm.seat, self.script.seats).shoulder - arm.tip
        sprite = self._arm_sprite(arm.seat, arm.pose)
        self._painter.paste(
            canvas, sprite, arm.tip, down / np.linalg.norm(down), arm.height + 18, 0.55, drift
        )
