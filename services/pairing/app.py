"""The pairing service: its routes on a desk."""

from flask import Blueprint

from services.pairing import routes
from services.pairing.access import (
    invitation_pages,
    invitation_routes,
    login_pages,
    official_forms,
    session_pages,
    token_routes,
)
from services.pairing.access.invitations import Issue
from services.pairing.announcement import announcement_forms, regulation_routes
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.entries import check_in_forms, entry_correction_forms, entry_forms, player_forms
from services.pairing.entries.entry_file import PlayersOfFile
from services.pairing.rounds import play_off_forms, round_forms, round_routes, upholding_forms
from services.pairing.teams import team_forms, team_routes
from shared.core.terms import PAIRING
from shared.core.trust.checkpoint_origin import HOUSE
from shared.desk.desk import Desk
from shared.http.commands.key_routes import lost_keys
from shared.regulations import load_all
from shared.web.form import FORMS


def blueprint(
    desk: Desk,
    tiebreaks: TieBreakCodes,
    issue: Issue,
    house: str = HOUSE,
    players_of_file: PlayersOfFile = lambda content, name, told: None,
) -> Blueprint:
    """All routes of the service, as in its README; ``tiebreaks``: those that may be announced; ``issue``: what makes tokens;
    ``house``: its name; ``players_of_file``: reads files of players that other programs wrote.

    Raises `TomlError` for a set of regulations that cannot be taken.
    """
    load_all()
    bp = Blueprint("pairing", __name__)
    FORMS.serve_problems(bp)
    routes.office(bp, desk, tiebreaks, house)
    routes.entries(bp, desk)
    round_routes.arrangements(bp, desk)
    round_routes.rounds(bp, desk)
    announcement_forms.announcements(bp, desk, tiebreaks, house)
    round_forms.rounds(bp, desk)
    upholding_forms.upholdings(bp, desk)
    entry_forms.entries(bp, desk, players_of_file)
    check_in_forms.check_in(bp, desk)
    player_forms.players(bp, desk)
    entry_correction_forms.entry_corrections(bp, desk)
    official_forms.officials(bp, desk)
    play_off_forms.play_offs(bp, desk)
    team_forms.teams(bp, desk)
    team_routes.teams(bp, desk)
    lost_keys(
        bp,
        desk,
        PAIRING,
        "keys",
        "announceKey",
        "Announce the new key of games, penalties or standings, which has lost its own",
    )
    regulation_routes.sets(bp)
    token_routes.tokens(bp)
    invitation_routes.invitations(bp, desk)
    login_pages.logins(bp, desk)
    invitation_pages.invitations(bp, desk, issue)
    session_pages.sessions(bp, desk)
    return bp
