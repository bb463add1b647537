"""The appeals of a tournament and their decisions. Frozen; standard library only."""

from typing import NamedTuple

from shared.core import events as ev
from shared.core.terms import Role, Seq


class AppealDecision(NamedTuple):
    """A decision of an appeal by the official ``actor`` in this ``role``: its event and sequence number. ``time``: RFC 3339."""

    event: ev.AppealDecided
    seq: Seq
    role: Role
    actor: str
    time: str


class Appeal(NamedTuple):
    """An appeal that ``actor`` lodged in this ``role``: its event and sequence number. ``time``: RFC 3339.

    ``decision``: None if the appeal is open.
    """

    event: ev.AppealLodged
    seq: Seq
    role: Role
    actor: str
    time: str
    decision: AppealDecision | None = None
