"""The facts of rulings, compared with the score sheet: clock times, passes, and the side to move.

The sheet is taken as it was when the ruling was made. Facts that it does not show are not contradicted. A fact is
contradicted if the act is not an infraction according to the fact on the sheet.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from services.games.rules.commands import CheckFacts
from services.games.rules.play.preconditions import RunningGame, game_with_sheet
from services.games.rules.play.sheet.clocks import granted_seconds
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision, FactsChecked, MovePlayed, StepTaken
from shared.core.language.messages import Message, say
from shared.core.rulebook.effects import Fact, FactName, FactRule, rules_against
from shared.core.rulebook.regulations import InfractionRule
from shared.core.state.entities import Ruling
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RULEBOOK, Refusal, Side, other


@dataclass(frozen=True, slots=True)
class SheetThen:
    """The contents of a score sheet when a ruling on ``side`` was made.

    ``plies``: the recorded moves and steps. ``movers``: the side that made each of them. ``to_move``: the side to move
    after the last one. ``ply``: the ply of the act that the ruling is on, or None. ``passing``: the game's notation of
    a pass, or None. ``granted``: returns the seconds that rulings have added to the clock of ``side`` since a given
    ply.
    """

    side: Side
    plies: Sequence[MovePlayed | StepTaken]
    movers: Sequence[Side]
    to_move: Side
    ply: int | None
    passing: str | None
    granted: Callable[[int], int]

    def last(self, side: Side, before: int) -> int:
        """Return the last ply of ``side`` before the ply ``before``, or 0 if it has none."""
        plies = range(min(before - 1, len(self.movers)), 0, -1)
        return next((n for n in plies if self.movers[n - 1] == side), 0)


def check(t: Tournament, c: CheckFacts, sheet: Sheet) -> Decision | Refusal:
    """Compare the facts of a ruling with the sheet of its game.

    Refusals: ``nothing-to-check`` for a ruling that `unchecked_rulings` does not list, and those of `game_with_sheet`.
    """
    ruling = t.rulings.get(c.ruling)
    if ruling is None or ruling.event.game != c.game or not _is_due(t, ruling):
        detail = say("ruling {ruling} has no facts to check", ruling=c.ruling)
        return Refusal("rule", "nothing-to-check", detail, where="ruling")
    game = game_with_sheet(t, c.game)
    if isinstance(game, Refusal):
        return game
    then, stated = _sheet_then(t, ruling, game, sheet), ruling.event.facts
    looked_up = {} if then is None else {name: SHOWN[name](then) for name in _facts_to_check(t, ruling)}
    shown = {name: v for name, v in looked_up.items() if v is not None and _differs(v, stated.get(name))}
    facts: dict[str, Fact] = dict(stated) | {str(name): value for name, value in shown.items()}
    exonerating = rules_against(_required_facts(t, ruling), facts, ruling.event.player)
    contradicting = [rule for rule in exonerating if rule.name in shown]
    values: dict[str, Fact] = {rule.name: shown[rule.name] for rule in contradicting}
    row = _infraction(t, ruling)
    article = row.article_of(contradicting[0]) if row is not None and contradicting else None
    return Decision((FactsChecked(c.ruling, c.game, values, article),), game=c.game)


def unchecked_rulings(t: TournamentState) -> Sequence[CheckFacts]:
    """Return one command for each ruling in force whose facts a sheet can show and were not checked yet.

    Such a ruling is made by a person, on a player of a started game.
    """
    if not isinstance(t, Tournament):
        return ()
    due = (r.event for r in t.rulings.values() if _is_due(t, r))
    return [CheckFacts(RULEBOOK, event.game, event.ruling) for event in due if event.game is not None]


def undecided(c: CheckFacts) -> Message:
    """Return the message that states what is undecided until the check ``c`` is carried out."""
    return say(
        "the log does not record whether the score sheet of {game} contradicts {ruling}", game=c.game, ruling=c.ruling
    )


def _is_due(t: Tournament, ruling: Ruling) -> bool:
    event = ruling.event
    game = None if event.game is None else t.games.get(event.game)
    return (
        game is not None
        and game.started is not None
        and game.pairing not in t.withdrawn_pairings
        and event.player in (game.white, game.black)
        and event.finding is None
        and event.ruling not in t.facts_checks
        and bool(_facts_to_check(t, ruling))
        and t.is_in_force(event.ruling)
        and not isinstance(game_with_sheet(t, game.game), Refusal)
    )


def _infraction(t: Tournament, ruling: Ruling) -> InfractionRule | None:
    """Return the row of the ruling's infraction in the rulebook in force when the ruling was made, or None."""
    rows = t.regulations_at(ruling.seq).rulebook.infractions
    return next((row for row in rows if row.name == ruling.event.infraction), None)


def _required_facts(t: Tournament, ruling: Ruling) -> Sequence[FactRule]:
    """Return the facts that the infraction's article requires, by the regulations in force when the ruling was made."""
    row = _infraction(t, ruling)
    return () if row is None else row.facts


def _facts_to_check(t: Tournament, ruling: Ruling) -> tuple[FactName, ...]:
    """Return the names of facts to compare with the score sheet: those that the ruling states, or may leave unstated."""
    names = (rule.name for rule in _required_facts(t, ruling))
    return tuple(name for name in names if name in SHOWN and (name in ruling.event.facts or name in UNSTATED))


def _differs(shown: Fact, stated: Fact | None) -> bool:
    """Return whether the fact on the sheet (``shown``) rules out the one in the ruling (``stated``, or None if it states none).

    A number rules out only a larger one, because a clock may have run down since it was read.
    """
    if stated is None or isinstance(shown, bool):
        return shown is not stated
    return int(shown) < int(stated)


# ---------------------------------------------------------------- what the sheet shows


def _sheet_then(t: Tournament, ruling: Ruling, game: RunningGame, sheet: Sheet) -> SheetThen | None:
    """Return the score sheet as it was when the ruling was made, or None if moves were taken back since."""
    if sheet.back is not None and sheet.back >= ruling.seq:
        return None
    state, length = sheet.state(game.variant), bisect_left(sheet.bases, ruling.seq)
    side: Side = "white" if ruling.event.player == game.game.white else "black"
    to_move = state.movers[length] if length < len(state.movers) else state.position.to_move()

    def granted(ply: int) -> int:
        return granted_seconds(t, game.game, side, range(sheet.bases[ply - 1] + 1, ruling.seq))

    plies, movers, passing = sheet.plies[:length], state.movers[:length], game.variant.game.passing
    return SheetThen(side, plies, movers, to_move, ruling.event.ply, passing, granted)


def _seconds_left(then: SheetThen) -> Fact | None:
    """Return the last reading before the act plus the seconds that later rulings added, or None without a reading.

    It is the most that was left, because a clock only runs down after a reading.
    """
    at = len(then.plies) if then.ply is None else min(then.ply, len(then.plies))
    for ply in range(at, 0, -1):
        line = then.plies[ply - 1]
        if then.movers[ply - 1] == then.side and isinstance(line, MovePlayed) and line.clock is not None:
            return line.clock + then.granted(ply)
    return None


def _opponent_passed(then: SheetThen) -> Fact | None:
    """Return whether the opponent's last ply before the act was a pass that the player has not answered yet.

    Return None if the game has no passes, the opponent has no ply before the act, or the player has answered it.
    """
    if then.passing is None:
        return None
    own = bool(then.movers) and then.movers[-1] == then.side
    act = then.ply if then.ply is not None else len(then.plies) + (not own)
    opponents = then.last(other(then.side), act)
    if not opponents or then.last(then.side, act) > opponents:
        return None
    line = then.plies[opponents - 1]
    return isinstance(line, MovePlayed) and line.move == then.passing


def _opponent_moved(then: SheetThen) -> Fact | None:
    """Return whether the opponent has moved since the act. If the ruling has no ply, since the player's last move.

    None if the sheet does not have this move.
    """
    ply = then.ply if then.ply is not None else then.last(then.side, len(then.plies) + 1)
    return other(then.side) in then.movers[ply:] if 0 < ply <= len(then.plies) else None


def _own_time(then: SheetThen) -> Fact | None:
    """Return whether it was the player's turn after the ply of the act, by default after the last ply.

    Return None if the sheet does not have this ply.
    """
    if then.ply is None or then.ply == len(then.plies):
        return then.to_move == then.side
    return then.movers[then.ply] == then.side if then.ply < len(then.plies) else None


SHOWN: Mapping[FactName, Callable[[SheetThen], Fact | None]] = {
    "seconds_left": _seconds_left,
    "opponent_passed": _opponent_passed,
    "opponent_moved": _opponent_moved,
    "own_time": _own_time,
}
"""The facts that sheets can show, with functions that return their values, or None if this sheet does not show it."""
UNSTATED: tuple[FactName, ...] = ("seconds_left", "opponent_passed")
"""Facts looked up on the sheet even if the report omits them. The side to move depends on the report's ply."""
