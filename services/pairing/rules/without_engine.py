"""Checks of an engine's pairing without the engine: everything that does not depend on its choice of opponents."""

from collections.abc import Sequence

from services.pairing.rules.absolute_criteria import describe, violations
from services.pairing.rules.engines.versions import DUTCH
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.pairing_input import initial_colour
from services.pairing.rules.rounds import colour_by_lot
from services.pairing.rules.sides.seating import board
from shared.core.events import Data, RoundPaired
from shared.core.language.messages import Message, say, term
from shared.core.rounds.matches import teams_meet
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Side


def problem_without_engine(t: TournamentState, events: Sequence[Data]) -> Message | None:
    """Return why no engine can have made this pairing at this point of the log, or None if all checks pass.

    ``events``: the command's events. Checked are its round, stage, boards and games, its byes, the first colour
    (C.04.3, 5.1) and the absolute rules (C.04.1; C.04.3, C1-C3).
    """
    if len(events) != 1 or not isinstance(events[0], RoundPaired) or not isinstance(t, Tournament):
        return say("a pairing must be one event of a tournament that has regulations")
    paired = events[0]
    place = (t.rounds_paired() + 1, len(t.pairings) + 1, stage_due(t).name)
    if (paired.round, paired.pairing, paired.stage) != place:
        round, pairing, name = place
        if name:
            return say(
                "the next pairing must be pairing {pairing}, of round {round} in the stage {stage}",
                round=round,
                pairing=pairing,
                stage=name,
            )
        return say("the next pairing must be pairing {pairing}, of round {round}", round=round, pairing=pairing)
    numbers = [seat.board for seat in paired.boards]
    if numbers != sorted(set(numbers)) or any(
        seat != board(t, seat.board, seat.white, seat.black) for seat in paired.boards
    ):
        return say("the numbers of its boards and games do not match this tournament")
    if any(bye.kind != "U" for bye in paired.byes) or (len(paired.byes) > 1 and not teams_meet(t)):
        return say("an engine may assign at most one bye, and only the pairing-allocated bye")
    colour = _first_colour(t, paired)
    if colour is not None and paired.initial_colour != colour:
        return say("the first colour must be {colour}", colour=term(colour))
    broken = violations(t, paired.round, paired.boards, paired.byes, stage=paired.stage)
    return describe(broken) if broken else None


def _first_colour(t: Tournament, paired: RoundPaired) -> Side | None:
    """Return the first colour: White, or for a Dutch pairing the colour that was drawn before or by the pairing's seed.

    None if the pairing has no seed: the tournament office may have chosen the colour.
    """
    if paired.engine is None or paired.engine.name not in DUTCH:
        return "white"
    return initial_colour(t) or (colour_by_lot(paired.seed) if paired.seed else None)
