"""The sound of a simulated table: fists, voices, cards, glasses and the room, all made by computation.

A fist on a table is a short blow (the contact lasts some milliseconds) on a damped plate: the table top rings
in its modes f(m, n) ~ m²/a² + n²/b² (thin plate, simply supported), the high ones die first. Voices are
espeak-ng. All that sounds at the table goes through one small room: early echoes and a decaying tail.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soxr
from numpy.typing import NDArray

from assistant.simulation.script import Fist, Lay, Script, Take, Words
from audio.espeak import espeak
from audio.lexicon import SPOKEN_AS

Samples = NDArray[np.float32]

RATE = 16000
VOICES = ("fr+Denis", "fr+adam")
"""Two of espeak-ng's voices that no training run of the phrases heard. They have no flutter: others tremble
differently at every call, and a seed must give one sound. Pitch, pace and size make players of them."""
GOSSIP = (
    "Tu as vu le match de dimanche ? Il pleuvait tellement que personne n'est resté.",
    "La semaine prochaine on ira chercher du bois avec mon cousin, s'il fait beau.",
    "Elle a vendu sa maison de Niort, et maintenant elle habite près de la rivière.",
    "Donne-moi donc un autre café, et un verre d'eau pour la petite, s'il te plaît.",
)
SPEECH_LEVEL = 0.075  # root mean square of a voice at the table


@dataclass(frozen=True, slots=True)
class RoomSound:
    """What the room sounds like: noise in dB below the voices, seconds of echo, glasses and gossip or not."""

    noise: float
    echo: float
    gossip: bool
    seed: int

    @staticmethod
    def random(seed: int, *, noise: float | None = None) -> RoomSound:
        """A room of its own for every seed; ``noise`` (dB below the voices) may be fixed."""
        rng = np.random.default_rng([seed, 4])
        drawn = float(rng.uniform(12, 28))
        return RoomSound(
            drawn if noise is None else noise, float(rng.uniform(0.2, 0.5)), bool(rng.random() < 0.6), seed
        )


def render(script: Script, room: RoomSound) -> Samples:
    """The whole sound of a script: float32 mono at 16 kHz, about -1 to 1."""
    espeak().say("Bon.", VOICES[0])  # after a text was only transcribed, the first one said comes out otherwise
    rng = np.random.default_rng([room.seed, 5])
    total = np.zeros(int((script.duration + 1.5) * RATE), np.float32)
    echo = _echo(rng, room.echo)
    first = int(rng.integers(len(VOICES)))
    players = [Player.random(rng, VOICES[(first + k) % len(VOICES)]) for k in range(script.seats)]
    plate = _Plate.random(rng)
    for gesture in script.gestures:
        if isinstance(gesture, Words):
            said = players[gesture.seat - 1].say(gesture.text)
            _add(total, _in_room(said, echo), gesture.t - len(said) / RATE)
        elif isinstance(gesture, Fist):
            for n, hit in enumerate(gesture.hits):
                _add(total, _in_room(plate.knock(rng) * (0.8 if n else 1.0), echo), hit)
        elif isinstance(gesture, Lay):
            _add(total, _in_room(_rustle(rng, 0.04, 3200) * 0.02, echo), gesture.t - 0.01)
            if gesture.slap:
                _add(total, _in_room(_dulled(plate.knock(rng)) * gesture.slap, echo), gesture.t)
        elif isinstance(gesture, Take):
            _add(total, _in_room(_rustle(rng, 0.5, 2200) * 0.012, echo), gesture.t)
    level = SPEECH_LEVEL * 10 ** (-room.noise / 20)
    total += _background(rng, len(total), room.gossip) * level
    return np.asarray(np.clip(total[: int(script.duration * RATE)], -1, 1), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Player:
    """A player's voice.

    Attributes:
        voice: espeak-ng's name of it.
        pitch: 0 to 99.
        pace: words a minute.
        size: of the mouth and throat; 1 is as synthesised, larger is deeper.
    """

    voice: str
    pitch: int
    pace: int
    size: float

    @staticmethod
    def random(rng: np.random.Generator, voice: str) -> Player:
        return Player(
            voice, int(rng.integers(25, 75)), int(rng.integers(150, 185)), float(rng.uniform(0.88, 1.1))
        )

    def say(self, text: str) -> Samples:
        """A phrase at 16 kHz and the level of a voice at the table, without silence before and after.

        The synthesiser reads "trut" without its t and Gascon words through the nose: they are spelled for it.
        """
        sounds = " ".join(SPOKEN_AS.get(word.lower(), word) for word in text.split(" "))
        spoken = espeak().say(sounds, self.voice, rate=round(self.pace * self.size), pitch=self.pitch)
        x = soxr.resample(spoken.samples.astype(np.float32) / 32768, spoken.rate / self.size, RATE)
        loud = np.flatnonzero(np.abs(x) > 0.03 * max(np.abs(x).max(initial=0), 1e-6))
        if not len(loud):
            return np.zeros(0, np.float32)
        x = x[loud[0] : loud[-1] + 1]
        return np.asarray(x * (SPEECH_LEVEL / np.sqrt(np.mean(x**2))), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Plate:
    """A table top: its modes in hertz, how fast each dies (1/s), how strongly each is struck and heard."""

    modes: NDArray[np.float64]
    decay: NDArray[np.float64]
    weight: NDArray[np.float64]

    @staticmethod
    def random(rng: np.random.Generator) -> _Plate:
        m, n = np.mgrid[1:16, 1:12].reshape(2, -1)
        lowest, ratio = rng.uniform(38, 95), rng.uniform(1.2, 2.2)
        f = lowest * (m**2 + (n * ratio) ** 2) / (1 + ratio**2) * rng.normal(1, 0.03, m.shape)
        keep = f < 2600
        f = f[keep]
        x, y = rng.uniform(0.2, 0.8, 2)
        shape = np.sin(np.pi * m[keep] * x) * np.sin(np.pi * n[keep] * y)
        # high modes radiate better but are struck less: the spectrum of a knock is broad, 50 Hz to 1.5 kHz
        weight = shape * (f / 200) ** rng.uniform(0.0, 0.7) / (1 + (f / rng.uniform(700, 1300)) ** 2)
        return _Plate(f, rng.uniform(20, 45) + f * rng.uniform(0.03, 0.07), weight)

    def knock(self, rng: np.random.Generator) -> Samples:
        """One blow of a fist, 0.4 s, loudest sample about 0.3 to 0.7."""
        t = np.arange(int(0.4 * RATE)) / RATE
        phase = rng.uniform(-0.4, 0.4, len(self.modes))
        weight = self.weight * rng.uniform(0.5, 1.3, len(self.modes))
        waves = np.exp(-self.decay[:, None] * t) * np.sin(
            2 * np.pi * self.modes[:, None] * t + phase[:, None]
        )
        n = int(RATE * rng.uniform(0.0005, 0.0018))  # the knuckles touch for about a millisecond
        contact = np.sin(np.pi * (np.arange(n) + 0.5) / n)
        ring = np.convolve((weight[:, None] * waves).sum(0), contact / contact.sum())[: len(t)]
        bones = np.convolve(
            rng.standard_normal(len(t)) * np.exp(-t * rng.uniform(200, 500)), np.ones(5) / 5, "same"
        )
        blow = ring / np.abs(ring).max() + bones * rng.uniform(0.15, 0.5)
        return np.asarray(blow / np.abs(blow).max() * rng.uniform(0.3, 0.7), dtype=np.float32)


def _dulled(blow: Samples) -> Samples:
    """A blow of the flat hand through a card: what is above some 400 Hz is gone."""
    dull = np.convolve(blow, np.hanning(RATE // 400), "same")
    return np.asarray(dull / np.abs(dull).max(), dtype=np.float32)


def _echo(rng: np.random.Generator, seconds: float) -> Samples:
    """The room's answer to a click: direct sound, early echoes, a tail that falls 60 dB in ``seconds``."""
    n = int(seconds * RATE)
    t = np.arange(n) / RATE
    tail = rng.standard_normal(n) * np.exp(-6.9 * t / seconds) * 0.035
    tail = np.convolve(tail, [0.3, 0.4, 0.3], "same")
    tail[: int(0.004 * RATE)] = 0
    for _ in range(6):
        tail[int(rng.uniform(0.003, 0.03) * RATE)] += rng.normal() * 0.22
    tail[0] = 1
    return np.asarray(tail, dtype=np.float32)


def _in_room(x: Samples, echo: Samples) -> Samples:
    n = len(x) + len(echo) - 1
    size = 1 << (n - 1).bit_length()
    return np.asarray(
        np.fft.irfft(np.fft.rfft(x, size) * np.fft.rfft(echo, size), size)[:n], dtype=np.float32
    )


def _rustle(rng: np.random.Generator, seconds: float, around: float) -> Samples:
    """Paper on wood: noise around a frequency under a short swell."""
    n = int(seconds * RATE)
    swell = np.sin(np.pi * np.arange(n) / n) ** 2
    return np.asarray(
        _coloured(rng, n, lambda f: np.exp(-((np.log((f + 1) / around) / 0.7) ** 2))) * swell,
        dtype=np.float32,
    )


def _coloured(rng: np.random.Generator, n: int, colour) -> NDArray[np.float64]:  # type: ignore[no-untyped-def]
    """Noise with a given colour (a function of frequency), root mean square 1."""
    size = 1 << max(1, (n - 1).bit_length())
    spectrum = np.fft.rfft(rng.standard_normal(size)) * colour(np.fft.rfftfreq(size, 1 / RATE))
    x = np.fft.irfft(spectrum, size)[:n]
    return np.asarray(x / (np.sqrt(np.mean(x**2)) + 1e-12))


def _clink(rng: np.random.Generator) -> Samples:
    """A glass that is put down."""
    t = np.arange(int(0.5 * RATE)) / RATE
    f = rng.uniform(1600, 3400) * np.array([1, 2.3, 2.72 * rng.uniform(0.95, 1.05)])
    x = sum(
        a * np.exp(-t * d) * np.sin(2 * np.pi * k * t)
        for a, d, k in zip((1, 0.5, 0.3), (14, 25, 40), f, strict=True)
        if k < 7600
    )
    return np.asarray(x, dtype=np.float32)


def _background(rng: np.random.Generator, n: int, gossip: bool) -> Samples:
    """Air and traffic, perhaps neighbours' talk and glasses; root mean square about 1."""
    x = _coloured(rng, n, lambda f: 1 / np.sqrt(np.maximum(f, 40) / 40) / (1 + (f / 3500) ** 2)) * 0.7
    slow = np.interp(
        np.arange(n), np.linspace(0, n, max(2, n // RATE)), 1 + 0.25 * rng.standard_normal(max(2, n // RATE))
    )
    x *= np.clip(slow, 0.4, 1.8)
    if gossip:
        hall = _echo(rng, 0.9)
        hall[0] = 0.15  # far away: little direct sound
        for k in range(3):
            neighbour = Player.random(rng, VOICES[k % len(VOICES)])
            talk = np.concatenate(
                [np.r_[neighbour.say(g), np.zeros(RATE // 2)] for g in rng.permutation(GOSSIP)]
            )
            far = _in_room(np.asarray(talk / SPEECH_LEVEL, np.float32), hall)
            dull = np.convolve(far, np.hanning(9) / 4, "same")
            dull *= 0.45 / (np.sqrt(np.mean(dull**2)) + 1e-9)
            x += np.resize(np.roll(dull, int(rng.integers(len(dull)))), n)
        for _ in range(rng.poisson(n / RATE / 12)):
            at = int(rng.integers(n))
            clink = _clink(rng) * rng.uniform(1, 4)
            end = min(n, at + len(clink))
            x[at:end] += clink[: end - at]
    return np.asarray(x, dtype=np.float32)


def _add(total: Samples, x: Samples, at: float) -> None:
    """Mix ``x`` in from the second ``at`` on."""
    start = round(at * RATE)
    if start < 0:
        x, start = x[-start:], 0
    end = min(len(total), start + len(x))
    if end > start:
        total[start:end] += x[: end - start]
