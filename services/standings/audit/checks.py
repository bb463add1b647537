"""Checks of the log for the checklist of an event's end: its signatures and cosignatures."""

from typing import NamedTuple

from shared.audit.checkpoints.note import SignedNotes
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState
from shared.web.attention import Attention


class Way(NamedTuple):
    """Where something is mended: the address, and what is done there."""

    address: str
    deed: Message


class Check(NamedTuple):
    """A line of the checklist. ``done`` None: it could not be found out, or is not yet ``made``. ``open``: what waits, each
    with the form that settles it; ``way``: where all of it is mended."""

    name: str
    done: bool | None
    what: Message
    open: tuple[Attention, ...] = ()
    way: Way | None = None
    made: bool = True


def cosigned(t: TournamentState, notes: SignedNotes) -> Check:
    """How much of the log its house has signed, and witnesses have cosigned."""
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
    """Who signed the lines."""
    if not t.keys:
        return Check(
            "keys", True, say("Keys: the events are not signed, because the tournament was created without keys")
        )
    return Check("keys", True, say("Keys: each event is signed by one of {count} services", count=len(t.keys)))
