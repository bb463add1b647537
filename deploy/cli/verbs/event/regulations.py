"""``arbiter regulations``: the sets that are shipped, and a federation's own file."""

from typing import Any

import click
import msgspec

from deploy.cli.regulation_sets import set_in, set_of
from deploy.cli.terminal.verb import Grid, Verb, VerbGroup, json_option, print_json, words
from deploy.cli.terminal.verb import show as show_message
from services.pairing.announcement.regulation_routes import listed
from shared.core.language.decimals import decimal
from shared.core.language.messages import Message, either, say
from shared.regulations.description import described


@click.group(cls=VerbGroup, exits={1: say("The ruleset is not valid.")}, example="arbiter regulations list")
def regulations() -> None:
    """List, show or check rulesets."""


@regulations.command(name="list", cls=Verb, example="arbiter regulations list")
@json_option
def list_(as_json: bool) -> None:
    """List the rulesets that ship with Arbiter.

    Each is listed with its edition, its games and its digest.
    """
    rows = msgspec.to_builtins(listed().regulations)
    if as_json:
        for row in rows:
            print_json(row)
        return
    grid = Grid(words(say("Regulations")))
    grid.add_columns(say("Name"), say("Edition"), say("Games"), say("Digest"))
    for row in rows:
        grid.add_row(row["name"], row["edition"], ", ".join(row["games"]), row["digest"][:12])
    grid.print()


@regulations.command(
    cls=Verb, exits={1: say("The ruleset is not valid.")}, example="arbiter regulations show fide-2026"
)
@click.argument("named", metavar="NAME|FILE")
@json_option
def show(named: str, as_json: bool) -> None:
    """Print a ruleset with limits and articles.

    Each value is printed with its unit, its bounds, its article and its interpretations.
    """
    shown = described(set_of(named))
    if as_json:
        print_json(shown)
        return
    grid = Grid(f"{shown['name']} ({shown['edition']})")
    grid.add_columns(say("Path"), say("Value"), say("Unit"), say("Bounds"), say("Article"), say("Readings"))
    for row in shown["values"]:
        cells = (
            _value(row["value"]),
            row["unit"] or "",
            _bounds(row["bounds"]),
            row["article"],
            _readings(row["readings"]),
        )
        grid.add_row(row["path"], *cells)
    grid.print()
    infractions = ("name", "chinese", "counter", "effect", "games", "article")
    _print_rows(say("Infractions"), infractions, shown["infractions"])
    _print_rows(say("Ladder"), ("rule", "counter", "count", "scope", "effect", "games", "article"), shown["ladder"])


@regulations.command(
    cls=Verb, exits={1: say("The ruleset is not valid.")}, example="arbiter regulations check our-rules.toml"
)
@click.argument("file")
@json_option
def check(file: str, as_json: bool) -> None:
    """Check a ruleset file and report errors.

    A valid ruleset can be used to create a tournament. Each error is reported with its table and key.
    """
    own = set_in(file)
    if as_json:
        print_json(
            {"file": file, "name": own.name, "edition": own.edition, "digest": own.digest, "games": [*own.game.rules]}
        )
    else:
        told = say(
            "{file}: {name} ({edition}) for {games}; digest {digest}",
            file=file,
            name=own.name,
            edition=own.edition,
            games=tuple(own.game.rules),
            digest=own.digest,
        )
        show_message(told)


_COLUMNS = {
    "name": say("Name"),
    "chinese": say("Chinese"),
    "counter": say("Counter"),
    "effect": say("Effect"),
    "games": say("Games"),
    "article": say("Article"),
    "rule": say("Rule"),
    "count": say("Count"),
    "scope": say("Scope"),
}


def _print_rows(title: Message, keys: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    grid = Grid(words(title))
    grid.add_columns(*(_COLUMNS[key] for key in keys))
    for row in rows:
        grid.add_row(*(_value(row[key]) for key in keys))
    grid.print()


def _value(value: Any) -> str:
    """Return a value in the spelling of a ruleset file, or nothing without one."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
    return decimal(value) if isinstance(value, int | float) else str(value)


def _bounds(bounds: dict[str, Any] | None) -> str:
    if bounds is None:
        return ""
    if "members" in bounds:
        return words(say("some of {names}", names=tuple(bounds["members"])))
    if "choices" in bounds:
        return words(either(map(_value, bounds["choices"])))
    return words(say("{least} to {most}", least=bounds["least"], most=bounds["most"]))


def _readings(readings: list[dict[str, Any]]) -> str:
    """Each reading with its source, the one taken marked."""
    return "; ".join(f"{'*' if one['taken'] else ''}{_value(one['value'])}: {one['source']}" for one in readings)
