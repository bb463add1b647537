"""The order of tie-breaks that a tournament file is ranked by."""

from typing import Any

from deploy.cli.trf.player_tables import spelled_order
from deploy.failure import Failure
from services.standings.files.trf.order import order_of
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.core.language.messages import message_of, say
from shared.trf.model.errors import TrfError
from shared.trf.model.model import TrfFile


def order(trf: TrfFile, told: str | None, known: TieBreaks[Any]) -> tuple[str, ...]:
    """The order that is told, else the file's. One that cannot be obeyed ends the command with exit code 2."""
    if told is not None:
        return spelled_order(told, known)
    try:
        return order_of(trf, known)
    except TrfError as error:
        raise Failure(say("{error}; --tiebreaks tells another order", error=message_of(error))) from None
