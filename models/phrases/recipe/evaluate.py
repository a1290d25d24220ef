"""The figures of docs/decisions/choosing-phrases.md, group by group, with 95 % intervals. Those of the card are
of the net alone (closed_set.py).

usage: python -m models.phrases.recipe.evaluate [--cases DIR] [--speech DIR] [--heard LABELS.jsonl ...]
    [--weights phones.onnx] [--list]

``--cases`` holds ``phrases/clean``, ``phrases/cafe10`` (calls and near misses, with labels.jsonl) and ``sounds``
(speech, places, music). ``--speech`` holds the recordings of which the vocgame speakers from 25 on were kept back: each
of their words in turn is the phrase that is listened for (stand-ins for words of the game, of which no recording
exists). ``--heard`` are further recordings without calls, for false alarms. Calls are counted with all phrases of their
game, and with the grammar of the moment (assistant/bench/moments.py). Words that count only while somebody is asked are
no false calls; they are given apart. A doubtful call is asked back, so it is given apart too.
"""

from __future__ import annotations

import argparse
import collections
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.bench.moments import moments
from assistant.bench.tally import rate_interval, share_interval
from audio.acoustic import WEIGHTS
from audio.phrasebook import calls_from, calls_of
from audio.phrases import strictness
from audio.spotter import Strictness
from models.phrases.recipe.corpus import RATE, kept_back, load
from models.phrases.recipe.hearing import Found, Outputs, found_in, outputs, without_names

#: A call counts as heard at the right time within this many seconds.
TOLERANCE = 1.2
#: Share of the takes of a stand-in that its threshold may lose.
MISSES = 0.05
_TALK = ("speech-fr", "speech-fr-words", "speech-other", "voice-nonspeech", "ambience", "music", "laugh", "cough")
#: Groups of cases/sounds whose speakers are in the training set too.
_KNOWN_SPEAKERS = ("gcompris-intro", "tuxpaint-fr")


def share(count: int, of: int) -> str:
    """A count, and where the true share lies."""
    low, high = share_interval(count, of)
    return f"{count}/{of} [{low:.2f}, {high:.2f}]"


def rate(count: int, hours: float) -> str:
    """A count, the rate an hour, and where the true rate lies."""
    low, high = rate_interval(count, hours)
    return f"{count} in {hours * 60:.1f} min = {count / max(1e-9, hours):.1f}/h [{low:.1f}, {high:.1f}]"


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording, heard."""

    row: dict[str, Any]
    heard: Outputs


def sounds(labels: Path, weights: Path, kinds: Sequence[str] | None = None) -> Iterator[Sound]:
    """The recordings of a folder (of these kinds)."""
    for line in labels.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if kinds is None or row.get("kind") in kinds:
            yield Sound(row, outputs(load(labels.parent / row["file"]), weights))


def counted(found: Sequence[Found], strict: Strictness) -> list[Found]:
    """Those that count."""
    return [f for f in found if f.counts and f.confidence >= strict.at_least(f.call)]


def calls_and_near_misses(folder: Path, weights: Path, show: bool) -> None:
    """Calls heard and near misses taken for one, with all phrases and with those of the moment."""
    strict = strictness(False)
    count: collections.Counter[tuple[str, str]] = collections.Counter()
    for sound in sounds(folder / "labels.jsonl", weights):
        calls = without_names(calls_of(sound.row["game"]))
        text = sound.row["text"]
        for event in sound.row["events"]:
            verb = event["phrase"].split()[0]
            moment = moments(sound.row["game"]).get(verb)
            names = ["all", verb, *(["je trute"] if text.startswith("je trut") else [])]
            for grammar, welcome in (("all", None), ("moment", moment)):
                allowed = None if welcome is None else [call.may_be_said(welcome) for call in calls]
                found = counted(found_in(sound.heard, calls, allowed), strict)
                right = [f for f in found if verb in f.call.verbs and abs(f.t - event["t"]) <= TOLERANCE]
                sure = [f for f in right if not strict.doubts(f.evidence, f.confidence)]
                for name in names:
                    count[grammar, name] += 1
                    count[grammar + " heard", name] += bool(right)
                    count[grammar + " sure", name] += bool(sure)
                if show and not right:
                    print("  missed", grammar, sound.row["file"], text, [f.call.text for f in found])
        if not sound.row["events"]:
            for grammar, welcome in (("all", None), ("moment", moments("trut").get("trut"))):
                allowed = None if welcome is None else [call.may_be_said(welcome) for call in calls]
                found = counted(found_in(sound.heard, calls, allowed), strict)
                false = [f for f in found if not f.call.answer]
                count[grammar, "near"] += 1
                count[grammar + " false", "near"] += bool(false)
                count[grammar + " sure", "near"] += any(not strict.doubts(f.evidence, f.confidence) for f in false)
                count[grammar + " answers", "near"] += bool(found) and not false
                if show and false:
                    print("  false", grammar, sound.row["file"], text, [f.call.text for f in false])
    names = sorted({name for _, name in count} - {"near"}, key=lambda name: (name != "all", " " not in name, name))
    for name in names:
        parts = [
            f"{what}: {share(count[grammar + ' heard', name], count[grammar, name])}, "
            f"sure {count[grammar + ' sure', name]}"
            for grammar, what in (("all", "all phrases"), ("moment", "of the moment"))
        ]
        print(f"{folder.name:8s} {name:10s} " + "; ".join(parts))
    for grammar, what in (("all", "all phrases"), ("moment", "before the lead")):
        print(
            f"{folder.name:8s} near misses, {what}: {share(count[grammar + ' false', 'near'], count[grammar, 'near'])}"
            f" false calls ({count[grammar + ' sure', 'near']} sure), {count[grammar + ' answers', 'near']} answers"
        )


@dataclass(slots=True)
class _Alarms:
    """False calls, those of them that are sure, "je trute", answers, seconds."""

    false: int = 0
    sure: int = 0
    trut: int = 0
    answers: int = 0
    seconds: float = 0.0

    def line(self) -> str:
        return f"{rate(self.false, self.seconds / 3600)}, sure {self.sure}, trut {self.trut}, answers {self.answers}"


def false_calls(name: str, heard: Sequence[Sound], show: bool) -> None:
    """False calls in recordings in which nobody calls, while trut is played: all phrases, and those that may open."""
    strict, trut = strictness(False), without_names(calls_of("trut"))
    allowed = [call.may_be_said(moments("trut")["trut"]) for call in trut]
    groups: dict[str, _Alarms] = collections.defaultdict(_Alarms)
    for sound in heard:
        label = f"{sound.row.get('kind', name)} {sound.row.get('group', '')}"
        known = sound.row.get("group") in _KNOWN_SPEAKERS
        totals = ["ALL"] if not known else ["ALL known speakers"]
        totals += [f"ALL {sound.row.get('kind', name)}" + (" known" if known else "")]
        for which, welcome in (("", None), (" while nobody is asked", allowed)):
            false = counted(found_in(sound.heard, trut, welcome), strict)
            for group in (label, *totals):
                alarms = groups[group + which]
                calls = [f for f in false if not f.call.answer]
                alarms.false += len(calls)
                alarms.sure += sum(not strict.doubts(f.evidence, f.confidence) for f in calls)
                alarms.trut += sum("trut" in f.call.means for f in calls)
                alarms.answers += len(false) - len(calls)
                alarms.seconds += sound.heard.seconds
            if show and false and welcome is None:
                print("  false", sound.row["file"], [(f.call.text, round(f.confidence, 2)) for f in false])
    for group, alarms in sorted(groups.items()):
        print(f"{group:45s} {alarms.line()}")


def stand_ins(speech: Path, talk: Sequence[Sound], weights: Path) -> None:
    """Each kept-back word in turn is the phrase: false alarms an hour in real French, at few misses."""
    takes: dict[str, list[Outputs]] = collections.defaultdict(list)
    quiet = np.zeros(int(0.6 * RATE), np.float32)
    for clip in kept_back(speech):
        takes[clip.text].append(outputs(np.concatenate([quiet, load(clip.path), quiet]), weights))
    french = [s for s in talk if str(s.row.get("kind", "")).startswith("speech-fr")]
    all_takes: list[float] = []
    all_false: list[float] = []
    hours = 0.0
    for word, heard in sorted(takes.items()):
        calls = calls_from([word])
        mine = [max((f.confidence for f in found_in(take, calls)), default=0.0) for take in heard]
        others = [s for s in french if word not in (s.row.get("text") or "").lower()]
        false = [f.confidence for s in others for f in found_in(s.heard, calls)]
        listened = sum(s.heard.seconds for s in others) / 3600
        all_takes, all_false, hours = all_takes + mine, all_false + false, hours + listened
        print(f"stand-in {word:10s} " + _at_misses(mine, false, listened))
    print("stand-ins, one threshold for all: " + _at_misses(all_takes, all_false, hours))


def _at_misses(takes: Sequence[float], false: Sequence[float], hours: float) -> str:
    ranked = np.sort(takes)
    parts = []
    for misses in (MISSES, 0.1, 0.2):
        least = ranked[int(misses * len(ranked))]
        parts.append(f"{misses:.0%} of {len(ranked)} missed: {rate(int((np.array(false) >= least).sum()), hours)}")
    return "; ".join(parts)


def closed_set(speech: Path, weights: Path, show: bool) -> None:
    """The kept-back words as a list (``trut listen --phrases``)."""
    strict = strictness(True)
    clips = kept_back(speech)
    calls = calls_from(sorted({clip.text for clip in clips}))
    quiet = np.zeros(int(0.6 * RATE), np.float32)
    right = heard_at_all = 0
    for clip in clips:
        found = found_in(outputs(np.concatenate([quiet, load(clip.path), quiet]), weights), calls)
        heard = counted(found, strict)
        heard_at_all += bool(heard)
        right += bool(heard) and heard[0].call.text == clip.text
        if show and not (heard and heard[0].call.text == clip.text):
            print("  wrong", clip.speaker, clip.text, [h.call.text for h in heard])
    print(f"vocgame, kept back: {share(right, len(clips))} right, {heard_at_all} heard, {len(calls)} words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--speech", type=Path)
    parser.add_argument("--heard", type=Path, nargs="*", default=[])
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--list", action="store_true", help="each miss and false call")
    args = parser.parse_args()
    if args.speech:
        closed_set(args.speech, args.weights, args.list)
    talk: list[Sound] = []
    if args.cases:
        for folder in ("clean", "cafe10"):
            calls_and_near_misses(args.cases / "phrases" / folder, args.weights, args.list)
        talk = list(sounds(args.cases / "sounds" / "labels.jsonl", args.weights, _TALK))
        false_calls("sounds", talk, args.list)
    for labels in args.heard:
        false_calls(labels.parent.name, list(sounds(labels, args.weights)), args.list)
    if args.speech and talk:
        stand_ins(args.speech, talk, args.weights)


if __name__ == "__main__":
    main()
