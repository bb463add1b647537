"""Ranking as a type: the tie-breaks after points, and what they count. The values stand in `shared.regulations`.

Standard library only.
"""

from dataclasses import dataclass
from typing import Literal

from shared.core.rulebook.formats import Format

Ranked = Literal["players", "teams", "members"]
"""Who is ranked: single players, teams that meet, or teams by their members' places (002-X 12.5)."""


@dataclass(frozen=True, slots=True)
class RankingOrder:
    """Tie-breaks after points in competitions of some formats: of single players, of ``teams``, or of teams that are
    ranked by their members' places (``members``, 002-X 12.5)."""

    formats: tuple[Format, ...]
    of: Ranked
    tiebreaks: tuple[str, ...]
    article: str


@dataclass(frozen=True, slots=True)
class Discipline:
    """Infractions whose punishment puts a player last among equals in points, by its gravity and number (002-X 18.4).

    ``ranks`` False: it does not. ``equally_punished``: those with the same punishments are parted by what is ``next`` in the
    order, or ``shared`` is their place. ``of_members``: a team stands so by the punishments of its members.
    """

    infractions: tuple[str, ...]
    ranks: bool = True
    equally_punished: Literal["next", "shared"] = "next"
    of_members: bool = False


PUNISHED = ("BARRED", "WARNED")
"""The tie-breaks that put a player last among equals in points (002-X 18.4), the graver first."""
PLAY_OFF_CODE = "PO"
"""The tie-break that a play-off gives."""
LOTS_CODE = "LOT"
"""The tie-break that lots give."""
PARTING = (PLAY_OFF_CODE, LOTS_CODE)
"""What parts those who share a place by everything else (002-X 15.6)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Default tie-breaks after points, and the C.07 edition they are computed by.

    ``orders``: those of some formats. ``discipline`` None: punishments do not rank.
    ``unshared``: so many first places may not be shared; a play-off or a lot decides them, as ``parted_by`` says.

    What the tie-breaks count: ``bye_wins`` and ``forfeit_wins``, a bye worth a win, and a game won by forfeit, in WIN (C.07
    7.1 counts both); ``unmet``, what a round without an opponent gives to the sums of opponents' points, by ``c07`` that of a
    dummy, else ``nothing``, and the others then give what they have (000-A 破同分 1: 所遇每个对手的积分);
    ``annulled_fouls``, punishments in annulled games; ``progressive_deductions``, points that rulings gave or took, which
    count from their round on in the scores that 累进分 PS adds up, or not at all (000-A 破同分 2, C.07 7.5). ``encounter``:
    those whom 直胜 DE/A does not part although all have met are parted by what is ``next``, or ``shared`` is their place.
    ``shared_place``: the number of a place that members of teams share in the sum of places (002-X 15.5), its ``first``, that
    of the places ``counted`` so far, or the ``mean``.
    """

    tiebreaks: tuple[str, ...]
    rules: Literal["2024", "2026"]
    orders: tuple[RankingOrder, ...] = ()
    discipline: Discipline | None = None
    unshared: int = 0
    parted_by: Literal["play_off", "lot"] = "play_off"
    bye_wins: bool = True
    forfeit_wins: bool = True
    unmet: Literal["c07", "nothing"] = "c07"
    annulled_fouls: bool = True
    encounter: Literal["next", "shared"] = "next"
    shared_place: Literal["first", "counted", "mean"] = "first"
    progressive_deductions: Literal["counted", "not_counted"] = "not_counted"

    def order(self, format: Format, of: Ranked = "players") -> tuple[str, ...]:
        """The tie-breaks of a format."""
        chosen = (o.tiebreaks for o in self.orders if format in o.formats and o.of == of)
        return next(chosen, self.tiebreaks)

    def behind_punishments(self, names: tuple[str, ...], of: Ranked = "players") -> tuple[str, ...]:
        """These tie-breaks, behind punishments where these rank (002-X 18.4)."""
        discipline = self.discipline
        if discipline is None or not discipline.ranks or (of != "players" and not discipline.of_members):
            return names
        return (*(n for n in PUNISHED if n not in names), *names)

    def with_parting(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """These tie-breaks, and last that of a play-off, or of lots, where first places are not shared (002-X 15.6)."""
        code = LOTS_CODE if self.parted_by == "lot" else PLAY_OFF_CODE
        return (*names, code) if self.unshared and code not in names else names
