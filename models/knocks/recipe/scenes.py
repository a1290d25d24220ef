"""Twenty seconds at a table, with the times of its knocks: sounds put into rooms, at every level, over every
background. Each event remembers its source, so that what one source taught can be left out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import soxr
from scipy.signal import butter, fftconvolve, sosfilt

from .material import (
    LEAD,
    RATE,
    beep,
    clap,
    drums,
    kick,
    pop,
    ringing,
    rumble,
    rustle,
    set_down,
    struck_plate,
)
from .tables import Table

SCENE_SECONDS = 20.0
AUDIBLE_DB = 2.0
MADE = ("plate", "table")
"""Sources of knocks that are made from nothing."""
Recording = tuple[np.ndarray, str]
"""(samples, source)"""


@dataclass
class Stock:
    """What scenes are made of."""

    knocks: dict[str, list[np.ndarray]]  # by source, so that each source comes as often
    light: list[np.ndarray]
    sounds: dict[str, list[Recording]]  # kind: recordings of things that are no knock
    backgrounds: dict[str, list[Recording]]
    speech: list[Recording]
    rooms: list[np.ndarray]
    music: list[np.ndarray]
    knocked: list[tuple[np.ndarray, tuple[float, ...], str]] = field(default_factory=list)
    made: Sequence[Callable[[np.random.Generator], np.ndarray]] = field(
        default=(clap, ringing, rustle, rumble, beep, set_down, set_down, pop, pop, kick)
    )


@dataclass
class Scene:
    """A made recording and what is in it.

    Attributes:
        struck: the knocks alone, as they are in ``samples`` before the microphone.
        knocks: (time in seconds, source) of each knock.
        buried: times of knocks that nobody could hear in what sounds beside them.
        events: (start, end in seconds, source) of everything else that happens; backgrounds last throughout.
    """

    samples: np.ndarray
    struck: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    knocks: list[tuple[float, str]] = field(default_factory=list)
    events: list[tuple[float, float, str]] = field(default_factory=list)
    buried: list[float] = field(default_factory=list)

    def bury(self) -> None:
        """Move to ``buried`` the knocks that stand less than AUDIBLE_DB over the rest, in no part of the spectrum."""
        low = butter(2, 700, "low", fs=RATE, output="sos")
        rest = self.samples - self.struck
        pairs = [(self.struck, rest), (sosfilt(low, self.struck), sosfilt(low, rest))]

        def over(t: float) -> float:
            part = slice(max(0, round((t - 0.005) * RATE)), round((t + 0.08) * RATE))
            return max(10 * np.log10((np.sum(k[part] ** 2) + 1e-9) / (np.sum(r[part] ** 2) + 1e-9)) for k, r in pairs)

        audible = [over(t) >= AUDIBLE_DB for t, _ in self.knocks]
        self.buried = [t for (t, _), heard in zip(self.knocks, audible, strict=True) if not heard]
        self.knocks = [knock for knock, heard in zip(self.knocks, audible, strict=True) if heard]


def _empty() -> Scene:
    return Scene(*(np.zeros(round(SCENE_SECONDS * RATE), np.float32) for _ in range(2)))


def scene(stock: Stock, rng: np.random.Generator, *, music: bool = False) -> Scene:
    """A scene, with ``music`` one where music plays; the same generator state gives the same scene."""
    made = _empty()
    room = _room(stock, rng)
    if music:
        piece = stock.music[rng.integers(len(stock.music))]
        piece = _varied(_part(piece, rng, min(len(piece) - 1, round(1.4 * len(made.samples)))), rng, 0.8, 1.2)
        made.samples += _to_level(np.resize(piece, len(made.samples)), rng.uniform(-42, -14))
    elif rng.random() > 0.3:
        background, sources = _background(stock, rng, len(made.samples))
        made.samples += _to_level(background, rng.uniform(-54, -24))
        made.events += [(0.0, SCENE_SECONDS, source) for source in sources]
    peak = 10 ** (rng.uniform(-24, -3) / 20)
    t = rng.uniform(0.0, 0.8)
    while t < SCENE_SECONDS - 0.3:
        t = _event(stock, rng, made, room, t, peak)
        t += rng.exponential(0.35) if rng.random() < 0.7 else rng.uniform(0.0, 0.15)
        if music:
            t += rng.exponential(1.5)
    made.bury()
    made.samples = _microphone(made.samples, rng)
    return made


def alone(stock: Stock, rng: np.random.Generator) -> Scene:
    """One gesture or one other sound by itself, as a short recording has it: cut close, over little or nothing."""
    made = _empty()
    room = _room(stock, rng) if rng.random() < 0.5 else None
    t = rng.uniform(0.0, 0.6) * (rng.random() < 0.7)
    peak = 10 ** (rng.uniform(-24, -1) / 20)
    if rng.random() < 0.35:
        end = _gesture(stock, rng, made, room, t + 0.05, peak)
    else:
        sound, source = some_sound(stock, rng) if rng.random() < 0.85 else _speech(stock, rng)
        if len(sound) > 5 * RATE:
            sound = _part(sound, rng, 5 * RATE)
        if rng.random() < 0.6:
            sound = _varied(sound, rng, 0.75, 1.3)
        end = _place(made.samples, sound, t, peak, room)
        made.events.append((t, end, source))
    made.samples = made.samples[: round((end + rng.uniform(0.1, 0.6)) * RATE)]
    if rng.random() < 0.5:
        made.samples = _microphone(made.samples, rng)
    return made


def plain(stock: Stock, rng: np.random.Generator) -> Iterator[Scene]:
    """Every recording of what is no knock as it is, and half of them once more through some microphone."""
    listed = [r for of_kind in (*stock.sounds.values(), *stock.backgrounds.values()) for r in of_kind]
    listed += [(clip, source) for clip, source in stock.speech if source == "speech"]
    listed += [(piece, "music") for piece in stock.music]
    for sound, source in listed:
        for through in (False, True) if rng.random() < 0.5 else (False,):
            heard = _microphone(sound, rng) if through else sound
            yield Scene(heard, np.zeros_like(heard), events=[(0.0, len(heard) / RATE, source)])


def struck_again(stock: Stock, rng: np.random.Generator, times: int = 6) -> Iterator[Scene]:
    """The recordings of knocks as they are, then through so many microphones and rooms, at other speeds."""
    for sound, knocks, source in stock.knocked:
        for k in range(times + 1):
            pace = 1.0 if k == 0 else float(np.exp(rng.uniform(np.log(0.8), np.log(1.25))))
            heard = sound if k == 0 else _resampled(sound, pace)
            if k > 1 and (room := _room(stock, rng)) is not None:
                heard = fftconvolve(heard, room)[: len(heard)].astype(np.float32)
            heard = heard if k == 0 else _microphone(heard, rng)
            yield Scene(heard, np.zeros_like(heard), [(t / pace, source) for t in knocks])


def _event(
    stock: Stock, rng: np.random.Generator, made: Scene, room: np.ndarray | None, t: float, peak: float
) -> float:
    """Something happens at ``t``; returns when it is over."""
    choice = rng.random()
    if choice < 0.42:
        return _gesture(stock, rng, made, room, t, peak)
    low, high = -14.0, 6.0
    if choice < 0.58:
        sound, source = _speech(stock, rng)
        sound = _varied(sound, rng, 0.85, 1.2)
    elif choice < 0.74:
        sound, source = stock.made[rng.integers(len(stock.made))](rng), "made"
    elif choice < 0.78:
        sound, source = _varied(stock.light[rng.integers(len(stock.light))], rng, 0.8, 1.25), "tapsense"
        low, high = -20.0, -3.0
    else:
        sound, source = some_sound(stock, rng)
        if len(sound) > 3 * RATE:
            sound = _part(sound, rng, 3 * RATE)
        sound = _varied(sound, rng, 0.75, 1.3)
    end = _place(made.samples, sound, t, peak * 10 ** (rng.uniform(low, high) / 20), room)
    made.events.append((t, end, source))
    return end


def some_sound(stock: Stock, rng: np.random.Generator) -> Recording:
    """Something that is no knock; kinds of many recordings come more often, but not as much more."""
    kinds = list(stock.sounds)
    share = np.sqrt([len(stock.sounds[kind]) for kind in kinds])
    of_kind = stock.sounds[str(rng.choice(kinds, p=share / share.sum()))]
    return of_kind[rng.integers(len(of_kind))]


def _gesture(
    stock: Stock, rng: np.random.Generator, made: Scene, room: np.ndarray | None, t: float, peak: float
) -> float:
    """One to eight knocks of one hand on one table, alike but not the same."""
    sources = [*stock.knocks, *MADE]
    source = str(rng.choice(sources, p=_shares(len(stock.knocks))))
    hits = stock.knocks.get(source, [])
    start = int(rng.integers(len(hits))) if hits else 0
    speed = float(np.exp(rng.uniform(np.log(0.6), np.log(1.5))))
    other = _table(rng) if source in stock.knocks or rng.random() < 0.3 else None
    under, seed = Table.random(rng), int(rng.integers(2**31))
    loud = peak * 10 ** (rng.uniform(-8, 8) / 20)
    gap = rng.uniform(0.14, 0.6)
    for _ in range(int(rng.choice([1, 1, 1, 2, 2, 3, 4, 8]))):
        if t + 0.3 > SCENE_SECONDS:
            break
        if hits:
            hit = hits[min(len(hits) - 1, start + int(rng.integers(3)))]
        elif source == "table":
            hit = under.hit(rng)
        else:
            hit = struck_plate(np.random.default_rng(seed))
        pace = speed * rng.uniform(0.97, 1.03)
        hit = _resampled(hit, pace)
        if other is not None:
            hit = other(hit)
        made.knocks.append((t + LEAD / pace, source))
        level, before = loud * 10 ** (rng.uniform(-6, 2) / 20), made.samples.copy()
        _place(made.samples, hit, t, level, room)
        made.struck += made.samples - before
        t += max(0.14, gap * rng.uniform(0.85, 1.15))
    return t + 0.1


def _table(rng: np.random.Generator) -> Callable[[np.ndarray], np.ndarray]:
    """Another table under the same hand: peaks and dips of its spectrum, some modes that ring on, damping."""
    centres = np.exp(rng.uniform(np.log(70), np.log(3000), 4))
    gains = rng.uniform(-12, 12, 4)
    widths = rng.uniform(0.2, 1.2, 4)
    tone = rng.uniform(-0.5, 0.3)
    rings = None
    if rng.random() < 0.4:
        t = np.arange(round(0.25 * RATE)) / RATE
        rings = np.zeros(len(t))
        for f in np.exp(rng.uniform(np.log(60), np.log(1000), int(rng.integers(1, 6)))):
            rings += rng.uniform(0.2, 1) * np.sin(2 * np.pi * f * t) * np.exp(-t / rng.uniform(0.008, 0.07))
        rings *= 10 ** (rng.uniform(-14, 4) / 20) / np.sqrt(np.sum(rings**2) + 1e-9)
        rings[0] += 1
    damping = rng.uniform(0.02, 0.2) if rng.random() < 0.4 else None
    contacts = _contacts(rng)
    far = butter(2, np.exp(rng.uniform(np.log(350), np.log(2500))), "low", fs=RATE, output="sos")
    dull = rng.random() < 0.2  # far off, through a cloth, into a telephone that lies in a bag
    flesh = round(np.exp(rng.uniform(np.log(0.002), np.log(0.015))) * RATE) if rng.random() < 0.2 else None
    answer = Table.random(rng).answer(rng, 0.3) if rng.random() < 0.25 else None
    gate = rng.uniform(0.08, 0.2) if rng.random() < 0.2 else None

    def change(hit: np.ndarray) -> np.ndarray:
        f = np.maximum(np.fft.rfftfreq(len(hit), 1 / RATE), 40)
        octaves = np.log2(f)[None] - np.log2(centres)[:, None]
        curve = (gains[:, None] * np.exp(-0.5 * (octaves / widths[:, None]) ** 2)).sum(axis=0)
        curve += 6 * tone * np.log2(f / 600)
        spectrum = np.fft.rfft(hit) * 10 ** (np.clip(curve, -20, 16) / 20)
        out = np.fft.irfft(spectrum, len(hit))
        if damping is not None:
            out = out * np.exp(-np.maximum(0, np.arange(len(out)) / RATE - LEAD) / damping)
        if rings is not None:
            out = fftconvolve(out, rings)
        if contacts is not None:
            out = fftconvolve(out, contacts)
        if flesh is not None:
            out = np.convolve(out, np.hanning(flesh + 2))
        if answer is not None:
            out = out / (np.abs(out).max() + 1e-9)
            rung = fftconvolve(out, answer)
            out = 0.3 * np.pad(out, (0, len(rung) - len(out))) + rung / (np.abs(rung).max() + 1e-9)
        if dull:
            out = sosfilt(far, out)
        if gate is not None:  # recordings are cut, and telephones close when it grows quiet
            fade = np.clip(1 - (np.arange(len(out)) / RATE - LEAD - gate) / 0.02, 0, 1)
            out = out * fade
        return out.astype(np.float32)

    return change


def _shares(recorded: int) -> list[float]:
    """How often each source of knocks comes; those made from nothing in half of the cases, most of them tables."""
    return [0.5 / recorded] * recorded + [0.12, 0.38]


def _contacts(rng: np.random.Generator) -> np.ndarray | None:
    """A fist touches the table more than once: knuckle after knuckle, or a table that rattles."""
    if rng.random() < 0.55:
        return None
    times = np.zeros(round(0.045 * RATE))
    first = 10 ** (rng.uniform(-20, 0) / 20)  # a light touch before the blow, or a heavy one
    times[0] = first
    for _ in range(int(rng.integers(1, 4))):
        times[int(rng.uniform(0.005, 0.04) * RATE)] += rng.choice([-1, 1]) * 10 ** (rng.uniform(-12, 0) / 20)
    return times


def _part(sound: np.ndarray, rng: np.random.Generator, length: int) -> np.ndarray:
    start = int(rng.integers(len(sound) - length))
    return sound[start : start + length]


def _place(out: np.ndarray, sound: np.ndarray, t: float, peak: float, room: np.ndarray | None) -> float:
    """Add ``sound`` at ``t``, its loudest sample at ``peak``; returns where it ends."""
    if np.abs(sound).max() < 1e-5:
        return t
    wet = sound if room is None else fftconvolve(sound, room)
    wet = wet * (peak / np.abs(wet).max())
    start = round(t * RATE)
    end = min(len(out), start + len(wet))
    out[start:end] += wet[: end - start].astype(np.float32)
    return t + len(sound) / RATE


def _room(stock: Stock, rng: np.random.Generator) -> np.ndarray | None:
    """A room response with more or less of its echo; its direct sound comes at once."""
    if rng.random() < 0.35:
        return None
    room = stock.rooms[rng.integers(len(stock.rooms))]
    direct = int(np.argmax(np.abs(room)))
    room = room[direct : direct + round(0.5 * RATE)].copy()
    room[32:] *= 10 ** (rng.uniform(-18, 3) / 20)
    return room


def _speech(stock: Stock, rng: np.random.Generator) -> Recording:
    clip, source = stock.speech[rng.integers(len(stock.speech))]
    return (clip if len(clip) <= 4 * RATE else _part(clip, rng, 4 * RATE)), source


def _background(stock: Stock, rng: np.random.Generator, length: int) -> tuple[np.ndarray, set[str]]:
    choice = rng.random()
    if choice < 0.3:
        return _coloured(rng, length), set()
    if choice < 0.5:  # babble
        out = np.zeros(length, np.float32)
        sources = set()
        for _ in range(int(rng.integers(1, 7))):
            t = 0
            while t < length:
                clip, source = _speech(stock, rng)
                sources.add(source)
                clip = clip[: length - t]
                out[t : t + len(clip)] += clip / (np.abs(clip).max() + 1e-6)
                t += len(clip) + int(rng.uniform(0, 0.6) * RATE)
        return out, sources
    if choice < 0.65:
        return drums(rng, SCENE_SECONDS), set()
    kinds = list(stock.backgrounds)
    of_kind = stock.backgrounds[kinds[rng.integers(len(kinds))]]
    sound, source = of_kind[rng.integers(len(of_kind))]
    return np.resize(np.roll(sound, int(rng.integers(len(sound)))), length), {source}


def _coloured(rng: np.random.Generator, length: int) -> np.ndarray:
    spectrum = np.fft.rfft(rng.standard_normal(length))
    f = np.maximum(np.fft.rfftfreq(length, 1 / RATE), 20)
    return np.fft.irfft(spectrum * f ** -rng.uniform(0, 1.0), length).astype(np.float32)


def _to_level(sound: np.ndarray, level_db: float) -> np.ndarray:
    power = float(np.mean(sound**2))
    return (sound * (10 ** (level_db / 20) / np.sqrt(power + 1e-12))).astype(np.float32)


def _resampled(sound: np.ndarray, factor: float) -> np.ndarray:
    """Played ``factor`` times as fast: a smaller or stiffer table, another voice."""
    return soxr.resample(sound, RATE, RATE / factor, quality="LQ").astype(np.float32)


def _varied(sound: np.ndarray, rng: np.random.Generator, low: float, high: float) -> np.ndarray:
    """Another pitch and tone, in six of ten cases."""
    if rng.random() < 0.4 or len(sound) < 200:
        return sound
    sound = _resampled(sound, rng.uniform(low, high))
    f = np.maximum(np.fft.rfftfreq(len(sound), 1 / RATE), 50)
    gain = np.clip((f / 600) ** (0.3 * rng.uniform(-1, 1)), 0.25, 4)
    return np.fft.irfft(np.fft.rfft(sound) * gain, len(sound)).astype(np.float32)


def _microphone(sound: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Low and high cut of the device, its colour, its automatic gain, its hiss, its gain, now and then its clipping."""
    if rng.random() < 0.6:
        order = 1 + int(rng.integers(2))
        sound = sosfilt(butter(order, rng.uniform(40, 220), "high", fs=RATE, output="sos"), sound)
    if rng.random() < 0.5:
        highest = rng.uniform(2500, 7800) if rng.random() < 0.75 else np.exp(rng.uniform(np.log(700), np.log(2500)))
        sound = sosfilt(butter(2, highest, "low", fs=RATE, output="sos"), sound)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 4))):
            sound = _bell(sound, np.exp(rng.uniform(np.log(80), np.log(6000))), rng.uniform(-9, 9))
    if rng.random() < 0.3:
        sound = _automatic_gain(sound, rng)
    sound = sound * 10 ** (rng.uniform(-25, 8) / 20)
    if rng.random() > 0.25:
        sound = sound + rng.standard_normal(len(sound)) * 10 ** (rng.uniform(-90, -48) / 20)
    return np.clip(sound, -1, 1).astype(np.float32)


def _bell(sound: np.ndarray, centre: float, gain_db: float) -> np.ndarray:
    """A peaking filter of one octave (R. Bristow-Johnson's cookbook)."""
    w, a = 2 * np.pi * centre / RATE, 10 ** (gain_db / 40)
    alpha = np.sin(w) / (2 * 1.4)
    b0, b1, b2 = 1 + alpha * a, -2 * np.cos(w), 1 - alpha * a
    a0, a1, a2 = 1 + alpha / a, -2 * np.cos(w), 1 - alpha / a
    return np.asarray(sosfilt(np.array([[b0 / a0, b1 / a0, b2 / a0, 1, a1 / a0, a2 / a0]]), sound))


def _automatic_gain(sound: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What telephones and conference programs do: turn down what is loud, slowly turn up what is not."""
    block = 64
    n = -(-len(sound) // block)
    loud = np.sqrt(np.mean(np.pad(sound, (0, n * block - len(sound))).reshape(n, block) ** 2, axis=1) + 1e-10)
    attack, release = np.exp(rng.uniform(np.log([0.2, 0.002]), np.log([0.9, 0.05])))
    target, ratio = 10 ** (rng.uniform(-34, -18) / 20), rng.uniform(0.3, 0.9)
    level, gains = float(np.median(loud)), np.empty(n)
    for i, now in enumerate(loud.tolist()):
        level += (attack if now > level else release) * (now - level)
        gains[i] = (target / max(level, target / 30)) ** ratio
    return np.asarray(sound * np.interp(np.arange(len(sound)), np.arange(n) * block + block / 2, gains))
