"""How tables look on a terminal."""

from rich import box
from rich.table import Table as Grid
from rich.text import Text

from shared.core.decimals import decimal


def cell(value: float | str | None) -> str:
    """A number as `decimal` writes it; a text as it is."""
    return value if isinstance(value, str) else decimal(value)


def plain(text: str | None) -> Text:
    """What somebody wrote, shown as it is: no markup, and nothing that a terminal would obey."""
    return Text("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text or ""))


def grid_of(title: str) -> Grid:
    """An empty table for people: a line under its head, and nothing else drawn."""
    heading = plain(title)
    heading.stylize("bold")
    return Grid(title=heading, title_justify="left", box=box.SIMPLE_HEAD, header_style="dim")
