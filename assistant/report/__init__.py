"""A game told after it was played: as text in the terminal, as one page to keep or print, as data for the page.

``story``    what happened, from a record: rounds, tricks, calls, infractions, corrections; without words
``words``    the sentences for it, in the language in force
``text``     the report in the terminal
``page``     the report as one HTML file; ``faces`` draws its cards, ``report.css`` is its style
"""
