"""The rules of games: results from the hall, score sheets, and how games end by themselves."""

from services.games.rules.decide import decide, sheet_of
from services.games.rules.rebuild import command_of
from services.games.rules.seal import seal
from services.games.rules.sheet import Sheet, evolve_sheet
from shared.rules import Rules
from shared.terms import GAMES

RULES = Rules(
    source=GAMES,
    decide=decide,
    command_of=command_of,
    sheet_of=sheet_of,
    new_sheet=Sheet,
    evolve_sheet=evolve_sheet,
    fork_sheet=Sheet.fork,
    seal=seal,
)
