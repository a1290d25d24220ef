"""One café table: where its seats are in the picture, its deck, its voices and knocks."""
