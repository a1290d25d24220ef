"""``python -m assistant`` is ``trut``."""

from assistant.cli import main

raise SystemExit(main())
