"""Where those who share a place are parted: by a play-off, or by lots (002-X 15.6), wherever the table counts one of them."""

from typing import NamedTuple

from services.standings.rules.publication import (
    NOBODY,
    deciding_codes,
    own_table,
    place_to_part,
    shared_places,
)
from shared.core.language.messages import Message, say
from shared.core.rulebook.ranking_rules import LOTS_CODE, PLAY_OFF_CODE
from shared.core.state.tournament import Tournament
from shared.web.page import link

_FORMS: dict[str, tuple[str, Message]] = {
    PLAY_OFF_CODE: ("play_off_form", say("Pair a play-off")),
    LOTS_CODE: ("lots_form", say("Draw lots")),
}


class Parting(NamedTuple):
    """A place that is shared by so many, whether it may not be, and the forms that part them: address and deed."""

    rank: int
    sides: int
    due: bool
    ways: tuple[tuple[str, Message], ...]


def partings(t: Tournament) -> list[Parting]:
    """Every shared place that can be parted now, from the first."""
    asked = own_table(t, NOBODY, final=True)
    codes = deciding_codes(t, asked)
    return [
        Parting(
            place.rank,
            len(place.sides),
            place.rank <= t.regulations.ranking.unshared,
            tuple((_address(t, _FORMS[code][0], place.sides), _FORMS[code][1]) for code in codes),
        )
        for place in (shared_places(t, asked) if codes else ())
    ]


def parting_address(t: Tournament) -> str | None:
    """The address of the form that parts the first place that is not to be shared; None where none is."""
    shared = place_to_part(t, own_table(t, NOBODY, final=True))
    if shared is None:
        return None
    return _address(
        t, _FORMS[LOTS_CODE if t.regulations.ranking.parted_by == "lot" else PLAY_OFF_CODE][0], shared.sides
    )


def _address(t: Tournament, form: str, sides: list[int]) -> str:
    """With who shares the place named in it."""
    return link(form, t=t.id, at=None, without=None, equals=",".join(map(str, sides)))
