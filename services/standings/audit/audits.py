"""The port through which the routes and pages of standings ask for audits, and the checks of a log's signatures.

An audit needs the rules of all services, so it is made outside standings, in a process of its own.
"""

from typing import TYPE_CHECKING, NamedTuple, Protocol

from shared.audit.checkpoints.note import SignedNotes
from shared.audit.report import Progress, Stage
from shared.audit.report_answer import AuditAnswer
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState

if TYPE_CHECKING:
    from shared.web.attention import Attention

Audited = AuditAnswer | Progress
"""The response of ``GET …/audit``, or the progress of an audit that is not finished."""

STAGES: dict[Stage, Message] = {
    "lines": say("reading the events"),
    "sheets": say("reading the score sheets"),
    "signatures": say("checking signatures"),
    "decisions": say("re-evaluating decisions"),
}
"""The stages of an audit, in words."""


class Audits(Protocol):
    """The audits of a server."""

    def report(self, t: str) -> AuditAnswer:
        """Wait for the audit of a tournament and return it.

        Raises `Problem` 503 if too many requests wait, if the audit exceeds its limits of time or memory, or if it cannot be
        made now.
        """

    def look(self, t: str) -> Audited:
        """Return the audit of a tournament, or its progress. A running audit is not begun again for later events.

        Raises like `report`.
        """

    def made(self, t: str, line: int) -> AuditAnswer | None:
        """Return the newest finished audit that includes event ``line``, or None without waiting.

        In the latter case an audit begins, unless one is running that may include the event, or too many are running.
        """


class Way(NamedTuple):
    """A place to settle an item of the checklist: its address, and the action there in words."""

    address: str
    deed: Message


class Check(NamedTuple):
    """An entry of the checklist.

    ``done``: None if it is unknown. ``made``: False while an audit that answers it is running. ``open``: the open items, each
    with the form that settles it. ``way``: the place to settle all of them.
    """

    name: str
    done: bool | None
    what: Message
    open: tuple["Attention", ...] = ()
    way: Way | None = None
    made: bool = True


def cosigned(t: TournamentState, notes: SignedNotes) -> Check:
    """Return the check of how much of the log the operator has signed and witnesses have cosigned."""
    way = Way(f"/v1/tournaments/{t.id}/checkpoint", say("fetch it"))
    cosigned = notes.cosigned(t.origin)
    if cosigned is not None:
        what = say("Signature: witnesses cosigned {size} of {seq} events", size=cosigned.size, seq=t.seq)
        return Check("checkpoint", cosigned.size >= t.seq or cosigned.recent, what, (), way)
    signed = notes.largest_head(t.origin)
    if signed is None:
        return Check("checkpoint", False, say("Signature: no event is signed yet"), (), way)
    what = say("Signature: {size} of {seq} events are signed; no witness has cosigned", size=signed.size, seq=t.seq)
    return Check("checkpoint", True, what, (), way)


def signatures(t: TournamentState) -> Check:
    """Return the check of the keys that sign the events."""
    if not t.keys:
        return Check(
            "keys", True, say("Keys: the events are not signed, because the tournament was created without keys")
        )
    return Check("keys", True, say("Keys: each event is signed by one of {count} services", count=len(t.keys)))
