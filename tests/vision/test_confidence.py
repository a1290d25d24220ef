"""The confidence file belongs to the weights; odds and probabilities go together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vision.confidence
from vision.confidence import Confidence, odds
from vision.errors import MissingWeights

PLAIN = Confidence(rank=(-6.9, 1, 1, 0), index=(0, 1, 0, 0), suit=(0, 1), rank_sure=0.7)


def test_shipped_confidence_grows_with_every_figure() -> None:
    shipped = Confidence.shipped()
    low, high = np.array([0.5]), np.array([0.99])
    for weak in ((low, high, high), (high, low, high), (high, high, low)):
        assert shipped.of_ranks(*weak)[0] <= shipped.of_ranks(high, high, high)[0]
        assert shipped.of_indices(*weak)[0] <= shipped.of_indices(high, high, high)[0]
    assert shipped.of_suits(low)[0] < shipped.of_suits(high)[0]
    assert 0.4 < shipped.rank_sure < 0.95


@given(st.floats(0.01, 0.99))
def test_plain_coefficients_give_the_probability_back(p: float) -> None:
    assert PLAIN.of_suits(np.array([p]))[0] == pytest.approx(p, abs=1e-3)
    assert PLAIN.of_indices(np.array([p]), np.array([0.5]), np.array([0.5]))[0] == pytest.approx(p, abs=1e-3)
    assert PLAIN.of_ranks(np.array([p]), np.array([1.0]), np.array([0.5]))[0] == pytest.approx(p, abs=1e-2)


def test_certainty_stays_finite() -> None:
    assert np.isfinite(odds(np.array([0.0, 1.0]))).all()


@pytest.mark.parametrize("text", [None, "", "{}", '{"rank": 1, "index": [], "suit": [], "rank_sure": 0.7}'])
def test_missing_or_broken_file_is_one_sentence(
    text: str | None, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision.confidence, "MODELS", tmp_path)
    if text is not None:
        (tmp_path / "reader").mkdir()  # type: ignore[operator]
        (tmp_path / "reader" / "confidence.json").write_text(text)  # type: ignore[operator]
    with pytest.raises(MissingWeights, match="confidence"):
        Confidence.shipped()
