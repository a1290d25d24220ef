"""The guide says what the program does: its pictures are there and small, its bounds are those of the lights."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calibration.lights import BOUNDS

DOCS = Path(__file__).parents[2] / "docs"
LIGHTS = {"Lumière": "light", "Netteté": "blur", "Reflets": "glare", "Angle": "angle", "Taille": "size"}
LIGHTS |= {"Light": "light", "Sharpness": "blur", "Glare": "glare", "Size": "size"}


@pytest.mark.parametrize("page", ["guide.md", "guide.en.md"])
def test_every_picture_and_page_of_the_guide_is_there_and_small(page: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (DOCS / page).read_text(encoding="utf-8"))
    assert len(links) >= 9
    for link in links:
        assert (DOCS / link).is_file(), link
        if link.endswith(".jpg"):
            assert (DOCS / link).stat().st_size < 100_000, link


@pytest.mark.parametrize("page", ["guide.md", "guide.en.md"])
def test_the_guide_s_bounds_are_those_of_the_lights(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    parts = re.split(r"^### (\w+)", text, flags=re.MULTILINE)[1:]
    seen = dict(zip(parts[::2], parts[1::2], strict=True))
    assert len(seen) == 5
    for title, body in seen.items():
        bounds = BOUNDS[LIGHTS[title]]  # type: ignore[index]
        sentence = next(line for line in body.splitlines() if line.startswith(("Orange", "Amber")))
        amber, red = (float(n.replace(",", ".")) for n in re.findall(r"\d+(?:[.,]\d+)?", sentence)[:2])
        times = 100 if LIGHTS[title] == "blur" else 1
        assert (amber, red) == pytest.approx((times * bounds.amber, times * bounds.red)), title
