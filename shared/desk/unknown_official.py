"""The error for an official without the role in the part of the log that a service has read."""

from shared.core.readings.authority import OFFICE_NOT_HELD
from shared.core.terms import Refusal
from shared.desk.requests import UnknownOfficial


def unknown_official(outcome: object, current: bool) -> UnknownOfficial | None:
    """Return an error to replace the refusal for a missing role if the service was not ``current``, else None."""
    unheld = isinstance(outcome, Refusal) and outcome.code == OFFICE_NOT_HELD
    return UnknownOfficial() if unheld and not current else None
