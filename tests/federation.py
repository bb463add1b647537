"""A federation's own set for tests: a shipped one under another name, with places written otherwise."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from shared import regulations
from shared.regulations.parts import part_texts, with_parts

OWN = "harbour-cup"


def own_set(of: str = "xiangqi-1999", *changes: tuple[str, str], name: str = OWN) -> str:
    """The text of the shipped set ``of`` under a name of its own, each change made at the first such place."""
    text = whole_text(of)
    for old, new in ((f'name = "{of}"', f'name = "{name}"'), *changes):
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def set_with(of: str, values: Mapping[str, Any]) -> str:
    """The text of the shipped set ``of`` under a name of its own, with these values at their paths; rows by their names."""
    tables = tomllib.loads(whole_text(of)) | {"name": OWN}
    for path, value in values.items():
        *above, last = path.split(".")
        table: Any = tables
        for name in above:
            table = table[name] if isinstance(table, dict) else next(row for row in table if name in _names(row))
        table[last] = value
    return "\n".join(_lines(tables, ""))


def _names(row: dict[str, Any]) -> list[Any]:
    """By what a path may name a row."""
    return [row[key] for key in ("name", "rule", "act", "finding", "game") if key in row]


def whole_text(name: str) -> str:
    """A shipped set as one TOML text that needs no parts."""
    tables = with_parts(
        tomllib.loads(files(regulations).joinpath(f"{name}.toml").read_text(encoding="utf-8")), part_texts()
    )
    return "\n".join(_lines(tables, ""))


def _lines(table: dict[str, Any], path: str) -> Iterator[str]:
    """The lines of a table: its values, its tables, its arrays of tables."""
    inner = {key: value for key, value in table.items() if isinstance(value, dict)}
    rows = {key: value for key, value in table.items() if key != "periods" and _are_rows(value)}
    yield from (f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in inner | rows)
    for key, value in inner.items():
        yield from ("", f"[{path}{key}]", *_lines(value, f"{path}{key}."))
    for key, value in rows.items():
        for row in value:
            yield from ("", f"[[{path}{key}]]", *_lines(row, f"{path}{key}."))


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False) if "." in key else key


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
