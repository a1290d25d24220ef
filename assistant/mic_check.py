"""``trut doctor --mic``: what a microphone gives and what the ears make of it, while one looks."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from assistant.announcer import NOTICES
from assistant.commands.listen import as_row, sentence
from assistant.i18n import _

if TYPE_CHECKING:
    from audio.devices import InputDevice
    from audio.ears import Ears
    from audio.events import SoundObservation
    from audio.health import Levels, Trouble
    from audio.microphone import Microphone

RATE = 16_000
REFRESH, LINES = 0.1, 1.0
"""Seconds between two looks: on a terminal, where one line is written over, and elsewhere."""
BAR = 24
LOWEST, HIGHEST = -84.0, 0.0
"""Decibels at the ends of the bar."""


def check(microphone: Microphone, ears: Ears, seconds: float | None, as_json: bool, out: TextIO | None = None) -> None:
    """Show level, noise, clipping and what is heard, for ``seconds`` or until Ctrl-C."""
    shown = _Shown(out or sys.stdout, as_json)
    shown.devices(microphone.devices, microphone.name)
    heard, due = 0, 0.0
    try:
        for block in microphone:
            heard += len(block)
            t = heard / RATE
            for event in ears.accept(block):
                shown.heard(event)
            for trouble in microphone.news():
                shown.trouble(trouble)
            if t >= due:
                due = t + shown.pause
                shown.levels(t, microphone.levels)
            if seconds is not None and t >= seconds:
                break
    except KeyboardInterrupt:
        pass
    for event in ears.finish():
        shown.heard(event)
    shown.end()


def trouble_sentence(trouble: Trouble) -> str:
    """How the microphone is doing, for people."""
    return _(NOTICES[f"microphone-{trouble.what}"]).format(device=trouble.device, name="", card="")


class _Shown:
    """Lines for people, one of them written over on a terminal; or JSON."""

    def __init__(self, out: TextIO, as_json: bool) -> None:
        self._out, self._json = out, as_json
        self._over = out.isatty() and not as_json
        self._width = 0
        self.pause = REFRESH if self._over else LINES

    def devices(self, devices: Sequence[InputDevice], name: str) -> None:
        """Which microphones there are."""
        for device in devices:
            if self._json:
                self._row({"kind": "device", **asdict(device), "used": device.name == name})
                continue
            mark = "→" if device.name == name else " "
            default = _(" (par défaut)") if device.default else ""
            line = _("{mark} micro {index} : {name}, {rate} Hz, canaux : {channels}{default}")
            self._line(
                line.format(
                    mark=mark,
                    index=device.index,
                    name=device.name,
                    rate=device.rate,
                    channels=device.channels,
                    default=default,
                )
            )

    def heard(self, event: SoundObservation) -> None:
        if self._json:
            self._row(as_row(event))
        else:
            self._line(sentence(event))

    def trouble(self, trouble: Trouble) -> None:
        if self._json:
            self._row({"kind": "trouble", **asdict(trouble)})
        else:
            self._line(trouble_sentence(trouble))

    def levels(self, t: float, levels: Levels) -> None:
        if self._json:
            numbers = {"level": levels.now, "floor": levels.floor, "clipped": levels.clipped}
            self._row({"kind": "level", "t": t, **numbers})
            return
        line = _("{bar} niveau {now:4.0f} dB   bruit de fond {floor:4.0f} dB   saturation {clipped:.1f} %").format(
            bar=_bar(levels), now=levels.now, floor=levels.floor, clipped=100 * levels.clipped
        )
        if self._over:
            self._out.write("\r" + line.ljust(self._width))
            self._out.flush()
            self._width = len(line)
        else:
            self._line(line)

    def end(self) -> None:
        if self._width:
            self._out.write("\n")

    def _line(self, text: str) -> None:
        clear = "\r" + " " * self._width + "\r" if self._width else ""
        print(clear + text, file=self._out, flush=True)
        self._width = 0

    def _row(self, row: dict[str, Any]) -> None:
        numbers = {key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()}
        print(json.dumps(numbers, ensure_ascii=False), file=self._out, flush=True)


def _bar(levels: Levels) -> str:
    """The level as a bar, the noise of the room marked in it."""

    def column(db: float) -> int:
        return min(BAR, max(0, round(BAR * (db - LOWEST) / (HIGHEST - LOWEST))))

    cells = list("█" * column(levels.now) + "·" * (BAR - column(levels.now)))
    cells[min(BAR - 1, column(levels.floor))] = "|"
    return "".join(cells)
