"""The pictures of a simulated table: what the camera sees at any moment of a script.

What lies still is painted once into a settled layer; a frame adds the arms, the cards that they carry and the
noise of the sensor. A frame depends only on the script, the look of the table and its number, so any can be
made at any time and the same seed gives the same pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.simulation.arms import Look, draw_arm
from assistant.simulation.faces import CARD_MM, Faces
from assistant.simulation.props import PROPS
from assistant.simulation.script import TAKE_AWAY, TAKE_SLIDE, Fist, Lay, Reach, Script, Take
from assistant.simulation.seating import place
from assistant.simulation.sprites import Painter, Pixels, Sprite, card_sprite
from assistant.simulation.surface import LIGHTS, SURFACES, glare, light, table_top
from assistant.simulation.view import Array, View

FPS = 10
EXPOSURE = 1 / 60
COMING, LEAVING = 0.75, 0.6  # seconds in which a hand comes to its place and leaves again
STILL = np.zeros(2)
GRIP = 20.0  # how far the fingertips lie on the card that they hold


@dataclass(frozen=True, slots=True)
class TableLook:
    """What a table looks like, drawn from a seed: surface, camera, light, noise, things, arms."""

    surface: str
    view: View
    lighting: str
    sensor_noise: float
    props: bool
    seed: int

    @staticmethod
    def random(
        seed: int,
        *,
        slant: float | None = None,
        surface: str | None = None,
        lighting: str = "good",
        width: int = 1280,
        height: int = 720,
    ) -> TableLook:
        """A table of its own for every seed; ``slant`` in degrees and ``surface`` may be fixed.

        ``lighting`` is a name of ``surface.LIGHTS``.
        """
        rng = np.random.default_rng([seed, 1])
        drawn_slant = float(rng.choice([0.0, rng.uniform(3, 12), rng.uniform(12, 25)], p=[0.3, 0.4, 0.3]))
        scale = float(rng.uniform(1.6, 1.85)) * width / 1280
        roll = float(rng.normal(0, 1.2))
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
            props=bool(rng.random() < 0.5),
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
        self._plays = [g for g in script.gestures if isinstance(g, Lay)]
        self._takes = [g for g in script.gestures if isinstance(g, Take)]
        self._taken_at = [
            next((k.t for k in self._takes if k.t > lay.t), script.duration + 9) for lay in self._plays
        ]
        self._slide = [rng.normal(size=2) * 5 for _ in self._plays]
        self._spin = [float(rng.normal() * 12) for _ in self._plays]
        self._empty = np.clip(bare.astype(np.float32) * self._light, 0, 255).astype(np.uint8)
        self._put_pack(rng)
        if look.props:
            self._put_props(rng)
        self._glare = glare(rng, self.view, lighting)
        self._settled: tuple[tuple[int, ...], Pixels] = ((), self._empty)
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
        for gesture in self.script.gestures:
            if isinstance(gesture, Lay):
                self._card_sprite(gesture.card)
                self._arm_sprite(gesture.seat, "grip")
            elif isinstance(gesture, Fist):
                self._arm_sprite(gesture.seat, "fist")
            elif isinstance(gesture, Take | Reach):
                self._arm_sprite(gesture.seat, "rake")

    def frames(self) -> Iterator[Pixels]:
        """All frames in order, (height, width, 3) BGR."""
        return (self.frame(i) for i in range(self.count))

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
        for i in rng.permutation(len(corners))[: int(rng.integers(1, 4))]:
            a = rng.uniform(0, 2 * np.pi)
            down = np.array([np.sin(a), -np.cos(a)])
            sprite = PROPS[rng.integers(len(PROPS))](rng)
            self._painter.paste(self._empty, sprite, np.array(corners[i]), down, 1.0, 0.5, STILL)

    def _settled_at(self, t: float) -> Pixels:
        lying = tuple(i for i, lay in enumerate(self._plays) if lay.t <= t < self._taken_at[i])
        if lying != self._settled[0]:
            canvas = self._empty.copy()
            for i in lying:
                lay = self._plays[i]
                self._put_card(canvas, _Card(lay.card, np.array([lay.x, lay.y]), lay.turn, 0.3))
            self._settled = (lying, canvas)
        return self._settled[1]

    # what moves

    def _moving(self, t: float) -> tuple[list[_Card], list[_Arm]]:
        cards: list[_Card] = []
        arms: list[_Arm] = []
        for gesture in self.script.gestures:
            if gesture.t - COMING - 0.3 > t:
                break
            if isinstance(gesture, Lay):
                self._laying(gesture, t, cards, arms)
            elif isinstance(gesture, Fist):
                self._knocking(gesture, t, arms)
            elif isinstance(gesture, Take):
                self._taking(gesture, t, cards, arms)
            elif isinstance(gesture, Reach) and gesture.t - COMING <= t <= gesture.t + 0.5 + LEAVING:
                tip = self._path(gesture.seat, np.array([gesture.x, gesture.y]), t, gesture.t, 0.5)
                arms.append(_Arm(gesture.seat, "rake", tip, 30))
        return cards, arms

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
        if not lay.t - COMING <= t <= lay.t + 0.12 + LEAVING:
            return
        centre = np.array([lay.x, lay.y])
        hold = place(lay.seat, self.script.seats).edge * (CARD_MM[1] / 2 - GRIP)
        tip = self._path(lay.seat, centre + hold, t, lay.t, 0.12)
        lift = (
            45 * (1 - ease((t - lay.t + COMING) / COMING))
            if t < lay.t
            else 25 * ease((t - lay.t - 0.1) / 0.3)
        )
        if t < lay.t:
            swing = 14 * (1 - ease((t - lay.t + COMING) / COMING))
            cards.append(_Card(lay.card, tip - hold, lay.turn + swing, lift))
        arms.append(_Arm(lay.seat, "grip", tip, lift + 4))

    def _knocking(self, fist: Fist, t: float, arms: list[_Arm]) -> None:
        first, last = fist.hits[0], fist.hits[-1]
        if not first - COMING <= t <= last + 0.2 + LEAVING:
            return
        tip = self._path(fist.seat, np.array([fist.x, fist.y]), t, first - 0.12, last - first + 0.25)
        swing = min(abs(t - hit) for hit in fist.hits)
        arms.append(_Arm(fist.seat, "fist", tip, 6 + 55 * ease(swing / 0.2)))

    def _taking(self, take: Take, t: float, cards: list[_Card], arms: list[_Arm]) -> None:
        gone = take.t + TAKE_SLIDE + TAKE_AWAY
        if not take.t - COMING <= t <= gone:
            return
        mine = [i for i, at in enumerate(self._taken_at) if at == take.t]
        middle = (
            np.mean([[self._plays[i].x, self._plays[i].y] for i in mine], axis=0) if mine else np.zeros(2)
        )
        seated = place(take.seat, self.script.seats)
        reached = middle + seated.edge * 15
        away = self._outside(take.seat, reached) + seated.edge * 60
        if t < take.t:
            tip = away + (reached - away) * ease((t - take.t + COMING) / COMING)
        else:
            tip = reached + (away - reached) * ease((t - take.t - TAKE_SLIDE) / TAKE_AWAY)
            drawn = ease((t - take.t) / TAKE_SLIDE)
            for n, i in enumerate(mine):
                lay = self._plays[i]
                heap = tip - seated.edge * 18 + self._slide[i]
                centre = np.array([lay.x, lay.y]) * (1 - drawn) + heap * drawn
                turn = lay.turn + ((seated.upright + self._spin[i] - lay.turn + 180) % 360 - 180) * drawn
                hidden = take.face_down and t > take.t + TAKE_SLIDE
                cards.append(_Card(None if hidden else lay.card, centre, turn, 0.5 + n))
        arms.append(_Arm(take.seat, "rake", tip, 8))

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
