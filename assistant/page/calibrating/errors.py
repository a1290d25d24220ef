"""What can go wrong while a table is calibrated in the page; each is told to who did it."""

from __future__ import annotations

from engine.errors import TrutError


class Busy(TrutError):
    """Something else is being learnt at this table."""

    code = "busy"


class NoLesson(TrutError):
    """That lesson is over, or another one."""

    code = "no-lesson"


class NoTable(TrutError):
    """A film is refereed, which cannot be calibrated."""

    code = "no-table"


class NoCamera(TrutError):
    """No picture comes."""

    code = "no-camera"


class NoMicrophone(TrutError):
    """No sound comes."""

    code = "no-microphone"


class Exists(TrutError):
    """There is a table, a deck or a profile of that name already."""

    code = "exists"


class Incomplete(TrutError):
    """A deck that lacks cards would be played with."""

    code = "incomplete"


class BadSetup(TrutError):
    """What was sent is no table."""

    code = "bad-setup"


class BadPicture(TrutError):
    """What was sent is no picture of cards."""

    code = "bad-picture"


class BadCard(TrutError):
    """The deck has no such card, or none waits under that number."""

    code = "bad-card"


class NobodyToHear(TrutError):
    """No name was given, or one that is none."""

    code = "bad-names"
