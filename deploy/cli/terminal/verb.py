"""Verbs: their help with exit codes and an example, and the options that several of them take."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from deploy.cli.terminal.output import words
from deploy.failure import Failure
from shared.core.language.charset import ENCODINGS, find_encoding
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


def _encoding(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None and find_encoding(name) is None:
        raise Failure(say("unknown encoding {name}; available: {names}", name=repr(name), names=tuple(ENCODINGS)))
    return name


data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=None, help="Data folder (default: ARBITER_DATA, or ./data)."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

url_option = click.option("--url", help="URL of a running server, instead of a data folder.")

token_option = click.option("--token", envvar="ARBITER_TOKEN", help="Token for --url (default: ARBITER_TOKEN).")

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")

tiebreaks_option = click.option(
    "--tiebreaks", metavar="LIST", help="Tie-breaks in their order, after points (for example BH/C1,BH)."
)

encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    callback=_encoding,
    help="Character encoding, if it cannot be detected (for example cp1250).",
)
