"""The recipe of the phrase net, in toys: alignment, export, and who is kept out of training."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("numba")
onnx = pytest.importorskip("onnx")


def test_a_path_goes_through_all_phones_in_order() -> None:
    from models.phrases.recipe.align import best_path

    outputs = np.full((9, 35), -5.0)
    for t, phone in enumerate([0, 0, 7, 7, 0, 3, 3, 3, 0]):
        outputs[t, phone] = 0.0
    score, path = best_path(outputs, np.array([7, 3]), 1.0)
    assert path.tolist() == [0, 0, 1, 1, 2, 3, 3, 3, 4]
    assert score == -1.0  # the pause inside costs its price


def test_the_exported_net_says_what_the_trained_one_says(tmp_path: Path) -> None:
    import onnxruntime

    from models.phrases.recipe.export import build
    from models.phrases.recipe.net import PhoneNet

    torch.manual_seed(1)
    net = PhoneNet(16)
    net.mu.normal_()
    net.sd.uniform_(1, 3)
    net.pri.uniform_(0.1, 1)
    for norm in net.b:
        norm.running_mean.normal_(0, 0.3)
        norm.running_var.uniform_(0.5, 2)
    net.eval()
    path = tmp_path / "net.onnx"
    onnx.save(build(net.state_dict(), 0.6), str(path))
    cepstra = torch.randn(1, 51, 40) * 3
    with torch.no_grad():
        wanted = torch.log_softmax(net(cepstra)[0], 1) - 0.6 * torch.log(net.pri.clamp(min=2e-3))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = session.run(None, {"cepstra": cepstra.numpy().transpose(0, 2, 1)})[0][0].T
    assert found.shape == (3, 35)
    assert np.abs(found - wanted.numpy()).max() < 0.02  # half precision


def test_who_is_kept_back_is_not_trained_on(tmp_path: Path) -> None:
    from models.phrases.recipe.corpus import clips, kept_back

    folder = tmp_path / "vocgame"
    folder.mkdir()
    rows = [{"file": f"{n}.ogg", "text": "oui", "speaker": f"vocgame-{n:02d}"} for n in (1, 24, 25, 35)]
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [c.speaker for c in clips(tmp_path, None, None)] == ["vocgame-01", "vocgame-24"]
    assert [c.speaker for c in kept_back(tmp_path)] == ["vocgame-25", "vocgame-35"]


def test_a_stream_has_a_phone_for_every_frame() -> None:
    from models.phrases.recipe.sounds import Rooms
    from models.phrases.recipe.streams import TEST_VOICES, stream, synthetic, voices

    assert not set(voices()) & set(TEST_VOICES)
    spoken = synthetic(6, 5, ["il fait beau", "encore une carte"])
    made = stream(spoken, 3, Rooms(None))
    assert made.logs.shape == (len(made.phones), 40)
    assert made.logs.dtype == np.float16
    assert np.isfinite(made.logs.astype(np.float32)).all()
    assert 0.1 < (made.phones == 0).mean() < 0.9
    again = stream(spoken, 3, Rooms(None))
    assert (again.logs == made.logs).all()


def test_a_toy_training_learns_something() -> None:
    from audio.features import energies
    from models.phrases.recipe.sounds import Rooms, clatter
    from models.phrases.recipe.streams import stream, synthetic
    from models.phrases.recipe.train import Windows, train

    spoken = synthetic(40, 6, ["il fait beau", "encore une carte"])
    made = stream(spoken, 4, Rooms(None))
    noise = np.log(energies(clatter(np.random.default_rng(7), 10)) + 1e-2).astype(np.float16)
    net = train([(1.0, made)], {"clatter": noise}, steps=40, rate=8e-3, width=24)
    cepstra, phones = Windows([(1.0, made)], {"clatter": noise}, 9).batch()
    with torch.no_grad():
        loss = torch.nn.functional.cross_entropy(net(cepstra).reshape(-1, 35), phones.reshape(-1))
    assert loss < np.log(35) * 0.85
