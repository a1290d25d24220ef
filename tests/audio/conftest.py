"""Makes tests/audio/sounds.py importable for the tests beside it (pytest imports tests by path)."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
