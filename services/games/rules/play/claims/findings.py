"""Findings that hold no longer, and acts that were found before: each is found once (decisions 2).

What an arbiter states of a touch replaces what he stated before for the same move. Moves taken back never counted, nor what
was found on them; but of an illegal move that they are taken back for the finding stays, and the one that a ruling answers
which asks for it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from services.games.rules.boards.port.claim import ClaimFinding, ClaimVerdict
from services.games.rules.boards.port.touch_move import FutileKind
from services.games.rules.boards.registry import TOUCH_CLAIMS, VOID_REASONS
from services.games.rules.commands import TakeBack
from services.games.rules.play.sheet.game_state import GameState
from shared.core.events import ClaimMade, FindingMade, FindingWithdrawn
from shared.core.events.games import FindingKind
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Side

TOUCHES: tuple[FindingKind, ...] = get_args(FutileKind)
ILLEGAL: tuple[FindingKind, ...] = ("illegal_move", "forbidden_point", "facing_generals", "bad_sealed_move")
"""Findings of a move that was none."""
STANDING_REASONS = ("illegal_move", "ruling")
"""Reasons for which moves are taken back because of such a move."""


def findings_lapse(t: Tournament) -> bool:
    """Whether findings can be withdrawn, and one act is found once: from the second edition of decisions on."""
    return t.regulations.decisions >= 2


def findings_at(t: Tournament, game: Game, ply: Ply) -> list[FindingMade]:
    """The findings on a game at a ply that were not withdrawn, in the log's order."""
    return [f for f in _findings(t, game) if f.ply == ply]


def found_before(t: Tournament, game: Game, kind: FindingKind, side: Side, ply: Ply) -> bool:
    """Whether this was found of the side at this ply, and holds."""
    player = game.player(side)
    return findings_lapse(t) and any((f.kind, f.player) == (kind, player) for f in findings_at(t, game, ply))


def touches_stated_anew(
    t: Tournament, made: ClaimMade, game: Game, state: GameState, verdict: ClaimVerdict
) -> tuple[FindingWithdrawn, ...]:
    """The findings of the former statement for this move that by this one hold no longer: of each kind as many as there are
    futile touches less, the last first."""
    if not (findings_lapse(t) and made.claim in TOUCH_CLAIMS and verdict.upheld and state.pending.touched):
        return ()
    left = Counter(one.kind for one in verdict.findings)
    withdrawn = []
    for finding in findings_at(t, game, made.ply):
        if finding.kind in TOUCHES:
            left[finding.kind] -= 1
            if left[finding.kind] < 0:
                withdrawn.append(FindingWithdrawn(finding.finding, game.game, "stated_anew"))
    return tuple(withdrawn)


def new_findings(t: Tournament, made: ClaimMade, game: Game, verdict: ClaimVerdict) -> tuple[ClaimFinding, ...]:
    """The findings of a claim without those that a former statement of the same touch brought. A forbidden point 禁着点 is one
    only where the rulebook has more follow from it than the lost turn (000-A 围棋, 行棋 5; 违例 9)."""
    if not (findings_lapse(t) and made.claim in TOUCH_CLAIMS):
        asks = t.regulations.rulebook.finding_rules
        return tuple(f for f in verdict.findings if f.kind != "forbidden_point" or asks(f.kind, t.announced.game))
    before = Counter((f.kind, f.player) for f in findings_at(t, game, made.ply))
    new = []
    for one in verdict.findings:
        act = one.kind, game.player(one.side)
        before[act] -= 1
        if before[act] < 0:
            new.append(one)
    return tuple(new)


def findings_taken_back(t: Tournament, c: TakeBack, game: Game) -> tuple[FindingWithdrawn, ...]:
    """The findings on what goes with the moves: on plies after ``c.to_ply``, and all of a game that is played anew."""
    if not findings_lapse(t):
        return ()
    asked_by = None if c.ruling is None else t.rulings[c.ruling].event.finding
    return tuple(
        FindingWithdrawn(f.finding, game.game, "taken_back")
        for f in _findings(t, game)
        if (f.ply > c.to_ply or c.reason in VOID_REASONS)
        and f.finding != asked_by
        and not (f.kind in ILLEGAL and c.reason in STANDING_REASONS)
    )


def _findings(t: Tournament, game: Game) -> Iterator[FindingMade]:
    return (f.event for f in t.findings.values() if f.event.game == game.game and f.withdrawn is None)
