"""Tables that the program simulates itself, with the truth known: for the demo, the figures and the tests."""
