"""Tokens that were taken back before their time: one, or all that a name had. Standard library only."""

import re
from dataclasses import dataclass, field

from shared.core.language.handles import NoHandle, handle
from shared.core.language.messages import Message, say
from shared.core.terms import HIGHEST

_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TOURNAMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.A)


def is_token_id(text: str) -> bool:
    """Whether a text is a UUID as RFC 9562 writes it, in lower case: the claim ``jti`` of a token, ``tokenid`` in the log."""
    return _UUID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Revocation:
    """Of the token ``jti``, or of all that ``name`` had been issued until ``at`` (Unix seconds), of one ``tournament`` where
    it is named. ``by``: who revoked."""

    at: int
    by: str
    jti: str | None = None
    name: str | None = None
    tournament: str | None = None

    @property
    def key(self) -> str:
        """What is revoked: one that came later, under the same key, stands for those before."""
        return f"jti/{self.jti}" if self.jti is not None else f"name/{self.tournament or ''}/{self.name}"

    def why_not(self) -> Message | None:
        """Why these values revoke nothing; None where they do."""
        if not 0 <= self.at <= HIGHEST:
            return say("invalid time")
        if (self.jti is None) == (self.name is None) or (self.jti is not None and self.tournament is not None):
            return say("it names not one token or one name")
        if self.jti is not None and not is_token_id(self.jti):
            return say("its token's ID is not a UUID")
        if self.tournament is not None and not _TOURNAMENT.fullmatch(self.tournament):
            return say("invalid tournament ID")
        if not _is_handle(self.by) or (self.name is not None and not _is_handle(self.name)):
            return say("its name is not a login name")
        return None

    def adds_to(self, known: "Revocation | None") -> bool:
        """Whether more is revoked than by the one ``known`` under the same key."""
        return known is None or (self.jti is None and self.at > known.at)


def _is_handle(text: str) -> bool:
    try:
        return handle(text) == text
    except NoHandle:
        return False


@dataclass(slots=True)
class Revoked:
    """All that is revoked; asked by each request, so that its cost does not grow with it."""

    tokens: set[str] = field(default_factory=set)
    names: dict[tuple[str, str | None], int] = field(default_factory=dict)
    """(name, tournament or None: all) -> until when what was issued is revoked."""

    def add(self, one: Revocation) -> None:
        if one.jti is not None:
            self.tokens.add(one.jti)
        elif one.name is not None:
            key = one.name, one.tournament
            self.names[key] = max(one.at, self.names.get(key, -1))

    def look(self) -> None:
        """There is nowhere to look for more."""

    def covers(self, jti: str, name: str, tournament: str | None, issued: int) -> bool:
        """Whether a token is revoked: ``tournament`` is the one it is narrowed to, ``issued`` in Unix seconds."""
        if jti in self.tokens or issued <= self.names.get((name, None), -1):
            return True
        return tournament is not None and issued <= self.names.get((name, tournament), -1)
