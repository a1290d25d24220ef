"""Write the Vosk model that ships, from the phone net and the lexicon: a minute, one command, no toolkit.

usage: python -m models.vosk.recipe.build [--speech DIR] [--net phones.onnx] [--out DIR]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx

from audio.vosk_graph import write_graph
from models.vosk.recipe.nnet3 import acoustic_model
from models.vosk.recipe.vocabulary import vocabulary, words_in

_MODELS = Path(__file__).parents[2]

#: How Kaldi computes the cepstra of audio/features.py.
FEATURES = """\
--use-energy=false
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=7600
--dither=0
--allow-upsample=true
--allow-downsample=true
"""
#: The search, and the silence (seconds) that ends an utterance.
SEARCH = """\
--min-active=200
--max-active=3000
--beam=16
--lattice-beam=12
--phone-determinize=false
--acoustic-scale=1.0
--frame-subsampling-factor=3
--frames-per-chunk=9
--endpoint.silence-phones=1
--endpoint.rule2.min-trailing-silence=0.27
--endpoint.rule3.min-trailing-silence=0.39
--endpoint.rule4.min-trailing-silence=0.6
"""


def build(net: Path, out: Path, speech: list[Path]) -> None:
    """Write the folders ``am``, ``conf`` and ``graph`` of the model.

    Args:
        net: the phone net.
        out: the folder of the model; without ``speech`` the words of a model that is there stay in it.
        speech: recordings whose words it learns besides those of the games.
    """
    kept = () if speech else words_in(out / "graph")
    for part in ("am", "conf"):
        (out / part).mkdir(parents=True, exist_ok=True)
    (out / "am" / "final.mdl").write_bytes(acoustic_model(onnx.load(str(net))))
    (out / "conf" / "mfcc.conf").write_text(FEATURES)
    (out / "conf" / "model.conf").write_text(SEARCH)
    words = write_graph(out / "graph", vocabulary(speech, kept))
    files = [path for part in ("am", "conf", "graph") for path in (out / part).rglob("*") if path.is_file()]
    print(f"{out}: {sum(path.stat().st_size for path in files) / 1e6:.1f} MB, {len(words)} words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, action="append", default=[], help="folders with */labels.jsonl")
    parser.add_argument("--net", type=Path, default=_MODELS / "phrases" / "phones.onnx")
    parser.add_argument("--out", type=Path, default=_MODELS / "vosk")
    args = parser.parse_args()
    build(args.net, args.out, args.speech)


if __name__ == "__main__":
    main()
