"""Withdrawn findings, and repeated acts: each act is found once (decisions 2).

An arbiter's statement about a touch replaces the earlier one for the same move. Moves taken back count for nothing, and
neither do findings on them. But if moves are taken back because of an illegal move, the finding on that move stays, and
so does the finding behind a ruling that requires it.
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
"""Findings on illegal moves."""
STANDING_REASONS = ("illegal_move", "ruling")
"""Reasons for taking moves back because of an illegal move."""


def can_withdraw_findings(t: Tournament) -> bool:
    """Return whether findings can be withdrawn and one act is found once: from decision edition 2 on."""
    return t.regulations.decisions >= 2


def findings_at(t: Tournament, game: Game, ply: Ply) -> list[FindingMade]:
    """Return the findings on a game at a ply that were not withdrawn, in the order of the log."""
    return [f for f in _findings(t, game) if f.ply == ply]


def has_finding(t: Tournament, game: Game, kind: FindingKind, side: Side, ply: Ply) -> bool:
    """Return whether a finding of this kind on the side at this ply exists and was not withdrawn.

    In decision edition 1, it is always False.
    """
    player = game.player(side)
    return can_withdraw_findings(t) and any((f.kind, f.player) == (kind, player) for f in findings_at(t, game, ply))


def withdraw_superseded_touches(
    t: Tournament, made: ClaimMade, game: Game, state: GameState, verdict: ClaimVerdict
) -> tuple[FindingWithdrawn, ...]:
    """Return events that withdraw findings on touches at this move that the new statement ``made`` does not support.

    The new ``verdict`` has a number of futile touches of each kind. The latest findings beyond that number are
    withdrawn.
    """
    if not (can_withdraw_findings(t) and made.claim in TOUCH_CLAIMS and verdict.upheld and state.pending.touched):
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
    """Return the findings of a claim, without those that an earlier statement about the same touch already caused.

    A forbidden point 禁着点 is a finding only if the rulebook has a consequence besides the lost turn (000-A 围棋, 行棋 5; 违例
    9).
    """
    if not (can_withdraw_findings(t) and made.claim in TOUCH_CLAIMS):
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


def withdraw_findings(t: Tournament, c: TakeBack, game: Game) -> tuple[FindingWithdrawn, ...]:
    """Return events that withdraw findings on moves taken back.

    They are findings on plies after ``c.to_ply``, or all findings of a game that is played again. The finding behind
    the ruling ``c.ruling`` stays. So do findings on illegal moves, if the reason is an illegal move or a ruling.
    """
    if not can_withdraw_findings(t):
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
