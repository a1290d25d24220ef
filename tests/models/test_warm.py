"""Warm start: a net filled from its own ONNX file answers as before, also where it has grown."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from models.finder.recipe.net import Finder  # noqa: E402
from models.reader.recipe.net import Residual, convolution  # noqa: E402
from models.warm import module_of, warm_start  # noqa: E402


def shaken(net: torch.nn.Module) -> torch.nn.Module:
    """Every normalisation with statistics and scales of its own, as training leaves them."""
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            for value, low, high in (
                (module.running_mean, -1, 1),
                (module.running_var, 0.5, 2),
                (module.weight, 0.5, 2),
                (module.bias, -1, 1),
            ):
                torch.nn.init.uniform_(value, low, high)
    return net.eval()


def small(outputs: int) -> torch.nn.Sequential:
    return torch.nn.Sequential(convolution(3, 8, 2), Residual(8), torch.nn.Flatten(), torch.nn.Linear(8 * 16, outputs))


def exported(net: torch.nn.Module, x: torch.Tensor, path: Path) -> Path:
    torch.onnx.export(net, (x,), str(path), input_names=["x"], dynamo=False, opset_version=17)
    return path


def test_names_of_nodes_become_names_of_modules() -> None:
    assert module_of("/trunk/trunk.4/first/first.0/Conv") == "trunk.4.first.0"
    assert module_of("/down2/down2.3/down2.3.0/Conv") == "down2.3.0"


def test_filled_net_answers_as_the_file() -> None:
    torch.manual_seed(0)
    here = Path(__file__).parents[2] / "models" / "finder" / "finder.onnx"
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(str(here), providers=["CPUExecutionProvider"])
    x = torch.randn(1, 3, 96, 128)
    net = Finder().eval()
    unfilled = warm_start(net, here, torch.randn(4, 3, 96, 128))
    geometry = dict(zip([o.name for o in session.get_outputs()], session.run(None, {"x": x.numpy()}), strict=True))
    assert not [n for n in unfilled if n.startswith(("down", "geometry"))]
    with torch.no_grad():
        assert float((net(x)[2] - torch.from_numpy(geometry["geometry"])).abs().max()) < 1e-2


def test_grown_layer_keeps_its_first_answers(tmp_path: Path) -> None:
    torch.manual_seed(0)
    old, x = shaken(small(5)), torch.randn(2, 3, 8, 8)
    file = exported(old, x, tmp_path / "old.onnx")
    grown = small(9)
    assert set(warm_start(grown, file, torch.randn(8, 3, 8, 8))) == {"3.weight", "3.bias"}
    grown.eval()
    with torch.no_grad():
        assert torch.allclose(grown(x)[:, :5], old(x), atol=1e-4)
    assert all(p.requires_grad for p in grown.parameters())
