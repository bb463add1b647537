"""The visibility of the entries of a tournament."""

from typing import NamedTuple

from shared.core.events import PersonalMember
from shared.core.terms import Seq


class Visibility(NamedTuple):
    """The personal members of entries that everyone sees, and the last event that set them (None: not set)."""

    public: frozenset[PersonalMember]
    seq: Seq | None = None


PUBLIC_BY_DEFAULT = Visibility(frozenset(("name", "club")))
"""The members that a list of pairings needs. Everything else is shown to officials only until the organiser decides."""
