"""The recipe of the knock detector on toy material."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

for library in ("torch", "scipy", "onnx", "onnxruntime"):
    pytest.importorskip(library)

from models.knocks.recipe import combine, material, scenes, train  # noqa: E402


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
    assert one.knocks
    assert np.abs(one.samples).max() <= 1


def test_what_a_source_taught_can_be_left_out() -> None:
    data = train.examples(toy_stock(), range(2), 3)
    assert set(data.knock) == {0.0, 1.0}
    without = data.without(lambda source: source == "toy")
    assert 0 < len(without.knock) < len(data.knock)
    assert not any("toy" in heard for heard in without.sources)


def test_a_toy_training_is_exported_and_nets_are_averaged(tmp_path: Path) -> None:
    import onnx

    from audio.knocks import shipped_classifier

    data = train.examples(toy_stock(), range(12), 5)
    data = train.Examples(np.tile(data.patches, (2, 1, 1, 1)), np.tile(data.knock, 2), data.sources * 2)
    answers = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        train.export(train.fit(data, epochs=1, seed=seed), folder / "knocks.onnx")
        (folder / "knocks.json").write_text('{"first": 0.9, "further": 0.6}')
        answers.append(shipped_classifier(folder)[0](data.patches[:5].astype(np.float32)))
    both = combine.combined([onnx.load(str(tmp_path / s / "knocks.onnx")) for s in ("1", "2")])
    (tmp_path / "both").mkdir()
    onnx.save(both, str(tmp_path / "both" / "knocks.onnx"))
    (tmp_path / "both" / "knocks.json").write_text('{"first": 0.9, "further": 0.6}')
    mean = shipped_classifier(tmp_path / "both")[0](data.patches[:5].astype(np.float32))
    logits = [np.log(a / (1 - a)) for a in answers]
    assert mean == pytest.approx(1 / (1 + np.exp(-(logits[0] + logits[1]) / 2)), abs=1e-5)
