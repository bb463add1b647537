"""The pairing service: its routes on a desk."""

from flask import Blueprint

from services.pairing import office_routes, routes
from services.pairing.access import room as access_room
from services.pairing.access.invitations import Issue
from services.pairing.announcement import room as announcement_room
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.entries import room as entries_room
from services.pairing.imports import room as imports_room
from services.pairing.imports.import_jobs import ImportJobs, NoImports
from services.pairing.layout import LAYOUT
from services.pairing.rounds import room as rounds_room
from services.pairing.teams import room as teams_room
from shared.core.terms import PAIRING
from shared.core.trust.checkpoint_origin import DEFAULT_NAME
from shared.desk.desk import Desk
from shared.http.commands import write_routes
from shared.http.commands.key_routes import lost_key
from shared.regulations import load_all

LOST_KEY = lost_key(
    PAIRING,
    "keys",
    "announceKey",
    "Announce a service's new signing key",
    "Use it if the private key of games, penalties or standings is lost. Later events of that service are verified with the "
    "new key. Every audit lists the change.",
)

NO_IMPORTS = NoImports()


def blueprint(
    desk: Desk,
    tiebreaks: TieBreakCodes,
    issue: Issue,
    house: str = DEFAULT_NAME,
    imports: ImportJobs = NO_IMPORTS,
) -> Blueprint:
    """All routes of the service, as in its README; ``tiebreaks``: those that may be announced; ``issue``: what makes tokens;
    ``house``: its name; ``imports``: what imports report files.

    Raises `TomlError` for a set of regulations that cannot be taken.
    """
    load_all()
    bp = Blueprint("pairing", __name__)
    LAYOUT.serve_problems(bp)
    office_routes.office(bp, desk, tiebreaks, house)
    write_routes.register(bp, desk, (*routes.WRITES, office_routes.adoption_route(tiebreaks), LOST_KEY))
    rounds_room.register(bp, desk)
    announcement_room.register(bp, desk, tiebreaks, house)
    entries_room.register(bp, desk)
    access_room.register(bp, desk, issue)
    imports_room.register(bp, imports)
    teams_room.register(bp, desk)
    return bp
