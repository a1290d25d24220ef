"""The figures of this machine, each printed by the code that measures it."""
