"""The parts of ``trut calibrate`` that talk to the players."""
