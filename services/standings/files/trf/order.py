"""The order of tie-breaks that a tournament file asks for (records 202 and 212): obeyed or refused, never another."""

from typing import Any

from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.trf.model.errors import TrfError
from shared.trf.model.model import TrfFile


def order_of(trf: TrfFile, known: TieBreaks[Any]) -> tuple[str, ...]:
    """The file's order in these tie-breaks' own spelling; empty where it has none.

    Raises TrfError, with line and column, for a code that is none of them.
    """
    order = tuple(known.spelling(code) for code in trf.settings.tiebreaks)
    for n, code in enumerate(order):
        fault = known.fault(order, n)
        if fault is not None:
            line = trf.settings.tiebreaks_line
            text = next((record.text for record in trf.records if record.line == line), "")
            raise TrfError(trf.file, line, max(text.upper().find(code.upper()), 0) + 1, fault)
    return order
