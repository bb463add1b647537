"""Colours that a score sheet settles, exchanges or reopens, for the services that have no sheets."""

from dataclasses import replace

from services.games.rules.boards.registry import variant_of
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import (
    ColoursCorrected,
    ColoursSettled,
    Decision,
    GameEnded,
    GameStarted,
    MovePlayed,
    ResultReported,
)
from shared.core.readings.colours import colours_of
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Seq


def add_settled_colours(t: Tournament, decision: Decision, sheet: Sheet) -> Decision:
    """Return the decision with `ColoursSettled` if it leaves the sheet with colours other than the log's.

    It compares the two states, whatever changed them: a step, the first stone without a guess, or moves taken back.
    """
    if t.regulations.decisions < 3 or not decision.lines or decision.game is None:
        return decision
    game = _with_events(t, t.games[decision.game], decision)
    recorded = colours_of(t, game).black
    if recorded is not None and all(isinstance(line, MovePlayed) for line in decision.lines):
        return decision  # no move exchanges colours: this spares playing each one twice
    variant = variant_of(t, game)
    assert variant is not None, "a game with a sheet has rules"
    after = sheet.fork()
    for line in decision.lines:
        after.evolve(line)
    position = after.state(variant).position
    black = position.holder("black") if position.colours_settled() else None
    if black == recorded:
        return decision
    ends = sum(isinstance(event, GameEnded | ResultReported) for event in decision.brought[-1:])
    before, end = decision.brought[: len(decision.brought) - ends], decision.brought[len(decision.brought) - ends :]
    return replace(decision, brought=(*before, ColoursSettled(game.game, black), *end))


def _with_events(t: Tournament, game: Game, decision: Decision) -> Game:
    """Return the game after the decision's events, as far as its colours depend on them."""
    for event in (*decision.events, *decision.brought):
        match event:
            case GameStarted():
                game = game._replace(started=Seq(t.seq + 1), position=event.position)
            case ColoursCorrected():
                game = game._replace(reversed=Seq(t.seq + 1) if event.reversed else None)
    return game
