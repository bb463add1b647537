"""The events of a round: its pairing, and the lots drawn for its matches."""

from dataclasses import dataclass
from typing import Annotated

from shared.core.events.event import Official
from shared.core.terms import ByeKind, GameId, PlayerId, Side, TextRef
from shared.core.values.bounds import PART, SEED, Count, Number, NumberOrNobody, RoundNumber, Slug


@dataclass(frozen=True, slots=True)
class LotDrawn(Official):
    """Lots decide a match that remained drawn: with the ``seed``, the ``winner``, an entry or a team, was drawn.

    ``order``: entries or teams that shared a place, in the order of the lots, the ``winner`` first; ``match`` is then 0
    (002-X 15.6).
    """

    match: Count
    winner: NumberOrNobody
    seed: Annotated[int, SEED]
    order: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """The board and the players of one game. ``black`` and ``white`` are never 0 here: byes are stored separately."""

    board: Count
    game: GameId
    white: PlayerId
    black: PlayerId


@dataclass(frozen=True, slots=True)
class ByeSeat:
    """A player without an opponent in a round, and the kind of the bye."""

    player: PlayerId
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Engine:
    """The pairing engine that made a pairing, and its version."""

    name: Slug
    version: Slug


@dataclass(frozen=True, slots=True)
class Match:
    """Two sides that meet on several boards of a round, or over several rounds, or for a place.

    ``match`` numbers matches through the tournament, the same in all its rounds. ``first`` and ``second`` are entries, or teams
    in a team event (``second`` 0: nobody). ``boards`` are this round's. ``leg`` counts its rounds from 1. ``places``: the best
    place that its winner and its loser can still have (empty if it decides no place).
    """

    match: Count
    first: NumberOrNobody
    second: NumberOrNobody
    boards: tuple[Count, ...]
    leg: Count = 1
    places: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundPaired(Official):
    """A published pairing: the ``pairing``-th of the tournament, for round ``round``.

    ``engine``: None for a manual pairing, with a ``reason``. ``overrides`` lists the absolute rules, by name, that the chief
    arbiter decided not to apply. ``seed``: the seed of the draw for it (0: no draw). ``stage``: the name of its part of the
    competition. ``groups``, in the first round of a stage: the entries, or teams, of each group.
    """

    round: RoundNumber
    pairing: Count
    boards: tuple[Board, ...]
    byes: tuple[ByeSeat, ...] = ()
    engine: Engine | None = None
    initial_colour: Side = "white"
    seed: Annotated[int, SEED] = 0
    reason: TextRef | None = None
    overrides: tuple[Slug, ...] = ()
    stage: Annotated[str, PART] = ""
    matches: tuple[Match, ...] = ()
    groups: tuple[tuple[Number, ...], ...] = ()
