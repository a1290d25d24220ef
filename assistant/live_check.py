"""``trut doctor --live``: how a live table does on this machine, second by second."""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from typing import Any, TextIO

from assistant.acts import Act
from assistant.announcer import Announcement
from assistant.at_pace import CameraAtPace, MicrophoneAtPace
from assistant.figures import Reading
from assistant.holding import Observation
from assistant.i18n import _
from assistant.live import Live
from assistant.showing import announcement_row
from audio.health import Trouble
from vision.threads import SystemThreads, Threads

PAUSE = 1.0
"""Seconds between two readings."""
KEPT = 600
"""Readings that are kept for a bug report."""


class Check:
    """Shows the figures of a live table while it runs; also what it says (a viewer).

    Args:
        as_json: one object a line, ``{"kind": "live", ...}`` and the announcements.
        out: where it is printed; standard output if None.

    Attributes:
        latest: the last readings, oldest first.
    """

    def __init__(self, *, as_json: bool, out: TextIO | None = None) -> None:
        self.latest: deque[Reading] = deque(maxlen=KEPT)
        self._json = as_json
        self._out = out or sys.stdout
        self._over = self._out.isatty() and not as_json
        self._width = 0

    def run(self, live: Live, threads: Threads, seconds: float | None) -> None:
        """Run the table for so long, or until its media end or Ctrl-C."""
        over = threads.bell()

        def watch() -> None:
            while not over.wait(PAUSE):
                self.show(live.reading())

        threads.start(watch, "figures")
        try:
            live.run(seconds)
        finally:
            over.set()
        self.show(live.reading())
        if self._width:
            self._out.write("\n")

    def show(self, reading: Reading) -> None:
        """One line of figures."""
        self.latest.append(reading)
        if self._json:
            self._row({"kind": "live", **reading.row()})
            return
        line = sentence(reading)
        if self._over:
            self._out.write("\r" + line.ljust(self._width))
            self._out.flush()
            self._width = len(line)
        else:
            print(line, file=self._out, flush=True)

    # what a viewer is shown

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None: ...

    def announced(self, announcement: Announcement) -> None:
        if self._json:
            self._row(announcement_row(announcement))
            return
        if self._width:
            self._out.write("\r" + " " * self._width + "\r")
            self._width = 0
        print(f"  » {announcement.text}", file=self._out, flush=True)

    def _row(self, row: dict[str, Any]) -> None:
        print(json.dumps(row, ensure_ascii=False), file=self._out, flush=True)


def check_table(args: argparse.Namespace) -> list[Reading]:
    """A live table with the devices or files that ``trut doctor --live`` names, refereed without a record; its last
    readings."""
    from assistant import wiring
    from assistant.session import Referee
    from engine import Game, Header

    threads = SystemThreads()
    header = Header(args.game or "trut", seats=args.seats or 0)
    eyes = wiring.eyes_for(wiring.deck_for(header.game, args.deck), header.seats) if args.camera != "off" else None
    media = wiring.open_media(args.camera, args.mic or None)
    camera, sound = media.camera, media.sound
    if not media.live:
        camera = camera and CameraAtPace(camera, threads)
        sound = sound and MicrophoneAtPace(sound, threads)
    try:
        ears = wiring.ears_for(header.game) if sound is not None else None
        check = Check(as_json=args.json)
        live = Live(Referee(Game(header), None, check, live=True), camera, eyes, sound, ears, threads=threads)
        check.run(live, threads, args.seconds)
    finally:
        for device in (camera, sound):
            if device is not None:
                device.close()
    return list(check.latest)


def sentence(reading: Reading) -> str:
    """The figures of one moment for people."""
    parts = [f"{reading.t:6.1f} s"]
    if reading.age_ms is not None:
        parts.append(
            _("images {pictures:.1f}/s, lues {looked:.1f}/s, âge {age} ms, sautées {dropped}, périmées {stale}").format(
                pictures=reading.pictures,
                looked=reading.looked,
                age=round(reading.age_ms),
                dropped=reading.dropped,
                stale=reading.stale,
            )
        )
    if reading.eyes_ms is not None and reading.eyes_ms_p95 is not None:
        parts.append(
            _("yeux {ms} ms (95 % : {worst})").format(ms=round(reading.eyes_ms), worst=round(reading.eyes_ms_p95))
        )
    if reading.ears_percent is not None:
        parts.append(_("oreilles {percent:.1f} %").format(percent=reading.ears_percent))
    if reading.sound_lost:
        parts.append(_("son perdu {seconds:.1f} s").format(seconds=reading.sound_lost))
    if reading.card_ms is not None:
        parts.append(_("carte {ms} ms").format(ms=round(reading.card_ms)))
    if reading.knock_ms is not None:
        parts.append(_("coup {ms} ms").format(ms=round(reading.knock_ms)))
    parts.append(_("file {queue}, mémoire {mb:.0f} Mo").format(queue=reading.queue, mb=reading.rss_mb))
    if reading.down:
        parts.append(_("EN PANNE : {parts}").format(parts=", ".join(reading.down)))
    return "   ".join(parts)
