"""How well tables are found: simulated ones of all surfaces, in rooms, at a slant, with cards, hands and things.

    python -m assistant.calibrating.measure_finding [--tables N] [--json]

Prints how many are found, how far off the worst corner is (pixels of 1280), and how many were put in a wrong place: a
corner more than 40 pixels off. The others give the picture's border, and the corners have to be dragged.
"""

from __future__ import annotations

import argparse
import json

import numpy as np

from assistant.calibrating.guide import SIZE, in_a_room
from assistant.simulation.table import SimulatedTable
from calibration.finding import find_table

WRONG = 40.0
"""Pixels of 1280."""


def main() -> None:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    off: list[float] = []
    for seed in range(args.tables):
        rng = np.random.default_rng([seed, 17])
        table = SimulatedTable(seed, slant=0, rounds=1, width=SIZE[0], height=SIZE[1])
        picture = table.stage.frame(int(rng.integers(0, 60)))
        w, h = SIZE
        inset, top = rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.25)
        shares = np.array([[inset, top], [1 - inset, top], [0.95, 0.93], [0.05, 0.93]]) + rng.uniform(
            -0.04, 0.04, (4, 2)
        )
        corners = shares * [w, h]
        floor = tuple(int(v) for v in rng.uniform(40, 210, 3))
        room = in_a_room(picture, tuple((float(x), float(y)) for x, y in corners), floor)  # type: ignore[arg-type]
        found = find_table([room], 4)
        if found.setup.found == "seen":
            off.append(float(np.linalg.norm(np.array(found.setup.corners) - corners, axis=1).max()))
    right = [o for o in off if o <= WRONG]
    if args.json:
        print(json.dumps({"tables": args.tables, "found": len(right), "wrong": len(off) - len(right), "off_px": right}))
        return
    print(
        f"{len(right)} of {args.tables} found, the worst corner {np.median(right):.0f} px off (most {max(right):.0f});"
        f" {len(off) - len(right)} put in a wrong place, {args.tables - len(off)} not found"
    )


if __name__ == "__main__":
    main()
