"""Ways of finding cards side by side, on the same photographs, before the same judge and reader.

    python -m models.detector.recipe.compare --prepared DIR --tables DIR --yolo WORK/yolo26n-obb.onnx \\
        [--photos cases/photos] [--one-in 2]

Each row is a set of proposals: outlines, the dense finder (which also sees corners, for covered cards), a YOLO, and
unions of them; everything after that is `vision.reading`. Counted are ranks: found, right, whole pictures right.
Photographs: those of `--tables` that `prepare` sets aside, and those of `--photos`, one in `--one-in` of either (by a
hash of the name, so always the same); of `--photos` the scenes with cards apart (Anglo-American and Paris decks) and,
in columns of their own, those where cards overlap. Time: processor time of one core for the proposals alone, of a
frame of 1280x720 with four cards.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from assistant.bench.eyes import trick
from assistant.bench.tally import Tally, tally
from vision.contours import outlined_cards
from vision.decks import deck_named
from vision.detector import Detector, open_detector
from vision.edges import onto_edges
from vision.finder import Corners, FinderNet, Sight
from vision.pictures import load_picture
from vision.quads import Floats, in_order
from vision.reading import FINDER_SIDES, CardReader
from vision.weights import MODELS

YOLO_SIDES = (320, 544, 864)
"""As large beside what the net was trained at (320) as the finder's sides are beside its own (256)."""
Source = Callable[[np.ndarray], Floats]


@dataclass(frozen=True)
class Photograph:
    """A picture to read: where it is, the cards on it, how many more are hidden, which table of figures."""

    file: Path
    cards: list[str]
    hidden: int
    group: str


class Blind(FinderNet):
    """A finder that sees nothing, neither cards nor corners."""

    def see(self, picture: np.ndarray, side: int, most: int = 60, thorough: bool = True) -> Sight:
        nothing, score = np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)
        return Sight(nothing, score, Corners(nothing, np.zeros(0, np.intp), score))


class Proposed(CardReader):
    """A card reader that looks only where the given sources say, and where the finder says if it is `dense`."""

    def __init__(self, sources: list[Source], dense: bool = False) -> None:
        super().__init__(deck_named("french52"))
        self._sources = sources
        if not dense:
            self._finder = Blind()

    def proposals(self, picture: np.ndarray, sights: list[Sight], slow: bool) -> list[Floats]:
        return [*(sight.quads for sight in sights), *(source(picture) for source in self._sources)]


def outlines(picture: np.ndarray) -> Floats:
    """Quads from contours, as `vision.reading` takes them."""
    found = outlined_cards(picture)
    return np.concatenate([found, in_order(onto_edges(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), found, 0.14))])


def finder() -> Source:
    """Quads from the dense net at its three scales; it sees corners in the same time."""
    net = FinderNet()
    return lambda picture: np.concatenate([net.see(picture, side).quads for side in FINDER_SIDES])


def yolo(detector: Detector, sides: tuple[int, ...] = YOLO_SIDES) -> Source:
    """Quads from a YOLO at the scales given."""
    return lambda picture: np.concatenate([detector.proposals(picture, side=side) for side in sides])


def chosen(name: str, one_in: int) -> bool:
    """Whether a picture is among those counted."""
    return zlib.crc32(name.encode()) % one_in == 0


def development(prepared: Path, tables: Path, one_in: int) -> Iterator[Photograph]:
    """The photographs that no training saw, by `prepare.is_development`."""
    for about in json.loads((prepared / "quads.json").read_text(encoding="utf-8")):
        name = f"{about['source']}/{about['file']}"
        if about["dev"] and about["cards"] and chosen(name, one_in):
            yield Photograph(tables / name, [c["rank"] + (c["suit"] or "?") for c in about["cards"]], 0, "set aside")


def measuring(photos: Path, one_in: int) -> Iterator[Photograph]:
    """The photographs kept for measuring, French suits only."""
    for labels in sorted(photos.glob("*/labels.jsonl")):
        for row in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
            apart = row["deck"] in ("anglo", "paris") and row["scene"] in ("single", "several")
            over = row["deck"] != "spanish" and row["scene"] == "overlap"
            if (apart or over) and chosen(f"{labels.parent.name}/{row['file']}", one_in):
                hidden = row.get("partial") or 0
                hidden = hidden if isinstance(hidden, int) else len(hidden)
                yield Photograph(labels.parent / row["file"], row["cards"], hidden, "apart" if apart else "overlap")


def milliseconds(source: Source, picture: np.ndarray, times: int = 9) -> float:
    """Processor time of the proposals for one picture, the median of some."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        source(picture)
        spent.append((time.process_time() - began) * 1000)
    return statistics.median(spent)


def parameters(file: Path) -> int:
    """How many numbers a net holds."""
    import onnx

    return sum(int(np.prod(t.dims)) for t in onnx.load(str(file)).graph.initializer)


class Known:
    """What was read before, one JSON line a picture and row, so that a long comparison can be gone on with."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._cards: dict[tuple[str, str], list[str | None]] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                row, photo, cards = json.loads(line)
                self._cards[row, photo] = cards

    def get(self, row: str, photo: Path) -> list[str | None] | None:
        return self._cards.get((row, str(photo)))

    def add(self, row: str, photo: Path, cards: list[str | None]) -> None:
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps([row, str(photo), cards]) + "\n")


def compare(arguments: argparse.Namespace) -> dict[str, dict[str, Tally]]:
    """Print the table; returns the tallies of each row by group of photographs."""
    dense, weights = finder(), {"finder": MODELS / "finder" / "finder.onnx"}
    rows: dict[str, list[Source]] = {"outlines": [outlines], "finder": [dense], "outlines + finder": [outlines, dense]}
    for file in arguments.yolo:
        turned = yolo(open_detector(file))
        weights[file.stem] = file
        rows |= {file.stem: [turned], f"outlines + finder + {file.stem}": [outlines, dense, turned]}
    readers = {
        name: Proposed([source for source in sources if source is not dense], dense in sources)
        for name, sources in rows.items()
    }
    photographs = list(development(arguments.prepared, arguments.tables, arguments.one_in))
    if arguments.photos:
        photographs += measuring(arguments.photos, arguments.one_in)
    groups = list(dict.fromkeys(p.group for p in photographs))
    counts = {name: dict.fromkeys(groups, Tally()) for name in rows}
    known = Known(arguments.known)
    for n, photograph in enumerate(photographs):
        for name, reader in readers.items():
            cards = known.get(name, photograph.file)
            if cards is None:
                cards = [s.card for s in reader.read(load_picture(photograph.file))]
                known.add(name, photograph.file, cards)
            counts[name][photograph.group] += tally(cards, photograph.cards, photograph.hidden)
        if n % 20 == 19:
            print(f"{n + 1} of {len(photographs)} photographs", flush=True)
    sizes = ", ".join(f"{group} {counts['outlines'][group].pictures}" for group in groups)
    print(f"photographs: {sizes}\n\n| proposals | ms | {' | '.join(groups)} |\n|---|---|{'---|' * len(groups)}")
    frame = trick(40)
    for name, sources in rows.items():
        cells = [f"{t.recall:.3f} {t.precision:.3f} {t.exact}/{t.pictures}" for t in counts[name].values()]
        print(f"| {name} | {sum(milliseconds(s, frame) for s in sources):.0f} | {' | '.join(cells)} |")
    print()
    for name, file in weights.items():
        print(f"{name}: {parameters(file) / 1e6:.2f} M parameters, {file.stat().st_size / 1e6:.2f} MB")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepared", type=Path, required=True, help="what models.reader.recipe.prepare wrote")
    parser.add_argument("--tables", type=Path, required=True, help="the photographs that were prepared")
    parser.add_argument("--photos", type=Path, help="photographs kept for measuring, with labels.jsonl")
    parser.add_argument("--yolo", type=Path, action="append", default=[], help="an exported net; may be repeated")
    parser.add_argument("--one-in", type=int, default=2)
    parser.add_argument("--known", type=Path, help="file that keeps what was read, to go on with later")
    cv2.setNumThreads(1)
    compare(parser.parse_args())


if __name__ == "__main__":
    main()
