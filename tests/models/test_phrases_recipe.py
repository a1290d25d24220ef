"""The recipe of the phrase net, in toys: alignment, export, and who is kept out of training."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

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


def small_net():  # type: ignore[no-untyped-def]
    """A net of 16 channels with all its statistics set."""
    from models.phrases.recipe.net import PhoneNet

    torch.manual_seed(1)
    net = PhoneNet(16)
    net.mean.normal_()
    net.deviation.uniform_(1, 3)
    net.prior.uniform_(0.1, 1)
    for norm in net.norm:
        norm.running_mean.normal_(0, 0.3)
        norm.running_var.uniform_(0.5, 2)
    return net.eval()


def test_the_exported_net_says_what_the_trained_one_says(tmp_path: Path) -> None:
    import onnxruntime

    from models.phrases.recipe.export import build
    from models.phrases.recipe.net import SIGHT

    net = small_net()
    path = tmp_path / "net.onnx"
    onnx.save(build(net, 0.6), str(path))
    cepstra = torch.randn(1, 2 * SIGHT + 9, 40) * 3
    with torch.no_grad():
        wanted = torch.log_softmax(net(cepstra)[0], 1) - 0.6 * torch.log(net.prior.clamp(min=2e-3))
        wanted_hidden = net.hidden(cepstra)[0]
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found, hidden = (out[0].T for out in session.run(None, {"cepstra": cepstra.numpy().transpose(0, 2, 1)}))
    assert found.shape == (3, 35)
    assert np.abs(found - wanted.numpy()).max() < 0.02  # half precision
    assert np.abs(hidden - wanted_hidden.numpy()).max() < 0.02


def test_an_output_sees_so_far_and_no_farther() -> None:
    from models.phrases.recipe.net import SIGHT

    cepstra = torch.randn(1, 2 * SIGHT + 1, 40, requires_grad=True)
    small_net()(cepstra).sum().backward()
    assert cepstra.grad is not None
    seen = cepstra.grad.abs().sum(2)[0]
    assert seen[0] > 0
    assert seen[-1] > 0


def test_the_ears_take_a_net_of_any_sight(tmp_path: Path) -> None:
    from audio.acoustic import PhoneStream
    from models.phrases.recipe.export import build

    path = tmp_path / "net.onnx"
    onnx.save(build(small_net()), str(path))
    stream = PhoneStream(path)
    phones = stream.accept(np.zeros(32000, np.float32))
    assert phones.hidden.shape == (len(phones), 16)
    assert stream.known_at(len(phones) - 1) <= 2.0 < stream.known_at(len(phones) + 2)


def test_who_is_kept_back_is_not_trained_on(tmp_path: Path) -> None:
    from models.phrases.recipe.corpus import clips, kept_back, sentences_kept_back

    folder = tmp_path / "vocgame"
    folder.mkdir()
    rows = [{"file": f"{n}.ogg", "text": "oui", "speaker": f"vocgame-{n:02d}"} for n in (1, 24, 25, 35)]
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    other = tmp_path / "fleurs"
    other.mkdir()
    rows = [{"file": f"{n}.ogg", "text": "il fait beau", "speaker": f"fleurs-0{n}"} for n in (1, 2)]
    (other / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [c.speaker for c in clips([tmp_path], None, None)] == ["fleurs-01", "vocgame-01", "vocgame-24"]
    assert [c.speaker for c in clips([tmp_path], None, None, ["vocgame"])] == ["fleurs-01"]
    assert [c.speaker for c in sentences_kept_back(tmp_path)] == ["fleurs-02"]
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


@cache
def toy() -> tuple[Any, dict[str, np.ndarray]]:
    """A stream of forty spoken texts, and some clatter."""
    from audio.features import energies
    from models.phrases.recipe.sounds import Rooms, clatter
    from models.phrases.recipe.streams import stream, synthetic

    made = stream(synthetic(40, 6, ["il fait beau", "encore une carte"]), 4, Rooms(None))
    return made, {"clatter": np.log(energies(clatter(np.random.default_rng(7), 10)) + 1e-2).astype(np.float16)}


def test_windows_are_drawn_anew_and_the_same_for_one_seed() -> None:
    from models.phrases.recipe.windows import CHUNK, WINDOW, Windows

    stream, noise = toy()
    windows = Windows([(1.0, stream)], noise, 9)
    cepstra, phones = windows.batch()
    assert cepstra.shape[1:] == (WINDOW, 40)
    assert phones.shape[1:] == (CHUNK,)
    assert cepstra.isfinite().all()
    silent = (phones == 0).all(1).float().mean()
    assert 0 < silent < 0.4
    assert (windows.batch()[0] != cepstra).any()
    assert (Windows([(1.0, stream)], noise, 9).batch()[0] == cepstra).all()


def test_a_longer_tract_lowers_the_bands() -> None:
    from models.phrases.recipe.windows import _TRACTS, _WARPS

    peak = np.zeros(40, np.float32)
    peak[20] = 1.0
    moved = [float((peak @ warp) @ np.arange(40) / (peak @ warp).sum()) for warp in _WARPS]
    assert all(a > b for a, b in pairwise(moved))
    assert moved[int(np.argmin(np.abs(_TRACTS - 1)))] == pytest.approx(20, abs=0.3)


def test_an_interrupted_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from models.phrases.recipe import train, windows

    monkeypatch.setattr(windows, "BATCH", 4)
    stream, noise = toy()
    monkeypatch.setattr(train, "_KEEP", 0.0)
    seen: list[int] = []
    state = tmp_path / "state.pt"
    train.train([(1.0, stream)], noise, 3, 1e-3, 16, state=state, report=lambda net: seen.append(net.last.in_features))
    assert seen == [16, 16, 16]
    assert torch.load(state, weights_only=True)["step"] == 3
    train.train([(1.0, stream)], noise, 5, 1e-3, 16, state=state, report=lambda net: seen.append(1))
    assert len(seen) == 5


def test_a_toy_training_learns_something(monkeypatch: pytest.MonkeyPatch) -> None:
    from models.phrases.recipe import windows
    from models.phrases.recipe.train import train
    from models.phrases.recipe.windows import Windows

    monkeypatch.setattr(windows, "BATCH", 16)
    stream, noise = toy()
    net = train([(1.0, stream)], noise, steps=60, rate=1e-2, width=24)
    cepstra, phones = Windows([(1.0, stream)], noise, 9).batch()
    with torch.no_grad():
        loss = torch.nn.functional.cross_entropy(net(cepstra).flatten(0, 1), phones.flatten())
    assert loss < np.log(35) * 0.85


def test_recorded_noises_are_kept_apart(tmp_path: Path) -> None:
    import soundfile

    from models.phrases.recipe.recordings import recorded_noises, recordings
    from models.phrases.recipe.sounds import Rooms

    (tmp_path / "fan").mkdir()
    for n in range(24):
        soundfile.write(str(tmp_path / "fan" / f"{n}.wav"), np.random.default_rng(n).normal(0, 0.1, 8000), 16000)
    rows = [{"file": f"{n}.wav", "kind": "fan" if n else "speech-other"} for n in range(24)]
    (tmp_path / "fan" / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    trained, measured = ([path for _, path in recordings(tmp_path, kept)] for kept in (False, True))
    assert len(trained) + len(measured) == 23
    assert 0 < len(measured) < 9
    made = recorded_noises(tmp_path, Rooms(None), np.random.default_rng(1))
    assert list(made) == ["recorded fan"]
    assert made["recorded fan"].shape[1] == 40


def test_a_closed_set_takes_the_likeliest() -> None:
    from audio.phones import INDEX
    from models.phrases.recipe.closed_set import Choice, mixed

    a, t, i = INDEX["a"], INDEX["t"], INDEX["i"]
    outputs = np.full((9, 35), -6.0)
    for at, phone in enumerate([0, 0, t, a, a, a, 0, 0, 0]):
        outputs[at, phone] = 0.0
    assert Choice([[(t, i)], [(i, t), (t, a)]]).likeliest(outputs) == 1
    noise = np.random.default_rng(3).normal(0, 1, 40000)
    clip = np.random.default_rng(4).normal(0, 0.1, 8000)
    quiet, loud = (mixed(clip, noise, ratio, np.random.default_rng(5)) for ratio in (40.0, 0.0))
    hiss = (loud[:8000].std() / quiet[:8000].std(), loud[:8000].std() / loud[9600:17600].std())
    assert hiss[0] == pytest.approx(100, rel=0.1)
    assert 0.5 < hiss[1] < 1.0
