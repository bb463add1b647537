"""Invitations: a link with a random code opens one session, once, within half an hour, or while a printed card is valid."""

import secrets
from typing import NamedTuple, Protocol, cast

from services.pairing.rules.invitations import refuse_invited
from shared.core.readings.token_boards import Boards
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, Actor, Refusal, Role
from shared.log.invitations import EVERY_TOURNAMENT, GuessLimits, Invitation
from shared.signing.service_keys import ServiceKeys

LASTS_SECONDS = 30 * 60
GUESSES = GuessLimits(seconds=600, guesses=20)
DAYS, DAYS_AT_MOST = 3, 30
"""How long a session lasts if nobody says otherwise, and at most."""
DAY = 86_400
_CODE_BYTES = 16


class Issue(Protocol):
    """Issues tokens, as `tokens.issue` does with the keys of a folder. Raises `BadKeys` where the one that signs is not here."""

    def __call__(
        self, role: Role, name: str, tournament: str | None, days: float, *, now: float, boards: Boards | None,
        id: str | None = None,
    ) -> str: ...  # fmt: skip


class Inviter(NamedTuple):
    """The inviter, with the end of their own session in Unix seconds (``until``). The command line has no token."""

    name: str
    role: Role
    token: str | None
    until: int | None


class Invited(NamedTuple):
    """The invited person: name, role, boards, days of the session, and seconds within which the link can be used."""

    name: str
    role: Role
    boards: Boards | None
    days: int
    lasts: int = LASTS_SECONDS

    @property
    def actor(self) -> Actor:
        return Actor(self.name, self.role, "")


def digest_of(keys: ServiceKeys, code: str) -> str:
    """Return the digest of a code, which is stored instead of it."""
    return keys.keyed_digest(PAIRING, b"invitation\0" + code.encode())


def invitation(
    keys: ServiceKeys, t: TournamentState, inviter: Inviter, invited: Invited, id: str, now: int
) -> tuple[str, Invitation] | Refusal:
    """Return the code of a new invitation and its row. The session that it opens ends no later than that of the inviter."""
    refusal = refuse_invited(t, inviter.role, invited.actor, invited.boards)
    return refusal if refusal is not None else _made(keys, t.id, inviter, invited, id, now)


def organiser_invitation(keys: ServiceKeys, name: str, days: int, id: str, now: int) -> tuple[str, Invitation]:
    """Return an invitation of the operator and its code. It opens a session of an organiser for all tournaments.

    ``name``: a valid login name. ``now`` in Unix seconds.
    """
    invited = Invited(name, "organiser", None, days)
    return _made(keys, EVERY_TOURNAMENT, Inviter("operator", "organiser", None, None), invited, id, now)


def _made(
    keys: ServiceKeys, tournament: str, inviter: Inviter, invited: Invited, id: str, now: int
) -> tuple[str, Invitation]:
    code = secrets.token_urlsafe(_CODE_BYTES)
    until = now + invited.days * DAY if inviter.until is None else min(now + invited.days * DAY, inviter.until)
    first, last = invited.boards or (None, None)
    return code, Invitation(
        id=id, code=digest_of(keys, code), tournament=tournament, name=invited.name, role=invited.role, first=first, last=last,
        inviter=inviter.name, inviterrole=inviter.role, invitertoken=inviter.token, made=now,
        expires=min(now + invited.lasts, until), until=until,
    )  # fmt: skip


def invited_by(row: Invitation) -> Actor:
    """Return the official who made an invitation."""
    return Actor(row.inviter, cast(Role, row.inviterrole), row.invitertoken or "")


def invited_of(row: Invitation) -> Actor:
    """Return the person that an invitation is for."""
    return Actor(row.name, cast(Role, row.role), "")


def boards_of_row(first: int | None, last: int | None) -> Boards | None:
    """The boards that a row of an invitation or of a session names."""
    return None if first is None or last is None else Boards(first, last)
