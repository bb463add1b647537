"""Tokens revoked before they expire: one, or all that were issued to a name. Standard library only."""

import re
from dataclasses import dataclass, field

from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.language.messages import Message, say
from shared.core.values.bounds import HIGHEST

_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TOURNAMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.A)


def is_token_id(text: str) -> bool:
    """Return whether a text is a UUID of RFC 9562 in lower case: the claim ``jti`` of a token, ``tokenid`` in the log."""
    return _UUID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Revocation:
    """A revocation of the token ``jti``, or of all tokens issued to ``name`` until ``at`` (Unix seconds).

    With a ``tournament``, only tokens for that one are revoked. ``by``: the login name of the revoker.
    """

    at: int
    by: str
    jti: str | None = None
    name: str | None = None
    tournament: str | None = None

    @property
    def key(self) -> str:
        """Return the subject of the revocation. A later one with the same key replaces the earlier ones."""
        return f"jti/{self.jti}" if self.jti is not None else f"name/{self.tournament or ''}/{self.name}"

    def invalid_reason(self) -> Message | None:
        """Return why the revocation is invalid, or None if it is valid."""
        if not 0 <= self.at <= HIGHEST:
            return say("invalid time")
        if (self.jti is None) == (self.name is None) or (self.jti is not None and self.tournament is not None):
            return say("give exactly one token ID or one login name")
        if self.jti is not None and not is_token_id(self.jti):
            return say("the ID of its token is not a UUID")
        if self.tournament is not None and not _TOURNAMENT.fullmatch(self.tournament):
            return say("invalid tournament ID")
        if not _is_login_name(self.by) or (self.name is not None and not _is_login_name(self.name)):
            return say("its name is not a login name")
        return None

    def adds_to(self, former: "Revocation | None") -> bool:
        """Return whether this revocation revokes tokens that ``former`` does not.

        ``former``: an earlier revocation of the same token or login name, or None.
        """
        return former is None or (self.jti is None and self.at > former.at)


def _is_login_name(text: str) -> bool:
    try:
        return login_name(text) == text
    except InvalidLoginName:
        return False


@dataclass(slots=True)
class Revoked:
    """All revocations in memory. Each request checks them, so the cost of a check does not grow with their number."""

    tokens: set[str] = field(default_factory=set)
    names: dict[tuple[str, str | None], int] = field(default_factory=dict)
    """(name, tournament or None for all) -> the latest time of issue that is revoked."""

    def add(self, one: Revocation) -> None:
        if one.jti is not None:
            self.tokens.add(one.jti)
        elif one.name is not None:
            key = one.name, one.tournament
            self.names[key] = max(one.at, self.names.get(key, -1))

    def refresh(self) -> None:
        """Do nothing: this in-memory store has no source to refresh from."""

    def covers(self, jti: str, name: str, tournament: str | None, issued: int) -> bool:
        """Return whether a token is revoked.

        ``tournament``: the tournament it is restricted to, if any. ``issued``: its time of issue in Unix seconds.
        """
        if jti in self.tokens or issued <= self.names.get((name, None), -1):
            return True
        return tournament is not None and issued <= self.names.get((name, tournament), -1)
