"""The order of tie-breaks that a tournament file is ranked by."""

from typing import Any

from deploy.failure import Failure
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.core.language.messages import message_of, say
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfFile


def order(trf: TrfFile, told: str | None, known: TieBreaks[Any]) -> tuple[str, ...]:
    """Return the requested order of tie-breaks, or the order of the file if none is requested.

    Raises `Failure`, with exit code 2, for an invalid order.
    """
    if told is not None:
        return spelled_order(told, known)
    try:
        return order_of(trf, known)
    except TrfError as error:
        raise Failure(say("{error}; give another order with --tiebreaks", error=message_of(error))) from None


def spelled_order(text: str, known: TieBreaks[Any]) -> tuple[str, ...]:
    """Return the canonical codes of a comma-separated order of tie-breaks, typed in any case.

    Raises `Failure`, with exit code 2, for a code that is invalid or listed twice.
    """
    chosen = tuple(known.spelling(code.strip()) for code in text.split(",") if code.strip())
    for n in range(len(chosen)):
        fault = known.fault(chosen, n)
        if fault is not None:
            raise Failure(fault)
    return chosen


def order_of(trf: TrfFile, known: TieBreaks[Any]) -> tuple[str, ...]:
    """Return the order of a file in the spelling of these tie-breaks, or an empty tuple if it states none.

    Raises TrfError, with line and column, for an unknown code.
    """
    order = tuple(known.spelling(code) for code in trf.settings.tiebreaks)
    for n, code in enumerate(order):
        fault = known.fault(order, n)
        if fault is not None:
            line = trf.settings.tiebreaks_line
            text = next((record.text for record in trf.records if record.line == line), "")
            raise TrfError(trf.file, line, max(text.upper().find(code.upper()), 0) + 1, fault)
    return order
