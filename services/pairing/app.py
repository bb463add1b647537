"""The pairing service: its routes on a desk."""

from flask import Blueprint

from services.pairing import (
    announcement_forms,
    check_in_forms,
    entry_correction_forms,
    entry_forms,
    invitation_pages,
    invitation_routes,
    login_pages,
    official_forms,
    play_off_forms,
    player_forms,
    regulation_routes,
    round_forms,
    round_routes,
    routes,
    session_pages,
    team_forms,
    team_routes,
    token_routes,
    upholding_forms,
)
from services.pairing.entry_file import PlayersOfFile
from services.pairing.invitations import Issue
from services.pairing.tiebreak_codes import TieBreakCodes
from shared.core.checkpoint_origin import HOUSE
from shared.core.terms import PAIRING
from shared.desk.desk import Desk
from shared.http.key_routes import lost_keys
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
