"""``trut calibrate deck``: learns the deck that lies on the table, from pictures of its cards or before the camera.

Three ways, which may follow each other on one file: a picture a card, named by the card; the pack laid out in a few
pictures, in any order; one card after another shown to the camera. What could not be named is asked for.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.i18n import N_, _, describe, ngettext
from assistant.names import Names, capital
from engine import Header
from engine.errors import TrutError
from vision.decks import PATTERNS, SUFFIX, Deck, decks_folder

if TYPE_CHECKING:
    from calibration.enrolment import Enroller, View
    from calibration.laid_out import Found, PackReader
    from vision.camera import Frame
    from vision.crops import Picture
    from vision.deck_file import DeckFile
    from vision.enrolled import EnrolledDeck

RANKINGS = {
    "french32": "7 8 A R D V 10 9",
    "numbered8": "8 7 6 5 4 3 2 1",
}
"""The order of the cards, strongest first, in the games that are played with such a deck (T-3, R-2)."""
MOST_ALIKE = 12
"""Pairs of look-alikes that are printed; more would not be read."""
MOST_LETTERS = 60
"""Of a deck's name."""
DRAWN = (".jpg", ".jpeg", ".png")
"""What a sheet can be."""

Ask = Callable[[str], str]
"""Asks the user something and gives the line that was typed; raises EOFError where nobody answers."""


class CalibrationError(TrutError):
    """The command was asked for something it cannot do."""

    code = "calibrate"


class Frames(Protocol):
    """What is needed of a camera."""

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md, ``trut calibrate deck``."""
    parser.add_argument("--like", choices=tuple(PATTERNS), help=_("à quel jeu ses cartes ressemblent"))
    parser.add_argument(
        "--images",
        type=Path,
        metavar=_("DOSSIER"),
        help=_("des images : une carte chacune, nommée 7h.jpg, ou plusieurs cartes côte à côte"),
    )
    parser.add_argument("--camera", metavar=_("SOURCE"), help=_("montrer les cartes une à une à cette caméra"))
    parser.add_argument("--out", type=Path, metavar=_("FICHIER"), help=_("le fichier du jeu, nouveau ou à compléter"))
    parser.add_argument(
        "--name", metavar=_("NOM"), help=_("comment le jeu s'appelle ; sans --out, il va chez les vôtres")
    )
    parser.add_argument("--ranking", metavar=_("TEXTE"), help=_("l'ordre des cartes dans votre jeu, pour mémoire"))
    parser.add_argument(
        "--sheet", type=Path, metavar=_("IMAGE"), help=_("dessine les cartes apprises avec leur nom, pour vérifier")
    )
    parser.add_argument("--json", action="store_true", help=_("un objet JSON"))


def run(args: argparse.Namespace) -> int:
    """Learns one deck; 1 where cards are missing."""
    if args.images is not None and args.camera is not None:
        raise CalibrationError(N_("donnez --images ou --camera, pas les deux"))
    lesson = Lesson.begun(args)
    try:
        if args.images is not None:
            from_pictures(lesson, args.images, ask=_typed if _somebody_answers(args) else None)
        else:
            from vision.camera import open_camera

            camera = open_camera(args.camera or "0")
            try:
                one_after_another(lesson, camera, say=_say_plainly)
            finally:
                camera.close()
    except KeyboardInterrupt:
        pass  # what was shown so far is kept
    deck = lesson.deck
    if deck is None:
        raise CalibrationError(N_("aucune carte trouvée : rien n'a été appris"))
    if args.sheet is not None:
        _draw(deck, args.sheet)
    _report(args.json, lesson.path, deck)
    return 1 if deck.missing else 0


@dataclass
class Lesson:
    """One deck that is being learnt; it is saved after every picture, so that nothing shown is lost.

    Attributes:
        path: where it is kept.
        like: the pattern that gives its cards their names.
        file: what was learnt so far, None before the first card.
    """

    path: Path
    like: Deck
    name: str
    ranking: str
    file: DeckFile | None
    enroller: Enroller
    light: int = field(init=False)

    def __post_init__(self) -> None:
        self.light = 1 + max((shown.light for shown in self.file.shown), default=0) if self.file is not None else 1

    @classmethod
    def begun(cls, args: argparse.Namespace) -> Lesson:
        """A new deck, or one that is shown once more in other light."""
        return cls.at(_place(args), args.like, args.name, args.ranking)

    @classmethod
    def at(cls, path: Path, like: str | None, name: str | None = None, ranking: str | None = None) -> Lesson:
        """A new deck in a file, or the one that it holds shown once more in other light.

        Raises:
            CalibrationError: the file is new and ``like`` is not given, or it holds a deck of another pattern.
            BrokenDeck: it holds no deck.
        """
        from calibration.enrolment import Enroller

        old = _old(path, like)
        pattern = old.like if old is not None else PATTERNS[like or ""]
        name = name or (old.name if old is not None else path.stem)
        ranking = ranking or (old.ranking if old is not None else RANKINGS.get(pattern.name, ""))
        return cls(path, pattern, name, ranking, old, Enroller())

    @property
    def deck(self) -> EnrolledDeck | None:
        """The deck as far as it was learnt."""
        from calibration.laid_out import known_so_far

        return known_so_far(self.file)

    @property
    def missing(self) -> tuple[str, ...]:
        """Cards that were not shown yet."""
        shown = {s.card for s in self.file.shown} if self.file is not None else set()
        return tuple(card for card in self.like.cards if card not in shown)

    def learn(self, views: Iterable[View]) -> None:
        """Add cards and save."""
        from vision.deck_file import save

        views = [view for view in views if len(view.crops)]
        if views:
            self.file = self.enroller.deck(self.name, self.like, self.ranking, views, self.file, light=self.light)
            save(self.path, self.file)

    def show_again(self, view: View) -> None:
        """A card that was learnt wrong in this sitting: what was shown of it is replaced, and saved."""
        if not len(view.crops):
            return
        if self.file is not None:
            kept = [(s.card, s.light) != (view.card, self.light) for s in self.file.shown]
            shown = tuple(s for s, keep in zip(self.file.shown, kept, strict=True) if keep)
            self.file = replace(self.file, shown=shown, vectors=self.file.vectors[kept])
        self.learn([view])

    def called(self, card: str) -> str:
        """The card as it is said: ``le sept de pique``."""
        game = "truc-y-flou" if self.like.family == "spanish" else "trut"
        return Names(Header(game)).card(card)


# -- from pictures -------------------------------------------------------------------------------------------------


def from_pictures(lesson: Lesson, folder: Path, *, ask: Ask | None) -> None:
    """Learn from all pictures of a folder.

    Args:
        ask: asks which card one is that could not be named; None: nobody is there to answer.

    Raises:
        CalibrationError: there is no such folder, or no picture in it.
    """
    from calibration.enrolment import pictures_in
    from calibration.laid_out import PackReader, cards_named
    from vision.pictures import load_picture

    if not folder.is_dir():
        raise CalibrationError(N_("{folder} : ce dossier n'existe pas"), folder=folder)
    named, several = pictures_in(folder, lesson.like)
    if not named and not several:
        raise CalibrationError(N_("{folder} : aucune image dans ce dossier"), folder=folder)
    views = []
    for file, card in named:
        try:
            view = lesson.enroller.view(load_picture(file), card)
        except TrutError as problem:
            sys.stderr.write(f"trut: {describe(problem)}\n")
            continue
        if not len(view.crops):
            _say(_("{file} : aucune carte trouvée sur cette image"), file=file)
        views.append(view)
    lesson.learn(views)
    reader = PackReader(lesson.like, lesson.enroller)
    for file in several:
        try:
            picture = load_picture(file)
            found = reader.cards(file, picture, lesson.deck)
        except TrutError as problem:
            sys.stderr.write(f"trut: {describe(problem)}\n")
            continue
        listed = cards_named(file.stem, lesson.like)
        if not found:
            _say(_("{file} : aucune carte trouvée sur cette image"), file=file)
        elif listed and len(listed) != len(found):
            _say(_("{file} : son nom donne {n} cartes, j'en vois {m}"), file=file, n=len(listed), m=len(found))
        again = partial(known_by_now, lesson, reader, picture)
        _settle(lesson, found, again, ask)


def known_by_now(lesson: Lesson, reader: PackReader, picture: Picture, one: Found) -> str | None:
    """The name of a card that was open, if one like it was named meanwhile: a deck of numbers has four of each."""
    return reader.sure_of(picture, one.quad[None], lesson.deck)[0]


def _settle(lesson: Lesson, found: Sequence[Found], again: Callable[[Found], str | None], ask: Ask | None) -> None:
    """Learn the cards of one picture; those without a name are asked for.

    Args:
        again: the name of a card now that more cards are known.
    """
    lesson.learn(_view(one) for one in found if one.card is not None)
    unnamed = [one for one in found if one.card is None]
    if ask is not None:
        for one in unnamed:
            named = replace(one, card=again(one))
            if named.card is None:
                named = _named(lesson, one, ask)
            if named.card is not None:
                lesson.learn([_view(named)])
    elif unnamed:
        sentence = ngettext(
            "{file} : je ne sais pas nommer la carte {numbers} ; "
            "donnez les noms de gauche à droite, rangée par rangée, dans le nom du fichier, comme 7s+8s+9s.jpg",
            "{file} : je ne sais pas nommer les cartes {numbers} ; "
            "donnez les noms de gauche à droite, rangée par rangée, dans le nom du fichier, comme 7s+8s+9s.jpg",
            len(unnamed),
        )
        _say(sentence, file=unnamed[0].file, numbers=_listed(str(one.number) for one in unnamed))


def _named(lesson: Lesson, one: Found, ask: Ask) -> Found:
    """Ask for the name of a card until it is one of the deck, or nothing."""
    from calibration.enrolment import card_named

    question = _("{file}, carte {n} (rangée par rangée, de gauche à droite) : laquelle ? (Entrée : aucune) ")
    while True:
        try:
            answer = ask(question.format(file=one.file.name, n=one.number)).strip()
        except EOFError:
            return one
        card = card_named(answer, lesson.like)
        if card is not None or not answer:
            return replace(one, card=card)
        question = _("« {answer} » n'est pas une carte de {like}, comme {card} ; laquelle ? (Entrée : aucune) ").format(
            answer=answer, like=lesson.like.name, card=lesson.like.cards[0]
        )


def _view(one: Found) -> View:
    from calibration.enrolment import View

    assert one.card is not None
    return View(one.card, one.crop[None])


# -- before the camera ---------------------------------------------------------------------------------------------


def one_after_another(lesson: Lesson, camera: Frames, *, say: Callable[[str], None]) -> None:
    """Ask for card after card and learn those that are shown, until none is missing or the pictures end."""
    show = CardByCard(lesson)
    assert show.wanted is not None
    say(_("Posez les cartes une à une devant la caméra, la main hors de l'image. Ctrl-C pour arrêter."))
    _ask_for(lesson, show.wanted, say)
    for frame in camera:
        card = show.accept(frame)
        if card is None:
            continue
        say(_("  {card} : merci").format(card=capital(lesson.called(card))))
        if show.wanted is None:
            return
        _ask_for(lesson, show.wanted, say)


class CardByCard:
    """Cards shown one after another: frames in, learnt cards out. What is missing is asked for; where nothing is,
    every card once more.

    French and Spanish cards may come in any order, as long as they can be read surely; any other card is taken for
    the one that was asked for.
    """

    def __init__(self, lesson: Lesson) -> None:
        from calibration.laid_out import PackReader
        from calibration.one_by_one import OneByOne

        self._lesson = lesson
        self._eyes, self._reader = OneByOne(lesson.enroller), PackReader(lesson.like, lesson.enroller)
        self._left = lesson.missing or lesson.like.cards
        self._again: str | None = None

    @property
    def wanted(self) -> str | None:
        """The card that is asked for; None when all were shown."""
        return self._again or next(iter(self._left), None)

    def ask(self, card: str) -> None:
        """Ask for this card next; the next card that is shown is that one, and what was shown of it before in this
        sitting is forgotten."""
        self._again = card

    def learnt(self, card: str) -> None:
        """This card was learnt in another way, and needs not be shown."""
        self._left = tuple(left for left in self._left if left != card)
        self._again = None if self._again == card else self._again

    def accept(self, frame: Frame) -> str | None:
        """Look at the next frame; the card that was learnt from it, if one was."""
        wanted = self.wanted
        shown = self._eyes.accept(frame) if wanted is not None else None
        if shown is None or wanted is None:
            return None
        picture, cuts = shown
        read = None if self._again else self._reader.sure_of(picture, cuts[:1], None)[0]
        card = read if read is not None and read in self._left else wanted
        view = self._lesson.enroller.cut(picture, cuts, card)
        if self._again is not None:
            self._lesson.show_again(view)
        else:
            self._lesson.learn([view])
        self.learnt(card)
        return card


def _ask_for(lesson: Lesson, card: str, say: Callable[[str], None]) -> None:
    say(_("Montrez {card}.").format(card=lesson.called(card)))


# -- where it goes, what it holds ----------------------------------------------------------------------------------


def _place(args: argparse.Namespace) -> Path:
    """Where the deck goes."""
    if args.out is not None:
        return Path(args.out)
    if args.name is None:
        raise CalibrationError(N_("dites où va le jeu : --out FICHIER, ou --name NOM pour le ranger chez les vôtres"))
    return own_deck(args.name)


def own_deck(name: str) -> Path:
    """The file of a deck of that name among the user's own.

    Raises:
        CalibrationError: that cannot be its name.
    """
    if name in PATTERNS:
        raise CalibrationError(N_("« {name} » est un jeu fourni : donnez un autre nom au vôtre"), name=name)
    odd = not name or name.startswith(".") or not name.isprintable() or len(name) > MOST_LETTERS
    if odd or Path(name).name != name or set(name) & set('\\/:*?"<>|'):
        raise CalibrationError(N_("« {name} » ne peut pas être le nom d'un jeu de cartes"), name=name)
    return decks_folder() / f"{name}{SUFFIX}"


def _old(path: Path, like: str | None) -> DeckFile | None:
    """The deck that the file already holds, for new light to be added."""
    from vision.deck_file import load
    from vision.enrolled import at_work

    if not path.exists():
        if like is None:
            raise CalibrationError(N_("dites à quel jeu il ressemble : --like {names}"), names="|".join(PATTERNS))
        return None
    old = load(path)
    if like is not None and like != old.like.name:
        raise CalibrationError(
            N_("{file} tient déjà un jeu comme {old}, pas comme {like} ; choisissez un autre --out"),
            file=path,
            old=old.like.name,
            like=like,
        )
    return at_work(old)


def _draw(deck: EnrolledDeck, path: Path) -> None:
    """A sheet of all cards that were learnt: what is wrong there is seen at a glance."""
    import cv2

    from calibration.sheet import sheet_of

    if path.suffix.lower() not in DRAWN:
        raise CalibrationError(N_("{file} : donnez un nom d'image, comme feuille.jpg"), file=path)
    _ok, data = cv2.imencode(path.suffix.lower(), sheet_of(deck))
    try:
        path.write_bytes(data.tobytes())
    except OSError as problem:
        raise CalibrationError(N_("{file} : impossible d'écrire ({what})"), file=path, what=problem.strerror) from None


def _somebody_answers(args: argparse.Namespace) -> bool:
    return not args.json and sys.stdin.isatty()


def _typed(question: str) -> str:
    return input(question)


def _say(sentence: str, **fields: object) -> None:
    sys.stderr.write("trut: " + sentence.format(**fields) + "\n")


def _say_plainly(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def _report(as_json: bool, path: Path, deck: EnrolledDeck) -> None:
    """What the deck holds, what is missing, which cards look alike."""
    alike = deck.alike()
    if as_json:
        facts = {
            "file": str(path),
            "deck": deck.name,
            "like": deck.like.name,
            "cards": list(deck.cards),
            "pictures": len(deck.file.shown),
            "missing": list(deck.missing),
            "alike": [{"cards": [a, b], "likeness": round(s, 3)} for a, b, s in alike],
        }
        print(json.dumps(facts, ensure_ascii=False))
        return
    n = len(deck.cards)
    print(
        ngettext("{file} : {n} carte sur {all}", "{file} : {n} cartes sur {all}", n).format(
            file=path, n=n, all=len(deck.like.cards)
        )
    )
    if deck.missing:
        print(_("Il manque : {cards}").format(cards=_listed(deck.missing)))
    if alike:
        pairs = _listed([f"{a}/{b}" for a, b, _likeness in alike[:MOST_ALIKE]])
        print(_("Cartes qui se ressemblent, à montrer aussi sous une autre lumière : {pairs}").format(pairs=pairs))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
