"""What a publication asks for where nothing else is said, and what is done after it."""

from contextlib import suppress

from services.standings.rules.commands import PublishStandings
from services.standings.rules.table.table import default_tiebreaks
from shared.core.terms import Actor
from shared.core.tournament import Tournament
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned


def publication(t: Tournament, actor: Actor, *, final: bool, round: int | None = None) -> PublishStandings:
    """The table after a ``round`` (default: the last), by the tournament's own tie-breaks and edition of C.07."""
    after = t.rounds_paired() if round is None else round
    return PublishStandings(actor, default_tiebreaks(t), t.regulations.ranking.rules, after, final)


def remember(desk: Desk, t: str) -> None:
    """Have the signer remember what a publication was signed on: in the commit that wrote it, it was no line of the log yet."""
    view = desk.view(t)
    if view is not None:
        with suppress(NotSigned):
            signed_checkpoint(desk, view)
