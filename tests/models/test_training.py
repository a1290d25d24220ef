"""The loop and the export that the recipes share, on a net of a few weights."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from models import exporting, training  # noqa: E402


class Shades(torch.utils.data.IterableDataset):
    """Endless batches of eight plain pictures, and how bright each is."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        rng = np.random.default_rng(self.seed)
        while True:
            shades = torch.from_numpy(rng.integers(0, 256, 8).astype(np.uint8))
            yield shades[:, None, None, None].expand(8, 6, 4, 3), shades / 255


def normalise(pictures: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(pictures.astype(np.float32) / 255).permute(0, 3, 1, 2)


def judge(answers: torch.Tensor, shades: torch.Tensor) -> tuple[torch.Tensor, dict[str, float]]:
    off = (answers.float()[:, 0] - shades).square().mean()
    return off, {"off by": off.item() ** 0.5}


def small() -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3, 1, 1, bias=False),
        torch.nn.BatchNorm2d(4),
        torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Linear(4, 1),
    )


def arguments(out: Path, *more: str) -> argparse.Namespace:
    asked = ["--out", str(out), "--samples", "320", "--workers", "0", "--full", *more]
    return training.parser("", rate=0.03).parse_args(asked)


def trained(asked: argparse.Namespace, every: int = 200) -> list[float]:
    training.settle(asked.seed)
    net, batches = small(), Shades(asked.seed)
    if asked.init:
        training.begin(net, asked.init, lambda: normalise(next(iter(batches))[0].numpy()))
    optimiser = torch.optim.AdamW(net.parameters(), asked.rate)
    return training.train(
        training.Run.of(asked), net, optimiser, batches, normalise, judge, {"made of": "shades"}, every=every
    )


def test_rate_rises_and_then_falls_to_a_fiftieth() -> None:
    rising = [training.rate_at(0.1, step, 0.0, warming=10) for step in range(12)]
    assert rising == pytest.approx([0.01 * min(step + 1, 10) for step in range(12)])
    falling = [training.rate_at(0.1, 500, passed, warming=10) for passed in np.linspace(0, 1, 11)]
    assert all(a > b for a, b in pairwise(falling))
    assert falling[5] == pytest.approx(0.051)
    assert falling[-1] == pytest.approx(0.002)


def test_run_ends_by_the_clock_or_by_the_views() -> None:
    out = Path("net.pt")
    assert training.Run(out, minutes=2).passed(30, 10**6) == 0.25
    assert training.Run(out, samples=40).passed(10**6, 10) == 0.25


def test_same_seed_repeats_itself_and_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (trained(arguments(tmp_path / f"{k}.pt"), every=20) for k in "ab")
    assert first == second
    assert first != trained(arguments(tmp_path / "c.pt", "--seed", "2"))
    assert len(first) == 320 / 8
    assert np.mean(first[-10:]) < np.mean(first[:10]) / 2
    about = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert (about["made of"], about["seed"], about["views"]) == ("shades", 1, 320)
    told = [line for line in capsys.readouterr().out.splitlines() if ", off by " in line]
    assert [line.split(",")[1] for line in told] == [" 160 views", " 320 views"] * 2


def test_each_group_of_weights_has_its_own_highest_rate(tmp_path: Path) -> None:
    net = small()
    still = net[0].weight.detach().clone()
    groups = [{"params": list(net[0].parameters()), "lr": 0.0}, {"params": list(net[5].parameters())}]
    run = training.Run.of(arguments(tmp_path / "net.pt"))
    moving = net[5].weight.detach().clone()
    training.train(run, net, torch.optim.AdamW(groups, 0.03), Shades(1), normalise, judge, {})
    assert torch.equal(net[0].weight, still)
    assert not torch.equal(net[5].weight, moving)


def test_a_clipped_step_is_short(tmp_path: Path) -> None:
    def moved(clip: float | None) -> float:
        torch.manual_seed(0)
        net = small()
        before = net[5].bias.detach().clone()
        run = training.Run.of(arguments(tmp_path / "net.pt"))
        optimiser = torch.optim.SGD(net.parameters(), 0.1)
        training.train(run, net, optimiser, Shades(1), normalise, judge, {}, clip=clip)
        return float((net[5].bias - before).detach().abs())

    assert moved(1e-4) < 1e-3 < moved(None)


def test_goes_on_from_a_checkpoint_and_from_its_export(tmp_path: Path) -> None:
    out = tmp_path / "net.pt"
    first = trained(arguments(out))
    torch_net = small()
    assert training.begin(torch_net, out, lambda: pytest.fail("a checkpoint needs no pictures")) == []
    assert exporting.export(torch_net, tmp_path / "net.onnx", ["shade"], [(1, 3, 6, 4), (5, 3, 6, 4)]) < 1e-5
    for init in (out, tmp_path / "net.onnx"):
        again = trained(arguments(tmp_path / "again.pt", "--init", str(init)))
        assert np.mean(again[:3]) < np.mean(first[:3]) / 3


def test_export_takes_any_number_and_any_size(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    out = tmp_path / "new folder" / "net.onnx"
    exporting.export(small(), out, ["shade"], [(1, 3, 6, 4)], any_size=True)
    session = onnxruntime.InferenceSession(str(out), providers=["CPUExecutionProvider"])
    (shade,) = session.run(["shade"], {"x": np.zeros((7, 3, 10, 16), np.float32)})
    assert shade.shape == (7, 1)
    assert [p.name for p in out.parent.iterdir()] == ["net.onnx"]


def test_a_saving_cut_short_leaves_the_old_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, old = tmp_path / "net.pt", small()
    training.save(old, path)

    def broken(weights: object, part: Path) -> None:
        part.write_bytes(b"half")
        raise OSError

    monkeypatch.setattr(torch, "save", broken)
    with pytest.raises(OSError):  # noqa: PT011
        training.save(small(), path)
    assert torch.equal(torch.load(path)["5.weight"], old.state_dict()["5.weight"])


def test_weights_are_averaged_over_few_steps_at_first() -> None:
    kept, count = [torch.zeros(1), torch.tensor([0])], 0
    for count in range(1, 4):
        training.running_mean(kept, [torch.ones(1), torch.tensor([count])], count)
    assert float(kept[0]) == pytest.approx(1 - 2 / 11 * 3 / 12 * 4 / 13)
    assert int(kept[1]) == 3
    late = [torch.zeros(1)]
    training.running_mean(late, [torch.ones(1)], torch.tensor(10**6))
    assert float(late[0]) == pytest.approx(0.002)
