"""A simulated table as files: PREFIX.mp4, PREFIX.wav and PREFIX.trut, in the form of a watched match."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import cv2
import soundfile

from assistant.i18n import N_
from assistant.simulation.sprites import Pixels
from assistant.simulation.table import SimulatedTable
from engine.errors import TrutError


class CannotWrite(TrutError):
    """A file that cannot be written."""

    code = "cannot-write"


def write(table: SimulatedTable, prefix: Path) -> tuple[Path, Path, Path]:
    """Render a table into three files; returns their paths.

    Raises:
        CannotWrite: no name, the folder is missing or not writable, or no H.264 or MPEG-4 encoder is there.
    """
    if not prefix.name:
        raise CannotWrite(N_("--out veut un nom de fichier sans extension, par exemple table1"))
    film, sound, record = (prefix.with_name(prefix.name + end) for end in (".mp4", ".wav", ".trut"))
    if not prefix.parent.is_dir():
        raise CannotWrite(N_("{folder} : ce dossier n'existe pas"), folder=prefix.parent)
    try:
        text = table.truth.replace("# simulated table", f"# simulated table: {film.name} and .wav", 1)
        record.write_text(text, encoding="utf-8", newline="\n")
        soundfile.write(str(sound), table.sound(), table.rate, subtype="PCM_16")
        write_film(table.frames(), film, table.fps, (table.look.view.width, table.look.view.height))
    except (OSError, soundfile.LibsndfileError) as problem:
        raise CannotWrite(N_("{file} : impossible d'écrire ({what})"), file=prefix, what=problem) from problem
    return film, sound, record


def write_film(frames: Iterable[Pixels], path: Path, fps: int, size: tuple[int, int]) -> None:
    """Encode frames (height, width, 3) BGR: H.264 with PyAV where it is installed, else MPEG-4."""
    try:
        import av
    except ImportError:
        _write_mpeg4(frames, path, fps, size)
        return
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.thread_count = 1  # the same bytes on every machine
        # with the macroblock tree the bytes differ from run to run where the height is no multiple of 16
        stream.options = {"crf": "25", "preset": "veryfast", "x264-params": "mbtree=0"}
        for image in frames:
            for packet in stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)


def _write_mpeg4(frames: Iterable[Pixels], path: Path, fps: int, size: tuple[int, int]) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    if not writer.isOpened():
        raise CannotWrite(N_("{file} : impossible d'écrire ({what})"), file=path, what="MPEG-4")
    for image in frames:
        writer.write(image)
    writer.release()
