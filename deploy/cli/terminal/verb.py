"""The common parts of verbs: output in the reader's language, help with exit codes, and options."""

import difflib
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from deploy.cli.terminal.escapes import escaped, escaped_json, escaped_lines, with_escaped_facts
from deploy.failure import Failure
from shared.core.language.charset import ENCODINGS, find_encoding
from shared.core.language.decimals import decimal
from shared.core.language.messages import Message, say
from shared.http.language.catalogue import ENGLISH, LANGUAGES, in_language

F = TypeVar("F", bound=Callable[..., Any])


def chosen(environ: Mapping[str, str] = os.environ) -> str:
    """Return the reader's language, one of `LANGUAGES`.

    Like gettext: the first set one of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` is the locale. Unless that is C or POSIX,
    ``LANGUAGE`` may name preferred languages. The output for programs (JSON, codes) never changes.
    """
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "C")
    if _primary(locale) in ("c", "posix"):
        return ENGLISH
    for wanted in (*environ.get("LANGUAGE", "").split(":"), locale):
        for one in LANGUAGES:
            if _primary(wanted) == _primary(one):
                return one
    return ENGLISH


def words(message: Message | str) -> str:
    """Return a message in the reader's language, or a text. Every value is escaped for a terminal."""
    return escaped(message) if isinstance(message, str) else in_language(with_escaped_facts(message), chosen())


def accepted() -> dict[str, str]:
    """Return the header that asks a server for this language; English, its default, needs none."""
    return {} if chosen() == ENGLISH else {"Accept-Language": chosen()}


def _primary(name: str) -> str:
    """Return the language alone: ``zh`` of zh_CN.UTF-8 and of zh-Hans."""
    return name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()


def counted(count: int, one: Message, several: Message) -> Message:
    """Return the message for exactly one thing, or the one for 0 or several."""
    return one if count == 1 else several


def print_json(value: Any) -> None:
    """Print one line of JSON on standard output, in UTF-8 wherever it goes (RFC 8259, 8.1)."""
    sys.stdout.flush()
    line = escaped_json(json.dumps(value, ensure_ascii=False, allow_nan=False))
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def show(text: Message | str, *, colour: str | None = None, bold: bool = False, end: str = "\n") -> None:
    """Print a text on standard output; colours appear on a terminal only."""
    shown = words(text)
    if (colour or bold) and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR"):
        shown = click.style(shown, fg=colour, bold=bold or None)
    click.echo(shown + end, nl=False)


def note(message: Message | str, *, end: str = "\n") -> None:
    """Print progress and remarks on standard error."""
    print(words(message), file=sys.stderr, end=end, flush=True)


def write_bytes(content: bytes) -> None:
    """Write a file's content to standard output. It is unchanged, unless a terminal shows it."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        content = escaped_lines(content.decode("utf-8", "backslashreplace")).encode("utf-8", "backslashreplace")
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        require_known_command(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def require_known_command(command: str, known: Sequence[str]) -> None:
    """Check that a command is one of ``known``. Raises `Failure` with the nearest of them, or with all."""
    if command in known or command.startswith("-"):
        return
    name, near = repr(command), difflib.get_close_matches(command, known, 1)
    if near:
        raise Failure(say("unknown command {name}; did you mean {near}?", name=name, near=repr(near[0])))
    raise Failure(say("unknown command {name}; available: {known}", name=name, known=tuple(known)))


def several(name: str, parameter: str, metavar: str, help: str) -> Callable[[F], F]:
    """Return an option that may be repeated."""
    return click.option(name, parameter, multiple=True, metavar=metavar, help=help)


def _encoding(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None and find_encoding(name) is None:
        raise Failure(say("unknown encoding {name}; available: {names}", name=repr(name), names=tuple(ENCODINGS)))
    return name


class Integer(click.IntRange):
    """A whole number within limits. Its errors say "integer" instead of click's "integer range"."""

    name = "integer"


data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=None, help="Data folder (default: ARBITER_DATA, or ./data)."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

url_option = click.option("--url", help="URL of a running server, instead of a data folder.")

token_option = click.option("--token", envvar="ARBITER_TOKEN", help="Token for --url (default: ARBITER_TOKEN).")


def source_options(command: F) -> F:
    """Add the options of a data folder or a server, which `deploy.cli.client.reading` takes."""
    return data_option(url_option(token_option(command)))


csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")

tiebreaks_option = click.option(
    "--tiebreaks", metavar="LIST", help="Tie-breaks in their order, after points (for example BH/C1,BH)."
)

regulations_option = click.option(
    "--regulations", metavar="NAME|FILE", help="Ruleset (default: as the file states, or FIDE's for its date)."
)

game_option = click.option(
    "--game", metavar="GAME", help="Game of the ruleset (default: as the file states, or chess)."
)

encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    callback=_encoding,
    help="Character encoding, if it cannot be detected (for example cp1250).",
)


GAP = 2
"""Blanks between two columns."""

NARROWEST = 8
"""Minimum width of a wrapped column of texts, in columns of the terminal."""


def cell(value: float | str | None) -> str:
    """Return a number as `decimal` writes it, and a text unchanged."""
    return value if isinstance(value, str) else decimal(value)


class Grid:
    """A table on the terminal, with a line under its head and no other lines."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._headers: list[str] = []
        self._sides: list[Literal["left", "right"]] = []
        self._rows: list[tuple[str, ...]] = []

    def add_columns(self, *headers: Message | str, justify: Literal["left", "right"] = "left") -> None:
        """Add columns: on the left side, texts are wrapped if the terminal is too narrow. Numbers on the right are not."""
        self._headers += map(words, headers)
        self._sides += [justify] * len(headers)

    def add_row(self, *cells: str) -> None:
        """Add a row, with a cell for each column."""
        self._rows.append(tuple(map(escaped, cells)))

    def print(self) -> None:
        """Print the table on standard output."""
        from tabulate import tabulate

        show(self._title, bold=True)
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        limits = None if width is None else self._limits(width)
        sides = self._sides if self._rows else None
        lines = tabulate(
            self._rows, self._headers, "simple", colalign=sides, maxcolwidths=limits, disable_numparse=True
        )
        click.echo(lines)

    def _limits(self, width: int) -> list[int | None]:
        """Return the maximum width of each column for a terminal of this ``width``, or None for its full width.

        Only columns of texts are narrowed, the widest first.
        """
        from tabulate import MIN_PADDING
        from wcwidth import wcswidth

        heads = [wcswidth(header) + MIN_PADDING for header in self._headers]
        columns = zip(self._headers, *self._rows, strict=True)
        natural = [max(head, *map(wcswidth, column)) for head, column in zip(heads, columns, strict=True)]
        limits = [*natural]
        texts = [n for n, side in enumerate(self._sides) if side == "left"]
        for _ in range(sum(limits) + GAP * (len(limits) - 1) - width):
            widest = max(
                (n for n in texts if limits[n] > max(heads[n], NARROWEST)), key=limits.__getitem__, default=None
            )
            if widest is None:
                break
            limits[widest] -= 1
        return [limit if limit < wide else None for limit, wide in zip(limits, natural, strict=True)]
