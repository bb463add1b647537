"""What an entry says of a player beside the name: read where a list, a paper or a file shows it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shared.core.entities import Player
from shared.core.terms import PlayerId, TextRef
from shared.core.tournament import TournamentState
from shared.desk.desk import Desk


class Particulars(NamedTuple):
    """``club``, ``sex`` (``m`` or ``f``), ``birth_year``, ``fide_id``; None for what was not said, or was erased."""

    club: str | None = None
    sex: str | None = None
    birth_year: int | None = None
    fide_id: str | None = None


NOTHING = Particulars()


def particulars_of(
    desk: Desk, t: TournamentState, players: Iterable[PlayerId] | None = None
) -> dict[PlayerId, Particulars]:
    """The particulars of these players; of all where none are named."""
    entries = [t.players[p] for p in (t.players if players is None else players)]
    known = desk.texts({ref.text for entry in entries for ref in _refs(entry) if ref is not None})
    return particulars_in({hash: text.text for hash, text in known.items()}, entries)


def particulars_in(texts: Mapping[str, str], entries: Iterable[Player]) -> dict[PlayerId, Particulars]:
    """The particulars of these entries, as far as they are among the ``texts`` by hash."""

    def of(entry: Player) -> Particulars:
        club, sex, born, fide = (texts.get(ref.text) if ref is not None else None for ref in _refs(entry))
        return Particulars(club, sex, int(born) if born and born.isdecimal() else None, fide)

    return {entry.player: of(entry) for entry in entries}


def particular_hashes(t: TournamentState) -> set[str]:
    """The hashes of the texts that particulars are read from."""
    return {ref.text for entry in t.players.values() for ref in _refs(entry) if ref is not None}


def _refs(entry: Player) -> tuple[TextRef | None, ...]:
    return entry.club, entry.sex, entry.birth_year, entry.fide_id
