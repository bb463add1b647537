"""The pairing service: its routes and pages on a command handler."""

from flask import Blueprint

from services.pairing import lists, office_routes, routes
from services.pairing.access import (
    integration_token_pages,
    integration_token_routes,
    invitation_pages,
    invitation_routes,
    login_pages,
    official_forms,
    session_pages,
    token_routes,
)
from services.pairing.access.invitations import Issue
from services.pairing.announcement import announcement_forms, details, public_access, regulation_routes
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.entries import check_in_forms, entry_correction_forms, entry_forms, player_forms, visibility
from services.pairing.imports import import_pages, import_routes
from services.pairing.imports.import_jobs import ImportJobs, NoImports
from services.pairing.layout import LAYOUT
from services.pairing.rounds import (
    bye_forms,
    forbidden_pair_forms,
    play_off_forms,
    round_forms,
    round_routes,
    upholding_forms,
    venue_notice,
    virtual_point_forms,
)
from services.pairing.teams import team_forms, team_routes
from shared.core.terms import PAIRING
from shared.core.trust.checkpoint_origin import DEFAULT_NAME
from shared.desk.desk import Desk
from shared.http.commands import write_routes
from shared.http.commands.write_routes import lost_key

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
    """Return all routes and pages of the service, which its README lists.

    ``tiebreaks``: the codes that a tournament may use. ``issue``: the function that issues tokens. ``imports``: the imports of
    report files. The origin of new logs contains the installation's name, by default `DEFAULT_NAME`.
    """
    bp = Blueprint("pairing", __name__)
    LAYOUT.serve_problems(bp)
    office_routes.office(bp, desk, tiebreaks, house)
    write_routes.register(bp, desk, (*routes.WRITES, office_routes.adoption_route(tiebreaks), LOST_KEY))
    write_routes.register(bp, desk, round_routes.WRITES)
    round_routes.rounds(bp, desk)
    write_routes.register(bp, desk, visibility.WRITES)
    visibility.visibility(bp, desk)
    write_routes.register(bp, desk, details.WRITES)
    details.details(bp, desk)
    write_routes.register(bp, desk, public_access.WRITES)
    public_access.public_access(bp, desk)
    write_routes.register(bp, desk, venue_notice.WRITES)
    venue_notice.venue_notice(bp, desk)
    lists.entry_lists(bp, desk)
    lists.lists(bp, desk)
    round_forms.rounds(bp, desk)
    forbidden_pair_forms.forbidden_pairs(bp, desk)
    virtual_point_forms.virtual_points(bp, desk)
    bye_forms.byes(bp, desk)
    upholding_forms.upholdings(bp, desk)
    play_off_forms.play_offs(bp, desk)
    announcement_forms.announcements(bp, desk, tiebreaks, house)
    regulation_routes.sets(bp)
    entry_forms.entries(bp, desk)
    entry_correction_forms.identities(bp, desk)
    check_in_forms.check_in(bp, desk)
    player_forms.players(bp, desk)
    entry_correction_forms.entry_corrections(bp, desk)
    official_forms.officials(bp, desk)
    token_routes.tokens(bp)
    invitation_routes.invitations(bp, desk)
    login_pages.logins(bp, desk)
    invitation_pages.invitations(bp, desk, issue)
    session_pages.sessions(bp, desk)
    integration_token_routes.integration_tokens(bp, desk, issue)
    integration_token_pages.integration_tokens(bp, desk, issue)
    import_routes.imports(bp, imports)
    import_pages.import_pages(bp, imports)
    team_forms.teams(bp, desk)
    write_routes.register(bp, desk, team_routes.WRITES)
    return bp
