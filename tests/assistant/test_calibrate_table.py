"""``trut calibrate table`` and ``show``, and ``watch --profile``: pictures, a film, a fake camera; a profile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant import settings, wiring
from assistant.calibrating import table as calibrating
from assistant.calibrating.guide import GOOD, in_a_room, played_table
from assistant.calibrating.window import Dragging, NoScreen, dragged
from assistant.cli import main
from assistant.reviewing import CloseUps
from assistant.session import looked_at
from calibration.profile import Profile
from calibration.setup import TableSetup
from vision.camera import Frame, Image
from vision.events import CardLaid, TableObservation
from vision.steady import SteadyEyes

CORNERS = "250,50 1030,55 1215,690 60,685"


@pytest.fixture(scope="module")
def picture() -> Image:
    return in_a_room(played_table(), GOOD)


@pytest.fixture(scope="module")
def image(picture: Image, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "table.png"
    cv2.imwrite(str(path), picture)
    return path


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles and settings of the test go nowhere else."""
    monkeypatch.setattr("calibration.profile.profiles_folder", lambda: tmp_path / "tables")
    monkeypatch.setattr(calibrating, "profiles_folder", lambda: tmp_path / "tables")
    monkeypatch.setattr("assistant.calibrating.show.profiles_folder", lambda: tmp_path / "tables")
    monkeypatch.setattr(settings, "settings_path", lambda: tmp_path / "settings.toml")


def trut(*words: object) -> int:
    return main([str(word) for word in words])


def test_a_table_is_calibrated_from_a_picture_shown_again_and_used(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing = tmp_path / "seen.jpg"
    assert trut("calibrate", "table", "--images", image, "--name", "port", "--picture", drawing, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["found"] == "seen"
    assert np.abs(np.array(facts["corners"]) - GOOD).max() < 20
    assert sorted(card["card"] for card in facts["cards"] if card["card"]) == ["10d", "7h", "8s", "Ks"]
    assert [light["level"] for light in facts["lights"]] == ["green"] * 5
    drawn = cv2.imread(str(drawing))
    assert drawn is not None
    assert drawn.shape[1] == 1280
    kept = Profile.load(tmp_path / "tables" / "port")
    assert not kept.reference[:40].any(), "the picture beside the table was kept"
    assert settings.load(tmp_path / "settings.toml").text("table.profile") == "port"

    assert trut("calibrate", "show") == 0
    assert capsys.readouterr().out == "port : 4 places\n"
    assert trut("calibrate", "show", "--profile", "port", "--images", image) == 0
    assert "4 cartes lues" in capsys.readouterr().out
    assert isinstance(wiring.eyes_for("french32", 4, wiring.profile_named("port")), SteadyEyes)


def test_a_camera_that_stands_elsewhere_is_found_or_said(
    picture: Image, image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trut("calibrate", "table", "--images", image, "--corners", CORNERS) == 0
    place = cv2.getRotationMatrix2D((640, 360), 4, 1.0)
    place[0, 2] += 60
    bumped = tmp_path / "bumped.png"
    cv2.imwrite(str(bumped), cv2.warpAffine(picture, place, (1280, 720)))
    capsys.readouterr()
    assert trut("calibrate", "show", "--images", bumped, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert 0.03 < facts["moved"] < 0.1
    assert sorted(card["card"] for card in facts["cards"] if card["card"]) == ["10d", "7h", "8s", "Ks"]
    assert trut("read", "--profile", "table", "--json", bumped) == 0
    read = json.loads(capsys.readouterr().out)
    assert sorted(card["card"] for card in read["cards"] if card["card"]) == ["10d", "7h", "8s", "Ks"]
    seven = np.array(next(card["quad"] for card in read["cards"] if card["card"] == "7h")).mean(0)
    before = np.array(next(card["quad"] for card in facts["cards"] if card["card"] == "7h")).mean(0)
    assert np.linalg.norm(seven - place @ [*before, 1]) < 4  # in the pixels of the picture as given
    elsewhere = tmp_path / "elsewhere.png"
    cv2.imwrite(str(elsewhere), np.random.default_rng(1).integers(0, 255, picture.shape).astype(np.uint8))
    assert trut("calibrate", "show", "--images", elsewhere) == 1
    assert "La caméra a bougé" in capsys.readouterr().err


class FakeCamera:
    """A live camera over a table; hands come in one after the other."""

    live = True

    def __init__(self, picture: Image, arms: tuple[tuple[int, int, int, int], ...] = ()) -> None:
        self._picture, self._arms = picture, arms
        self.closed = False

    def __iter__(self) -> Iterator[Frame]:
        for index in range(20 + 20 * len(self._arms)):
            image = self._picture.copy()
            turn, part = divmod(index - 20, 20)
            if turn >= 0 and part < 12:
                x0, y0, x1, y1 = self._arms[turn]
                cv2.rectangle(image, (x0, y0), (x1, y1), (130, 160, 215), -1)
            yield Frame(index / 10, image, index)

    def close(self) -> None:
        self.closed = True


def test_players_sit_down_before_a_live_camera(
    picture: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = np.asarray(cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    arms = ((480, 150, 640, 190), (300, 300, 340, 360))  # seat 1 sits on the right, seat 2 at the bottom
    cameras = [FakeCamera(small), FakeCamera(small, arms)]
    waiting = list(cameras)
    monkeypatch.setattr(calibrating, "open_camera", lambda source: waiting.pop(0))
    trut("calibrate", "table", "--camera", "0", "--seats", 2, "--corners", "125,25 515,27 607,345 30,342", "--sit")
    told = capsys.readouterr().err
    assert told.index("Place 1 : posez la main") < told.index("place 1 : c'est noté") < told.index("Place 2")
    seats = Profile.load(tmp_path / "tables" / "table").setup.seats
    assert seats[1][0] == 1
    assert seats[2][1] == 1
    assert all(camera.closed for camera in cameras)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--corners", "1,1 2,2"), "quatre coins"),
        (("--corners", "250,50 1030,55 60,685 1215,690"), "croisent"),
        (("--corners", "250,50 1030,55 1215,690 a,b"), "a,b"),
        (("--seat", "1", "9000,20"), "hors de l'image"),
        (("--seat", "7", "20,20"), "il n'y en a que 4"),
        (("--seat", "un", "20,20"), "nombre"),
        (("--corners", CORNERS, "--seat", "1", "1190,400"), "même endroit"),
        (("--seats", "5"), "5 joueurs"),
        (("--name", "../x"), "nom d'une table"),
        (("--deck", "inconnu"), "jeu de cartes inconnu"),
        (("--seats", "0"), "0 joueur"),
        (("--camera", "0"), "ne va pas avec"),
        (("--picture", "vu.doc"), ".png"),
        (("--voices", "nulle-part"), "n'existe pas"),
        (("--voices", __file__), "voix"),
        (("--knock-profile", __file__), "profil de coups"),
        (("--corners", CORNERS, "--sit"), "place 1"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_2(
    words: tuple[str, ...],
    why: str,
    image: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Bare:
        def read(self, picture: Image) -> list[object]:
            return []

    if "--deck" not in words:
        monkeypatch.setattr(calibrating, "reader_for", lambda deck: Bare())
    assert trut("calibrate", "table", "--images", image, *words) == 2
    told = capsys.readouterr()
    assert why in told.err.splitlines()[-1]
    assert "Traceback" not in told.err
    assert not (tmp_path / "tables").exists()


@pytest.mark.parametrize("words", [("--images", "nulle-part.jpg"), ("--camera", "nulle-part.mp4")])
def test_pictures_that_are_not_there(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert trut("calibrate", "table", *words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_a_screen_it_is_said_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.calibrating.window.screen_there", lambda: False)
    with pytest.raises(NoScreen) as problem:
        dragged(TableSetup.whole(4, 640, 360), lambda setup: np.zeros((360, 640, 3), np.uint8), "t")
    assert "--corners" in str(problem.value)


def test_a_corner_follows_the_pointer_until_it_would_cross_a_side() -> None:
    work = Dragging(TableSetup.whole(4, 1000, 500))
    first = work.setup.corners[0]
    work.press(*first)
    assert work.held == 0
    work.move(200, 100)
    assert work.setup.corners[0] == (200.0, 100.0)
    work.move(990, 490)  # beyond the opposite corner
    assert work.setup.corners[0] == (200.0, 100.0)
    work.release()
    work.move(300, 200)
    assert work.setup.corners[0] == (200.0, 100.0)
    work.press(500, 250)
    assert work.held is None


def test_a_profile_for_another_number_of_players_is_refused(
    picture: Image, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Profile.of("duo", TableSetup.whole(2, 1280, 720), picture).save(tmp_path / "duo")
    words = ("watch", "--game", "trut", "--seats", 4, "--profile", tmp_path / "duo", "--camera", "off")
    assert trut(*words) == 2
    assert "2 places" in capsys.readouterr().err


def test_the_last_table_is_taken_with_the_camera_unless_it_is_gone(
    picture: Image, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wiring.last_profile(None, None) is None
    assert wiring.last_profile("port", None) is None
    assert "port" in capsys.readouterr().err
    Profile.of("port", TableSetup.whole(2, 1280, 720), picture).save(tmp_path / "tables" / "port")
    assert wiring.last_profile("port", None) == "port"
    assert wiring.last_profile("port", 4) is None
    assert wiring.last_profile("port", None, "trut") == "port"
    capsys.readouterr()
    assert wiring.last_profile("port", None, "truc-y-flou") is None
    assert "truc-y-flou ne se joue pas à tant" in capsys.readouterr().err


class OneCard:
    """A watcher that sees a card at the table's rim in every picture."""

    seat_map = None
    cards = ()

    def accept(self, frame: Frame) -> list[TableObservation]:
        rim = ((70.0, 560.0), (130.0, 560.0), (130.0, 640.0), (70.0, 640.0))
        return [CardLaid(frame.t, frame.t, 1, "7h", 0.9, 1, rim)]


def test_the_picture_behind_a_reading_shows_nothing_beside_the_table(picture: Image) -> None:
    """A hand of cards that somebody holds beside the table is not in the close-up of a card at its rim."""
    profile = Profile.of("t", TableSetup.whole(4, 1280, 720).with_corners(GOOD), picture)
    held = picture.copy()
    held[500:, :60] = (0, 0, 255)
    close_ups = []
    for shown in (picture, held):
        eyes = SteadyEyes(OneCard(), profile.seat_map, profile.reference)
        frame = Frame(0.0, shown, 0)
        kept = CloseUps()
        seen = eyes.accept(frame)
        kept.keep(looked_at(eyes, frame), seen)
        close_ups.append(kept.of(1))
    assert close_ups[0] is not None
    assert close_ups[0] == close_ups[1]
