"""The notice that the screens of the venue show."""

from typing import NamedTuple

from shared.core.terms import Seq, TextRef


class VenueNotice(NamedTuple):
    """The notice in force: its text, the time (RFC 3339) at which the next round begins, and the event that set both.

    Without a text, a time or an event, these are None, empty and None.
    """

    text: TextRef | None = None
    round_begins: str = ""
    seq: Seq | None = None


NO_NOTICE = VenueNotice()
"""The notice of a tournament for which nobody set one."""
