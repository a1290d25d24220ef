"""Putting the parts together: which eyes and ears for which game, from which media."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.i18n import N_, _, describe
from engine.errors import TrutError
from engine.header import SEATS

if TYPE_CHECKING:  # vision and audio load large libraries: only who needs them pays
    from assistant.page.phone import Phone
    from assistant.session import Eyes, LiveSound, Pictures, Sound
    from audio.ears import Ears
    from audio.voices import SpeakerVoices
    from calibration.profile import Profile

DECKS = {"truc-y-flou": "spanish40"}
"""The deck of a game where it is not ``french32`` (CLI.md)."""
ANY = ""
"""The first camera there is."""
PHONE = "phone"
"""A phone's browser, through the page."""
ENROLLED = frozenset({"trut-robin-red"})
"""Games whose deck must be enrolled."""


class BadMedia(TrutError):
    """Camera and microphone cannot be used together as asked."""

    code = "bad-media"


def profile_named(named: str | None, seats: int | None = None) -> Profile | None:
    """The calibrated table of ``--profile``, None where none is asked for.

    Args:
        seats: how many shall play, None: as many as sat there.

    Raises:
        BrokenProfile: there is none, or it is damaged.
        BadMedia: it is that of a table with another number of seats.
    """
    if named is None:
        return None
    from calibration.profile import Profile, folder_of

    profile = Profile.load(folder_of(named))
    if seats not in (None, profile.players):
        raise BadMedia(
            N_("la table « {name} » a {there} places, la partie se joue à {seats} ; recalibrez-la, ou ôtez --seats"),
            name=profile.name,
            there=profile.players,
            seats=seats,
        )
    return profile


def last_profile(named: str | None, seats: int | None, game: str | None = None) -> str | None:
    """The profile of the settings, if it can still be used, and be played at: it is said if not, and is no reason not
    to play."""
    try:
        profile = profile_named(named, seats)
        if profile is not None and profile.players not in SEATS.get(game or "", (profile.players,)):
            raise BadMedia(
                N_("la table « {name} » a {there} places, {game} ne se joue pas à tant : la partie se fait sans elle"),
                name=profile.name,
                there=profile.players,
                game=game,
            )
    except TrutError as problem:
        sys.stderr.write(f"trut: {describe(problem)}\n")
        return None
    return named


def deck_for(game: str, asked: str | None) -> str:
    """The deck to read: the one asked for, else that of the game."""
    if asked is None and game in ENROLLED:
        raise BadMedia(N_("le jeu de cartes de {game} doit être appris : donnez-le avec --deck"), game=game)
    return asked or DECKS.get(game, "french32")


def eyes_for(deck: str, seats: int, profile: Profile | None = None) -> Eyes:
    """A watcher of the table that reads ``deck``, and that notices a bumped camera.

    Args:
        profile: the calibrated table; by default the table fills the picture.

    Raises:
        UnknownDeck, MissingWeights: the deck cannot be read.
    """
    from vision.decks import Deck, deck_named
    from vision.reading import CardReader
    from vision.steady import SteadyEyes
    from vision.table import TableWatcher

    known = deck_named(deck)
    pattern = known if isinstance(known, Deck) else known.like
    watcher = TableWatcher(CardReader(known), seats=seats, copies=pattern.copies)
    if profile is None:
        return SteadyEyes(watcher)
    return SteadyEyes(watcher, profile.seat_map, profile.reference)


def voices_in(file: Path | None) -> SpeakerVoices | None:
    """The voices that ``trut calibrate voice`` learnt. Raises UnreadableVoices."""
    if file is None:
        return None
    from audio.voices import SpeakerVoices

    return SpeakerVoices.load(file)


def ears_for(
    game: str, voices: SpeakerVoices | None = None, knock_profile: Path | None = None, called: tuple[str, ...] = ()
) -> Ears:
    """Ears that know the phrases of ``game``, the voices that the players taught them, the knocks of this table, and
    what the players are ``called``, from seat 1 on.

    They report doubtful knocks too: the interpreter weighs them with the hands that the eyes saw.
    """
    from assistant.calibrating.knock import detector
    from assistant.knocking import LIKELY_KNOCK
    from audio.ears import Ears
    from audio.phrases import PhraseSpotter

    knocks = detector(knock_profile, first=LIKELY_KNOCK)
    return Ears(knocks=knocks, spotter=PhraseSpotter(game, voices=voices, called=called))


@dataclass(frozen=True)
class Media:
    """Where pictures and sound come from. ``live``: from devices, on the wall clock."""

    camera: Pictures | None
    sound: Sound | None
    live: bool


def phone_for(camera: str | None, mic: str | None) -> Phone | None:
    """The phone that ``--camera phone`` and ``--mic phone`` ask for, for ``open_media`` and for the page; None where
    neither does."""
    if PHONE not in (camera, mic):
        return None
    from assistant.page.phone import Phone

    return Phone(camera=camera == PHONE, microphone=mic == PHONE)


def open_media(camera: str | None, mic: str | None, phone: Phone | None = None) -> Media:
    """Open what ``--camera`` and ``--mic`` name (CLI.md).

    A number is a device, ``phone`` is the phone (``phone_for``) that the page is opened on, anything else a file (or a
    stream); ``off`` is none. Without a camera it is the
    first device, unless the sound is a file. Without a microphone it is the film's own sound track if it has
    one, or, with a camera that is a device, the system's microphone. A device that nobody named and that is not
    there is no error: play goes on without it, and it comes in by itself.

    Raises:
        NoSuchCamera (exit status 1), CameraUnavailable, UnreadableSound, MicrophoneUnavailable, BadMedia.
    """
    if phone is None and PHONE in (camera, mic):
        raise BadMedia(N_("le téléphone passe par la page : ajoutez --web 0.0.0.0"))
    mic_file = mic is not None and mic != "off" and not _is_device(mic)
    if camera is None:
        camera = "off" if mic_file else ANY
    if camera == "off" and mic in (None, "off"):
        raise BadMedia(N_("ni caméra ni micro : il n'y a rien à arbitrer ; au clavier : --keys, sur la page : --web"))
    live_camera = _is_camera(camera)
    live_mic = mic is not None and _is_device(mic)
    if (live_camera and mic_file) or (live_mic and camera != "off" and not live_camera):
        raise BadMedia(N_("caméra et micro doivent être tous deux en direct, ou tous deux des fichiers"))
    live = live_camera or live_mic
    pictures = None if camera == "off" else _of_phone(camera, phone) or _open_pictures(camera, live_camera)
    try:
        sound = phone.microphone if phone is not None and mic == PHONE else _open_sound(camera, mic, live)
    except TrutError:
        if pictures is not None:
            pictures.close()
        raise
    return Media(pictures, sound, live)


def _is_camera(name: str) -> bool:
    """Whether ``--camera`` names a device or a stream."""
    if name in (ANY, "off") or _is_device(name):
        return name != "off"
    from vision.camera import is_live

    return is_live(name)


def _of_phone(camera: str, phone: Phone | None) -> Pictures | None:
    return phone.camera if phone is not None and camera == PHONE else None


def _open_pictures(camera: str, live: bool) -> Pictures:
    if live:
        from vision.live_camera import LiveCamera

        return LiveCamera(camera, patient=camera == ANY, progress=_show_opening)
    from vision.camera import open_camera

    return open_camera(camera)


def _show_opening(seconds: float) -> None:
    sys.stderr.write(_("J'ouvre la caméra… {seconds:.0f} s").format(seconds=seconds) + "\n")


def _open_sound(camera: str, mic: str | None, live: bool) -> Sound | None:
    from assistant.late import LateMicrophone
    from audio.errors import MicrophoneUnavailable, UnreadableSound
    from audio.source import microphone, open_sound

    if mic == "off":
        return None
    if mic is not None:
        return microphone(int(mic)) if _is_device(mic) else open_sound(mic)
    if live:
        try:
            return microphone(None)
        except MicrophoneUnavailable as problem:  # nobody asked for it by name: the eyes can do without
            sys.stderr.write(f"trut: {describe(problem)}\n")
            return LateMicrophone(_microphone_now)
    if not Path(camera).is_file():  # a folder of pictures has no sound
        return None
    try:
        return open_sound(camera)
    except UnreadableSound:
        return None


def _microphone_now() -> LiveSound:
    """The system's microphone, looked for anew. Raises MicrophoneUnavailable."""
    from audio.devices import PortAudio
    from audio.microphone import Microphone

    backend = PortAudio()
    backend.rescan()
    return Microphone(None, backend=backend)


def _is_device(name: str) -> bool:
    return name == PHONE or (name.isascii() and name.isdigit())
