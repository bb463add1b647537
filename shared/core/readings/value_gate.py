"""One check of values: why the data of an event contains a value that no command writes.

It checks every event of a tournament with the third edition of the role rules: before it is written, and when it is read.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from shared.core.events import Decision, TournamentAnnounced
from shared.core.language.handles import handle_fault
from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import TournamentState
from shared.core.terms import (
    BOUNDED_OFFICES,
    RULEBOOK,
    Actor,
    GameId,
    HalfPoints,
    PlayerId,
    Ply,
    Refusal,
    RulingId,
    Seconds,
    Seq,
)
from shared.core.values.bounds import (
    ENTRY,
    GAME_ID,
    INTEGER,
    LIST,
    PLY,
    POINTS,
    RULE_TEXT,
    RULING_ID,
    SECONDS,
    SEQ,
    Bound,
    Items,
    Text,
    Whole,
)
from shared.core.values.identity_cache import cache_by_identity

OF_TYPES: dict[Any, Bound] = {
    GameId: GAME_ID,
    HalfPoints: POINTS,
    PlayerId: ENTRY,
    Ply: PLY,
    RulingId: RULING_ID,
    Seconds: SECONDS,
    Seq: SEQ,
}
"""The bounds of types that are bounded alike in every event."""


class Fault(NamedTuple):
    """A value that is out of bounds: its path within the data (``boards.3.white``), and why."""

    where: str
    why: Message

    @property
    def message(self) -> Message:
        """Return path and reason in one sentence."""
        return say("{where}: {why}", where=self.where, why=self.why)


def value_fault(data: Any) -> Fault | None:
    """Return the fault of the first value in an event's data that is out of its bounds, or None."""
    return _of_class(data.__class__)(data)


_Check = Callable[[Any], Fault | None]


@cache
def _of_class(data: type) -> _Check:
    hints = get_type_hints(data, include_extras=True)
    checks = [(f.name, attrgetter(f.name), check) for f in fields(data) if (check := _check(hints[f.name])) is not None]

    def of_fields(value: Any) -> Fault | None:
        for name, get, check in checks:
            found = check(get(value))
            if found is not None:
                return Fault(f"{name}.{found.where}" if found.where else name, found.why)
        return None

    # Most logs adopt one of a few rulesets, each with 700 values.
    return cache_by_identity(16)(of_fields) if data is Regulations else of_fields


def _check(hint: Any) -> _Check | None:
    """Return the function that checks a value of type ``hint``, or None if the type alone bounds it, such as a Literal."""
    bound, hint = _bound(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in (bool, NoneType) or origin is Literal:
        return None
    if origin in (Union, UnionType):
        return _of_union(arguments, bound)
    if origin is tuple:
        return _of_items(bound if isinstance(bound, Items) else LIST, _check(arguments[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _of_mapping
    if isinstance(hint, type) and is_dataclass(hint):
        return _of_class(hint)
    if bound is None and hint not in (int, str):
        return _of_anything
    return _within(bound or (RULE_TEXT if hint is str else INTEGER))


def _within(bound: Bound) -> _Check:
    """Return the check of one number or text."""
    fault = bound.fault
    return lambda value: None if (why := fault(value)) is None else Fault("", why)


def _bound(hint: Any) -> tuple[Bound | None, Any]:
    """Return the bound of an annotated type (None if it has none), and the type without the annotation."""
    bound = None
    if get_origin(hint) is Annotated:
        bound = next((one for one in get_args(hint)[1:] if isinstance(one, Whole | Items | Text)), None)
        hint = get_args(hint)[0]
    if bound is None and isinstance(hint, Callable) and hint in OF_TYPES:  # type: ignore[arg-type]
        bound = OF_TYPES[hint]
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    return bound, hint


def _of_union(members: tuple[Any, ...], bound: Bound | None) -> _Check | None:
    checks = [
        check for one in members if (check := _check(one if bound is None else Annotated[one, bound])) is not None
    ]
    if len(checks) != 1:
        return _of_anything if checks else None
    (check,) = checks
    return lambda value: None if value is None or isinstance(value, bool) else check(value)


def _of_items(bound: Items, check: _Check | None) -> _Check:
    def of_items(value: Any) -> Fault | None:
        why = bound.fault(value)
        if why is not None:
            return Fault("", why)
        if check is None:
            return None
        for n, one in enumerate(value):
            found = check(one)
            if found is not None:
                return Fault(f"{n}.{found.where}" if found.where else str(n), found.why)
        return None

    return of_items


def _of_mapping(value: Mapping[str, Any]) -> Fault | None:
    why = LIST.fault(value)
    if why is not None:
        return Fault("", why)
    for name, one in value.items():
        why = RULE_TEXT.fault(name)
        found = Fault("", why) if why is not None else _of_anything(one)
        if found is not None:
            return Fault(f"{name}.{found.where}" if found.where else name, found.why)
    return None


def _of_anything(value: Any) -> Fault | None:
    """Return the first fault of a value of any type by the widest bounds, or None."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int | str):
        why = (INTEGER if isinstance(value, int) else RULE_TEXT).fault(value)
        return None if why is None else Fault("", why)
    if isinstance(value, tuple):
        return _of_items(LIST, _of_anything)(value)
    return _of_mapping(value) if isinstance(value, Mapping) else _of_class(value.__class__)(value)


def refuse_values(t: TournamentState, actor: Actor, decision: Decision) -> Refusal | None:
    """Return the refusal of a decision with a value out of bounds, or None. Always None before offices 3.

    Refusals: ``value-out-of-bounds`` with the path of the value, ``no-handle`` for an actor without a login name.
    """
    if max([t.offices, *(e.offices for e in decision.events if isinstance(e, TournamentAnnounced))]) < BOUNDED_OFFICES:
        return None
    why = None if actor == RULEBOOK else handle_fault(actor.name)
    if why is not None:
        return Refusal("invalid", "no-handle", say("{name}: {why}", name=ascii(actor.name), why=why))
    for data in (*decision.lines, *decision.events, *decision.brought):
        fault = value_fault(data)
        if fault is not None:
            return Refusal("invalid", "value-out-of-bounds", fault.message, where=fault.where)
    return None
