"""``arbiter regulations``: the sets that are shipped, and a federation's own file."""

from typing import Any

import click

from deploy.cli.options import json_option
from deploy.cli.output import console, print_json
from deploy.cli.regulation_sets import set_in, set_of
from deploy.cli.terminal_tables import grid_of, number, plain
from services.pairing.regulation_responses import listed
from shared.regulations.description import described


@click.group()
def regulations() -> None:
    """The sets of regulations: list, show, check."""


@regulations.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """The shipped sets, their editions and games."""
    rows = listed()["regulations"]
    if as_json:
        for row in rows:
            print_json(row)
        return
    grid = grid_of("Regulations")
    for name in ("Name", "Edition", "Games", "Digest"):
        grid.add_column(name)
    for row in rows:
        grid.add_row(plain(row["name"]), plain(row["edition"]), plain(", ".join(row["games"])), row["digest"][:12])
    console().print(grid)


@regulations.command()
@click.argument("named", metavar="NAME|FILE")
@json_option
def show(named: str, as_json: bool) -> None:
    """A set whole: each value with its unit, bounds, article and readings."""
    shown = described(set_of(named))
    if as_json:
        print_json(shown)
        return
    grid = grid_of(f"{shown['name']} ({shown['edition']})")
    for name in ("Path", "Value", "Unit", "Bounds", "Article", "Readings"):
        grid.add_column(name, overflow="fold")
    for row in shown["values"]:
        cells = (
            _value(row["value"]),
            row["unit"] or "",
            _bounds(row["bounds"]),
            row["article"],
            _readings(row["readings"]),
        )
        grid.add_row(plain(row["path"]), *map(plain, cells))
    console().print(grid)
    _print_rows("Infractions", ("name", "chinese", "counter", "effect", "games", "article"), shown["infractions"])
    _print_rows("Ladder", ("rule", "counter", "count", "scope", "effect", "games", "article"), shown["ladder"])


@regulations.command()
@click.argument("file")
@json_option
def check(file: str, as_json: bool) -> None:
    """Whether a set of your own would be taken at an announcement; else what is wrong, by table and key."""
    own = set_in(file)
    if as_json:
        print_json(
            {"file": file, "name": own.name, "edition": own.edition, "digest": own.digest, "games": [*own.game.rules]}
        )
    else:
        console().print(
            plain(f"{file}: {own.name} ({own.edition}) for {', '.join(own.game.rules)}; digest {own.digest}")
        )


def _print_rows(title: str, keys: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    grid = grid_of(title)
    for key in keys:
        grid.add_column(key.capitalize(), overflow="fold")
    for row in rows:
        grid.add_row(*(plain(_value(row[key])) for key in keys))
    console().print(grid)


def _value(value: Any) -> str:
    """A value as it stands in a file; nothing where there is none."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
    return number(value) if isinstance(value, int | float) else str(value)


def _bounds(bounds: dict[str, Any] | None) -> str:
    if bounds is None:
        return ""
    if "choices" in bounds:
        return " or ".join(map(_value, bounds["choices"]))
    return f"{bounds['least']} to {bounds['most']}"


def _readings(readings: list[dict[str, Any]]) -> str:
    """Each reading with its source, the one taken marked."""
    return "; ".join(f"{'*' if one['taken'] else ''}{_value(one['value'])}: {one['source']}" for one in readings)
