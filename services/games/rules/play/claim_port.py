"""What a game is asked when a claim is made, and what it answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from services.games.rules.boards.port import End, Position
from services.games.rules.play.pending import Said
from shared.core.events.games import FindingKind
from shared.core.events.sheets import Claim
from shared.core.game_rules import BoardRules
from shared.core.terms import Refusal, Side


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim and what it is decided on. ``side`` None: the arbiter asks for it himself; ``stated``: an arbiter has seen
    what is claimed. ``moves``: those of the sheet so far; ``position`` is a copy; ``squares``: of the pieces touched."""

    claim: Claim
    side: Side | None
    move: str | None
    stated: bool
    rules: BoardRules
    position: Position
    moves: tuple[str, ...]
    said: Said
    squares: tuple[str, ...] = ()


class Found(NamedTuple):
    """What penalties is to answer: what was done, by whom, against which article."""

    kind: FindingKind
    side: Side
    article: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A claim decided. ``grounds`` are read out; ``move`` is the one named, as the sheets keep it; ``end``: what the
    game ends by; ``found``: what penalties is to answer; ``loses_turn``: the side to move has lost its turn by it.
    ``squares`` are those of the pieces touched, ``due`` the moves one of which must follow.
    """

    upheld: bool
    article: str
    grounds: str
    move: str | None = None
    end: End | None = None
    found: tuple[Found, ...] = ()
    loses_turn: bool = False
    squares: tuple[str, ...] = ()
    due: tuple[str, ...] = ()


Judge: TypeAlias = Callable[[Asked], Ruled | Refusal]
Claims: TypeAlias = Mapping[Claim, Judge]


def needs_side(asked: Asked, article: str) -> Refusal | None:
    """Refusal ``side-missing``: this claim is a player's alone."""
    if asked.side is not None:
        return None
    return Refusal("invalid", "side-missing", f"{asked.claim} is a player's to claim: name the side", article, "side")


def needs_move(asked: Asked, what: str, article: str) -> Refusal | None:
    """Refusal ``move-missing``."""
    if asked.move is not None:
        return None
    return Refusal("invalid", "move-missing", f"{asked.claim} names {what}", article, "move")


def no_move(asked: Asked, article: str) -> Refusal | None:
    """Refusal ``move-not-asked``."""
    if asked.move is None:
        return None
    return Refusal("invalid", "move-not-asked", f"{asked.claim} names no move", article, "move")
