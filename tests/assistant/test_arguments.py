"""What argparse says by itself is in the language in force too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.cli import main
from assistant.i18n import set_language


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    yield
    set_language("fr")


@pytest.mark.parametrize(
    ("words", "french", "english"),
    [
        ("rules --nope trut", "arguments inconnus : --nope", "unrecognized arguments: --nope"),
        ("score", "il manque : FICHIER", "the following arguments are required: FILE"),
        ("watch --camera", "argument --camera : il faut une valeur", "argument --camera: expected one argument"),
        ("watch --option a", "argument --option : il faut 2 valeurs", "argument --option: expected 2 arguments"),
        ("watch --volume x", "ce n'est pas une valeur possible : 'x'", "invalid int value: 'x'"),
        ("watch --speech loud", "valeur inconnue : 'loud'", "invalid choice: 'loud'"),
        ("watch --speak --no-speak", "ne va pas avec l'argument --speak", "not allowed with argument --speak"),
        ("score --json=3 x", "cet argument ne prend pas de valeur : '3'", "ignored explicit argument '3'"),
        ("belote", "valeur inconnue : 'belote'", "invalid choice: 'belote'"),
    ],
)
def test_errors_are_one_line_in_either_language(
    words: str, french: str, english: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for code, sentence in (("fr", french), ("en", english)):
        assert main(["--lang", code, *words.split()]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert sentence in err


def test_help_has_no_english_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "fr", "rules", "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("usage : trut rules")
    assert "montre cette aide et s'arrête" in out
    assert "show this" not in out
    assert main(["--lang", "en", "rules", "--help"]) == 0
    assert "show this help message and exit" in capsys.readouterr().out
