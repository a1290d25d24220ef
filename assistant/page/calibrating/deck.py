"""The deck in the page: its cards shown one after another, laid out, or photographed; learnt, and played with."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.calibrating.deck import MOST_ALIKE, RANKINGS, CardByCard, Lesson, known_by_now, own_deck
from assistant.i18n import N_
from assistant.page.calibrating.errors import BadCard, BadPicture, Exists, Incomplete
from assistant.page.calibrating.table import jpeg
from engine.errors import TrutError
from vision.camera import Frame, Image
from vision.decks import PATTERNS, SUFFIX, deck_named, decks_folder
from vision.pictures import picture_of, size_of

if TYPE_CHECKING:
    from assistant.page.calibrating.desk import Desk
    from calibration.laid_out import Found

MOST_BYTES = 8 << 20
"""Of a picture from a phone."""
MOST_PIXELS = 24_000_000
"""Of a picture: what a telephone takes, with room. A small file may unfold to far more."""
MOST_UNNAMED = 80
"""Cards that wait for their names; more are no pack."""


def checked_picture(data: bytes) -> Image:
    """A picture that a phone sent.

    Raises:
        BadPicture: it is no JPEG or PNG, or too large.
        UnreadablePicture: it is damaged.
    """
    size = size_of(data)
    if size is None or min(size) < 1:
        raise BadPicture(N_("ce n'est pas une photo en JPEG ou en PNG"))
    if size[0] * size[1] > MOST_PIXELS:
        raise BadPicture(N_("cette photo est trop grande : {n} millions de points au plus"), n=MOST_PIXELS // 10**6)
    return picture_of(data, "photo")


def known_decks() -> list[dict[str, Any]]:
    """The user's decks: name, pattern, and how many of its cards were learnt; a damaged one says so."""
    from vision.deck_file import load

    decks = []
    for path in sorted(decks_folder().glob(f"*{SUFFIX}")):
        try:
            file = load(path)
        except TrutError:
            decks.append({"name": path.name.removesuffix(SUFFIX), "like": None, "shown": 0, "all": 0})
            continue
        shown = len({one.card for one in file.shown})
        decks.append(
            {
                "name": path.name.removesuffix(SUFFIX),
                "like": file.like.name,
                "shown": shown,
                "all": len(file.like.cards),
            }
        )
    return decks


def opened(name: str, like: str, *, replace: bool, more: bool) -> DeckLesson:
    """A lesson for a deck of that name.

    Args:
        like: the pattern of its cards.
        replace: what is known of such a deck is forgotten, once the first card of the new one is learnt.
        more: such a deck is shown once more, in other light.

    Raises:
        Exists: there is one, and neither was asked for.
        CalibrationError: that cannot be its name, or its cards have another pattern.
        BrokenDeck: the file is damaged.
    """
    from calibration.enrolment import Enroller

    path = own_deck(name)
    if like not in PATTERNS:
        raise BadCard(N_("« {like} » : aucun jeu de cartes ne s'appelle ainsi"), like=like)
    if path.exists() and not (replace or more):
        raise Exists(N_("il y a déjà un jeu « {name} » : le compléter, ou le refaire ?"), name=name)
    if replace and path.exists():
        pattern = PATTERNS[like]
        return DeckLesson(Lesson(path, pattern, name, RANKINGS.get(like, ""), None, Enroller()))
    return DeckLesson(Lesson.at(path, like, name))


class DeckLesson:
    """A deck that is being learnt, from the camera or from photographs; every card is saved at once.

    Args:
        lesson: the deck, as the command line learns it too.
    """

    kind, uses = "deck", "pictures"

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._cards = CardByCard(lesson)
        self._lock = threading.Lock()
        self._watching = False
        self._unnamed: dict[int, tuple[Found, Image]] = {}
        self._last: tuple[int, str] | None = None
        self._count = self._numbers = 0
        self._problem: TrutError | None = None
        self._state: dict[str, Any] = {}
        self._tell()

    @property
    def over(self) -> bool:
        return False

    @property
    def path(self) -> Path:
        """Where the deck is kept."""
        return self._lesson.path

    @property
    def watching(self) -> bool:
        """Whether cards are shown to the camera."""
        return self._watching

    def watch(self, watching: bool) -> None:
        """Learn what is shown to the camera, or not."""
        self._watching = watching
        self._tell()

    def see(self, frame: Frame) -> None:
        if not self._watching:
            return
        with self._lock:
            try:
                card = self._cards.accept(frame)
            except TrutError as problem:  # the disk is full, say; what was learnt goes on in memory
                self._problem, card = problem, None
                self._watching = False
            if card is not None:
                self._learnt(card)
            elif self._problem is None:
                return
        self._tell()

    def hear(self, block: Any) -> None: ...

    def ask(self, card: str) -> None:
        """Ask for this card next, also if it is known.

        Raises:
            BadCard
        """
        self._must_have(card)
        with self._lock:
            self._cards.ask(card)
        self._tell()

    def photograph(self, picture: Image, card: str | None) -> int:
        """Learn from a photograph: of this card, or of several in any order.

        Returns:
            How many cards were found on it.

        Raises:
            BadCard, BadPicture, BrokenDeck
        """
        from calibration.laid_out import PackReader

        lesson = self._lesson
        if card is not None:
            self._must_have(card)
        with self._lock:
            if card is not None:
                view = lesson.enroller.view(picture, card)
                found = min(1, len(view.crops))
                if found:
                    lesson.show_again(view)
                    self._learnt(card)
            else:
                reader = PackReader(lesson.like, lesson.enroller)
                cards = reader.cards(Path("photo"), picture, lesson.deck)
                found = len(cards)
                self._sort(cards, picture)
        self._tell()
        if not found:
            raise BadPicture(N_("aucune carte trouvée sur cette image : posez-la à plat, sur une table unie"))
        return found

    def name(self, number: int, card: str | None) -> None:
        """Say which card one is that could not be named; None: it is no card. Others like it may then have names.

        Raises:
            BadCard, BrokenDeck
        """
        if card is not None:
            self._must_have(card)
        with self._lock:
            waiting = self._unnamed.pop(number, None)
            if waiting is None:
                raise BadCard(N_("cette carte a déjà un nom"))
            if card is not None:
                self._take(replace(waiting[0], card=card))
                self._sort_again()
        self._tell()

    def picture_of_card(self, card: str) -> bytes | None:
        """The newest picture of a card that was learnt, as JPEG."""
        file = self._lesson.file
        shown = [one.thumbnail for one in file.shown if one.card == card] if file is not None else []
        return shown[-1] if shown else None

    def picture_of_unnamed(self, number: int) -> bytes | None:
        """A card that waits for its name, as JPEG."""
        waiting = self._unnamed.get(number)
        return None if waiting is None else jpeg(waiting[0].crop)

    def state(self) -> dict[str, Any]:
        return self._state

    def close(self) -> None:
        self._watching = False

    def _must_have(self, card: str) -> None:
        if card not in self._lesson.like.cards:
            raise BadCard(N_("ce jeu n'a pas de carte « {card} »"), card=card)

    def _learnt(self, card: str) -> None:
        self._count += 1
        self._last = (self._count, card)
        self._cards.learnt(card)
        self._problem = None

    def _take(self, found: Found) -> None:
        from calibration.enrolment import View

        assert found.card is not None
        self._lesson.learn([View(found.card, found.crop[None])])
        self._learnt(found.card)

    def _sort(self, cards: list[Found], picture: Image) -> None:
        for found in cards:
            if found.card is not None:
                self._take(found)
            elif len(self._unnamed) < MOST_UNNAMED:
                self._numbers += 1
                self._unnamed[self._numbers] = (found, picture)

    def _sort_again(self) -> None:
        """Cards that wait for a name may be like one that was named meanwhile."""
        from calibration.laid_out import PackReader

        reader = PackReader(self._lesson.like, self._lesson.enroller)
        for number, (found, picture) in list(self._unnamed.items()):
            card = known_by_now(self._lesson, reader, picture, found)
            if card is not None:
                del self._unnamed[number]
                self._take(replace(found, card=card))

    def _tell(self) -> None:
        lesson, deck = self._lesson, self._lesson.deck
        shown = Counter(one.card for one in lesson.file.shown) if lesson.file is not None else Counter[str]()
        alike = deck.alike()[:MOST_ALIKE] if deck is not None else []
        self._state = {
            "name": lesson.name,
            "like": lesson.like.name,
            "cards": list(lesson.like.cards),
            "shown": dict(shown),
            "missing": list(lesson.missing),
            "wanted": self._cards.wanted,
            "watching": self._watching,
            "last": None if self._last is None else {"n": self._last[0], "card": self._last[1]},
            "alike": [[a, b] for a, b, _likeness in alike],
            "unnamed": sorted(self._unnamed),
            "problem": self._problem,
        }


def use(desk: Desk, name: str, *, anyway: bool = False) -> str:
    """Play with a deck: ``now``, or why only from the next start on (``pack``: the cards have other names than those
    that are played with; ``no-eyes``). It is remembered for then in any case.

    Args:
        anyway: also with a deck some of whose cards were never shown: these cannot be read.

    Raises:
        Incomplete: cards are missing, and nobody said that it does not matter.
        UnknownDeck, BrokenDeck
        BadSettings: it could not be remembered.
    """
    from assistant import settings
    from vision.decks import Deck
    from vision.enrolled import EnrolledDeck
    from vision.reading import CardReader

    path = own_deck(name)
    deck = deck_named(str(path) if path.is_file() else name)
    assert isinstance(deck, EnrolledDeck)
    if deck.missing and not anyway:
        raise Incomplete(
            N_("il manque à ce jeu des cartes qui n'ont jamais été montrées ({n}) : l'arbitre ne les lira pas"),
            n=len(deck.missing),
        )
    settings.change("table.deck", name)
    _into_the_profile(name)

    def pattern(watcher: Any) -> str | None:
        """Which cards these eyes read; None where that is not known."""
        played = getattr(getattr(watcher, "reader", None), "deck", None)
        return None if played is None else str((played if isinstance(played, Deck) else played.like).name)

    reads = pattern(desk.of_eyes("watcher"))
    if reads != deck.like.name:
        return "no-eyes" if reads is None else "pack"
    reader = CardReader(deck)

    def change(eyes: Any) -> bool:
        watcher: Any = getattr(eyes, "watcher", None)
        if pattern(watcher) != deck.like.name:
            return False
        watcher.reader = reader
        return True

    return "now" if desk.for_eyes.run(change, "deck") else "no-eyes"


def _into_the_profile(name: str) -> None:
    """A table that names a deck names this one from now on: what it names counts more than the settings."""
    from assistant import settings
    from calibration.profile import Profile, folder_of

    table = settings.load().text("table.profile")
    if table is None:
        return
    try:
        folder = folder_of(table)
        profile = Profile.load(folder)
        if profile.deck is not None and profile.deck != name:
            replace(profile, deck=str(own_deck(name))).save(folder)
    except TrutError:  # no such table any more
        return
