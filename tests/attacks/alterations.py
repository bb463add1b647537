"""Every value of a line, and what a liar may write in its place."""

from collections.abc import Iterator
from typing import Any

import uuid_utils

Place = tuple[str | int, ...]
_PER_VALUE = 3


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Where the values of parsed JSON stand, those that hold others too; the first element stands for an array's."""
    if at:
        yield at
    if isinstance(value, dict):
        for name, one in value.items():
            yield from places(one, (*at, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*at, 0))


def named(at: Place) -> str:
    """A place as the page says it."""
    return ".".join("*" if isinstance(step, int) else step for step in at)


def found(value: Any, at: Place) -> Any:
    for step in at:
        value = value[step]
    return value


def put(value: Any, at: Place, other: Any) -> None:
    found(value, at[:-1])[at[-1]] = other


def others(value: Any, seen: list[Any]) -> list[Any]:
    """Other values of the same kind: those that stand there in other lines, and its neighbours."""
    return [one for one in [*_near(value), *seen] if one != value or type(one) is not type(value)][:_PER_VALUE]


def _near(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        if len(value) == 64:
            return ["0" * 64]
        return [value + "x"] if value else ["x"]
    if isinstance(value, list):
        return [value[:-1], value[::-1]] if len(value) > 1 else [[]]
    return [None] if value is not None else []


def envelope(line: dict[str, Any], log: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """For each member of a line's envelope, others of its form."""
    people = sorted({(one["actor"], one["role"]) for one in log})
    tokens = sorted({one["tokenid"] for one in log})
    return {
        "specversion": ["1.1"],
        "id": [str(uuid_utils.uuid7()), line["id"].upper()],
        "source": [one for one in ("/services/pairing", "/services/games") if one != line["source"]],
        "type": [line["type"].rpartition(".v")[0] + ".v9", "arbiter.text.erased.v1"],
        "subject": [line["subject"] + "x"],
        "time": [line["time"][:-2] + str((int(line["time"][-2]) + 1) % 10) + "Z", "2001-01-01T00:00:00.000000Z"],
        "datacontenttype": ["text/plain"],
        "partitionkey": [line["partitionkey"] + "x"],
        "sourceseq": [line["sourceseq"] + 1],
        "basis": [line["basis"] - 1, line["basis"] + 1, 0],
        "basisroot": ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
        "causationid": [str(uuid_utils.uuid7()), "c"],
        "actor": ["Somebody else", *dict.fromkeys(name for name, _ in people)],
        "role": [*dict.fromkeys(role for _, role in people)],
        "tokenid": [str(uuid_utils.uuid7()), "", *tokens],
        "software": ["9.9.9", "none"],
        "official": [line.get("official", 0) + 1, line.get("official", 0) - 1],
    }
