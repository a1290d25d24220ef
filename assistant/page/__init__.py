"""The page of the table: the scoreboard, corrections, and the phone as camera and microphone, in a browser.

``server`` serves it from a thread of its own, ``guard`` and ``access`` decide who may do what, ``feed`` carries what
happens from the referee to the page and what people tap back to him.
"""
