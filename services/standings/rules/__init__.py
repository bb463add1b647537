"""Standings decide one thing only: that a table is published. All else is replay."""

from services.standings.rules.commands import PublishStandings
from services.standings.rules.publish import command_of, publish, seal
from shared.events import Decision
from shared.rules import Rules
from shared.terms import STANDINGS, Refusal
from shared.tournament import Tournament


def decide(t: Tournament, command: PublishStandings, sheet: None = None) -> Decision | Refusal:
    """What follows from a command on what standings saw."""
    return publish(t, command)


RULES = Rules(STANDINGS, decide, command_of, seal=seal)
