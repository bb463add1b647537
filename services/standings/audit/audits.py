"""Audits as the routes and pages of standings ask for them: made beside the server, by who knows every service's rules."""

from typing import TYPE_CHECKING, NamedTuple, Protocol

from shared.audit.checkpoints.note import SignedNotes
from shared.audit.report import Progress, Stage
from shared.audit.report_answer import AuditAnswer
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState

if TYPE_CHECKING:
    from shared.web.attention import Attention

Audited = AuditAnswer | Progress
"""An audit as ``GET …/audit`` answers it, or how far it is."""

STAGES: dict[Stage, Message] = {
    "lines": say("reading the events"),
    "sheets": say("reading the score sheets"),
    "signatures": say("checking signatures"),
    "decisions": say("re-evaluating decisions"),
}
"""The current step of an audit."""


class Audits(Protocol):
    """The audits of a server."""

    def report(self, t: str) -> AuditAnswer:
        """The audit of a tournament, waited for.

        Raises `Problem` 503 where too many wait, where it takes more time or memory than it may, and where it could not be
        made.
        """

    def look(self, t: str) -> Audited:
        """The audit of a tournament, or how far it is: one that is under way is not begun again for lines that came since.
        Raises as `report`."""

    def made(self, t: str, line: int) -> AuditAnswer | None:
        """Return the newest finished audit that read this line, or None at once; an audit then begins if there is room."""


class Way(NamedTuple):
    """Where something is mended: the address, and what is done there."""

    address: str
    deed: Message


class Check(NamedTuple):
    """A line of the checklist.

    ``done`` is None if it could not be found out, or is not yet ``made``. ``open``: the open items, each with the form that
    settles it; ``way``: the place where all of it is mended.
    """

    name: str
    done: bool | None
    what: Message
    open: tuple["Attention", ...] = ()
    way: Way | None = None
    made: bool = True


def cosigned(t: TournamentState, notes: SignedNotes) -> Check:
    """How much of the log the operator has signed, and witnesses have cosigned."""
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
    """The signers of the lines."""
    if not t.keys:
        return Check(
            "keys", True, say("Keys: the events are not signed, because the tournament was created without keys")
        )
    return Check("keys", True, say("Keys: each event is signed by one of {count} services", count=len(t.keys)))
