"""Formerly shipped editions, value by value, so that logs that adopted them are compared like those of today."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from shared.core.rulebook.editions import written_edition
from shared.core.rulebook.regulations import Regulations, Value
from shared.regulations import load
from shared.regulations.changes import with_value
from shared.regulations.typed_toml import read_toml
from shared.wire.regulations import digest as digest_of

_FILE = "editions.toml"
_ADDED: dict[int, tuple[str, ...]] = {
    3: (
        "game.chess.automatic_repetitions",
        "game.chess.automatic_quiet_moves",
        "game.chess.dead_position",
        "ranking.progressive_deductions",
    )
}
"""By edition of decisions, the paths of the values added to it. A set of an earlier edition names no article for them."""


@dataclass(frozen=True, slots=True)
class FormerValue:
    """The former value at a path."""

    path: str
    value: Value


@dataclass(frozen=True, slots=True)
class FormerEdition:
    """Differences of a former edition, identified by its ``digest``, from today's ruleset of its ``name``.

    ``articles``: articles of values, by path. ``decisions``: the decision edition that it was adopted with.
    """

    name: str
    digest: str
    values: tuple[FormerValue, ...] = ()
    articles: Mapping[str, str] = field(default_factory=dict)
    decisions: int = 2


@dataclass(frozen=True, slots=True)
class FormerEditions:
    """The content of the file."""

    editions: tuple[FormerEdition, ...]


@cache
def former_editions() -> Mapping[str, FormerEdition]:
    """Every edition that was shipped before, by its digest. Raises `TomlError`."""
    return {one.digest: one for one in read_toml(__name__, _FILE, FormerEditions).editions}


@cache
def former(name: str, edition: str, digest: str) -> Regulations:
    """Return the ruleset of that edition as it was shipped, or with today's values if it has no row."""
    today, said = load(name), former_editions().get(digest, FormerEdition(name, digest))
    later = [path for number, paths in _ADDED.items() if number > said.decisions for path in paths]
    articles = {path: article for path, article in {**today.articles, **said.articles}.items() if path not in later}
    before = replace(today, edition=edition, digest=digest, articles=articles, decisions=said.decisions)
    for one in said.values:
        before = with_value(before, one.path.split("."), one.value)
    return before


def in_written_edition(today: Regulations) -> Regulations:
    """Return a ruleset as this server lets tournaments adopt it: as an earlier version shipped it, if it writes that edition."""
    decisions = written_edition().decisions
    if decisions >= today.decisions:
        return today
    shipped = [one for one in former_editions().values() if (one.name, one.decisions) == (today.name, decisions)]
    if shipped:
        return former(today.name, today.edition, shipped[-1].digest)
    before = replace(today, decisions=decisions)
    return replace(before, digest=digest_of(before))
