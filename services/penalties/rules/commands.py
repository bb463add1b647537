"""The commands of penalties. Every command is complete: deciding it needs no clock and no lot."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from shared.core.events import CrossingNoted, Effect, FindingAnswered
from shared.core.readings.command_row import EventCommand
from shared.core.rulebook.facts import Fact
from shared.core.state.outcomes import Share
from shared.core.terms import Actor, GameId, Mark, Place, PlayerId, Ply, RulingId, Seconds, Side, TextRef


@dataclass(frozen=True, slots=True)
class MakeRuling:
    """A ruling on a player. ``game`` None: the player's game of that round, where there is one.

    ``effect`` None: the one that the rulebook fixes. ``article`` None: that of the infraction. ``facts``: those that its
    article asks for, by name. ``ply``: the half-move of the act, which then counts once.
    """

    actor: Actor
    player: PlayerId
    round: int
    infraction: str
    game: GameId | None = None
    article: str | None = None
    note: TextRef | None = None
    effect: Effect | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    ply: Ply | None = None


@dataclass(frozen=True, slots=True)
class DecideGame:
    """The chief arbiter's decision on a game that cannot go on and that nobody is accused for."""

    actor: Actor
    game: GameId
    infraction: str
    white: Mark | Share
    black: Mark | Share
    reason: TextRef | None


@dataclass(frozen=True, slots=True)
class AnnulRuling:
    """The annulment of a ruling. ``annuls`` may be an annulment: what it took away then stands again."""

    actor: Actor
    annuls: RulingId
    reason: TextRef | None = None
    article: str | None = None


@dataclass(frozen=True, slots=True)
class RetractRuling:
    """The retraction of a ruling, or of an annulment, that was a slip."""

    actor: Actor
    annuls: RulingId
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class LodgeAppeal:
    """A player's appeal against a ruling, ``lodged`` at this time (RFC 3339)."""

    actor: Actor
    ruling: RulingId
    by: PlayerId
    grounds: TextRef | None = None
    lodged: str = ""


@dataclass(frozen=True, slots=True)
class DecideAppeal:
    """The committee's decision; ``article`` None: the one that grants it to decide."""

    actor: Actor
    appeal: str
    upheld: bool
    article: str | None = None
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class NoteArrival:
    """A player's arrival: ``late`` in seconds after the start, None for one who did not come at all.

    The seat is named by the player and ``round`` (his game of it) or ``game``; where ``player`` is None by ``round``,
    ``board`` and ``side``. ``place`` is where he came to; ``turn``: seconds after the start when it was his turn.
    """

    actor: Actor
    player: PlayerId | None
    late: Seconds | None
    round: int | None = None
    game: GameId | None = None
    place: Place = "seat"
    board: int | None = None
    side: Side | None = None
    turn: Seconds | None = None


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The arrivals of a round (签到), two or more, all or none."""

    actor: Actor
    arrivals: tuple[NoteArrival, ...]


@dataclass(frozen=True, slots=True)
class CorrectArrival:
    """Another ``late``, ``place`` or ``turn`` (None: the same one) for an arrival in force that was noted wrongly."""

    actor: Actor
    corrects: str
    late: Seconds | None
    reason: TextRef
    place: Place | None = None
    turn: Seconds | None = None


@dataclass(frozen=True, slots=True)
class NoteBreak:
    """A break of ``seconds`` away from the board; the player is named by the entry's number or by the ``side`` of the game."""

    actor: Actor
    game: GameId
    seconds: Seconds
    player: PlayerId | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class CorrectBreak:
    """Other ``seconds`` (None: none at all) for a break in force that was noted wrongly."""

    actor: Actor
    game: GameId
    corrects: str
    seconds: Seconds | None
    reason: TextRef


class AnswerFinding(EventCommand[FindingAnswered]):
    """The rulebook's answer to a finding of games."""


@dataclass(frozen=True, slots=True)
class DrawConsequences:
    """The rulebook's rulings that are due after games has taken away what others rested on."""

    actor: Actor


class NoteCrossing(EventCommand[CrossingNoted]):
    """A crossing that the chief arbiter has seen: ``seq`` is the first line of the command that crossed another."""
