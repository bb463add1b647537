"""The editions that were ever shipped, and what adopted regulations say beside the one that they name."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from shared.core.messages import Message, message_of, say
from shared.core.regulations import ANNOUNCED, Regulations, Value
from shared.regulations import load, names
from shared.regulations.changes import BadChange, changed
from shared.wire.regulations import digest

FILE = files("shared.regulations") / "shipped.txt"
POINTS, STAGES = "points.", "stages."
NO_CHANGE = say("values of an earlier shipped edition with changes, which this version cannot compare")


@cache
def editions() -> Mapping[str, frozenset[tuple[str, str]]]:
    """A set's name -> edition and digest of each that was ever shipped under it."""
    rows = [line.split() for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: frozenset((edition, digest) for of, edition, digest in rows if of == name) for name, _, _ in rows}


def against_shipped(adopted: Regulations) -> Message | None:
    """What adopted regulations say otherwise than the shipped edition that they name, with the changes that they declare.

    None where nothing is otherwise: also for a set of an organiser's own, which bears a name that is not shipped and the
    digest of its own values, and for an earlier edition with changes (`beyond_comparison`).
    """
    known = editions().get(adopted.name)
    if known is None:
        return _own(adopted)
    if (adopted.edition, adopted.digest) not in known:
        return say(
            "no edition {edition} of {name} with this digest was ever shipped",
            edition=adopted.edition,
            name=adopted.name,
        )
    if beyond_comparison(adopted):
        return None
    if adopted.name in names() and load(adopted.name).digest == adopted.digest:
        try:
            must = _changed(load(adopted.name), adopted.changes)
        except BadChange as problem:
            return say("a change that no organiser may make: {problem}", problem=message_of(problem))
        other = [path for path in _different(must, adopted, "") if not _beside(path, adopted)]
        return (
            say(
                "values that are neither of {name} nor declared changes: {names}",
                name=adopted.name,
                names=tuple(other[:5]),
            )
            if other
            else None
        )
    return (
        None
        if _digest(adopted) == adopted.digest
        else say("values that are not those of the {name} it names", name=adopted.name)
    )


def beyond_comparison(adopted: Regulations) -> bool:
    """Whether they name an earlier edition than this version ships, and change it."""
    here = adopted.name in names() and load(adopted.name).digest == adopted.digest
    return bool(adopted.changes) and not here


def _own(adopted: Regulations) -> Message | None:
    if adopted.changes or _digest(adopted) == adopted.digest:
        return None
    return say("values that are not those of {name}, whose digest it bears", name=adopted.name)


def _digest(adopted: Regulations) -> str:
    return digest(replace(adopted, changes={}, stages=()))


def _changed(shipped: Regulations, changes: Mapping[str, Value]) -> Regulations:
    points = {path.removeprefix(POINTS): value for path, value in changes.items() if path.startswith(POINTS)}
    others = {path: value for path, value in changes.items() if not path.startswith((POINTS, STAGES))}
    made = changed(shipped, others)
    if unknown := points.keys() - {field.name for field in fields(made.points)}:
        raise BadChange(POINTS + min(unknown), say("there are no such points"))
    if any(not isinstance(value, int) or isinstance(value, bool) or value < 0 for value in points.values()):
        raise BadChange("points", say("points are half-points"))
    if unchanged := [p for p in changes if p not in made.changes and not p.startswith((POINTS, STAGES))]:
        raise BadChange(unchanged[0], say("it is as it was"))
    return replace(made, points=replace(made.points, **points))  # type: ignore[arg-type]


def _beside(path: str, adopted: Regulations) -> bool:
    """What stands beside the values of a set: its stages, its changes, and whose the points are."""
    article = path.removeprefix("articles.")
    if path != article and article.startswith(POINTS):
        return adopted.articles.get(article) == ANNOUNCED
    return path in ("stages", "changes") or path.startswith("changes.")


def _different(must: Any, said: Any, path: str) -> Iterator[str]:
    """The paths at which two values differ."""
    if type(must) is not type(said):
        yield path
    elif is_dataclass(must):
        for field in fields(must):
            yield from _different(getattr(must, field.name), getattr(said, field.name), _join(path, field.name))
    elif isinstance(must, Mapping):
        for name in sorted({*must, *said}):
            if name not in must or name not in said:
                yield _join(path, name)
            else:
                yield from _different(must[name], said[name], _join(path, name))
    elif must != said:
        yield path


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
