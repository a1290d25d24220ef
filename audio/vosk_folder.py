"""Which Vosk model is used, and whether its files can be what they should be.

Kaldi ends the whole process over a file that it cannot read, so the files are looked at before they are loaded:
their beginnings, their sizes, and for a model of somebody else's a trial in a process of its own.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

from audio.errors import EngineUnavailable
from audio.vosk_graph import phone_names

MODEL_VARIABLE = "TRUT_VOSK_MODEL"
#: The model that ships.
OURS = Path(__file__).resolve().parents[1] / "models" / "vosk"
#: Seconds that a trial may take; the largest French model loads in half of that.
_PATIENCE = 120

_FST = struct.pack("<i", 2125659606)
#: Version, flags, properties, start, numbers of states and arcs: OpenFst's header after the names of the types.
_COUNTS = "<iiQqqq"
_ENDS = b"<Priors> FV \x04"


def model_folder() -> Path:
    """The folder that the user named, else the model that ships."""
    named = os.environ.get(MODEL_VARIABLE, "")
    return Path(named) if named else OURS


def graph_file(folder: Path, name: str) -> Path:
    """A file of the graph: older models keep them beside the others."""
    return folder / "graph" / name if (folder / "graph").is_dir() else folder / name


def _acoustic(folder: Path) -> Path:
    return folder / "am" / "final.mdl" if (folder / "am").is_dir() else folder / "final.mdl"


def check(folder: Path) -> None:
    """Raise EngineUnavailable, naming the file, unless ``folder`` is a whole model with a grammar of the moment."""
    if not folder.is_dir():
        raise EngineUnavailable("le modèle Vosk {folder} n'existe pas", folder=folder)
    acoustic, graph = _acoustic(folder), graph_file(folder, "HCLr.fst")
    if not acoustic.is_file():
        raise EngineUnavailable("{folder} n'est pas un modèle Vosk", folder=folder)
    if graph_file(folder, "HCLG.fst").is_file() and not graph.is_file():
        raise EngineUnavailable(
            "le modèle Vosk {folder} ne permet pas de choisir les phrases : prenez-en un « small »", folder=folder
        )
    for path, whole in ((acoustic, _whole_net), (graph, _is_graph), (graph_file(folder, "Gr.fst"), _is_graph)):
        if not path.is_file():
            raise EngineUnavailable("le modèle Vosk {folder} est incomplet : il manque {name}", folder=folder,
                                    name=path.relative_to(folder))  # fmt: skip
        if not whole(path):
            raise EngineUnavailable("le modèle Vosk est abîmé : {path}", path=path)
    if folder != OURS and not _loads(folder):
        raise EngineUnavailable("Vosk ne peut pas lire le modèle {folder}", folder=folder)


def _whole_net(path: Path) -> bool:
    """Whether the net begins as one and its last vector is there to the end."""
    data = path.read_bytes()
    if not data.startswith(b"\0B<TransitionModel> "):
        return False
    at = data.rfind(_ENDS)
    if at < 0 or len(data) < at + len(_ENDS) + 4:
        return False
    size = int(struct.unpack_from("<i", data, at + len(_ENDS))[0])
    return size >= 0 and len(data) >= at + len(_ENDS) + 4 + 4 * size


def _is_graph(path: Path) -> bool:
    """Whether it begins as a graph; one of the kind that we write is also measured."""
    with path.open("rb") as file:
        head = file.read(25 + struct.calcsize(_COUNTS))
    if not head.startswith(_FST) or len(head) < 25 + struct.calcsize(_COUNTS):
        return False
    if head[8:13] != b"const":
        return True
    _version, flags, _properties, _start, states, arcs = struct.unpack_from(_COUNTS, head, 25)
    return bool(flags) or path.stat().st_size >= len(head) + 20 * states + 16 * arcs


def _loads(folder: Path) -> bool:
    """Whether Vosk can load it, tried where its fall takes nothing along."""
    trial = "import sys, vosk; vosk.SetLogLevel(-1); vosk.Model(sys.argv[1])"
    try:
        done = subprocess.run(
            [sys.executable, "-c", trial, str(folder)], capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def speaks_our_phones(folder: Path) -> bool:
    """Whether the model's sounds are those of :mod:`audio.vosk_graph`: then any phrase can be put in a graph."""
    path = graph_file(folder, "phones.txt")
    return path.is_file() and path.read_text(encoding="utf-8", errors="replace") == phone_names()
