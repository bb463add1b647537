"""New moves of one command, played one by one on a copy of the position."""

from services.games.rules.boards.port.position import End, IllegalMove, Position
from services.games.rules.boards.port.touch_move import listing
from services.games.rules.commands import Move
from services.games.rules.play.clock_state import ReadingCheck, check_reading, follows_state
from services.games.rules.play.preconditions import (
    RunningGame,
    finding_on,
    game_end,
    refuse_other_side,
    refuse_without_clock,
)
from services.games.rules.play.sheet.clocks import granted_seconds, values_of
from services.games.rules.play.sheet.game_state import GameState
from shared.core.events import FindingMade, GameStarted, MovePlayed, Official, SheetLine, StepTaken
from shared.core.language.messages import MessageFact, say, term
from shared.core.state.grounds import ground
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, Ply, Refusal, Seconds, Side


class Batch:
    """The moves so far: their ``lines`` on the sheet, and their consequences in the log."""

    def __init__(self, t: Tournament, actor: Actor, game: RunningGame, state: GameState) -> None:
        self._t, self._actor, self._game, self._state = t, actor, game, state
        self.end: End | None = None
        """The end of the game by the moves, if any."""
        self.flag: Side | None = None
        """The side whose flag has fallen according to the last reading, if any."""
        self._ply = Ply(0)
        self._gained: list[FindingMade] = []
        self.lines: list[SheetLine] = []

    def add(self, ply: Ply, move: Move, where: str) -> Refusal | None:
        """Play the next move, or return why it is refused.

        Refusals: ``game-over`` and ``flag-found`` after an event that ends or stops the game, ``out-of-turn`` and
        ``two-in-a-row`` if a side is given, ``no-clock``, ``illegal-move``, ``announced-move``, ``touched-piece``, and
        in decision edition 1 ``clock-gains``. In later editions a clock that gains is a finding.
        """
        side = self._state.position.to_move()
        unread = refuse_without_clock(self._game, self._state, where) if move.clock is not None else None
        refusal = self._refusal(ply, where) or self._turn(ply, move, side, where) or unread
        refusal = refusal or self._gains(ply, move, side, where)
        if refusal is not None:
            return refusal
        pending = self._state.pending
        announced = pending.must_play
        check = None
        if move.clock is not None and follows_state(self._t):
            check = check_reading(self._t, self._game.game, self._state, side, move.clock)
        played = self._state.move(move.move, move.clock)
        if isinstance(played, IllegalMove):
            detail = say("ply {ply}, {move}: {reason}", ply=ply, move=move.move, reason=played.reason)
            return Refusal("rule", "illegal-move", detail, played.article, where)
        if announced is not None and played.move != announced:
            detail = say(
                "ply {ply}: {announced} was announced with a wrong claim and must be played, not {move}",
                ply=ply,
                announced=announced,
                move=played.move,
            )
            return Refusal("rule", "announced-move", detail, self._game.variant.game.announced_move, where)
        if pending.due and played.move not in pending.due:
            detail = say(
                "ply {ply}: pieces were touched, {listing} must be played, not {move}",
                ply=ply,
                listing=listing(pending.due),
                move=played.move,
            )
            return Refusal("rule", "touched-piece", detail, pending.due_by, where)
        self.lines.append(MovePlayed(ply, played.move, move.clock))
        self._ply = ply
        if check is not None:
            self._shows(ply, side, check)
        self.end = self._state.position.end()
        time = self._game.variant.time
        if (
            self.end is None
            and time is not None
            and time.flag == "at_once"
            and move.clock == 0
            and self._state.fallen(side)
        ):
            # A player who moved but did not press the clock is late too, unless the move ends the game (002-X 22.5).
            self.flag = side
        return None

    def _refusal(self, ply: Ply, where: str) -> Refusal | None:
        if self.end is not None:
            detail = say(
                "ply {ply} comes after the end of the game: {termination} on ply {ply2}",
                ply=ply,
                termination=self.end.words,
                ply2=ply - 1,
            )
            return Refusal("rule", "game-over", detail, self.end.article, where)
        if self.flag is not None:
            detail = say(
                "ply {ply} comes after {flag}'s flag fell on ply {ply2}", ply=ply, flag=term(self.flag), ply2=ply - 1
            )
            return Refusal("rule", "flag-found", detail, self._article(), where)
        return None

    def _turn(self, ply: Ply, move: Move, side: Side, where: str) -> Refusal | None:
        if move.side is None or move.side == side:
            return refuse_other_side(self._t, self._actor, self._game.game, side)
        movers = self._state.movers
        again = bool(movers) and movers[-1] == move.side
        facts: dict[str, MessageFact] = {"ply": ply, "side": term(side), "other": term(move.side)}
        detail = (
            say("{side} must make ply {ply}, because {other} has just moved", **facts)
            if again
            else say("{side} must make ply {ply}, not {other}", **facts)
        )
        return Refusal("rule", "two-in-a-row" if again else "out-of-turn", detail, self._game.variant.game.turn, where)

    def _gains(self, ply: Ply, move: Move, side: Side, where: str) -> Refusal | None:
        """Return the refusal ``clock-gains`` if a reading is more than the clock can show, or None.

        It is only refused in decision edition 1.
        """
        if follows_state(self._t):
            return None
        most = self._state.allowed(side) if move.clock is not None else None
        if most is None or move.clock is None or move.clock <= most:
            return None
        most = Seconds(most + granted_seconds(self._t, self._game.game, side))
        if move.clock <= most:
            return None
        detail = say(
            "ply {ply}: {side}'s clock shows {clock} seconds, and can show {most} at most",
            ply=ply,
            side=term(side),
            clock=move.clock,
            most=most,
        )
        time = self._game.variant.time
        return Refusal("rule", "clock-gains", detail, time.article if time else None, where)

    def _shows(self, ply: Ply, side: Side, check: ReadingCheck) -> None:
        """Record the adjustments that the reading shows, and a finding if the clock shows too much."""
        if check.shown is not None:
            line = StepTaken(ply, side, "clock_shows", values_of(check.shown))
            self._state.take(line)
            self.lines.append(line)
        time = self._game.variant.time
        if not check.over or time is None:
            return
        shown = check.most + check.over
        grounds = (ground("clock_gained", side=side, shown=shown, over=check.over, most=check.most),)
        t, game, before = self._t, self._game.game, len(self._gained) + (self._game.game.started is None)
        one = finding_on(t, game, "clock_gained", side, time.article, ply, self._state.position, before, grounds)
        self._gained.append(one)

    @property
    def position(self) -> Position:
        """The position after the moves."""
        return self._state.position

    def _article(self) -> str:
        return self._t.regulations.game.flag(self._game.variant.name)

    def brought(self) -> tuple[Official, ...]:
        """Return the game's start, findings on clocks that gained, and its end or the flag finding."""
        t, game = self._t, self._game.game
        start = GameStarted(game.game, self._game.variant.position)
        brought: list[Official] = [start] if game.started is None else []
        brought += self._gained
        if self.flag is not None:
            flag = finding_on(
                t, game, "flag", self.flag, self._article(), self._ply, self._state.position, len(brought)
            )
            brought.append(flag)
        if self.end is not None:
            brought.append(game_end(t, game.game, self.end.termination, self.end.winner, self.end.article))
        return tuple(brought)
