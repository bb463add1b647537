"""How tables look on a terminal, in a file and in a pipe."""

import shutil
import sys
from typing import Literal

import click
from tabulate import MIN_PADDING, tabulate
from wcwidth import wcswidth

from deploy.cli.terminal.verb import plain, show
from shared.core.language.decimals import decimal

GAP = 2
"""Blanks between two columns."""

NARROWEST = 8
"""Columns of the terminal that a text keeps, however little room there is."""


def cell(value: float | str | None) -> str:
    """A number as `decimal` writes it; a text as it is."""
    return value if isinstance(value, str) else decimal(value)


class Grid:
    """A table for people: a line under its head, and nothing else drawn."""

    def __init__(self, title: str) -> None:
        self._title = plain(title)
        self._headers: list[str] = []
        self._sides: list[Literal["left", "right"]] = []
        self._rows: list[tuple[str, ...]] = []

    def add_column(self, header: str, justify: Literal["left", "right"] = "left") -> None:
        """Texts stand left and are folded where a terminal is too narrow; numbers stand right and are whole."""
        self._headers.append(header)
        self._sides.append(justify)

    def add_row(self, *cells: str) -> None:
        """A row, a cell for each column."""
        self._rows.append(tuple(map(plain, cells)))

    def print(self) -> None:
        """The table on standard output."""
        show(self._title, bold=True)
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        limits = None if width is None else self._limits(width)
        sides = self._sides if self._rows else None
        lines = tabulate(
            self._rows, self._headers, "simple", colalign=sides, maxcolwidths=limits, disable_numparse=True
        )
        click.echo(lines)

    def _limits(self, width: int) -> list[int | None]:
        """Columns of texts, the widest first, as narrow as a line of this width needs; None: as wide as it is."""
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
