"""What penalties says: arrivals, rulings, appeals."""

from dataclasses import dataclass, field

from shared.core.events.event import Official
from shared.core.rulebook.effects import EffectKind
from shared.core.rulebook.facts import Fact
from shared.core.terms import GameId, HalfPoints, Mark, Place, PlayerId, Ply, RulingId, Seconds, Seq, TextRef


@dataclass(frozen=True, slots=True)
class ArrivalNoted(Official):
    """A player came ``late`` seconds after the start (negative: before it), or (None) not at all: to the ``seat``, which
    counts, or only into the ``hall`` (002-X 21.2). ``arrival`` is ``a`` and the event's ``sourceseq``. ``turn``: seconds after
    the start when it was his turn, where lateness counts from then."""

    player: PlayerId
    game: GameId
    late: Seconds | None
    arrival: str = ""
    place: Place = "seat"
    turn: Seconds | None = None


@dataclass(frozen=True, slots=True)
class ArrivalCorrected(Official):
    """An arrival that was noted wrongly: ``arrival`` stands in the place of the one that it ``corrects``, and what followed
    from that stands no longer."""

    arrival: str
    corrects: str
    player: PlayerId
    game: GameId
    late: Seconds | None
    place: Place
    reason: TextRef
    turn: Seconds | None = None


@dataclass(frozen=True, slots=True)
class BreakTaken(Official):
    """A player left the board during the game for so many ``seconds``. ``id`` is ``b`` and the event's ``sourceseq``."""

    player: PlayerId
    game: GameId
    seconds: Seconds
    id: str = ""


@dataclass(frozen=True, slots=True)
class BreakCorrected(Official):
    """A break that was noted wrongly: ``id`` stands in the place of the one that it ``corrects``; ``seconds`` None: there was
    none."""

    id: str
    corrects: str
    player: PlayerId
    game: GameId
    seconds: Seconds | None
    reason: TextRef


@dataclass(frozen=True, slots=True)
class FindingAnswered(Official):
    """Penalties has answered what games found."""

    finding: str


@dataclass(frozen=True, slots=True)
class Effect:
    """One of the closed set of effects; the fields that its kind does not use stay None.

    set_marks: ``white``, ``black``. adjust_points: ``points``. adjust_clock: ``clock``,
    seconds added to the opponent (positive) or taken from the player (negative).
    exclude: ``rounds``.
    """

    kind: EffectKind
    white: Mark | None = None
    black: Mark | None = None
    points: HalfPoints | None = None
    clock: Seconds | None = None
    rounds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rung:
    """Of several standing rulings with one rung only the first has effect."""

    rule: str
    player: PlayerId
    scope: str
    count: int


@dataclass(frozen=True, slots=True)
class RulingMade(Official):
    """A ruling: for what, by which article, with what effect. ``because`` are the rulings that it rests on; ``rung`` is its place
    on a ladder; ``counter`` what it counts towards; ``finding`` what it answers, ``arrival`` or ``breaks`` (the last one brought
    it) what it follows from: it stands only while these do. ``player`` None: nobody is accused. ``ply``: of the act, where one
    is named; ``facts``: those that the article asks for, by name."""

    ruling: RulingId
    player: PlayerId | None
    round: int
    infraction: str
    article: str
    effect: Effect
    game: GameId | None = None
    counter: str | None = None
    because: tuple[RulingId, ...] = ()
    rung: Rung | None = None
    note: TextRef | None = None
    finding: str | None = None
    ply: Ply | None = None
    facts: dict[str, Fact] = field(default_factory=dict)
    arrival: str | None = None
    breaks: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """The ids of the arrival or the breaks that it follows from, the one that brought it last."""
        return self.breaks if self.arrival is None else (self.arrival,)


@dataclass(frozen=True, slots=True)
class RulingAnnulled(Official):
    """A ruling too: ``ruling`` is its own id, ``annuls`` the one it takes away. ``retracted``: as a slip, by who made it or
    the chief arbiter."""

    ruling: RulingId
    annuls: RulingId
    article: str
    reason: TextRef | None = None
    appeal: str | None = None
    retracted: bool = False


@dataclass(frozen=True, slots=True)
class AppealLodged(Official):
    """``appeal`` is ``a`` and the event's ``sourceseq``; ``lodged`` the time (RFC 3339) at which it was handed in, which the
    deadline is held against; empty in logs from before there was one."""

    appeal: str
    ruling: RulingId
    by: PlayerId
    grounds: TextRef | None = None
    lodged: str = ""


@dataclass(frozen=True, slots=True)
class AppealDecided(Official):
    """The decision of an appeal."""

    appeal: str
    upheld: bool
    article: str
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class CrossingNoted(Official):
    """The chief arbiter has seen that the command whose first line is ``seq`` crossed another."""

    seq: Seq
    note: TextRef | None = None
