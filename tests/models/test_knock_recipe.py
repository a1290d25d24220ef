"""The recipe of the knock detector on toy material."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

for library in ("torch", "scipy", "onnx", "onnxruntime"):
    pytest.importorskip(library)

from models.knocks.recipe import combine, material, scenes, tables, train  # noqa: E402


def toy_stock() -> scenes.Stock:
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.1, 32_000).astype(np.float32)
    plates = [material.struck_plate(rng) for _ in range(3)]
    return scenes.Stock(
        knocks={"plates": plates},
        light=[material.clap(rng)],
        sounds={"glass": [(material.ringing(rng), "toy")]},
        backgrounds={"noise": [(noise, "toy")]},
        speech=[(noise, "toy")],
        rooms=[np.eye(1, 4000, dtype=np.float32)[0]],
        music=[material.drums(rng, 6.0)],
    )


@pytest.mark.parametrize("music", [False, True])
def test_scenes_are_the_same_every_time_and_their_knocks_make_onsets(music: bool) -> None:
    one, two = (scenes.scene(toy_stock(), np.random.default_rng(7), music=music) for _ in range(2))
    assert np.array_equal(one.samples, two.samples)
    assert one.knocks == two.knocks
    assert one.knocks or one.buried
    assert np.abs(one.samples).max() <= 1


def test_a_knock_that_nobody_can_hear_is_no_knock() -> None:
    noise = np.random.default_rng(1).normal(0, 0.2, 32_000).astype(np.float32)
    struck = np.zeros(32_000, np.float32)
    for start, loud in ((8_000, 1.0), (20_000, 0.01)):
        struck[start : start + 800] = loud * np.sin(2 * np.pi * 150 * np.arange(800) / 16_000)
    made = scenes.Scene(noise + struck, struck, [(0.5, "a"), (1.25, "a")])
    made.bury()
    assert (made.knocks, made.buried) == ([(0.5, "a")], [1.25])


@pytest.mark.parametrize("kind", ["music", "hiss", "silence"])
def test_all_at_once_the_onsets_are_those_of_the_stream(kind: str) -> None:
    from audio.knocks import Onsets

    rng = np.random.default_rng(2)
    sound = {"music": material.drums(rng, 4.0), "hiss": rng.normal(0, 0.1, 40_000), "silence": np.zeros(30_000)}[kind]
    sound = np.r_[sound, material.struck_plate(rng), np.zeros(3_000)].astype(np.float32)
    stream = Onsets()
    streamed, batched = stream.accept(sound) + stream.finish(), train.onsets_of(sound)
    assert batched
    assert [o.frame for o in batched] == [o.frame for o in streamed]
    assert all(np.array_equal(a.patch, b.patch) for a, b in zip(batched, streamed, strict=True))
    assert all(np.array_equal(a.past, b.past) for a, b in zip(batched, streamed, strict=True))


def test_tables_are_struck_alike_but_not_the_same() -> None:
    rng = np.random.default_rng(3)
    table = tables.Table.random(rng)
    hits = [table.hit(rng) for _ in range(2)]
    assert all(np.abs(hit).max() == pytest.approx(1.0) for hit in hits)
    assert not np.array_equal(hits[0][: len(hits[1])], hits[1][: len(hits[0])])
    assert all(not hit[:150].any() for hit in hits)  # LEAD


def test_what_a_source_taught_can_be_left_out() -> None:
    data = train.examples(scenes.scene(toy_stock(), np.random.default_rng((3, k))) for k in range(2))
    assert set(data.knock) == {0.0, 1.0}
    without = data.without(lambda source: source == "toy")
    assert 0 < len(without.knock) < len(data.knock)
    assert not any("toy" in heard for heard in without.sources)


def test_effects_that_may_be_a_knock_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "some-game"
    folder.mkdir()
    rows = []
    for name, kind in (("splash", "water-air"), ("door_knock", "door"), ("club", "impact-wood"), ("tune", "music")):
        soundfile.write(folder / f"{name}.flac", np.random.default_rng(0).normal(0, 0.1, 4000), 16_000)
        rows.append(
            {"file": f"{name}.flac", "kind": kind, "source": f"Debian some-game 1: {name}.wav", "licence": "GPL-2"}
        )
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [s.kind for s in material.effects(tmp_path)] == ["water-air", "music"]


def test_a_toy_training_is_exported_and_nets_are_averaged(tmp_path: Path) -> None:
    import onnx

    from audio.knocks import KnockNet

    toy = toy_stock()
    data = train.examples(scenes.scene(toy, np.random.default_rng((5, k))) for k in range(6))
    data = train.together([data, train.examples(scenes.alone(toy, np.random.default_rng((6, k))) for k in range(20))])
    seen = train.onsets_of(scenes.scene(toy, np.random.default_rng(9)).samples)[:5]
    heard = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        train.export(train.fit(data, epochs=1, seed=seed), folder / "knocks.onnx")
        (folder / "knocks.json").write_text(json.dumps(train.SETTINGS))
        heard.append(KnockNet(folder).hear(seen))
    both = combine.combined([onnx.load(str(tmp_path / s / "knocks.onnx")) for s in ("1", "2")])
    (tmp_path / "both").mkdir()
    onnx.save(both, str(tmp_path / "both" / "knocks.onnx"))
    (tmp_path / "both" / "knocks.json").write_text(json.dumps(train.SETTINGS))
    mean = KnockNet(tmp_path / "both").hear(seen)
    assert mean.logit == pytest.approx((heard[0].logit + heard[1].logit) / 2, abs=1e-4)
    assert np.allclose(mean.features, np.concatenate([h.features for h in heard], axis=1), atol=1e-4)
