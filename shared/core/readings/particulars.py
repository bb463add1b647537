"""The particulars of a player's entry apart from the name, as erasable texts."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shared.core.state.entities import Player
from shared.core.terms import PlayerId, TextRef


class Particulars(NamedTuple):
    """The particulars of an entry, ``sex`` being ``m`` or ``f``. Each is None if it is not given or was erased."""

    club: str | None = None
    sex: str | None = None
    birth_year: int | None = None
    fide_id: str | None = None
    national_id: str | None = None


NOTHING = Particulars()


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
