"""One module a command of ``trut``: ``add_arguments(parser)`` and ``run(args) -> exit status``."""
