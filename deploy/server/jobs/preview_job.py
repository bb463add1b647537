"""Hands standings what a command would bring: by the rules of all services, and as each reads its own commands."""

from collections.abc import Mapping, Sequence
from typing import Any

from deploy.server.rules import RULES
from services.games.routes import WRITES as GAMES_WRITES
from services.penalties.app import WRITES as PENALTIES_WRITES
from services.penalties.forms.form_readers import FORM_READERS
from services.standings.rules.preview import Preview, table_change
from shared.core.readings.settlement import newly_open
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal, Source
from shared.desk.desk import Desk
from shared.desk.foresight import foresee
from shared.http.commands.previews import Previews
from shared.http.commands.readers import Readers
from shared.http.limits.rate_limits import Limits

READERS = Readers((*PENALTIES_WRITES, *GAMES_WRITES), FORM_READERS)
"""The addresses whose commands are previewed, of all services, and the forms."""


def previews(desk: Desk, limits: Limits) -> Previews[Preview]:
    """Return the previews of a server; the caller ends them."""
    return Previews(desk, decided_ahead, READERS, limits)


def decided_ahead(
    t: TournamentState, source: Source, command: Any, sheets: Mapping[str, Sequence[bytes]], now: str
) -> Preview | Refusal:
    """The preview of a command; runs in the child process. Raises `SheetNeeded`."""
    foresight = foresee(t, source, command, RULES, sheets=sheets, now=now)
    if isinstance(foresight, Refusal):
        return foresight
    change = table_change(t, foresight.after)
    outdated = newly_open(t, foresight.after)
    return Preview(foresight.seq, foresight.events, foresight.lines, foresight.digest, change, outdated)
