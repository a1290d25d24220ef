"""Twenty seconds at a table, with the times of its knocks: sounds put into rooms, at every level, over every
background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import soxr
from scipy.signal import butter, fftconvolve, sosfilt

from .material import RATE, beep, clap, ringing, rumble, rustle, struck_plate

SCENE_SECONDS = 20.0


@dataclass
class Stock:
    """What scenes are made of."""

    knocks: list[list[np.ndarray]]  # by source, so that each source comes as often
    light: list[np.ndarray]
    sounds: dict[str, list[np.ndarray]]  # kind: recordings of things that are no knock
    backgrounds: dict[str, list[np.ndarray]]
    speech: list[np.ndarray]
    rooms: list[np.ndarray]
    made: Sequence[Callable[[np.random.Generator], np.ndarray]] = field(
        default=(clap, ringing, rustle, rumble, beep)
    )


def scene(stock: Stock, rng: np.random.Generator) -> tuple[np.ndarray, list[float], list[float]]:
    """(samples, times of the knocks, times of light taps that count neither way)."""
    length = round(SCENE_SECONDS * RATE)
    out = np.zeros(length, np.float32)
    knocks: list[float] = []
    room = _room(stock, rng)
    quiet = rng.random() < 0.25
    if not quiet:
        level = rng.uniform(-48, -22)
        background = _background(stock, rng, length)
        out += _to_level(background, level) if background is not None else 0
    peak = 10 ** (rng.uniform(-24, -3) / 20)
    t = rng.uniform(0.0, 0.8)
    while t < SCENE_SECONDS - 0.3:
        choice = rng.random()
        if choice < 0.45:
            t = _gesture(stock, rng, out, knocks, room, t, peak)
        elif choice < 0.62:
            t = _place(
                out,
                _varied(_speech(stock, rng), rng, 0.85, 1.2),
                t,
                peak * 10 ** (rng.uniform(-12, 6) / 20),
                room,
            )
        elif choice < 0.74:
            made = stock.made[rng.integers(len(stock.made))](rng)
            t = _place(out, made, t, peak * 10 ** (rng.uniform(-14, 6) / 20), room)
        elif choice < 0.78 and stock.light:
            tap = stock.light[rng.integers(len(stock.light))]
            t = _place(out, _varied(tap, rng, 0.8, 1.25), t, peak * 10 ** (rng.uniform(-20, -3) / 20), room)
        else:
            kinds = list(stock.sounds)
            of_kind = stock.sounds[kinds[rng.integers(len(kinds))]]
            sound = of_kind[rng.integers(len(of_kind))]
            sound = sound[: 3 * RATE] if len(sound) <= 3 * RATE else _part(sound, rng, 3 * RATE)
            t = _place(out, _varied(sound, rng, 0.75, 1.3), t, peak * 10 ** (rng.uniform(-14, 6) / 20), room)
        t += rng.exponential(0.35) if rng.random() < 0.7 else rng.uniform(0.0, 0.15)
    out = _microphone(out, rng)
    return out, knocks, []


def _gesture(
    stock: Stock,
    rng: np.random.Generator,
    out: np.ndarray,
    knocks: list[float],
    room: np.ndarray | None,
    t: float,
    peak: float,
) -> float:
    """One to eight knocks of one hand on one table, alike but not the same."""
    source = rng.integers(len(stock.knocks) + 1)
    if source == len(stock.knocks):
        seed = int(rng.integers(2**31))
        make = lambda: struck_plate(np.random.default_rng(seed))  # noqa: E731
    else:
        hits = stock.knocks[source]
        start = int(rng.integers(len(hits)))
        make = lambda: hits[min(len(hits) - 1, start + int(rng.integers(3)))]  # noqa: E731
    low = rng.uniform(0.6, 1.5)
    tone = rng.uniform(-1, 1)
    loud = peak * 10 ** (rng.uniform(-10, 6) / 20)
    gap = rng.uniform(0.14, 0.6)
    for _ in range(int(rng.choice([1, 1, 2, 2, 3, 4, 8]))):
        hit = _tilted(_resampled(make(), low * rng.uniform(0.97, 1.03)), tone)
        if t + 0.3 > SCENE_SECONDS:
            break
        knocks.append(t + 0.012 / low)
        _place(out, hit, t, loud * 10 ** (rng.uniform(-6, 2) / 20), room)
        t += max(0.14, gap * rng.uniform(0.85, 1.15))
    return t + 0.1


def _part(sound: np.ndarray, rng: np.random.Generator, length: int) -> np.ndarray:
    start = int(rng.integers(len(sound) - length))
    return sound[start : start + length]


def _place(out: np.ndarray, sound: np.ndarray, t: float, peak: float, room: np.ndarray | None) -> float:
    """Add ``sound`` at ``t``, its loudest sample at ``peak``; returns where it ends."""
    top = np.abs(sound).max()
    if top < 1e-5:
        return t
    wet = sound if room is None else fftconvolve(sound, room)
    wet = wet * (peak / np.abs(wet).max())
    start = round(t * RATE)
    end = min(len(out), start + len(wet))
    out[start:end] += wet[: end - start].astype(np.float32)
    return t + len(sound) / RATE


def _room(stock: Stock, rng: np.random.Generator) -> np.ndarray | None:
    """A room response with more or less of its echo; its direct sound comes at once."""
    if not stock.rooms or rng.random() < 0.35:
        return None
    room = stock.rooms[rng.integers(len(stock.rooms))]
    direct = int(np.argmax(np.abs(room)))
    room = room[direct : direct + round(0.5 * RATE)].copy()
    room[32:] *= 10 ** (rng.uniform(-18, 3) / 20)
    return room


def _speech(stock: Stock, rng: np.random.Generator) -> np.ndarray:
    clip = stock.speech[rng.integers(len(stock.speech))]
    return clip if len(clip) <= 4 * RATE else _part(clip, rng, 4 * RATE)


def _background(stock: Stock, rng: np.random.Generator, length: int) -> np.ndarray | None:
    choice = rng.random()
    if choice < 0.35:
        return _coloured(rng, length)
    if choice < 0.6:  # babble
        out = np.zeros(length, np.float32)
        for _ in range(int(rng.integers(1, 7))):
            t = 0
            while t < length:
                clip = _speech(stock, rng)[: length - t]
                out[t : t + len(clip)] += clip / (np.abs(clip).max() + 1e-6)
                t += len(clip) + int(rng.uniform(0, 0.6) * RATE)
        return out
    kinds = list(stock.backgrounds)
    if not kinds:
        return None
    of_kind = stock.backgrounds[kinds[rng.integers(len(kinds))]]
    sound = of_kind[rng.integers(len(of_kind))]
    return np.resize(np.roll(sound, int(rng.integers(len(sound)))), length)


def _coloured(rng: np.random.Generator, length: int) -> np.ndarray:
    spectrum = np.fft.rfft(rng.standard_normal(length))
    f = np.maximum(np.fft.rfftfreq(length, 1 / RATE), 20)
    return np.fft.irfft(spectrum * f ** -rng.uniform(0, 1.0), length).astype(np.float32)


def _to_level(sound: np.ndarray, level_db: float) -> np.ndarray:
    power = float(np.mean(sound**2))
    return sound * np.float32(10 ** (level_db / 20) / np.sqrt(power + 1e-12))


def _resampled(sound: np.ndarray, factor: float) -> np.ndarray:
    """Played ``factor`` times as fast: a smaller or stiffer table, another voice."""
    return soxr.resample(sound, RATE, RATE / factor, quality="LQ").astype(np.float32)


def _varied(sound: np.ndarray, rng: np.random.Generator, low: float, high: float) -> np.ndarray:
    if rng.random() < 0.4 or len(sound) < 200:
        return sound
    return _tilted(_resampled(sound, rng.uniform(low, high)), rng.uniform(-1, 1))


def _tilted(sound: np.ndarray, tone: float) -> np.ndarray:
    """Brighter (tone > 0) or duller by up to 6 dB at the ends of the spectrum."""
    spectrum = np.fft.rfft(sound)
    f = np.maximum(np.fft.rfftfreq(len(sound), 1 / RATE), 50)
    gain = np.clip((f / 600) ** (0.3 * tone), 0.25, 4)
    return np.fft.irfft(spectrum * gain, len(sound)).astype(np.float32)


def _microphone(sound: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Low and high cut of the device, its hiss, its gain, now and then its clipping."""
    if rng.random() < 0.6:
        sound = sosfilt(
            butter(1 + int(rng.integers(2)), rng.uniform(40, 220), "high", fs=RATE, output="sos"), sound
        )
    if rng.random() < 0.5:
        sound = sosfilt(butter(2, rng.uniform(2500, 7800), "low", fs=RATE, output="sos"), sound)
    sound = sound * 10 ** (rng.uniform(-25, 8) / 20)
    if rng.random() > 0.15:
        sound = sound + rng.standard_normal(len(sound)) * 10 ** (rng.uniform(-90, -48) / 20)
    return np.clip(sound, -1, 1).astype(np.float32)
