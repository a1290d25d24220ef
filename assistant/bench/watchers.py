"""Many who watch one page, in a process of their own: what a café full of phones is for the server.

``python -m assistant.bench.watchers PORT COUNT`` opens so many web sockets, says ``ready`` when every one has been
shown the state, reads until its standard input ends, and prints one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from contextlib import suppress

from websockets.asyncio.client import connect

AT_ONCE = 20
"""Connections that are being opened at the same time."""


class Watchers:
    """Who watches, and when each was shown what."""

    def __init__(self, port: int, count: int) -> None:
        self.port, self.count = port, count
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._shown = 0
        self._all = asyncio.Event()
        self.arrivals: dict[int, list[float]] = {}
        self.lost = 0

    async def watch(self) -> None:
        """One of them, until the connection ends."""
        origin = f"http://127.0.0.1:{self.port}"
        try:
            async with self._gate:
                line = await connect(f"ws{origin[4:]}/live", origin=origin, open_timeout=30)  # type: ignore[arg-type]
            first = True
            async for text in line:
                message = json.loads(text)
                if message["type"] != "state":
                    continue
                self.arrivals.setdefault(message["rev"], []).append(time.perf_counter())
                if first:
                    first = False
                    self._shown += 1
                    if self._shown == self.count:
                        self._all.set()
        except OSError:
            pass
        self.lost += 1

    async def run(self) -> dict[str, object]:
        """Watch until standard input ends."""
        tasks = [asyncio.create_task(self.watch()) for _ in range(self.count)]
        async with asyncio.timeout(60):
            await self._all.wait()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        await self._last_state()
        lost = self.lost
        for task in tasks:
            task.cancel()
        return self.figures() | {"lost": lost}

    async def _last_state(self) -> None:
        """Wait until all have been shown the last state, a few seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                while len(self.arrivals[max(self.arrivals)]) + self.lost < self.count:
                    await asyncio.sleep(0.02)

    def figures(self) -> dict[str, object]:
        """``states`` that were shown after the first one, ``shown`` of them to how many in the mean, ``spread_ms_p95``
        from the first watcher who is shown a state to the last one."""
        seen = [sorted(times) for _rev, times in sorted(self.arrivals.items())][1:]
        spreads = sorted(1000 * (times[-1] - times[0]) for times in seen)
        return {
            "watchers": self.count,
            "states": len(seen),
            "shown": round(statistics.mean(map(len, seen)), 1) if seen else 0,
            "spread_ms_p95": round(spreads[int(0.95 * (len(spreads) - 1))], 1) if spreads else None,
        }


def main() -> int:
    """See the module."""
    watchers = Watchers(int(sys.argv[1]), int(sys.argv[2]))

    async def run() -> None:
        print(json.dumps(await watchers.run()), flush=True)

    asyncio.run(run())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
