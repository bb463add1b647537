"""Who is in no office by what a service has read, while it has not read the whole log."""

from shared.core.readings.authority import OFFICE_NOT_HELD
from shared.core.terms import Refusal
from shared.desk.requests import UnknownOfficial


def unknown_official(outcome: object, current: bool) -> UnknownOfficial | None:
    """What is said in place of the refusal of one who is in no office here, where the service was not ``current``."""
    unheld = isinstance(outcome, Refusal) and outcome.code == OFFICE_NOT_HELD
    return UnknownOfficial() if unheld and not current else None
