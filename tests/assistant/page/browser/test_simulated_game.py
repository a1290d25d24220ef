"""A whole game at a simulated table, seen and heard by the real eyes and ears, followed on two pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from seen import wait_for
from served import Served

from assistant.page.senses import Senses
