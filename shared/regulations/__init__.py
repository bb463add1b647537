"""The rulesets, one TOML file each, made of `parts`.

A tournament never reads these files again, because its log contains the whole adopted ruleset.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from shared.core.rulebook.game_rules import RULES
from shared.core.rulebook.regulations import DECISIONS, Regulations
from shared.regulations.consistency import inconsistencies
from shared.regulations.parts import part_texts, with_parts
from shared.regulations.typed_toml import TomlError, parse_toml
from shared.wire.regulations import REGULATIONS, digest, regulations_of


@cache
def names() -> tuple[str, ...]:
    """Return the names of the rulesets in this folder, sorted."""
    stems = (file.name.removesuffix(".toml") for file in files(__package__).iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(stems))


@cache
def load(name: str) -> Regulations:
    """Return the ruleset of that name. Raises KeyError if it is not in `names`, otherwise the errors of `parse`."""
    if name not in names():
        raise KeyError(name)
    return parse(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"), name)


def load_all() -> None:
    """Read every ruleset, so that a server reports an invalid file at its start.

    Raises `TomlError`.
    """
    for name in names():
        load(name)


def parse(text: str, name: str, of: Mapping[str, str] | None = None) -> Regulations:
    """Return the ruleset of a TOML text, with the parts that it lists, typed and checked.

    ``of``: the texts of the parts, or None for the shipped ones. Raises `TomlError` for a text of another type, an unknown key
    or an unused value.
    """
    file = f"{name}.toml"
    try:
        texts = part_texts() if of is None else of
        regulations = regulations_of(
            parse_toml(text, file, REGULATIONS, lambda t: _rules_by_name(with_parts(t, texts)))
        )
    except TomlError as error:
        raise TomlError(str(error).replace("game.rules", "game")) from error
    if regulations.name != name:
        raise TomlError(f"{file}: name: the file of {regulations.name!r} is {regulations.name}.toml")
    for problem in inconsistencies(regulations):
        raise TomlError(f"{file}: {problem}")
    edition = replace(regulations, decisions=DECISIONS)
    return replace(edition, digest=digest(edition))


_OF_A_LOG = ("decisions", "digest", "changes", "stages")
"""Members of an adopted ruleset that no file contains."""


def _rules_by_name(tables: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of a file in the form of the type, with tables such as ``[game.chess]`` under the rules of games.

    Raises `TomlError` for a key that a file must not contain.
    """
    for key in _OF_A_LOG:
        if key in tables:
            raise TomlError(f"the top table has an unknown key {key!r}")
    game = tables.get("game")
    if not isinstance(game, dict):
        return tables
    if "rules" in game:
        raise TomlError("game has an unknown key 'rules'; the rules of chess are the table game.chess")
    rules = {name: game[name] for name in RULES if name in game}
    book = tables.get("rulebook")
    if isinstance(book, dict):
        if "name" in book:
            raise TomlError("rulebook has an unknown key 'name'; it has that of the set")
        tables = tables | {"rulebook": book | {"name": tables.get("name")}}
    return tables | {"game": {k: v for k, v in game.items() if k not in rules} | {"rules": rules}}
