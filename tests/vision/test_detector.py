"""Detectors of the user's own: what their files say, what their answers mean, and files that mean harm."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli import main
from vision.card_words import card_named
from vision.decks import deck_named
from vision.detector import Detector, cards_in_boxes, one_each, open_detector
from vision.edges import edge_support
from vision.quads import in_order, iou
from vision.reading import CardReader
from vision.yolo import Form, Found, OnnxYolo, UnusableDetector, boxed, decoded, open_yolo

FRENCH = deck_named("french32")


# A network as a file, written by hand: protobuf fields are a number and a wire type, 2 for what has a length.


def field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def value_info(name: str, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(field(1, field(1, n)) for n in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dims)))


def network(path: Path, answer: np.ndarray, side: int = 64, **about: str) -> Path:
    """An ONNX file that answers ``answer`` whatever it is shown, with ultralytics' metadata."""
    answer = np.asarray(answer, np.float32)
    tensor = b"".join(field(1, n) for n in answer.shape) + field(2, 1) + field(9, answer.tobytes())
    node = field(2, "output0") + field(4, "Constant") + field(5, field(1, "value") + field(5, tensor) + field(20, 4))
    graph = field(1, node) + field(2, "g") + field(11, value_info("images", (1, 3, side, side)))
    graph += field(12, value_info("output0", answer.shape))
    about = {"imgsz": f"[{side}, {side}]", "task": "detect", "names": "{0: 'card'}"} | about
    metadata = b"".join(field(14, field(1, k) + field(2, v)) for k, v in about.items() if v)
    path.write_bytes(field(1, 8) + field(7, graph) + field(8, field(2, 17)) + metadata)
    return path


@pytest.mark.parametrize(
    ("label", "card"),
    [
        ("Qh", "Qh"),
        ("QH", "Qh"),
        ("10S", "10s"),
        ("Td", "10d"),
        ("queen of hearts", "Qh"),
        ("Ten_of-Spades", "10s"),
        ("aceOfClubs", "Ac"),
        ("h10", "10h"),
        ("7♦", "7d"),
        ("dame de cœur", "Qh"),
        ("Valet de trèfle", "Jc"),
        ("1h", "Ah"),
        ("dk", "Kd"),
        ("king", "K?"),
        ("sota de bastos", "10b"),
        ("12 oros", "12o"),
        ("card", None),
        ("joker", None),
        ("back", None),
        ("phone", None),
    ],
)
def test_names_that_people_give_to_cards(label: str, card: str | None) -> None:
    assert card_named(label) == card


def test_rows_of_a_net_that_has_finished() -> None:
    rows = np.float32([[[10, 20, 40, 60, 0.9, 0], [12, 20, 40, 60, 0.05, 0], [0, 0, 9, 9, np.nan, 0]]])
    found = decoded(rows, Form("detect", 2), 0.5, np.float32([10, 0]))
    assert found.quads.tolist() == [[[0, 40], [60, 40], [60, 120], [0, 120]]]
    assert found.score.tolist() == pytest.approx([0.9])
    assert not found.turned


def test_columns_of_an_older_net_are_sorted_and_thinned() -> None:
    places = np.zeros((1, 4 + 2, 30), np.float32)
    for k, (x, score) in enumerate([(50, 0.6), (51, 0.8), (150, 0.7)]):
        places[0, :4, k] = (x, 50, 40, 60)
        places[0, 5, k] = score
    found = decoded(places, Form("detect", 2), 1.0, np.zeros(2, np.float32))
    assert found.score.tolist() == pytest.approx([0.8, 0.7])
    assert found.kind.tolist() == [1, 1]
    assert found.quads.mean(1).tolist() == [[51, 50], [150, 50]]


@pytest.mark.parametrize("finished", [True, False])
def test_turned_boxes_turn_clockwise(finished: bool) -> None:
    angle = np.pi / 6
    if finished:
        answer = np.float32([[[100, 100, 60, 30, 0.9, 0, angle]]])
    else:
        answer = np.zeros((1, 6, 20), np.float32)
        answer[0, :, 0] = (100, 100, 60, 30, 0.9, angle)
    found = decoded(answer, Form("obb", 1), 1.0, np.zeros(2, np.float32))
    wanted = in_order(cv2.boxPoints(((100, 100), (60, 30), 30.0)))
    assert found.turned
    assert iou(found.quads[0], wanted[0]) > 0.999


def test_four_key_points_are_the_corners() -> None:
    corners = np.float32([[10, 10], [40, 14], [38, 60], [8, 55]])
    points = np.c_[corners, np.ones(4)].ravel()
    answer = np.float32([[[5, 5, 45, 65, 0.9, 0, *points]]])
    found = decoded(answer, Form("pose", 1, (4, 3)), 1.0, np.zeros(2, np.float32))
    assert found.turned
    assert found.quads[0].tolist() == corners.tolist()


def test_an_answer_of_another_shape_is_refused() -> None:
    for answer in (np.zeros((1, 9, 9)), np.zeros((2, 5, 6)), np.zeros((1, 6))):
        with pytest.raises(ValueError, match=r"\d"):
            decoded(answer, Form("detect", 1), 1.0, np.zeros(2, np.float32))


def test_the_picture_is_scaled_and_centred() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    picture[..., 2] = 255
    fed, scale, shift = boxed(picture, (64, 64), 0)
    assert fed.shape == (1, 3, 64, 64)
    assert scale == 0.32
    assert shift.tolist() == [0, 16]
    assert fed[0, :, 32, 32].tolist() == [1, 0, 0]  # red first
    assert boxed(picture, None, 64)[0].shape == (1, 3, 32, 64)


def test_an_exported_file_is_run(tmp_path: Path) -> None:
    file = network(tmp_path / "mine.onnx", np.float32([[[8, 8, 32, 56, 0.75, 0]]]))
    found = OnnxYolo(file).look(np.zeros((128, 128, 3), np.uint8))
    assert found.quads.tolist() == [[[16, 16], [64, 16], [64, 112], [16, 112]]]
    assert found.score.tolist() == [0.75]


def test_a_card_in_an_upright_box_is_guessed_both_ways() -> None:
    for degrees in (0, 20, -35, 60, 90):
        card = in_order(cv2.boxPoints(((100, 100), (60, 87), float(degrees))))
        low, high = card[0].min(0), card[0].max(0)
        box = np.float32([[low, [high[0], low[1]], high, [low[0], high[1]]]])
        assert max(iou(card[0], q) for q in cards_in_boxes(in_order(box))) > 0.97


def seen(*boxes: tuple[float, float, int, float]) -> Found:
    """Boxes 10 x 14 at (x, y) of a class with a score."""
    quads = np.float32([[[x, y], [x + 10, y], [x + 10, y + 14], [x, y + 14]] for x, y, _, _ in boxes])
    kinds, scores = np.array([b[2] for b in boxes]), np.float32([b[3] for b in boxes])
    return Found(quads, scores, kinds, False)


def test_two_corners_of_a_card_are_one_card() -> None:
    found = seen((0, 0, 0, 0.9), (50, 80, 0, 0.7), (200, 0, 1, 0.8), (300, 0, 1, 0.2))
    (first, second) = one_each(found, ("7h", "Ks"), FRENCH)
    assert first[:2] == ("7h", pytest.approx(0.9))
    assert second[:2] == ("Ks", pytest.approx(0.8))
    assert first[2].min() >= -25
    assert cv2.pointPolygonTest(first[2], (30.0, 47.0), False) > 0


def test_ranks_alone_stay_apart() -> None:
    assert len(one_each(seen((0, 0, 0, 0.9), (50, 80, 0, 0.7)), ("7?",), FRENCH)) == 2


def test_class_names_decide_how_a_detector_is_used(tmp_path: Path) -> None:
    nothing = np.zeros((1, 1, 6), np.float32)
    assert not open_detector(network(tmp_path / "one.onnx", nothing)).reads
    cards = network(tmp_path / "cards.onnx", nothing, names="{0: 'Qh', 1: '10S', 2: 'joker'}")
    assert open_detector(cards).reads
    dogs = network(tmp_path / "dogs.onnx", nothing, names="{0: 'dog', 1: 'cat'}")
    with pytest.raises(UnusableDetector, match="2 classes"):
        open_detector(dogs)


def test_a_detector_that_reads_names_cards_of_the_deck_only(tmp_path: Path) -> None:
    rows = np.float32([[[8, 8, 32, 56, 0.75, 0], [40, 8, 60, 50, 0.6, 1]]])
    file = network(tmp_path / "cards.onnx", rows, names="{0: 'Qh', 1: '2s'}")
    sightings = CardReader(FRENCH, detector=open_detector(file)).read(np.zeros((64, 64, 3), np.uint8))
    assert [(s.card, s.confidence) for s in sightings] == [("Qh", 0.75), (None, 0.6)]
    assert sightings[0].quad == ((8, 8), (32, 8), (32, 56), (8, 56))


def test_proposals_lie_on_the_card(paint: Callable) -> None:
    picture, (laid,) = paint("green", "letele", [("7h", 400, 320, 25)], 220)
    low, high = laid.quad.min(0) - 6, laid.quad.max(0) + 6

    class Boxes:
        names = ("card",)

        def look(self, picture: np.ndarray, side: int | None = None) -> Found:
            box = np.float32([[low, [high[0], low[1]], high, [low[0], high[1]]]])
            return Found(in_order(box), np.float32([0.9]), np.array([0]), False)

    proposals = Detector(Boxes()).proposals(picture)
    assert max(iou(q, in_order(laid.quad)[0]) for q in proposals) > 0.95


def test_a_detector_may_see_a_thousand_cards() -> None:
    class Crowd:
        names = ("card",)

        def look(self, picture: np.ndarray, side: int | None = None) -> Found:
            x, y = (v.ravel() for v in np.meshgrid(np.arange(0, 600, 20), np.arange(0, 450, 15)))
            quads = np.stack([x, y, x + 18, y, x + 18, y + 26, x, y + 26], 1).reshape(-1, 4, 2).astype(np.float32)
            return Found(quads, np.full(len(quads), 0.5, np.float32), np.zeros(len(quads), int), True)

    noise = np.random.default_rng(5).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert Crowd().look(noise).quads.shape == (900, 4, 2)
    assert edge_support(noise, Crowd().look(noise).quads).shape == (900, 4)
    assert 0 < len(Detector(Crowd()).proposals(noise)) <= 120


def hostile(folder: Path) -> dict[str, Path]:
    nothing = np.zeros((1, 1, 6), np.float32)
    (folder / "empty.onnx").write_bytes(b"")
    (folder / "text.onnx").write_text("je trute")
    (folder / "pickle.pt").write_bytes(b"\x80\x04cos\nsystem\n(S'true'\ntR.")
    good = network(folder / "good.onnx", nothing).read_bytes()
    (folder / "cut.onnx").write_bytes(good[: len(good) // 2])
    made = {
        "bare": network(folder / "bare.onnx", nothing, names="", task="", imgsz=""),
        "code": network(folder / "code.onnx", nothing, names="__import__('os').getcwd()"),
        "deep": network(folder / "deep.onnx", nothing, names="[" * 5000),
        "no names": network(folder / "none.onnx", nothing, names="{}"),
        "task": network(folder / "task.onnx", nothing, task="segment"),
        "huge": network(folder / "huge.onnx", nothing, imgsz="[900000, 900000]"),
        "shape": network(folder / "shape.onnx", np.zeros((1, 7, 9), np.float32)),
        "points": network(folder / "points.onnx", nothing, task="pose", kpt_shape="[4, 3]"),
    }
    plain = {name: folder / name for name in ("empty.onnx", "text.onnx", "cut.onnx", "pickle.pt", "missing.onnx")}
    return made | plain | {"folder": folder}


def test_a_hostile_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((80, 80, 3), 90, np.uint8))
    for what, file in hostile(tmp_path).items():
        status = main(["read", "--json", "--detector", str(file), str(picture)])
        out, err = capsys.readouterr()
        assert (what, status, out, len(err.splitlines())) == (what, 2, "", 1)
        assert file.name in err


def test_pt_weights_without_ultralytics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ultralytics", None)
    (tmp_path / "mine.pt").write_bytes(b"PK")
    with pytest.raises(UnusableDetector, match="ultralytics"):
        open_yolo(tmp_path / "mine.pt")


def test_read_takes_a_detector(tmp_path: Path, paint: Callable, capsys: pytest.CaptureFixture[str]) -> None:
    picture, _ = paint("green", "letele", [("7h", 400, 320, 0)], 220)
    photo = tmp_path / "one.png"
    cv2.imwrite(str(photo), picture)
    file = network(tmp_path / "mine.onnx", np.float32([[[8, 8, 32, 56, 0.75, 0]]]))
    assert main(["read", "--json", "--detector", str(file), str(photo)]) == 0
    cards = [c["card"] for c in json.loads(capsys.readouterr().out)["cards"]]
    assert "7h" in cards
