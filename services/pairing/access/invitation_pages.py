"""The page of an invitation: it shows the invited person and the role, and only its button uses the invitation."""

import time

from flask import Blueprint, Response, request

from services.pairing.access.invitations import GUESSES, Issue, boards_of_row, digest_of, invited_by, invited_of
from services.pairing.access.login_pages import logged_in, session_of
from services.pairing.layout import LAYOUT
from services.pairing.rules.invitations import refuse_invited
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import APPOINT, permit
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PAIRING
from shared.desk.desk import Desk
from shared.http.limits.rate_limits import home_of
from shared.http.problems import Problem, refused, too_many, unavailable
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.http.requests.app_context import current_context
from shared.log.invitations import EVERY_TOURNAMENT, Invitation
from shared.web.form import back_to_round
from shared.web.page import leads_to, link
from shared.web.times import at_second

_DAY = 86_400


def invitations(bp: Blueprint, desk: Desk, issue: Issue) -> None:
    """Register the page of an invitation, addressed by the code of its link."""

    @LAYOUT.serves(bp, "/invitations/<code>", form=True)
    def invitation_page(code: str) -> Response:
        if request.method == "POST":
            auth.require_own_origin()
        found = _found(desk, code)
        if found.used is not None:
            if _begun_here(found):
                return leads_to(_place_of(found, _tournament_of(desk, found)))
            raise _used()
        state = _standing(desk, found)
        return _begun(desk, found, state, issue) if request.method == "POST" else _shown(found, state)


def _found(desk: Desk, code: str) -> Invitation:
    """Return the invitation of a code.

    Raises `Problem`: 404 for a code that opens nothing, for any reason, 429 if too many codes were tried.
    """
    home = desk.keys.keyed_digest(PAIRING, b"home\0" + home_of(request.remote_addr).encode())
    tried = desk.log.invitations.try_code(digest_of(desk.keys, code), home, int(time.time()), GUESSES)
    if tried.wait:
        raise too_many(
            say("too many invalid links were tried from this address: wait, or ask for another invitation"), tried.wait
        )
    if tried.invitation is None:
        raise _unknown()
    return tried.invitation


def _tournament_of(desk: Desk, found: Invitation) -> TournamentState | None:
    """Return the tournament of an invitation, or None if it is for all tournaments."""
    return None if found.tournament == EVERY_TOURNAMENT else tournament_query.view_at(desk, found.tournament).state


def _standing(desk: Desk, found: Invitation) -> TournamentState | None:
    """Return the tournament if the inviter may still issue the invitation, or None if it is for all tournaments.

    Raises `Problem`: 404 if the inviter's rights or the invited person's logins were revoked since, 403 if the invited
    person no longer has the role.
    """
    t = _tournament_of(desk, found)
    desk.revocations.refresh()
    covers, inviter = desk.revocations.covers, invited_by(found)
    if covers("", found.name, None if t is None else t.id, found.made):
        raise _unknown()
    if t is None:  # the operator invited, whose right is the key
        return None
    if found.invitertoken is not None and (
        covers(found.invitertoken, found.inviter, t.id, found.made) or permit(t, inviter, APPOINT) is not None
    ):
        raise _unknown()
    boards = boards_of_row(found.first, found.last)
    refusal = refuse_invited(t, inviter.role, invited_of(found), boards)
    if refusal is not None:
        raise refused(refusal)
    return t


def _shown(row: Invitation, t: TournamentState | None) -> Response:
    return LAYOUT.private_page(
        "invitation.html", t=t, invitation=row, boards=boards_of_row(row.first, row.last),
        until=at_second(row.until), expires=at_second(row.expires),
    )  # fmt: skip


def _begun(desk: Desk, row: Invitation, t: TournamentState | None, issue: Issue) -> Response:
    """Open the session. Raises `Problem`: 410 if someone else has just used it, 503 without a key that signs tokens."""
    now = time.time()
    invited, boards = invited_of(row), boards_of_row(row.first, row.last)
    try:
        scope, days = None if t is None else t.id, (row.until - int(now)) / _DAY
        token = issue(invited.role, row.name, scope, days, now=now, boards=boards)
    except BadKeys as problem:
        raise unavailable("no-key", message_of(problem)) from None
    who = current_context().keyring.identify(token)
    if not desk.log.invitations.use(row.id, session_of(who, row.inviter)):
        raise _used()
    return logged_in(leads_to(_place_of(row, t)), token, who)


def _begun_here(found: Invitation) -> bool:
    """Return whether this browser has the session that the invitation opened."""
    who = auth.visitor_of(found.tournament)
    if found.tournament == EVERY_TOURNAMENT and who is not None and who.tournament is not None:
        return False
    return who is not None and (who.actor.name, who.actor.role) == (found.name, found.role)


def _place_of(row: Invitation, t: TournamentState | None) -> str:
    """Return the address of the page that an invited person starts from.

    The appeals committee starts from the tournament, where open appeals are listed, a player from their own board, all others
    from the round that is being played, if there is one. An organiser of all tournaments starts from the front page.
    """
    if t is None:
        return link("front", at=None, without=None)
    if row.role == "player":
        return link("own_board_page", t=t.id, at=None, without=None)
    number = t.rounds_paired() if isinstance(t, Tournament) and row.role != "appeals" else 0
    return back_to_round(t.id, number)(None) if number else link("tournament_page", t=t.id, at=None, without=None)


def _unknown() -> Problem:
    return Problem(
        404,
        "unknown-invitation",
        say("No such invitation"),
        say("the link is incomplete, older than 30 minutes or withdrawn: ask for another"),
    )


def _used() -> Problem:
    return Problem(
        410,
        "invitation-used",
        say("This invitation was used"),
        say(
            "an invitation link works once: ask for a new one; if you did not use it yourself, report this to "
            "the official who sent it"
        ),
    )
