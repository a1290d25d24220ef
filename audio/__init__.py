"""From samples to knocks and phrases; from text to speech."""
