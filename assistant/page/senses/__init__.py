"""What the machine sees and hears, for whoever sets a table up: off until somebody looks.

``beside`` stands next to eyes, ears and clerk; ``passing`` lets what they work on pass by; ``senses`` puts it together
for those who look, in a thread of its own; ``routes`` serves it.
"""

from assistant.page.senses.routes import routes
from assistant.page.senses.senses import Senses

__all__ = ["Senses", "routes"]
