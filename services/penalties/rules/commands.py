"""What penalties can be asked to do. Every command is complete: deciding it needs no clock and no lot."""

from dataclasses import dataclass

from shared.core.events import Effect
from shared.core.terms import Actor, GameId, PlayerId, RulingId, Seconds, Seq, Side, TextRef


@dataclass(frozen=True, slots=True)
class MakeRuling:
    """``game`` None: the player's game of that round, where there is one.

    ``effect`` None: the one that the rulebook fixes. ``article`` None: that of the infraction.
    """

    actor: Actor
    player: PlayerId
    round: int
    infraction: str
    game: GameId | None = None
    article: str | None = None
    note: TextRef | None = None
    effect: Effect | None = None


@dataclass(frozen=True, slots=True)
class AnnulRuling:
    """``ruling`` may be an annulment: what it took away then stands again."""

    actor: Actor
    ruling: RulingId
    reason: TextRef | None = None
    article: str | None = None


@dataclass(frozen=True, slots=True)
class LodgeAppeal:
    actor: Actor
    ruling: RulingId
    by: PlayerId
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class DecideAppeal:
    actor: Actor
    appeal: str
    upheld: bool
    article: str | None = None
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class NoteArrival:
    """``late`` in seconds after the start, None for one who did not come at all.

    The game is named by ``round`` (the player's game of it) or by ``game``.
    """

    actor: Actor
    player: PlayerId
    late: Seconds | None
    round: int | None = None
    game: GameId | None = None


@dataclass(frozen=True, slots=True)
class NoteBreak:
    """``seconds`` away from the board; the player is named by the number of the entry or by the ``side`` of the game."""

    actor: Actor
    game: GameId
    seconds: Seconds
    player: PlayerId | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    actor: Actor
    finding: str


@dataclass(frozen=True, slots=True)
class NoteCrossing:
    """``seq`` is the first line of the command that crossed another."""

    actor: Actor
    seq: Seq
    note: TextRef | None = None


Command = MakeRuling | AnnulRuling | LodgeAppeal | DecideAppeal | NoteArrival | NoteBreak | AnswerFinding | NoteCrossing
