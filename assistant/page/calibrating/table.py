"""The table in the page: found in the camera's picture, put right with a finger, looked at, saved, and used at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from assistant.calibrating.table import calibrated, seen_table, short_name
from assistant.i18n import N_
from assistant.page.calibrating.errors import BadSetup, Exists, NoCamera
from assistant.page.calibrating.taps import NO_CAMERA
from assistant.page.calibrating.wording import light, no_cards
from calibration import profile as profiles
from calibration.errors import TableProblem
from calibration.overlay import overlay
from calibration.profile import TEXT, Profile, checked_name, facts_of, setup_from
from calibration.setup import APART, TableSetup
from calibration.sitting import Sitting
from engine.errors import TrutError
from vision.camera import Frame, Image
from vision.seats import Mask

if TYPE_CHECKING:
    from assistant.page.calibrating.desk import Desk
    from vision.reading import CardReader

QUALITY = 80
"""Of the JPEG pictures that are shown."""
WIDEST = 1280
"""Pixels of width of a picture that is shown."""
SPACING = 0.45
"""Seconds between two pictures that are shown: no more than about two a second."""
VEIL = 18.0
"""Pixels by which all beside the table is blurred while cards are in the hands."""


def setup_of(facts: object) -> TableSetup:
    """The table that the page sent.

    Raises:
        TableProblem: it cannot be; the sentence is that of the command line.
        BadSetup: it is no table at all.
    """
    try:
        if not isinstance(facts, dict):
            raise TypeError
        return setup_from(facts)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise BadSetup(N_("ce n'est pas une table : il faut une image, quatre coins et les places")) from None


def told(setup: TableSetup) -> dict[str, Any]:
    """A table for the page: as it is sent back, and where the seats are in the picture."""
    corners = np.array(setup.corners, np.float32)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    seats = sorted(setup.seats)
    at = np.array([[setup.seats[seat] for seat in seats]], np.float32)
    there = cv2.perspectiveTransform(at, cv2.getPerspectiveTransform(square, corners))[0]
    places = {str(seat): [round(float(x), 1), round(float(y), 1)] for seat, (x, y) in zip(seats, there, strict=True)}
    return {**facts_of(setup), "places": places}


def moved(setup: TableSetup, change: object) -> TableSetup:
    """The table after one thing was dragged: ``{"corner": 0-3 | "seat": 1-6, "at": [x, y]}``, in pixels.

    Raises:
        TableProblem: it cannot go there.
        BadSetup: that is no change.
    """
    try:
        assert isinstance(change, Mapping)
        x, y = (float(value) for value in change["at"])
        part = "corner" if "corner" in change else "seat"
        number = change[part]
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError
        if part == "corner":
            if not 0 <= number <= 3:
                raise ValueError
            return setup.moved(number, (x, y))
    except (AssertionError, ValueError, KeyError, TypeError, OverflowError):
        raise BadSetup(N_("ce n'est pas une table : il faut une image, quatre coins et les places")) from None
    return _seated(setup, number, (x, y))


def _seated(setup: TableSetup, seat: int, at: tuple[float, float]) -> TableSetup:
    """A player is put somewhere; who sits there already takes his place.

    Raises:
        TableProblem: as ``TableSetup.seated``; or two others sit there.
    """
    made = setup.seated(seat, at)
    there = [other for other in made.seats if other != seat and math.dist(made.seats[other], made.seats[seat]) < APART]
    if len(there) == 1:
        made = replace(made, seats={**made.seats, there[0]: setup.seats[seat], seat: setup.seats[there[0]]})
    return made.checked()


@dataclass(frozen=True)
class Saved:
    """What came of saving a table.

    Attributes:
        effect: ``now``, or why not: ``seats`` (the game is played by another number), ``no-eyes``.
    """

    profile: Profile
    effect: str
    remembered: bool


class TablePanel:
    """What the page's table panel asks for.

    Args:
        desk: gives the pictures, and puts a new table into the eyes.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._reader: tuple[object, CardReader] | None = None
        self._shown: dict[bool, tuple[int, float, bytes]] = {}

    # -- pictures ----------------------------------------------------------------------------------------------------

    def picture(self, *, whole: bool, now: float) -> bytes:
        """What the camera sees, as JPEG; a new one at most twice a second.

        Args:
            whole: also what lies beside the calibrated table, where hands of cards may be seen.

        Raises:
            NoCamera
        """
        frame = self._frame()
        before = self._shown.get(whole)
        if before is not None and before[0] == frame.index and now - before[1] < 10 * SPACING:
            return before[2]
        if before is not None and now - before[1] < SPACING:
            return before[2]
        image = frame.image if whole else veiled(frame.image, self._desk.of_eyes("zone"))
        data = jpeg(image)
        self._shown[whole] = (frame.index, now, data)
        return data

    def size(self) -> tuple[int, int] | None:
        """Width and height of the camera's picture, None where none comes."""
        frame = self._desk.frames.newest
        return None if frame is None else (frame.image.shape[1], frame.image.shape[0])

    def _frame(self) -> Frame:
        frame = self._desk.frames.newest
        if frame is None:
            raise NoCamera(NO_CAMERA)
        return frame

    def _cards_reader(self) -> CardReader:
        """A reader of the deck that is played with, of the page's own."""
        from vision.decks import DEFAULT_DECK, deck_named
        from vision.reading import CardReader

        own = getattr(getattr(self._desk.of_eyes("watcher"), "reader", None), "deck", None)
        if self._reader is None or self._reader[0] is not own:
            self._reader = (own, CardReader(own if own is not None else deck_named(DEFAULT_DECK)))
        return self._reader[1]

    # -- finding, looking, saving ------------------------------------------------------------------------------------

    def find(self, seats: int) -> dict[str, Any]:
        """The table as the program sees it.

        Raises:
            TableProblem: no game is played by so many.
            NoCamera
        """
        TableSetup.whole(seats, 1, 1)
        picture = self._desk.frames.without_hands()
        found = seen_table(picture, seats, self._cards_reader())
        return {"setup": told(found.setup), "confidence": round(min(found.confidence, 0.99), 2)}

    def look(self, setup: TableSetup, names: Mapping[int, str]) -> dict[str, Any]:
        """How well the table can be read: five lights, the cards on it; the picture of it is kept for the page.

        Raises:
            TableProblem: two players sit in one place, or the picture has another shape by now.
            NoCamera
        """
        setup = setup.checked()
        picture = self._desk.frames.without_hands()
        _same_shape(setup, picture)
        _profile, cards, lights = calibrated("table", setup, picture, self._cards_reader())
        number = self._desk.picture_of_the_lights[0] + 1
        self._desk.picture_of_the_lights = (number, jpeg(seen(picture, setup, cards, names)))
        read = [card.card for card in cards if card.card is not None]
        return {
            "lights": [light(one) for one in lights],
            "cards": read,
            "advice": None if read else no_cards(),
            "picture": number,
        }

    def save(self, name: str, setup: TableSetup, *, over: bool, seats: int) -> Saved:
        """Keep the table as a profile, let the eyes use it from now on, and remember it for next time.

        Args:
            over: a profile of that name may be written over.
            seats: how many play now.

        Raises:
            BrokenProfile: that cannot be its name, or it cannot be written.
            Exists: there is one of that name.
            TableProblem, NoCamera
        """
        setup, folder = setup.checked(), profiles.profiles_folder() / checked_name(name)
        known = (folder / TEXT).exists()
        if known and not over:
            raise Exists(N_("il y a déjà une table « {name} » : la remplacer ?"), name=name)
        picture = self._desk.frames.without_hands()
        _same_shape(setup, picture)
        kept = _what_it_named(folder) if known else {}
        profile, _cards, _lights = calibrated(name, setup, picture, self._cards_reader(), **kept)
        profile.save(folder)
        return Saved(profile, self.use(profile, seats), _remembered(name))

    def use(self, profile: Profile, seats: int) -> str:
        """Let the eyes use a table from now on: ``now``, or why they do not."""
        if profile.players != seats:
            return "seats"

        def settle(eyes: Any) -> bool:
            change = getattr(eyes, "settle", None)
            players = getattr(getattr(eyes, "watcher", None), "players", profile.players)
            if change is None or players != profile.players:
                return False
            change(profile.seat_map, profile.reference)
            self._desk.settled(profile)
            return True

        return "now" if self._desk.for_eyes.run(settle, "table") else "no-eyes"


def _same_shape(setup: TableSetup, picture: Image) -> None:
    h, w = picture.shape[:2]
    if abs(setup.width / setup.height - w / h) > 0.01:
        raise TableProblem(N_("l'image de la caméra a changé de forme : cherchez la table à nouveau"))


def _what_it_named(folder: Any) -> dict[str, Any]:
    """Deck, voices and knocks of the profile that is written over; a damaged one names none."""
    try:
        old = Profile.load(folder)
    except TrutError:
        return {}
    return {"deck": old.deck, "voices": old.voices, "knocks": old.knocks}


def kept(name: str | None, seats: int, size: tuple[int, int] | None) -> TableSetup | None:
    """The saved table of that name, for a camera's picture of this size; None where it is not there, or another's."""
    if name is None or size is None:
        return None
    try:
        setup = Profile.load(profiles.folder_of(name)).setup.scaled(*size)
    except TrutError:
        return None
    return setup if len(setup.seats) == seats and (setup.width, setup.height) == size else None


def _remembered(name: str) -> bool:
    """From now on this is the table that ``trut watch`` takes with the camera."""
    from assistant import settings

    try:
        settings.change("table.profile", name)
    except TrutError:  # the profile is there all the same
        return False
    return True


def seen(picture: Image, setup: TableSetup, cards: Sequence[Any], names: Mapping[int, str]) -> Image:
    """What the machine sees: zones, seats with their names, cards; all beside the table veiled."""
    return overlay(picture, setup, cards, names=names, card_name=short_name)


def veiled(image: Image, zone: Mask | None) -> Image:
    """A picture in which only the table can be recognised; without a calibrated table all of it is the table's."""
    if zone is None or zone.shape != image.shape[:2] or zone.all():
        return image
    beside = cv2.GaussianBlur(cv2.resize(image, None, fx=0.25, fy=0.25), (0, 0), VEIL / 4)
    out = cv2.resize(beside, (image.shape[1], image.shape[0])) // 2
    out[zone] = image[zone]
    return np.asarray(out, np.uint8)


def jpeg(image: Image) -> bytes:
    """A picture for the page, no wider than it needs to be."""
    h, w = image.shape[:2]
    if w > WIDEST:
        image = np.asarray(cv2.resize(image, (WIDEST, round(h * WIDEST / w)), interpolation=cv2.INTER_AREA), np.uint8)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())


class SitLesson:
    """Players put a hand on the table in front of them, in turn.

    Args:
        setup: the table, whose seats are given anew.
    """

    kind, uses = "sit", "pictures"

    def __init__(self, setup: TableSetup) -> None:
        self._sitting = Sitting(setup)
        self._state: dict[str, Any] = {}
        self._seated: list[int] = []
        self._tell()

    @property
    def over(self) -> bool:
        return self._sitting.waiting is None

    def see(self, frame: Frame) -> None:
        try:
            seat = self._sitting.accept(frame)
        except TableProblem:  # an arm right over the middle: the next picture shows more
            return
        if seat is not None:
            self._seated.append(seat)
            self._tell()

    def hear(self, block: Any) -> None: ...

    def _tell(self) -> None:
        self._state = {
            "waiting": self._sitting.waiting,
            "seated": list(self._seated),
            "setup": told(self._sitting.setup),
        }

    def state(self) -> dict[str, Any]:
        return self._state

    def close(self) -> None: ...
