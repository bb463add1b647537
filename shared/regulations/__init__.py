"""The sets of competition regulations, one TOML file each, made of `parts`.

A tournament never reads these files again: what was adopted stands whole in its log.
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
    """Names of the regulations there are, sorted: those of the files beside this module."""
    stems = (file.name.removesuffix(".toml") for file in files(__package__).iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(stems))


@cache
def load(name: str) -> Regulations:
    """The regulations of that name. Raises KeyError for one that is not in `names`, else as `parse` does."""
    if name not in names():
        raise KeyError(name)
    return parse(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"), name)


def load_all() -> None:
    """Read every set, as a server does at its start, so that a file that cannot be taken is told before anybody needs it.

    Raises `TomlError`.
    """
    for name in names():
        load(name)


def parse(text: str, name: str, of: Mapping[str, str] | None = None) -> Regulations:
    """The regulations that a TOML text holds, with the parts that it names, every value typed and checked. ``of``: the texts
    of the parts there are; None: those that are shipped.

    Raises `TomlError` for a text that does not fit the type, has a key that nothing knows or a value that nothing reads.
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
"""What stands beside the values of a set where it is adopted, and in no file."""


def _rules_by_name(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables of a file as the type has them: ``[game.chess]`` and the like are its rules of games.

    Raises `TomlError` for what is no file's to say.
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
