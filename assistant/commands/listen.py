"""``trut listen``: what the ears hear in files or at a microphone, one line an event, as soon as it is
known."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant import settings
from assistant.defaults import fill_game, microphone_of
from assistant.i18n import N_, _, describe
from engine.errors import TrutError

if TYPE_CHECKING:
    from audio.ears import Ears
    from audio.events import SoundObservation
    from audio.health import Trouble
    from audio.source import SoundSource
    from audio.voices import SpeakerVoices


class ListenError(TrutError):
    """The command was asked for something it cannot do."""

    code = "listen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md."""
    parser.add_argument("files", nargs="*", metavar=_("FICHIER"), help=_("fichiers de son ou films"))
    parser.add_argument("--mic", nargs="?", const="", metavar=_("MICRO"), help=_("écoute un micro (numéro ou nom)"))
    parser.add_argument("--game", metavar=_("JEU"), help=_("le jeu dont on entend les annonces (trut)"))
    parser.add_argument("--phrases", metavar=_("FICHIER"), help=_("un fichier de phrases à entendre, une par ligne"))
    parser.add_argument(
        "--engine", choices=("spotter", "vosk"), default="spotter", help=_("le moteur de reconnaissance")
    )
    parser.add_argument("--voices", metavar=_("FICHIER"), help=_("les voix apprises des joueurs"))
    parser.add_argument("--knock-profile", metavar=_("FICHIER"), help=_("le profil des coups de cette table"))
    parser.add_argument("--speaker", metavar=_("NOM"), help=_("seule cette voix parle"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON par événement"))


def run(args: argparse.Namespace) -> int:
    """Listen; 0 when everything could be heard, else 2."""
    if args.speaker and not args.voices:
        raise ListenError(N_("--speaker demande les voix apprises : donnez aussi --voices FICHIER"))
    if args.voices and args.engine != "spotter":
        raise ListenError(N_("les voix apprises ne servent qu'au moteur spotter"))
    found = settings.load()
    if not args.phrases:
        fill_game(args, found)
    if args.mic == "":
        args.mic = microphone_of(found) or ""
    if args.mic is None and not args.files:
        raise ListenError(N_("rien à écouter : donnez un fichier de son, ou --mic pour le micro"))
    if args.mic is not None and args.files:
        raise ListenError(N_("choisissez : des fichiers, ou --mic"))
    if args.game and args.phrases:
        raise ListenError(N_("choisissez : --game ou --phrases"))

    from assistant.calibrating.knock import profile_here
    from audio.phrasebook import read_phrases
    from audio.source import microphone, open_sound

    known_game(args.game)
    phrases = read_phrases(Path(args.phrases)) if args.phrases else None
    voices, profile = _voices(args), profile_here(args.knock_profile)

    status = 0
    if args.mic is not None:
        source = microphone(args.mic or None)
        if not args.json:
            print(_("J'écoute le micro {name}. Ctrl-C pour arrêter.").format(name=source.name), flush=True)
        try:
            _listen(source, _ears(args, phrases, voices, profile), args.json, None)
        except KeyboardInterrupt:
            pass
        finally:
            source.close()
        return 0
    for n, name in enumerate(args.files):
        ears = _ears(args, phrases, voices, profile, quiet=n > 0)  # their faults are no file's: they end it all
        try:
            shown = name if len(args.files) > 1 else None
            _listen(open_sound(name), ears, args.json, shown)
        except TrutError as problem:
            if len(args.files) == 1:
                raise
            sys.stderr.write(f"trut: {describe(problem)}\n")
            status = max(status, problem.exit_status)
    return status


def known_game(name: str | None) -> str:
    """A game by name; Trut where none is named.

    Raises:
        ListenError: there is none such.
    """
    from audio.phrasebook import GAMES

    if name and name not in GAMES:
        raise ListenError(N_("jeu inconnu : {game} (jeux : {games})"), game=name, games=", ".join(GAMES))
    return name or "trut"


def _voices(args: argparse.Namespace) -> SpeakerVoices | None:
    """The enrolled voices, or the one that speaks; None without ``--voices``."""
    from assistant.wiring import voices_in

    voices = voices_in(Path(args.voices) if args.voices else None)
    return voices.only(args.speaker) if args.speaker and voices is not None else voices


def _ears(
    args: argparse.Namespace,
    phrases: Sequence[str] | None,
    voices: SpeakerVoices | None,
    profile: Path | None,
    *,
    quiet: bool = False,
) -> Ears:
    """Fresh ears; unless ``quiet``, what the user should know of them goes to stderr."""
    from assistant.calibrating.knock import detector
    from audio.ears import Ears
    from audio.phrases import PhraseSpotter

    knocks = detector(profile)
    spotter = PhraseSpotter(args.game or "trut", phrases, args.engine, voices=voices)
    for caution in () if quiet else spotter.cautions:
        sys.stderr.write(f"trut: {describe(caution)}\n")
    return Ears(knocks=knocks, spotter=spotter)


def _listen(source: SoundSource, ears: Ears, as_json: bool, shown: str | None) -> None:
    heard = 0
    for event in _events(source, ears):
        line = json.dumps(as_row(event, shown), ensure_ascii=False) if as_json else sentence(event, shown)
        print(line, flush=True)
        heard += 1
    if not heard and not as_json:
        silence = _("rien entendu : ni coup sur la table, ni annonce")
        print(silence if shown is None else _of_file(shown, silence), flush=True)


def _events(source: SoundSource, ears: Ears) -> Iterator[SoundObservation]:
    """The events of a source to its end; where it breaks off, those before come first, then the error."""
    broken: TrutError | None = None
    news = getattr(source, "news", None)
    try:
        for block in source:
            yield from ears.accept(block)
            for trouble in news() if news is not None else ():
                _warn(trouble)
    except TrutError as problem:
        broken = problem
    yield from ears.finish()
    if broken is not None:
        raise broken


def _warn(trouble: Trouble) -> None:
    """One line on stderr about the microphone; the listening goes on."""
    from assistant.mic_check import trouble_sentence

    sys.stderr.write(f"trut: {trouble_sentence(trouble)}\n")


def as_row(event: SoundObservation, file: str | None = None) -> dict[str, Any]:
    """An event as CLI.md has it."""
    from audio.events import Knock

    row: dict[str, Any] = {"t": round(event.t, 3), "decided": round(event.decided, 3)}
    if isinstance(event, Knock):
        row |= {
            "kind": "knock",
            "confidence": round(event.confidence, 3),
            "gesture": event.gesture,
            "hit": event.hit,
        }
    else:
        row |= {
            "kind": "phrase",
            "phrase": event.phrase,
            "means": list(event.means),
            "answer": event.answer,
            "text": event.text,
            "confidence": round(event.confidence, 3),
        }
        if event.doubtful:
            row |= {"doubtful": True, "rival": event.rival}
        if event.speaker_name is not None:
            row["speaker"] = event.speaker_name
    return row if file is None else {"file": file, **row}


def sentence(event: SoundObservation, file: str | None = None) -> str:
    """An event for people."""
    from audio.events import Knock

    percent = round(100 * event.confidence)
    if isinstance(event, Knock):
        if event.hit == 1:
            text = _("{t:.2f} s : un coup sur la table (geste {gesture}, sûr à {percent} %)")
        else:
            text = _("{t:.2f} s : encore un coup (geste {gesture}, coup {hit}, sûr à {percent} %)")
        line = text.format(t=event.t, gesture=event.gesture, hit=event.hit, percent=percent)
    else:
        if event.doubtful and event.rival:
            text = _("{t:.2f} s : « {text} », ou bien « {rival} » ? (sûr à {percent} %)")
        elif event.doubtful:
            text = _("{t:.2f} s : « {text} » ? (sûr à {percent} %)")
        else:
            text = _("{t:.2f} s : « {text} » (sûr à {percent} %)")
        line = text.format(t=event.t, text=event.text, rival=event.rival, percent=percent)
    return line if file is None else _of_file(file, line)


def _of_file(file: str, line: str) -> str:
    return _("{file} : {line}").format(file=file, line=line)
