"""What can go wrong when a table is calibrated."""

from __future__ import annotations

from engine.errors import TrutError


class TableProblem(TrutError):
    """Corners or seats that cannot be."""

    code = "bad-table"


class BrokenProfile(TrutError):
    """The profile of a table that is missing, damaged, too new, or cannot be written."""

    code = "broken-profile"


class CameraMoved(TrutError):
    """The camera stands elsewhere than when the table was calibrated, and the table is not found again."""

    code = "camera-moved"
    exit_status = 1
