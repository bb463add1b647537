"""Fallen flags: claimed, by the time that a wrong claim costs, or by a prediction that took too long."""

from services.games.rules.boards.port import Position, other
from services.games.rules.boards.prediction.position import prediction_time
from services.games.rules.boards.prediction.verdict import TIME
from services.games.rules.play.claim_port import Found
from services.games.rules.play.clocks import seconds_of
from services.games.rules.play.commands import MakeClaim
from services.games.rules.play.game_state import Reached
from services.games.rules.play.preconditions import Running, found
from services.games.rules.play.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, Decision, FindingMade, StepTaken
from shared.core.game_rules import PredictionRules
from shared.core.terms import Actor, Ply, Refusal
from shared.core.tournament import Tournament


def flag(t: Tournament, c: MakeClaim, sheet: Sheet, game: Running) -> Decision | Refusal:
    """The fall of the other side's flag: a finding, which penalties answers with the loss, or with the draw where
    ``c.side`` could never have won and the regulations spare the late side.

    A claim that neither the arbiter states nor the sheet shows is written down as not
    upheld, and the game goes on.
    """
    assert c.side is not None
    article, ply, late = t.regulations.game.flag(game.kind.name), Ply(len(sheet.plies)), other(c.side)
    reached = sheet.reached(game.kind)
    shown = stated(c.actor) or reached.clock(late) == 0
    lines = (ClaimMade(ply, c.side, "flag"), ClaimDecided(ply, "flag", shown, article))
    if not shown:
        return Decision(lines=lines, game=c.game)
    return Decision(
        brought=(found(t, game.game, "flag", late, article, ply, reached.position),), lines=lines, game=c.game
    )


def overrun(t: Tournament, game: Running, reached: Reached, one: Found, ply: Ply, before: int) -> list[FindingMade]:
    """The flag of a side whose last reading does not hold the seconds that a finding takes from it, after those that
    its wrong claims took since that reading (000-A 国际象棋, 对局结束 13(2); 002-X 23.3). No reading, no flag."""
    rows = t.regulations.rulebook.follows(one.kind, game.kind.name)
    taken = -sum(min(0, row.clock) for row in rows)
    left = reached.clock(one.side)
    if left is None or not taken or left > taken * (reached.said.wrong.count(one.side) + 1):
        return []
    return [found(t, game.game, "flag", one.side, one.article, ply, reached.position, before)]


def predicted_too_long(
    t: Tournament, game: Running, position: Position, seal: StepTaken, before: int
) -> list[FindingMade]:
    """The flag of a side that spent more than its share of the time on its prediction (001 第三条 3(3)), if its ``seal`` tells
    the seconds. Without a time control nothing is found."""
    time, rules = game.kind.time, game.kind.rules
    if time is None or not isinstance(rules, PredictionRules) or len(seal.values) < 2:
        return []
    most, spent = prediction_time(time, rules), seconds_of(seal.values[1])
    if most is None or spent is None or spent <= most:
        return []
    return [found(t, game.game, "flag", seal.side, TIME, seal.ply, position, before)]


def stated(actor: Actor) -> bool:
    """Whether the one who says it has seen it for the office."""
    return actor.role in ("arbiter", "chief_arbiter")
