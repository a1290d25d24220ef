"""What makes the eyes and ears of a table: for the game that it begins with, and for any other that is begun at
the same devices later."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant import wiring
from assistant.names import Names

if TYPE_CHECKING:
    from assistant.session import Eyes, Listener
    from audio.voices import SpeakerVoices
    from calibration.profile import Profile
    from engine import Header


@dataclass(frozen=True)
class Outfit:
    """See the module.

    Attributes:
        game: the one that the table begins with.
        deck: what ``--deck`` says, for that game alone.
        table: the calibrated one.
        voices: of the players.
        knocks: what ``--knock-profile`` says.
    """

    game: str
    deck: str | None
    table: Profile | None
    voices: SpeakerVoices | None = None
    knocks: Path | None = None

    def table_for(self, header: Header) -> Profile | None:
        """The calibrated table, if it has a place for each of the players."""
        return self.table if self.table is not None and self.table.players == header.seats else None

    def eyes(self, header: Header) -> Eyes:
        """Eyes for a game. Raises UnknownDeck, MissingWeights, BadMedia."""
        deck = self.deck if header.game == self.game else None
        return wiring.eyes_for(wiring.deck_for(header.game, deck), header.seats, self.table_for(header))

    def ears(self, header: Header) -> Listener:
        """Ears for a game, which know its players' names. Raises UnreadableKnocks."""
        from assistant.calibrating.knock import profile_here

        return wiring.ears_for(header.game, self.voices, profile_here(self.knocks), Names(header).to_hear())
