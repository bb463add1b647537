"""Invitations created locally, with access to the database and the key of pairing."""

import secrets
import time
from typing import TYPE_CHECKING

from deploy.failure import Failure
from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.language.messages import message_of, say
from shared.core.readings.token_boards import Boards
from shared.core.terms import Refusal, Role

if TYPE_CHECKING:
    from shared.log.port import Log
    from shared.signing.service_keys import ServiceKeys

OPERATOR: Role = "organiser"
"""Role in which the operator invites. The holder of the keys may give every role."""


def invitation_path(
    log: "Log", keys: "ServiceKeys", tournament: str, role: Role, name: str, boards: Boards | None, days: int
) -> str:
    """Return the path of the link of a new invitation.

    Raises `Failure` for an unknown tournament, a person without the role, and an invalid login name.
    """
    from services.pairing.access.invitations import Invited, Inviter, invitation
    from shared.desk.replay import replay
    from shared.wire.envelope import Unreadable

    try:
        invited = Invited(login_name(name), role, boards, days)
    except InvalidLoginName as problem:
        raise Failure(
            say("invalid login name {name}: {problem}", name=repr(name), problem=message_of(problem))
        ) from None
    try:
        state = replay((row.line for row in log.lines(f"tournaments/{tournament}")), tournament)
    except Unreadable as problem:
        raise Failure(message_of(problem)) from None
    if state.announced is None:
        raise Failure(say("tournament {tournament} does not exist here", tournament=tournament))
    inviter = Inviter("operator", OPERATOR, None, None)
    made = invitation(keys, state, inviter, invited, secrets.token_hex(16), int(time.time()))
    if isinstance(made, Refusal):
        raise Failure(str(made.detail), 1)
    code, row = made
    log.invitations.invite(row)
    return f"/invitations/{code}"
