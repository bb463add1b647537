"""Standings decide that a table is published, a report file kept, and that checkpoints begin anew. All else is replay."""

from services.standings.rules.command_rows import ROWS
from services.standings.rules.publication import seal
from shared.core.terms import STANDINGS
from shared.desk.rules_port import Rules

RULES = Rules(STANDINGS, ROWS, seal=seal)
