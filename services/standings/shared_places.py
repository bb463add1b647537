"""Where those who share a place that is not to be shared are parted: by a play-off, or by lots (002-X 15.6)."""

from services.standings.publication_command import publication
from services.standings.rules.publication import place_to_part
from shared.core.terms import Actor
from shared.core.tournament import Tournament
from shared.web.page import link

_NOBODY = Actor("", "chief_arbiter", "")


def parting_address(t: Tournament) -> str | None:
    """The address of the form that parts the first place that is shared, who share it named in it; None where none is."""
    shared = place_to_part(t, publication(t, _NOBODY, final=True))
    if shared is None:
        return None
    form = "lots_form" if t.regulations.ranking.parted_by == "lot" else "play_off_form"
    return link(form, t=t.id, at=None, without=None, equals=",".join(map(str, shared.sides)))
