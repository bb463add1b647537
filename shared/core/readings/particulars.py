"""The particulars of a player's entry apart from the name, as erasable texts, and the readers who see them."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, get_args

from shared.core.events import PersonalMember
from shared.core.readings.authority import refuse_dismissed, refuse_without_office
from shared.core.state.entities import Player
from shared.core.state.tournament import TournamentState
from shared.core.terms import OFFICES, Actor, PlayerId, TextRef

PERSONAL: tuple[PersonalMember, ...] = get_args(PersonalMember)
"""The members of an entry that an organiser may hide. Ratings, titles and federations are part of the public log."""


class Particulars(NamedTuple):
    """The particulars of an entry, ``sex`` being ``m`` or ``f``. Each is None if it is not given or was erased."""

    club: str | None = None
    sex: str | None = None
    birth_year: int | None = None
    fide_id: str | None = None
    national_id: str | None = None


NOTHING = Particulars()


def hidden_members(t: TournamentState, reader: Actor | None) -> frozenset[PersonalMember]:
    """Return the members of entries that a reader does not see (None: a reader without a token).

    Officials of the tournament and auditors see all of them. A player sees what everyone sees.
    """
    hidden = frozenset(PERSONAL) - t.visibility.public
    return frozenset() if reader is not None and _holds_office(t, reader) else hidden


def _holds_office(t: TournamentState, reader: Actor) -> bool:
    held = reader.role in OFFICES or reader.role == "auditor"
    return held and refuse_dismissed(t, reader) is None and refuse_without_office(t, reader) is None


def without_hidden(entry: Player, hidden: frozenset[PersonalMember]) -> Player:
    """Return an entry as readers see it who may not see the ``hidden`` particulars."""
    nothing: dict[str, Any] = dict.fromkeys(hidden.intersection(Particulars._fields))
    return entry._replace(**nothing)


def particulars_in(texts: Mapping[str, str], entries: Iterable[Player]) -> dict[PlayerId, Particulars]:
    """Return the particulars of these entries by player. ``texts``: the available texts by hash."""

    def of(entry: Player) -> Particulars:
        club, sex, born, fide, national = (texts.get(ref.text) if ref is not None else None for ref in _refs(entry))
        return Particulars(club, sex, int(born) if born and born.isdecimal() else None, fide, national)

    return {entry.player: of(entry) for entry in entries}


def particular_hashes(entries: Iterable[Player]) -> set[str]:
    """Return the hashes of the erasable texts that contain the particulars of these entries."""
    return {ref.text for entry in entries for ref in _refs(entry) if ref is not None}


def _refs(entry: Player) -> tuple[TextRef | None, ...]:
    return entry.club, entry.sex, entry.birth_year, entry.fide_id, entry.national_id
