"""The wire's form of adopted regulations: the rules of each game are a member of ``game`` by the game's name.

In memory they are one mapping, ``GameRules.rules``; msgspec takes no union of dataclasses, so the wire's types are built here
from the table `game_rules.RULES`. The members of `EARLIEST` stand in every line, in this order, null where the regulations
have no rules for the game, as every line has them since there are rules of games; any further game's member comes last, and
only where there are rules for it. A member that is no game's is refused.
"""

from dataclasses import MISSING, Field, fields
from typing import Any, get_type_hints

import msgspec

from shared.core.events import RegulationsAdopted
from shared.core.game_rules import RULES, GameRules
from shared.core.regulations import Regulations

EARLIEST = ("chess", "xiangqi", "go", "renju", "gomoku", "prediction")
"""The games whose members stand in every line."""

_Member = tuple[str, Any] | tuple[str, Any, Any]


def _member(field: Field[Any], type: Any) -> _Member:
    if field.default is not MISSING:
        return field.name, type, field.default
    if field.default_factory is not MISSING:
        return field.name, type, msgspec.field(default_factory=field.default_factory)
    return field.name, type


def _struct(data: type, inner: dict[str, Any]) -> type[msgspec.Struct]:
    """The wire's form of a data class, field by field; ``inner``: those that have a wire's form of their own."""
    hints = get_type_hints(data) | inner
    return msgspec.defstruct(data.__name__, [_member(f, hints[f.name]) for f in fields(data)])


def game_form() -> type[msgspec.Struct]:
    """The wire's form of `GameRules`, with a member for each game of the table."""
    hints, members = get_type_hints(GameRules), list[_Member]()
    for field in fields(GameRules):
        if field.name == "rules":
            members += [(name, RULES[name] | None, None) for name in EARLIEST]
        else:
            members.append(_member(field, hints[field.name]))
    further = [name for name in RULES if name not in EARLIEST]
    members += [(name, RULES[name] | msgspec.UnsetType, msgspec.UNSET) for name in further]
    return msgspec.defstruct("GameRules", members, forbid_unknown_fields=True)


GAME = game_form()
REGULATIONS = _struct(Regulations, {"game": GAME})
ADOPTED = _struct(RegulationsAdopted, {"regulations": REGULATIONS})
"""What a line's ``data`` is read as, and written from."""


def to_wire(data: RegulationsAdopted) -> Any:
    """The wire's form of an event."""
    game, regulations = data.regulations.game, data.regulations
    inner = {f.name: getattr(game, f.name) for f in fields(game) if f.name != "rules"} | game.rules
    outer = {f.name: getattr(regulations, f.name) for f in fields(regulations)} | {"game": GAME(**inner)}
    return ADOPTED(**{f.name: getattr(data, f.name) for f in fields(data)} | {"regulations": REGULATIONS(**outer)})


def from_wire(data: Any) -> RegulationsAdopted:
    """The event of a wire's form."""
    members = {f.name: getattr(data, f.name) for f in fields(RegulationsAdopted)}
    return RegulationsAdopted(**members | {"regulations": regulations_of(data.regulations)})


def regulations_of(data: Any) -> Regulations:
    """The regulations of a `REGULATIONS`."""
    rules = {name: getattr(data.game, name) for name in RULES}
    present = {name: one for name, one in rules.items() if one is not None and one is not msgspec.UNSET}
    members = {f.name: getattr(data.game, f.name) for f in fields(GameRules) if f.name != "rules"}
    outer = {f.name: getattr(data, f.name) for f in fields(Regulations)}
    return Regulations(**outer | {"game": GameRules(**members, rules=present)})
