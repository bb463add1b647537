"""The rules of games: results from the hall, score sheets, and how games end by themselves."""

from services.games.rules.command_rows import ROWS, in_words_of_game
from services.games.rules.play.facts import unchecked_rulings, undecided
from services.games.rules.play.sheet.sheet import Sheet, evolve_sheet
from services.games.rules.play.sheet.sheet_commitment import seal
from shared.core.events import GameStarted, RulingAnnulled, RulingMade
from shared.core.terms import GAMES
from shared.desk.rules_port import Rules

RULES = Rules(
    source=GAMES,
    rows=ROWS,
    finish=in_words_of_game,
    new_sheet=Sheet,
    evolve_sheet=evolve_sheet,
    fork_sheet=Sheet.fork,
    due=unchecked_rulings,
    due_after=frozenset({GameStarted, RulingMade, RulingAnnulled}),
    undecided=undecided,
    seal=seal,
)
