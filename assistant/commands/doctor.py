"""``trut doctor``: what is installed, what is missing, and the command that mends it."""

from __future__ import annotations

import argparse
import ctypes.util
import importlib
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assistant.i18n import _

MODELS = Path(__file__).parents[2] / "models"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``needed``: the main job does not run without it."""

    what: str
    found: str | None
    needed: bool
    remedy: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("une ligne JSON par constat"))


def run(args: argparse.Namespace) -> int:
    findings = examine()
    for f in findings:
        if args.json:
            print(json.dumps(asdict(f), ensure_ascii=False))
        elif f.found is not None:
            print(f"  ok   {f.what:22s} {f.found}")
        else:
            mark = _("MANQUE") if f.needed else _("absent")
            print(f"{mark:>6s} {f.what:22s} {f.remedy}")
    return 1 if any(f.found is None and f.needed for f in findings) else 0


def examine() -> list[Finding]:
    """Everything the program may need, in the order of how much it needs it."""
    reinstall = _("réinstaller : pip install -e .")
    packages = [
        ("numpy", "numpy", True, reinstall),
        ("opencv-python", "cv2", True, _("sous Debian ou Ubuntu : sudo apt install libgl1 libglib2.0-0")),
        ("onnxruntime", "onnxruntime", True, reinstall),
        ("soundfile", "soundfile", True, _("sous Debian ou Ubuntu : sudo apt install libsndfile1")),
        ("soxr", "soxr", True, reinstall),
        ("av", "av", False, reinstall),
        ("sounddevice", "sounddevice", False, _("sous Debian ou Ubuntu : sudo apt install libportaudio2")),
        ("espeakng-loader", "espeakng_loader", False, reinstall),
        ("vosk", "vosk", False, reinstall),
    ]
    findings = [Finding("Python", f"{platform.python_version()} ({sys.platform})", True, "")]
    findings += [Finding(name, _package(name, module), needed, remedy) for name, module, needed, remedy in packages]
    for model in ("finder/finder.onnx", "reader/reader.onnx", "knocks", "phrases"):
        findings.append(Finding(f"models/{model.split('/')[0]}", _weights(MODELS / model), True, reinstall))
    findings += [
        Finding(_("micro"), _try(_microphone), False, _("brancher un micro, ou jouer sans (--mic off)")),
        Finding(_("caméra"), _try(_cameras), False, _("brancher une caméra USB")),
        Finding(_("voix"), _try(_voice), False, _("sous Debian ou Ubuntu : sudo apt install espeak-ng")),
    ]
    return findings


def _package(name: str, module: str) -> str | None:
    """The version if the module can really be imported: a wheel without its shared library is missing too."""
    try:
        importlib.import_module(module)
        return version(name)
    except (ImportError, OSError, PackageNotFoundError):
        return None


def _weights(path: Path) -> str | None:
    files = [path] if path.is_file() else sorted(p for p in path.glob("*") if p.suffix in {".onnx", ".npz", ".json"})
    if not files:
        return None
    return f"{sum(p.stat().st_size for p in files) / 1e6:.1f} MB"


def _try(look: Callable[[], str | None]) -> str | None:
    try:
        return look()
    except Exception:  # a driver may fail in any way; for this report that means "not there"
        return None


def _microphone() -> str | None:
    import sounddevice

    index = sounddevice.default.device[0]
    return str(sounddevice.query_devices(index)["name"]) if index is not None and index >= 0 else None


def _cameras() -> str | None:
    if sys.platform.startswith("linux"):
        nodes = sorted(str(p) for p in Path("/dev").glob("video*"))
        return ", ".join(nodes) or None
    return _("à essayer : trut watch --game trut --camera 0")


def _voice() -> str | None:
    try:
        import espeakng_loader

        return Path(str(espeakng_loader.get_library_path())).name
    except ImportError:
        return ctypes.util.find_library("espeak-ng")
