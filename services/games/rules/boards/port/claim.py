"""Claims: a game's row for each, the input of a claim, and its verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from services.games.rules.boards.port.position import End, LegalMove, Position
from shared.core.events import Ground
from shared.core.events.games import FindingKind
from shared.core.events.sheets import Claim as ClaimName
from shared.core.language.messages import Message, say, term
from shared.core.rulebook.game_rules import BoardRules
from shared.core.state.grounds import ground
from shared.core.terms import Ply, Refusal, Side, other


@dataclass(frozen=True, slots=True)
class ClaimInput:
    """A claim and the facts it is decided on.

    ``side``: None if an arbiter makes the request. ``stated``: an arbiter has seen the claimed fact. ``moves``: those
    of the sheet so far. ``position``: a copy. ``squares``: those of the touched pieces. ``decisions``: the decision
    edition of the regulations.

    Pending from earlier: ``must_play``, a move announced with a wrong claim; ``touched``, the squares stated for the
    next move; ``varying``, the plies at which a side was ordered to vary.
    """

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
    """A finding to be answered by penalties: its kind, the offending side, and the article."""

    kind: FindingKind
    side: Side
    article: str


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """The verdict on a claim. ``grounds`` are read out. ``move``: the claimed one, in the notation of the sheets.

    ``end``: the end of the game, if any. ``findings``: those to be answered by penalties. ``loses_turn``: the side to
    move loses its turn. ``squares``: those of the touched pieces. ``due``: the moves, one of which must follow.
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
    """A claim of a game, and how it is decided.

    If it is rejected: ``costs_time`` (000-A 国际象棋, 对局结束 13; 002-X 23.3), and ``binds`` its claimant to the
    announced move (对局结束 13(2)). If it is upheld: ``varies`` orders a side to vary. ``touches``: the claim lists the
    squares of touched pieces, so that certain moves are due. Moves taken back remove it with the move that it belongs
    to.

    ``accuses``: the other side did something that no sheet shows, so a side's claim alone decides nothing.
    ``unproved``: the claim does not accuse a side, but no sheet proves it either. A side's claim of either kind waits
    for an arbiter.
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
    """Return the refusal ``side-missing`` if no side is given: only a player can make this claim. Otherwise None."""
    if claim.side is not None:
        return None
    detail = say("only a player can claim {claim}: name the side", claim=term(claim.claim))
    return Refusal("invalid", "side-missing", detail, article, "side")


def needs_move(claim: ClaimInput, what: Message, article: str) -> Refusal | None:
    """Return the refusal ``move-missing`` if the claim has no move, or None. ``what``: the required move, in words."""
    if claim.move is not None:
        return None
    detail = say("a claim of {claim} must contain {what}", claim=term(claim.claim), what=what)
    return Refusal("invalid", "move-missing", detail, article, "move")


def no_move(claim: ClaimInput, article: str) -> Refusal | None:
    """Return the refusal ``move-not-asked`` if the claim has a move, which it must not have, or None."""
    if claim.move is None:
        return None
    return Refusal(
        "invalid",
        "move-not-asked",
        say("a claim of {claim} must not contain a move", claim=term(claim.claim)),
        article,
        "move",
    )


def illegal_move(
    claim: ClaimInput, readable: bool, example: str, article: str, kinds: dict[str, FindingKind] | None = None
) -> ClaimVerdict | Refusal:
    """Decide that the side to move has made an illegal move. It is not on the sheet, so the position is unchanged.

    ``readable``: whether the move is written by its points, like ``example``; an unreadable text proves no illegal
    move. ``kinds``: kinds of finding other than ``illegal_move``, by the article that the move breaks. Refusals:
    ``move-missing``, ``unreadable-move``, ``own-move``.
    """
    refusal = needs_move(claim, say("the move by its points ({example})", example=example), article)
    if refusal is not None:
        return refusal
    assert claim.move is not None
    if not readable:
        detail = say("give the illegal move by its points, such as {example}", example=example)
        return Refusal("invalid", "unreadable-move", detail, article, "move")
    offender = claim.position.to_move()
    if claim.side == offender:
        detail = say(
            "{offender} is to move, so only {other} can claim the illegal move",
            offender=term(offender),
            other=term(other(offender)),
        )
        return Refusal("rule", "own-move", detail, article, "side")
    played = claim.position.fork().play(claim.move)
    if isinstance(played, LegalMove):
        return ClaimVerdict(False, article, (ground("legal", move=claim.move),), claim.move)
    kind = (kinds or {}).get(played.article, "illegal_move")
    finding = ClaimFinding(kind, offender, played.article)
    grounds = (ground("illegal", move=claim.move), *((played.ground,) if played.ground else ()))
    return ClaimVerdict(True, played.article, grounds, claim.move, findings=(finding,))
