"""The own members of answers to pairing's commands, and its rounds."""

from collections.abc import Sequence
from typing import TypeVar

from services.pairing import answers
from shared.core.events import ByeSeat, Event, LotDrawn, PlayerEntered, RoundPaired, TeamEntered
from shared.core.state.tournament import TournamentState
from shared.http.commands.write_routes import Submission
from shared.wire.answer import answer_of

Round = TypeVar("Round", bound=answers.RoundAnswer)


def lot_drawn(events: Sequence[Event], sent: Submission) -> answers.LotWrittenAnswer:
    """Return the lot that a command drew."""
    (data,) = [e.data for e in events if isinstance(e.data, LotDrawn)]
    return answers.LotWrittenAnswer(data.match or None, data.winner, data.order)


def players_entered(events: Sequence[Event], sent: Submission) -> answers.EnteredAnswer:
    """Return the ID and starting number of each player that a command entered."""
    data = [e.data for e in events if isinstance(e.data, PlayerEntered)]
    return answers.EnteredAnswer([answers.EnteredPlayerAnswer(d.player, d.starting_number) for d in data])


def teams_entered(events: Sequence[Event], sent: Submission) -> answers.TeamsWrittenAnswer:
    """Return the teams that a command entered."""
    data = [e.data for e in events if isinstance(e.data, TeamEntered)]
    return answers.TeamsWrittenAnswer([answers.EnteredTeamAnswer(d.team, d.members) for d in data])


def round_paired(events: Sequence[Event], sent: Submission) -> answers.RoundWrittenAnswer:
    """Return the round that a command paired, with the byes that the pairing allocated."""
    (data,) = [e.data for e in events if isinstance(e.data, RoundPaired)]
    return _round(answers.RoundWrittenAnswer, data, data.byes)


def round_of(t: TournamentState, number: int) -> answers.RoundAnswer | None:
    """Return a round's pairing in force with all its byes, requested ones too; None if the round is not paired."""
    current = t.current(number)
    if current is None:
        return None
    return _round(answers.RoundAnswer, current.event, (*current.event.byes, *granted_byes(t, number)))


def granted_byes(t: TournamentState, number: int) -> list[ByeSeat]:
    """Return the requested byes of a round, by player."""
    return [ByeSeat(player, bye.kind) for (player, round), bye in sorted(t.byes.items()) if round == number]


def _round(kind: type[Round], data: RoundPaired, byes: Sequence[ByeSeat]) -> Round:
    return answer_of(
        kind,
        data,
        boards=[answer_of(answers.BoardAnswer, b) for b in data.boards],
        byes=[answer_of(answers.ByeAnswer, s) for s in byes],
        matches=[answer_of(answers.MatchAnswer, m) for m in data.matches],
    )
