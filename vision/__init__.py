"""From pictures to observations of cards and hands."""
