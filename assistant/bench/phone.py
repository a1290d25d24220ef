"""A whole table through a phone's page: ``python -m assistant.bench.phone``.

A simulated table is filmed. A real browser (Chromium) takes the film for its camera and the sound for its microphone;
its page sends both, as a phone's does, and the real eyes and ears referee what comes. What it measures: pictures a
second, how old they are when the table has them, how far picture and sound are apart, rounds that came out right, and
for comparison those of the same film refereed from its files. Nothing stands between page and table but this machine,
so the figures are those of the browser and of the program, without a radio network.

``--way upload`` sends without a socket.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import soundfile

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.bench.chromium import FAKE_DEVICES, QUIET, chromium
from assistant.holding import Observation
from assistant.live import Live
from assistant.page.access import Access
from assistant.page.page import Page
from assistant.page.phone import Phone
from assistant.page.server import Listener, PageServer
from assistant.session import NoViewer, Referee
from assistant.simulation.faces import faces_named
from assistant.simulation.match import referee_table
from assistant.simulation.table import SimulatedTable
from assistant.simulation.verdict import infractions_of, judge, truth_of
from assistant.wiring import ears_for, eyes_for
from audio.resampling import resampled
from engine import Game, Record
from engine.errors import TrutError
from vision.camera import Frame

LEAD, TAIL = 5.0, 3.0
"""Seconds of a still and silent table before and after the film."""
RATE = 48_000
SEEDS = (3, 4, 5, 7)


class NoBrowser(TrutError):
    """There is no Chromium, or nothing to steer it with."""

    code = "no-browser"
    exit_status = 1


@dataclass
class Figures:
    """What came of one table; times in milliseconds."""

    seed: int
    way: str
    rounds: int = 0
    right: int = 0
    perfect: int = 0
    from_files: int | None = None
    pictures_a_second: float = 0.0
    age_p50: float = 0.0
    age_p95: float = 0.0
    picture_after_truth: float | None = None
    sound_after_truth: float | None = None
    stale: int = 0
    sound_lost: float = 0.0
    told: list[str] = field(default_factory=list)
    shown: str = ""
    wrong: list[str] = field(default_factory=list)


class _NoState:
    rev, text = 0, '{"type": "state", "rev": 0}'


class _NoFeed:
    """The table's board is not looked at here."""

    def state(self) -> _NoState:
        return _NoState()

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    def tap(self, message: Mapping[str, object], who: str, answer: Callable[[Any], None]) -> None: ...


class _Watched:
    """A phone's camera, whose pictures are counted on their way."""

    def __init__(self, phone: Phone) -> None:
        assert phone.camera is not None
        self._camera = phone.camera
        self.ages: list[float] = []
        self.came: list[float] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._camera, name)

    @property
    def began(self) -> float:
        return self._camera.began

    @property
    def stale(self) -> int:
        return self._camera.stale

    def tell(self, news: Any) -> None:
        self._camera.tell(news)

    def close(self) -> None:
        self._camera.close()

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._camera:
            now = time.monotonic()
            self.came.append(now)
            self.ages.append(now - self._camera.began - frame.t)
            yield frame


class _Kept(NoViewer):
    """Keeps what counted, and what was told of the devices."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.told: list[str] = []

    def acted(self, act: Act) -> None:
        if isinstance(act, Action) and not act.quiet:
            self.actions.append(act)

    def announced(self, announcement: Announcement) -> None: ...

    def observed(self, observation: Observation | Any) -> None:
        name = type(observation).__name__
        if name in ("CameraLost", "CameraBack", "Trouble"):
            self.told.append(f"{name} {getattr(observation, 'reason', getattr(observation, 'what', ''))}".strip())


def write_film(table: SimulatedTable, folder: Path) -> tuple[Path, Path, float]:
    """The table as a browser's fake devices take it: film (Y4M), sound (WAV), seconds."""
    film, sound = folder / "table.y4m", folder / "table.wav"
    view, fps = table.look.view, table.fps
    with film.open("wb") as out:
        out.write(f"YUV4MPEG2 W{view.width} H{view.height} F{fps}:1 Ip A1:1 C420jpeg\n".encode())
        first, last, count = None, b"", 0
        for image in table.frames():
            last = b"FRAME\n" + cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).tobytes()
            if first is None:
                first = last
                for _ in range(round(LEAD * fps)):
                    out.write(first)
            out.write(last)
            count += 1
        for _ in range(round(TAIL * fps)):
            out.write(last)
    heard = resampled(np.clip(table.sound(), -1, 1), table.rate, RATE)
    quiet = np.random.default_rng(1).normal(0, 3e-4, round(LEAD * RATE)).astype(np.float32)
    soundfile.write(str(sound), np.concatenate([quiet, heard]), RATE, subtype="PCM_16")
    return film, sound, LEAD + count / fps + TAIL


def measure(seed: int, *, way: str = "socket", rounds: int = 1, compare: bool = True) -> Figures:
    """One table through a browser's page. Raises NoBrowser."""
    table = SimulatedTable(seed, seats=2 + 2 * (seed % 2), rounds=rounds, faces=faces_named("letele"), noise=24.0)
    figures = Figures(seed, way)
    if compare:
        figures.from_files = referee_table(table).verdict.right
    truth = truth_of(table.truth)
    phone, kept = Phone(), _Kept()
    camera = _Watched(phone)
    referee = Referee(Game(truth.header), None, kept, live=True)
    deck = table.faces.like
    with tempfile.TemporaryDirectory(prefix="trut-") as folder:
        film, sound, seconds = write_film(table, Path(folder))
        eyes, ears = eyes_for(deck, table.script.seats), ears_for(table.script.game)
        live = Live(referee, camera, eyes, phone.microphone, ears)
        page = Page(_NoFeed(), Access(), phone=phone)
        running = threading.Thread(target=live.run, name="table", daemon=True)
        with PageServer(page, [Listener("127.0.0.1", 0)]) as server:
            running.start()
            address = f"http://127.0.0.1:{server.ports[0]}/#phone{'/upload' if way == 'upload' else ''}"
            address += f"&code={page.access.code}"
            began = _film_through_browser(address, film, sound, seconds, lambda text: _note(figures, phone, text))
            live.stop()
            running.join(20.0)
            phone.close()
    _count(figures, camera)
    record = Record.parse(table.truth)
    verdict = judge(truth, referee.game, (infractions_of(record), {}))
    figures.rounds, figures.right = len(verdict.rounds), verdict.right
    figures.perfect = sum(one.perfect for one in verdict.rounds)
    figures.wrong = [f"{a} -> {b}" for one in verdict.rounds for a, b in (*one.faults, *one.misheard)]
    figures.told = kept.told
    _apart(figures, table, kept, began - live._start + LEAD)
    return figures


def _film_through_browser(address: str, film: Path, sound: Path, seconds: float, note: Callable[[str], None]) -> float:
    """Let a browser be the phone for so long; when it began, on the clock of ``time.monotonic``.

    Args:
        note: told, shortly before it stops, what the page shows.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("il manque playwright (pip install -e .[test])") from None
    browser_file = chromium()
    if browser_file is None:
        raise NoBrowser("il manque Chromium")
    devices = (f"--use-file-for-fake-video-capture={film}", f"--use-file-for-fake-audio-capture={sound}%noloop")
    with sync_playwright() as tools:
        flags = [*QUIET, *FAKE_DEVICES, *devices]
        browser = tools.chromium.launch(executable_path=browser_file, headless=True, args=flags)
        context = browser.new_context(viewport={"width": 390, "height": 844}, permissions=["camera", "microphone"])
        page = context.new_page()
        page.goto(address)
        page.click("[data-phone=start]")
        page.wait_for_selector("[data-how=sending]", timeout=20_000)
        began = time.monotonic()
        page.wait_for_timeout(1000 * (seconds - 3.0))
        note(" | ".join(line for line in page.inner_text(".phone-side").split("\n") if line.strip()))
        page.wait_for_timeout(2500)
        page.click("[data-phone=stop]")
        browser.close()
    return began


def _note(figures: Figures, phone: Phone, shown: str) -> None:
    """How it is, while it still goes on."""
    assert phone.camera is not None
    assert phone.microphone is not None
    figures.shown, figures.stale = shown, phone.camera.stale
    figures.sound_lost = round(phone.microphone.lost_seconds, 2)


def _count(figures: Figures, camera: _Watched) -> None:
    if len(camera.came) > 1:
        figures.pictures_a_second = round((len(camera.came) - 1) / (camera.came[-1] - camera.came[0]), 1)
        ages = 1000 * np.array(camera.ages)
        figures.age_p50, figures.age_p95 = (round(float(np.percentile(ages, p))) for p in (50, 95))


def _apart(figures: Figures, table: SimulatedTable, kept: _Kept, film_began: float) -> None:
    """How much later than in the truth cards and calls were dated, against the moment at which the page began."""
    times: dict[str, list[float]] = {}
    for line in table.truth.splitlines():
        event, mark, rest = line.partition(" | t=")
        if mark:
            times.setdefault(event.strip(), []).append(float(rest.split()[0]))
    late: dict[str, list[float]] = {"camera": [], "microphone": []}
    for action in kept.actions:
        there = times.get(str(action.event))
        if action.by in late and there and len(there) == 1:
            late[action.by].append(action.t - film_began - there[0])
    for by, name in (("camera", "picture_after_truth"), ("microphone", "sound_after_truth")):
        if late[by]:
            setattr(figures, name, round(1000 * float(np.median(late[by]))))


def main(argv: Sequence[str] | None = None) -> int:
    """See the module. Exit status 1 where there is no browser."""
    parser = argparse.ArgumentParser(prog="python -m assistant.bench.phone", description=__doc__)
    parser.add_argument("--seed", type=int, nargs="+", default=list(SEEDS), metavar="N", help="the tables")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds of each")
    parser.add_argument("--way", choices=("socket", "upload"), default="socket")
    parser.add_argument("--alone", action="store_true", help="without refereeing the same film from its files")
    options = parser.parse_args(argv)
    try:
        for seed in options.seed:
            figures = measure(seed, way=options.way, rounds=options.rounds, compare=not options.alone)
            sys.stdout.write(json.dumps(figures.__dict__, ensure_ascii=False) + "\n")
            sys.stdout.flush()
    except NoBrowser as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
