"""The rules of games: results from the hall, score sheets, and how games end by themselves."""

from services.games.rules.decide import decide, sheet_of
from services.games.rules.play.facts import unchecked_rulings, undecided
from services.games.rules.play.sheet.sheet import Sheet, evolve_sheet
from services.games.rules.play.sheet.sheet_commitment import seal
from services.games.rules.reconstruct import command_of
from shared.core.events import GameStarted, RulingAnnulled, RulingMade
from shared.core.terms import GAMES
from shared.desk.rules_port import Rules

RULES = Rules(
    source=GAMES,
    decide=decide,
    command_of=command_of,
    sheet_of=sheet_of,
    new_sheet=Sheet,
    evolve_sheet=evolve_sheet,
    fork_sheet=Sheet.fork,
    due=unchecked_rulings,
    due_after=frozenset({GameStarted, RulingMade, RulingAnnulled}),
    undecided=undecided,
    seal=seal,
)
