"""The wire's form of adopted regulations: ``game.rules`` has a member for each game that there are rules of, by its name.

In memory they are one mapping, ``GameRules.rules``; msgspec takes no union of dataclasses, so the wire's types are built here
from the table `game_rules.RULES`. A member that is no game's is refused.
"""

from dataclasses import MISSING, Field, fields, replace
from hashlib import sha256
from typing import Any, get_type_hints

import msgspec
import rfc8785

from shared.core.events import RegulationsAdopted
from shared.core.rulebook.game_rules import RULES, GameRules
from shared.core.rulebook.player_rules import PlayerRules
from shared.core.rulebook.regulations import Regulations
from shared.wire.shapes import kept, within

_BEFORE_3 = "arbiter.regulations.adopted.v4"
"""The newest version of the event before the third edition of decisions."""
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


def rules_form() -> type[msgspec.Struct]:
    """The wire's form of the rules of games, with a member for each game of the table."""
    members = [(name, rules | msgspec.UnsetType, msgspec.UNSET) for name, rules in RULES.items()]
    return msgspec.defstruct("RulesOfGames", members, forbid_unknown_fields=True)


RULES_OF_GAMES = rules_form()


def _game_form() -> type[msgspec.Struct]:
    hints = get_type_hints(GameRules)
    members = [
        ("rules", RULES_OF_GAMES, msgspec.field(default_factory=RULES_OF_GAMES))
        if field.name == "rules"
        else _member(field, hints[field.name])
        for field in fields(GameRules)
    ]
    return msgspec.defstruct("GameRules", members, forbid_unknown_fields=True)


GAME = _game_form()


def _regulations_form() -> type[msgspec.Struct]:
    """Return the wire's form of regulations. It has ``players`` only if they differ from their defaults."""
    hints = get_type_hints(Regulations) | {"game": GAME}
    members = [_member(f, hints[f.name]) for f in fields(Regulations) if f.name != "players"]
    return msgspec.defstruct("Regulations", [*members, ("players", PlayerRules | msgspec.UnsetType, msgspec.UNSET)])


REGULATIONS = _regulations_form()
ADOPTED = _struct(RegulationsAdopted, {"regulations": REGULATIONS})
"""What a line's ``data`` is read as, and written from."""


def to_wire(data: RegulationsAdopted) -> Any:
    """The wire's form of an event."""
    members = {f.name: getattr(data, f.name) for f in fields(data)}
    return ADOPTED(**members | {"regulations": regulations_to_wire(data.regulations)})


def regulations_to_wire(regulations: Regulations) -> Any:
    """The wire's form of regulations."""
    game = {f.name: getattr(regulations.game, f.name) for f in fields(GameRules)}
    outer = {f.name: getattr(regulations, f.name) for f in fields(Regulations)}
    if regulations.players == PlayerRules():
        del outer["players"]
    return REGULATIONS(**outer | {"game": GAME(**game | {"rules": RULES_OF_GAMES(**regulations.game.rules)})})


def from_wire(data: Any) -> RegulationsAdopted:
    """The event of a wire's form."""
    members = {f.name: getattr(data, f.name) for f in fields(RegulationsAdopted)}
    return RegulationsAdopted(**members | {"regulations": regulations_of(data.regulations)})


def regulations_of(data: Any) -> Regulations:
    """The regulations of a `REGULATIONS`."""
    rules = {name: getattr(data.game.rules, name) for name in RULES}
    present = {name: one for name, one in rules.items() if one is not msgspec.UNSET}
    members = {f.name: getattr(data.game, f.name) for f in fields(GameRules)}
    outer = {f.name: getattr(data, f.name) for f in fields(Regulations)}
    if outer["players"] is msgspec.UNSET:
        del outer["players"]
    return Regulations(**outer | {"game": GameRules(**members | {"rules": present})})


def digest(regulations: Regulations) -> str:
    """Return the SHA-256 (hex) of a shipped edition in RFC 8785 form, before any change: without ``digest`` and ``changes``.

    Before the third edition of decisions, members that were added since are left out if they have their defaults.
    """
    whole = regulations_to_wire(replace(regulations, digest="", changes={}))
    form = msgspec.to_builtins(whole)
    if regulations.decisions < 3:
        before = within(form, kept()[_BEFORE_3]["regulations"])
        form = before if msgspec.convert(before, REGULATIONS) == whole else form
    return sha256(rfc8785.dumps({k: v for k, v in form.items() if k not in ("digest", "changes")})).hexdigest()
