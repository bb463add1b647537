"""The regulations on pairing, stages and the table. Standard library only."""

from dataclasses import dataclass
from typing import Annotated, Literal

from shared.core.rulebook.formats import Format
from shared.core.terms import Rounds, TimeControl
from shared.core.values.bounds import QUALIFIERS, ROUNDS, STAGE


@dataclass(frozen=True, slots=True)
class PairingRules:
    """The pairing system and its limits.

    ``engine`` and ``edition`` choose the code that pairs. ``starting_numbers_until``: starting numbers may be corrected until
    this round is paired. ``by_hand``: a manual pairing outside the Swiss system is judged on its ``seats`` alone, or must also
    follow the stages, brackets and tables of its ``format``.

    ``both_absent``: if both sides lose a game of a match unplayed 双方弃权 and it needs a winner, it continues and ``lots``
    decide in the end, or neither side plays on (``both_out``). ``drawn_match``: a drawn one has the extra games that were
    ``announced`` and then lots, ``extra`` games until it is decided, or ``lots`` at once.
    """

    system: Literal["dutch", "campus"]
    engine: Literal["gacrux", "py4swiss", "rustworkx"]
    edition: str
    starting_numbers_until: Rounds
    max_colour_difference: int
    max_same_colour: int
    by_hand: Literal["seats", "format"] = "seats"
    both_absent: Literal["lots", "both_out"] = "lots"
    drawn_match: Literal["announced", "extra", "lots"] = "announced"


@dataclass(frozen=True, slots=True)
class StageRule:
    """A stage of a competition, by its ``name``. Fields that its format does not use keep their defaults.

    ``rounds``: for freely paired formats. ``qualifiers``: the number of players or teams that advance to the next stage, from
    each of its ``groups`` if it has groups (0: it is the last stage). ``games``, ``best``, ``extra`` and ``places``
    as in the tournament's conditions. ``time``: None for the time of the whole competition.
    """

    name: Annotated[str, STAGE]
    format: Format
    rounds: Annotated[int, ROUNDS] = 0
    groups: Annotated[int, ROUNDS] = 0
    qualifiers: Annotated[int, QUALIFIERS] = 0
    games: Annotated[int, ROUNDS] = 1
    best: bool = False
    extra: Annotated[int, ROUNDS] = 0
    places: bool = False
    time: TimeControl | None = None


Ranked = Literal["players", "teams", "members"]
"""The ranked units: single players, teams that meet, or teams by their members' places (002-X 12.5)."""


@dataclass(frozen=True, slots=True)
class RankingOrder:
    """The tie-breaks after points in competitions of some formats.

    They rank single players, ``teams``, or teams by their members' places (``members``, 002-X 12.5).
    """

    formats: tuple[Format, ...]
    of: Ranked
    tiebreaks: tuple[str, ...]
    article: str


@dataclass(frozen=True, slots=True)
class Discipline:
    """Infractions whose punishment ranks a player last among equals in points, by its gravity and number (002-X 18.4).

    ``ranks`` False: punishments do not rank. ``equally_punished``: players with the same punishments are ranked by the ``next``
    tie-break, or have a ``shared`` place. ``of_members``: a team is ranked in this way by its members' punishments.
    """

    infractions: tuple[str, ...]
    ranks: bool = True
    equally_punished: Literal["next", "shared"] = "next"
    of_members: bool = False


PUNISHED = ("BARRED", "WARNED")
"""The tie-breaks that rank a player last among equals in points (002-X 18.4), the more serious first."""
PLAY_OFF_CODE = "PO"
"""The tie-break decided by a play-off."""
LOTS_CODE = "LOT"
"""The tie-break decided by lots."""
PARTING = (PLAY_OFF_CODE, LOTS_CODE)
"""The tie-breaks that separate players who are equal in everything else (002-X 15.6)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The default tie-breaks after points, and the C.07 edition that computes them.

    ``orders``: the orders of some formats. ``discipline``: None if punishments do not rank. ``unshared``: this number of first
    places must not be shared; a play-off or a lot decides them (``parted_by``).

    The other fields say what the tie-breaks count. ``bye_wins`` and ``forfeit_wins``: a bye worth a win, and a game won by
    forfeit, in WIN (C.07 7.1 counts both). ``unmet``: the points that a round without an opponent adds to the sums of opponents'
    points. With ``c07`` they are those of a dummy. With ``nothing`` they are 0, and the other opponents add their own points
    (000-A 破同分 1: 所遇每个对手的积分). ``annulled_fouls``: punishments in annulled games. ``progressive_deductions``: whether
    points given or taken by rulings count, from their round on, in the scores that 累进分 PS adds up (000-A 破同分 2, C.07 7.5).

    ``encounter``: players not separated by 直胜 DE/A although all have met are ranked by the ``next`` tie-break, or have a
    ``shared`` place. ``shared_place``: the number of a place shared by team members in the sum of places (002-X 15.5): the
    ``first``, the one ``counted`` so far, or the ``mean``.
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
        """Return the tie-breaks after points in competitions of this format, or the default ones."""
        chosen = (o.tiebreaks for o in self.orders if format in o.formats and o.of == of)
        return next(chosen, self.tiebreaks)

    def with_punishments(self, names: tuple[str, ...], of: Ranked = "players") -> tuple[str, ...]:
        """Return these tie-breaks, after those for punishments if punishments rank (002-X 18.4)."""
        discipline = self.discipline
        if discipline is None or not discipline.ranks or (of != "players" and not discipline.of_members):
            return names
        return (*(n for n in PUNISHED if n not in names), *names)

    def with_play_off_or_lots(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return these tie-breaks, followed by a play-off or lots if first places must not be shared (002-X 15.6)."""
        code = LOTS_CODE if self.parted_by == "lot" else PLAY_OFF_CODE
        return (*names, code) if self.unshared and code not in names else names
