"""The rules of standings: publish a table, keep a report file, and restart checkpoints. Everything else is replay."""

from services.standings.rules.command_rows import ROWS
from services.standings.rules.published_table import seal
from shared.core.terms import STANDINGS
from shared.desk.rules_port import Rules

RULES = Rules(STANDINGS, ROWS, seal=seal)
