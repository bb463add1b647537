"""Invitations to a session, the open sessions, and the integration tokens of a tournament, as pairing's database keeps them.

All times in Unix seconds.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

EVERY_TOURNAMENT = ""
"""The tournament of an invitation whose session is valid for all tournaments. It is not a tournament ID."""


class Invitation(NamedTuple):
    """An invitation of ``name`` to ``role`` in ``tournament``, narrowed to boards ``first`` to ``last`` where they are named.

    With `EVERY_TOURNAMENT`, the session that it opens is for all tournaments: the operator invites an organiser.

    ``code`` is the keyed digest of the code that its link bears. Made by ``inviter`` in ``inviterrole`` with the token
    ``invitertoken`` (None: on the command line); good until ``expires``, what it opens until ``until``; ``used``: when.

    An integration token is an invitation that was used when it was made. Its ``id`` and its ``code`` are the token's ID, so that
    no link opens it. The token itself is not kept.
    """

    id: str
    code: str
    tournament: str
    name: str
    role: str
    first: int | None
    last: int | None
    inviter: str
    inviterrole: str
    invitertoken: str | None
    made: int
    expires: int
    until: int
    used: int | None = None


class Session(NamedTuple):
    """A token (``jti``, ``issued``, of one ``tournament`` or all) that was brought into a browser at ``since``, good until
    ``until``; by whose invitation, None: it was typed in."""

    jti: str
    tournament: str | None
    name: str
    role: str
    first: int | None
    last: int | None
    issued: int
    since: int
    until: int
    inviter: str | None = None


class GuessLimits(NamedTuple):
    """How many invalid codes an address may send within ``seconds``.

    There is no limit for all addresses together, since a stranger could use it up and shut everybody out. A code has 128
    random bits, so more guesses find nothing.
    """

    seconds: int
    guesses: int


class Tried(NamedTuple):
    """The invitation of a code or None, and the seconds until its sender may try another invalid code (0: now)."""

    invitation: Invitation | None
    wait: int = 0


class InvitationLog(Protocol):
    """The part of a database that keeps them; what it counts holds for all processes together."""

    def invite(self, *invitations: Invitation) -> bool:
        """Keep new ones, and forget those of which nothing is left. Return False, and keep none, if one of these IDs exists."""

    def waiting(self, tournament: str, now: int) -> list[Invitation]:
        """Those of a tournament that can still be used, oldest first."""

    def integration_tokens(self, tournament: str) -> list[Invitation]:
        """Return the integration tokens of a tournament, oldest first. Expired ones are never forgotten."""

    def withdraw(self, tournament: str, id: str) -> bool:
        """Take one back that has not been used; False where there is none."""

    def withdraw_all(self, tournament: str, name: str) -> None:
        """Take back all of a name that have not been used."""

    def withdraw_role(self, tournament: str, role: str, kept: Sequence[str]) -> None:
        """Take back all invitations to a role that have not been used, except those with the IDs ``kept``."""

    def try_code(self, code: str, home: str, now: int, limits: GuessLimits) -> Tried:
        """Return the invitation with this code's digest, if it can be used, or was used and its session may still be open.

        Any other code counts as a guess from the address ``home``. A valid code is never refused because of guesses.
        """

    def use(self, id: str, session: Session) -> bool:
        """Use an invitation up for the session, at its ``since``; False where it no longer can be."""

    def keep_session(self, session: Session) -> None:
        """Note a token that was typed in; one that is known stays as it is."""

    def sessions(self, tournament: str, now: int) -> list[Session]:
        """Those that act in a tournament and have not run out, oldest first."""
