"""All shipped editions, and the differences of adopted rulesets from them."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from shared.core.language.messages import Message, message_of, say
from shared.core.rulebook.regulations import ANNOUNCED, Regulations, Value
from shared.core.values.identity_cache import cache_by_identity
from shared.regulations import load, names, parse
from shared.regulations.changeable import value_at
from shared.regulations.changes import BadChange, changed
from shared.regulations.consistency import inconsistencies, out_of_bounds
from shared.regulations.former import former
from shared.regulations.lookalike import lookalike
from shared.regulations.typed_toml import TomlError, toml_tables
from shared.wire.regulations import digest

MOST_BYTES = 64 * 1024
LONGEST_LINE = 2000
"""Maximum characters of a line. To parse a key of ten thousand dots would take seconds."""
LONGEST_NAME = 100


def parse_federation_set(text: str, file: str) -> Regulations:
    """Return the ruleset of a text. ``file``: its name in errors.

    Raises `TomlError`: like `parse`, for a text of more than `MOST_BYTES` in UTF-8, a name that is not a line of text or looks
    like that of a shipped ruleset, and the name of a shipped ruleset with different values.
    """
    if (size := len(text.encode())) > MOST_BYTES:
        raise TomlError(f"{file}: {size} bytes; a set has {MOST_BYTES} at most")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise TomlError(f"{file}: line {number} has {len(line)} characters; there are {LONGEST_LINE} at most")
    name = toml_tables(text, file).get("name")
    if not isinstance(name, str) or not is_name(name):
        raise TomlError(f"{file}: name: a line of 1 to {LONGEST_NAME} characters")
    try:
        own = parse(text, name)
    except TomlError as error:
        raise TomlError(f"{file}: {str(error).removeprefix(f'{name}.toml: ')}") from error
    if name in names() and own.digest != load(name).digest:
        raise TomlError(f"{file}: name: {name!r} is shipped with other values; a set of your own has a name of its own")
    if why := lookalike(name):
        raise TomlError(f"{file}: name: {why}")
    return own


def is_name(name: str) -> bool:
    """Return whether a ruleset may have this name: one line of text."""
    return 0 < len(name.strip()) <= len(name) <= LONGEST_NAME and name.isprintable()


FILE = files("shared.regulations") / "shipped.txt"
POINTS, STAGES = "points.", "stages."
NO_CHANGE = say("the organiser's own ruleset has changes, and the log does not contain its values before them")


@cache
def editions() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Return ruleset name -> edition and digest of each edition ever shipped under it."""
    rows = [line.split() for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: frozenset((edition, digest) for of, edition, digest in rows if of == name) for name, _, _ in rows}


@cache_by_identity(16)
def against_shipped(adopted: Regulations) -> Message | None:
    """Return how an adopted ruleset differs from the shipped edition of its name with the declared changes, or None.

    An organiser's own ruleset does not differ if its name is not shipped and it has the digest of its own values.
    """
    known = editions().get(adopted.name)
    if known is None:
        return _own(adopted)
    if (adopted.edition, adopted.digest) not in known:
        return say(
            "edition {edition} of {name} was never released with this digest",
            edition=adopted.edition,
            name=adopted.name,
        )
    today = load(adopted.name)
    here = today.digest == adopted.digest
    try:
        must = _changed(today if here else former(adopted.name, adopted.edition, adopted.digest), adopted.changes)
    except BadChange as problem:
        return _no_change(problem)
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


def beyond_comparison(adopted: Regulations) -> bool:
    """Return whether it is an organiser's own ruleset with changes: no text contains its values before them."""
    return adopted.name not in editions() and bool(adopted.changes)


def _own(adopted: Regulations) -> Message | None:
    if not is_name(adopted.name):
        return say("{name}, which is not a name of a ruleset", name=repr(adopted.name)[:LONGEST_NAME])
    if not adopted.changes:
        same = _digest(adopted) == adopted.digest
        return (
            None
            if same
            else say("values that differ from those of {name}, although it has the digest of {name}", name=adopted.name)
        )
    try:
        changed(adopted, {p: value for p, value in adopted.changes.items() if not p.startswith((POINTS, STAGES))})
    except BadChange as problem:
        return _no_change(problem)
    other = [p for p, v in adopted.changes.items() if not p.startswith(STAGES) and value_at(adopted, p) != v]
    return say("values that are not the changes that it declares: {names}", names=tuple(other[:5])) if other else None


@cache_by_identity(16)
def own_fault(adopted: Regulations) -> Message | None:
    """Return the first fault by which a server rejects an organiser's own ruleset, or None. Shipped ones have none."""
    if adopted.name in editions():
        return None
    faults = out_of_bounds(adopted) if adopted.changes else inconsistencies(replace(adopted, stages=()))
    return next((say("values that no server adopts: {fault}", fault=fault) for fault in faults), None)


def _no_change(problem: BadChange) -> Message:
    return say("a change that no organiser may make: {problem}", problem=message_of(problem))


def _digest(adopted: Regulations) -> str:
    return digest(replace(adopted, changes={}, stages=()))


def _changed(shipped: Regulations, changes: Mapping[str, Value]) -> Regulations:
    points = {path.removeprefix(POINTS): value for path, value in changes.items() if path.startswith(POINTS)}
    others = {path: value for path, value in changes.items() if not path.startswith((POINTS, STAGES))}
    made = changed(shipped, others) if others else shipped
    if unknown := points.keys() - {field.name for field in fields(made.points)}:
        raise BadChange(POINTS + min(unknown), say("such points do not exist"))
    if any(not isinstance(value, int) or isinstance(value, bool) or value < 0 for value in points.values()):
        raise BadChange("points", say("points are half-points"))
    if unchanged := [p for p in changes if p not in made.changes and not p.startswith((POINTS, STAGES))]:
        raise BadChange(unchanged[0], say("it is as it was"))
    return replace(made, points=replace(made.points, **points))  # type: ignore[arg-type]


def _beside(path: str, adopted: Regulations) -> bool:
    """Return whether the path is not a value of the ruleset: its stages, its changes, and announced points."""
    article = path.removeprefix("articles.")
    if path != article and article.startswith(POINTS):
        return adopted.articles.get(article) == ANNOUNCED
    return path in ("stages", "changes") or path.startswith("changes.")


def _different(must: Any, said: Any, path: str) -> Iterator[str]:
    """Yield the paths at which two values differ."""
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
