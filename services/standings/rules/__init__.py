"""Standings decide one thing only: that a table is published. All else is replay."""

from services.standings.rules.commands import PublishStandings
from services.standings.rules.publication import command_of, publish, seal
from shared.core.events import Decision
from shared.core.terms import STANDINGS, Refusal
from shared.core.tournament import TournamentState
from shared.desk.rules_port import Rules


def decide(t: TournamentState, command: PublishStandings, sheet: None = None) -> Decision | Refusal:
    """The decision on a command, on what standings saw."""
    return publish(t, command)


RULES = Rules(STANDINGS, decide, command_of, seal=seal)
