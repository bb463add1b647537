"""The rules of games: reported results, score sheets, and games that end automatically."""

from dataclasses import replace

from services.games.rules.command_rows import ROWS, finish_answer
from services.games.rules.play.facts import unchecked_rulings, undecided
from services.games.rules.play.sheet.sheet import Sheet, evolve_sheet
from shared.core.events import (
    Data,
    FactsChecked,
    FindingMade,
    GameEnded,
    GameStarted,
    RulingAnnulled,
    RulingMade,
    SheetRef,
)
from shared.core.terms import GAMES
from shared.desk.rules_port import Rules, Seal


def seal(data: Data, seal: Seal) -> Data:
    """Return ``data`` with the number of events and the digest of its score sheet, if it contains them.

    Only ends of games, findings and checks of facts contain them. Any other event is returned unchanged.
    """
    if isinstance(data, GameEnded | FindingMade | FactsChecked):
        return replace(data, sheet=SheetRef(seal.sheet_lines, seal.sheet_sha256))
    return data


RULES = Rules(
    source=GAMES,
    rows=ROWS,
    finish=finish_answer,
    new_sheet=Sheet,
    evolve_sheet=evolve_sheet,
    fork_sheet=Sheet.fork,
    due=unchecked_rulings,
    due_after=frozenset({GameStarted, RulingMade, RulingAnnulled}),
    undecided=undecided,
    seal=seal,
)
