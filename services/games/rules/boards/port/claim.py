"""Claims: a game's row for each, what the game is asked when one is made, and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from services.games.rules.boards.port.position import End, Position
from shared.core.events import Ground
from shared.core.events.games import FindingKind
from shared.core.events.sheets import Claim as ClaimName
from shared.core.language.messages import Message, say, term
from shared.core.rulebook.game_rules import BoardRules
from shared.core.terms import Ply, Refusal, Side


@dataclass(frozen=True, slots=True)
class ClaimInput:
    """A claim and what it is decided on. ``side`` None: the arbiter asks for it himself; ``stated``: an arbiter has seen
    what is claimed. ``moves``: those of the sheet so far; ``position`` is a copy; ``squares``: of the pieces touched.

    ``decisions``: the edition of them that the regulations name.

    Pending by then: ``must_play``, a move announced with a wrong claim; ``touched``, the squares stated for the move to
    come; ``varying``, the plies at which a side was told to vary."""

    claim: ClaimName
    side: Side | None
    move: str | None
    stated: bool
    rules: BoardRules
    position: Position
    moves: tuple[str, ...]
    squares: tuple[str, ...] = ()
    must_play: str | None = None
    touched: tuple[str, ...] = ()
    varying: tuple[Ply, ...] = ()
    decisions: int = 1


class ClaimFinding(NamedTuple):
    """A finding that penalties is to answer: what was done, by whom, against which article."""

    kind: FindingKind
    side: Side
    article: str


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim decided. ``grounds`` are read out; ``move`` is the one named, as the sheets keep it; ``end``: what the
    game ends by; ``findings``: what penalties is to answer; ``loses_turn``: the side to move has lost its turn by it.
    ``squares`` are those of the pieces touched, ``due`` the moves one of which must follow.
    """

    upheld: bool
    article: str
    grounds: tuple[Ground, ...]
    move: str | None = None
    end: End | None = None
    findings: tuple[ClaimFinding, ...] = ()
    loses_turn: bool = False
    squares: tuple[str, ...] = ()
    due: tuple[str, ...] = ()


Decide: TypeAlias = Callable[[ClaimInput], ClaimVerdict | Refusal]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that a game knows, and how it is decided.

    Where it is wrong: ``costs_time`` (000-A 国际象棋, 对局结束 13; 002-X 23.3), and ``binds`` its claimant to the move
    announced (对局结束 13(2)). Where it is upheld: ``varies``, a side is told to vary; ``touches``, it names the squares of
    pieces touched, its moves are due, and it goes with the move that it was said for.
    ``accuses``: the other side has done what no sheet shows, so that a side's own word decides nothing. ``unproved``: the claim
    accuses nobody, but no sheet proves it either. A side's claim of both kinds waits for an arbiter.
    """

    name: ClaimName
    decide: Decide
    costs_time: bool = False
    binds: bool = False
    varies: bool = False
    touches: bool = False
    accuses: bool = False
    unproved: bool = False

    @property
    def waits(self) -> bool:
        """True if a side's claim waits for an arbiter."""
        return self.accuses or self.unproved


def needs_side(claim: ClaimInput, article: str) -> Refusal | None:
    """Refusal ``side-missing``: this claim is a player's alone."""
    if claim.side is not None:
        return None
    return Refusal(
        "invalid",
        "side-missing",
        say("{claim} is a player's to claim: name the side", claim=term(claim.claim)),
        article,
        "side",
    )


def needs_move(claim: ClaimInput, what: Message, article: str) -> Refusal | None:
    """Refusal ``move-missing``."""
    if claim.move is not None:
        return None
    return Refusal(
        "invalid", "move-missing", say("{claim} names {what}", claim=term(claim.claim), what=what), article, "move"
    )


def no_move(claim: ClaimInput, article: str) -> Refusal | None:
    """Refusal ``move-not-asked``."""
    if claim.move is None:
        return None
    return Refusal("invalid", "move-not-asked", say("{claim} names no move", claim=term(claim.claim)), article, "move")
