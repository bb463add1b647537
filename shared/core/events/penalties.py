"""The events of penalties: arrivals, rulings, appeals."""

from dataclasses import dataclass, field
from typing import Annotated

from shared.core.events.event import Official
from shared.core.rulebook.effects import EffectKind, Fact
from shared.core.terms import GameId, HalfPoints, Mark, Place, PlayerId, Ply, RulingId, Seconds, Seq, TextRef
from shared.core.values.bounds import (
    ABSENCE,
    ADJUSTMENT,
    AROUND_START,
    DAY,
    RULE_TEXT,
    TIME,
    Article,
    Count,
    RecordId,
    RoundNumber,
)


@dataclass(frozen=True, slots=True)
class ArrivalNoted(Official):
    """A player came ``late`` seconds after the start. Negative: before it. ``late`` is None if they did not come.

    ``place``: to the ``seat``, which counts, or only into the ``hall`` (002-X 21.2). ``arrival`` is ``a`` and the event's
    ``sourceseq``. ``turn``: seconds after the start when it was the player's turn, if lateness counts from then.
    """

    player: PlayerId
    game: GameId
    late: Annotated[Seconds, AROUND_START] | None
    arrival: RecordId = ""
    place: Place = "seat"
    turn: Annotated[Seconds, DAY] | None = None


@dataclass(frozen=True, slots=True)
class ArrivalCorrected(Official):
    """The correction of a wrongly noted arrival: ``arrival`` replaces the one that it ``corrects``.

    The consequences of the replaced arrival are no longer in force.
    """

    arrival: RecordId
    corrects: RecordId
    player: PlayerId
    game: GameId
    late: Annotated[Seconds, AROUND_START] | None
    place: Place
    reason: TextRef
    turn: Annotated[Seconds, DAY] | None = None


@dataclass(frozen=True, slots=True)
class BreakTaken(Official):
    """A player left the board during the game for ``seconds`` seconds. ``id`` is ``b`` and the event's ``sourceseq``."""

    player: PlayerId
    game: GameId
    seconds: Annotated[Seconds, ABSENCE]
    id: RecordId = ""


@dataclass(frozen=True, slots=True)
class BreakCorrected(Official):
    """The correction of a wrongly noted break: ``id`` replaces the one that it ``corrects``.

    ``seconds``: None if the break did not happen.
    """

    id: RecordId
    corrects: RecordId
    player: PlayerId
    game: GameId
    seconds: Annotated[Seconds, ABSENCE] | None
    reason: TextRef


@dataclass(frozen=True, slots=True)
class FindingAnswered(Official):
    """Penalties has answered a finding of games."""

    finding: RecordId


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a ruling. The fields that its ``kind`` does not use keep their defaults.

    set_marks: ``white``, ``black``. adjust_points: ``points``. adjust_clock: ``clock``, seconds added to the opponent (positive)
    or taken from the player (negative). exclude: ``rounds``.
    """

    kind: EffectKind
    white: Mark | None = None
    black: Mark | None = None
    points: Annotated[HalfPoints, ADJUSTMENT] | None = None
    clock: Seconds | None = None
    rounds: tuple[RoundNumber, ...] = ()


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of a penalty ladder: the ``count``-th time that a ``player`` meets the ``rule`` within a ``scope``.

    The ``rule`` is a penalty of the ladder or an infraction, the ``scope`` for example a game or the event. If several rulings
    in force have the same step, only the first has effect.
    """

    rule: Annotated[str, RULE_TEXT]
    player: PlayerId
    scope: Annotated[str, RULE_TEXT]
    count: Count


@dataclass(frozen=True, slots=True)
class RulingMade(Official):
    """A ruling: its infraction, its article and its effect.

    ``because``: the rulings that it depends on. ``rung``: its step on a ladder. ``counter``: the counter that it increases.
    ``finding``: the finding that it answers. ``arrival`` or ``breaks``: the notes that it results from (the last break triggered
    it). It is in force only while these are. ``player``: None if nobody is accused. ``ply``: the ply of the act, if known.
    ``facts``: the facts that the article requires, by name.
    """

    ruling: RulingId
    player: PlayerId | None
    round: RoundNumber
    infraction: Annotated[str, RULE_TEXT]
    article: Article
    effect: Effect
    game: GameId | None = None
    counter: Annotated[str, RULE_TEXT] | None = None
    because: tuple[RulingId, ...] = ()
    rung: Rung | None = None
    note: TextRef | None = None
    finding: RecordId | None = None
    ply: Ply | None = None
    facts: dict[str, Fact] = field(default_factory=dict)
    arrival: RecordId | None = None
    breaks: tuple[RecordId, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the IDs of the arrival or the breaks that the ruling results from. The last one triggered it."""
        return self.breaks if self.arrival is None else (self.arrival,)


@dataclass(frozen=True, slots=True)
class RulingAnnulled(Official):
    """An annulment, which is a ruling too: ``ruling`` is its own ID, ``annuls`` the ruling that it annuls.

    ``retracted``: as a slip, by its author or the chief arbiter.
    """

    ruling: RulingId
    annuls: RulingId
    article: Article
    reason: TextRef | None = None
    appeal: RecordId | None = None
    retracted: bool = False


@dataclass(frozen=True, slots=True)
class AppealLodged(Official):
    """An appeal. ``appeal`` is ``a`` and the event's ``sourceseq``.

    ``lodged``: the time (RFC 3339) at which it was handed in, which is compared with the deadline. It is empty in logs from
    before deadlines existed.
    """

    appeal: RecordId
    ruling: RulingId
    by: PlayerId
    grounds: TextRef | None = None
    lodged: Annotated[str, TIME] = ""


@dataclass(frozen=True, slots=True)
class AppealDecided(Official):
    """The decision of an appeal."""

    appeal: RecordId
    upheld: bool
    article: Article
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class CrossingNoted(Official):
    """The chief arbiter acknowledges that the command whose first event is ``seq`` was decided concurrently with another."""

    seq: Seq
    note: TextRef | None = None
