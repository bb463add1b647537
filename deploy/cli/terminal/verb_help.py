"""The end of a verb's help: its exit codes and an example."""

from collections.abc import Mapping
from typing import Any

import click

from deploy.cli.terminal.language import words
from shared.core.language.messages import Message, say

_EXITS: Mapping[int, Message] = {
    0: say("Success."),
    2: say("Wrong usage, or a file, server or database that cannot be used."),
}
"""Exit codes that every verb has, unless it describes them itself."""


class _ExplainedCommand(click.Command):
    """A command with ``exits`` (exit code to meaning) and an ``example`` (a command line)."""

    def __init__(self, *args: Any, example: str, exits: Mapping[int, Message] | None = None, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.example = example
        self.exits = dict(sorted({**_EXITS, **(exits or {})}.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes and the example, which is never wrapped."""
        with formatter.section(words(say("Exit codes"))):
            formatter.write_dl([(str(code), words(meaning)) for code, meaning in self.exits.items()])
        with formatter.section(words(say("Example"))):
            formatter.write(f"{'':{formatter.current_indent}}{self.example}\n")


class Verb(_ExplainedCommand):
    """A verb without subcommands."""


class VerbGroup(_ExplainedCommand, click.Group):
    """A verb with subcommands."""
