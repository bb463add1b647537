"""Login names of officials that look like others."""

from shared.core.language.characters import skeleton
from shared.core.language.messages import say
from shared.core.state.tournament import TournamentState
from shared.core.terms import BOUNDED_OFFICES, Refusal, RefusalKind


def alike_official(t: TournamentState, name: str) -> str | None:
    """Return the login name of an official, dismissed or not, that looks like ``name`` but differs from it, or None.

    It is None if ``name`` is an official, and always before the third edition of offices.
    """
    if t.offices < BOUNDED_OFFICES or name in t.officials:
        return None
    return next((one for one in t.looks.get(skeleton(name), ()) if one != name), None)


def name_looks_alike(kind: RefusalKind, name: str, other: str) -> Refusal:
    """Return the refusal ``looks-alike`` (of this ``kind``): the login name looks like that of the official ``other``."""
    detail = say("{name} looks like {other}, another official here: use a different login name", name=name, other=other)
    return Refusal(kind, "looks-alike", detail, where="name")
