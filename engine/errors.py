"""The root of the project's errors: few, typed, each with a stable code.

A *refused event* is not an error: it is a value that the rules return (``engine.Refusal``). An exception
means that an input or a device cannot be used at all; the command line turns it into one line on stderr and
an exit status.

The sentence of an error is a French template with named fields. It is translated where it is shown
(``assistant.i18n``), so the floors below need no language of their own.
"""

from __future__ import annotations


class TrutError(Exception):
    """An input, a file or a device that cannot be used.

    Args:
        template: French sentence with ``{named}`` fields, also the gettext message id.
        **fields: values of the fields, kept apart so that the sentence can be translated.

    Attributes:
        code: stable identifier of the kind of error (kebab-case), never translated.
        exit_status: what the command line returns for it (CLI.md: 2 = the input cannot be used, 1 = the
            answer is no).
    """

    code = "error"
    exit_status = 2

    def __init__(self, template: str, **fields: object) -> None:
        self.template = template
        self.fields = fields
        super().__init__(template.format(**fields))
