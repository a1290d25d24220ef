"""What a phone may send, and nothing else.

Texts are JSON objects with a ``type``; pictures and sound are bytes behind a short header (little endian). The same
things come by plain uploads, where the header's fields are in the address (``numbers_of``).

===========  =========================================================================================
bytes        a picture
0            1
1            pictures left out before this one (at most 255)
2-3          0
4-7          number of the picture, unsigned
8-15         when it was taken, milliseconds of the phone's clock, double
16-          the JPEG
===========  =========================================================================================

===========  =========================================================================================
bytes        a block of sound
0            2
1            0
2-3          number of the take: another one for every time that the microphone was opened
4-7          number of the block, unsigned
8-15         when its last sample was captured, milliseconds of the phone's clock, double
16-23        number of its first sample in the take, double
24-          samples, mono, 16 bits
===========  =========================================================================================
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from assistant.i18n import N_
from assistant.page.phone.jpeg import MOST_BYTES, size_of
from engine.errors import TrutError

PICTURE, SOUND = 1, 2
_PICTURE_HEADER = struct.Struct("<BBHId")
_SOUND_HEADER = struct.Struct("<BBHIdd")
SLOWEST, FASTEST = 8_000, 192_000
"""Samples a second of a microphone."""
MOST_SOUND = 192_000
"""Bytes of a block: two seconds at 48 kHz."""
MOST_MESSAGE = _SOUND_HEADER.size + MOST_BYTES
MOST_TEXT = 4096
_LATEST = 2.0**53
"""Milliseconds and samples beyond this are no numbers of a phone."""


class BadPhoneData(TrutError):
    """What a phone sent is not what a phone sends.

    Attributes:
        status: of the HTTP answer.
    """

    code = "bad-phone-data"
    status = 400


class TooLarge(BadPhoneData):
    """A picture or a block of sound beyond the bounds."""

    code = "too-large"
    status = 413


class NoPicture(BadPhoneData):
    """Bytes that are no JPEG worth decoding."""

    code = "no-picture"
    status = 415


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture as it came: ``taken`` in seconds of the phone's clock, ``size`` in pixels (width, height)."""

    number: int
    taken: float
    left_out: int
    jpeg: bytes
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentSound:
    """A block of sound as it came: ``ended`` in seconds of the phone's clock, ``samples`` 16 bits each."""

    take: int
    number: int
    ended: float
    first: int
    samples: bytes


@dataclass(frozen=True, slots=True)
class Begin:
    """A phone asks to be camera, microphone or both.

    Attributes:
        key: the page's own random word, by which it is known again after its network was gone.
        rate: samples a second of its sound.
        name: what it calls itself, for people.
        take_over: take the place of another phone.
    """

    camera: bool
    microphone: bool
    rate: int
    key: str
    name: str = ""
    take_over: bool = False


@dataclass(frozen=True, slots=True)
class Ping:
    """``number`` of a question what time it is."""

    number: int


@dataclass(frozen=True, slots=True)
class Round:
    """The question left at ``sent`` and its answer came at ``came``, seconds of the phone's clock."""

    number: int
    sent: float
    came: float


@dataclass(frozen=True, slots=True)
class Asleep:
    """The page is hidden, or something else has the camera."""


@dataclass(frozen=True, slots=True)
class Awake:
    """The page is in front again."""


@dataclass(frozen=True, slots=True)
class End:
    """The person stopped it."""


Told = Begin | Ping | Round | Asleep | Awake | End


def told(message: object) -> Told:
    """A text message of a phone, decoded from JSON.

    Raises:
        BadPhoneData: it is none.
    """
    if not isinstance(message, Mapping):
        raise _bad()
    match message.get("type"):
        case "begin":
            return _begin(message)
        case "ping":
            return Ping(_whole(message.get("n")))
        case "clock":
            return Round(_whole(message.get("n")), _seconds(message.get("sent")), _seconds(message.get("came")))
        case "asleep":
            return Asleep()
        case "awake":
            return Awake()
        case "end":
            return End()
    raise _bad()


def unpacked(data: bytes) -> SentPicture | SentSound:
    """A picture or a block of sound with its header.

    Raises:
        BadPhoneData, TooLarge, NoPicture.
    """
    if data[:1] == bytes([PICTURE]) and len(data) > _PICTURE_HEADER.size:
        _kind, left_out, _zero, number, taken = _PICTURE_HEADER.unpack_from(data)
        return picture(number, taken, left_out, data[_PICTURE_HEADER.size :])
    if data[:1] == bytes([SOUND]) and len(data) > _SOUND_HEADER.size:
        _kind, _zero, take, number, ended, first = _SOUND_HEADER.unpack_from(data)
        return sound(take, number, ended, first, data[_SOUND_HEADER.size :])
    raise _bad()


def picture(number: object, taken: object, left_out: object, jpeg: bytes) -> SentPicture:
    """A picture from its parts.

    Args:
        taken: milliseconds of the phone's clock.

    Raises:
        BadPhoneData, TooLarge, NoPicture.
    """
    if len(jpeg) > MOST_BYTES:
        raise TooLarge(N_("image trop lourde : {most} octets au plus"), most=MOST_BYTES)
    size = size_of(jpeg)
    if size is None:
        raise NoPicture(N_("ce n'est pas une image JPEG que l'arbitre peut lire"))
    return SentPicture(_whole(number), _seconds(taken), min(255, _whole(left_out)), jpeg, size)


def sound(take: object, number: object, ended: object, first: object, samples: bytes) -> SentSound:
    """A block of sound from its parts.

    Args:
        ended: milliseconds of the phone's clock.

    Raises:
        BadPhoneData, TooLarge.
    """
    if len(samples) > MOST_SOUND:
        raise TooLarge(N_("son trop long : {most} octets au plus"), most=MOST_SOUND)
    if not samples or len(samples) % 2:
        raise _bad()
    return SentSound(_whole(take), _whole(number), _seconds(ended), _whole(first), samples)


def numbers_of(address: Mapping[str, str], *names: str) -> list[float]:
    """Numbers of an upload's address.

    Raises:
        BadPhoneData: one is missing, or no number.
    """
    try:
        return [float(address[name]) for name in names]
    except (KeyError, ValueError):
        raise _bad() from None


def _begin(message: Mapping[str, object]) -> Begin:
    camera, microphone, take_over = (message.get(word, False) for word in ("camera", "microphone", "take_over"))
    key, name = message.get("key"), message.get("name", "")
    if not (isinstance(camera, bool) and isinstance(microphone, bool) and isinstance(take_over, bool)):
        raise _bad()
    if not (isinstance(key, str) and 8 <= len(key) <= 64 and key.isascii() and key.isalnum()):
        raise _bad()
    if not (isinstance(name, str) and len(name) <= 60 and (not name or name.isprintable())):
        raise _bad()
    if not (camera or microphone):
        raise _bad()
    rate = _whole(message.get("rate", 48_000))
    if not SLOWEST <= rate <= FASTEST:
        raise _bad()
    return Begin(camera, microphone, rate, key, name, take_over)


def _whole(value: object) -> int:
    number = _number(value)
    if number != int(number):
        raise _bad()
    return int(number)


def _seconds(value: object) -> float:
    return _number(value) / 1000


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad()
    if not (0 <= value < _LATEST and math.isfinite(value)):
        raise _bad()
    return float(value)


def _bad() -> BadPhoneData:
    return BadPhoneData(N_("le téléphone a envoyé ce que l'arbitre ne comprend pas"))
