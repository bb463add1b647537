"""The commands of penalties. Every command is complete: deciding it requires no clock and no random draw."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from shared.core.events import CrossingNoted, Effect, FindingAnswered
from shared.core.rulebook.effects import Fact
from shared.core.state.outcomes import Share
from shared.core.terms import Actor, GameId, Mark, Place, PlayerId, Ply, RulingId, Seconds, Side, TextRef
from shared.desk.rules_port import EventCommand


@dataclass(frozen=True, slots=True)
class MakeRuling:
    """Make a ruling on a player.

    ``game``: by default the player's game of that round, if there is one. ``effect``: by default the one that the
    rulebook fixes. ``article``: by default that of the infraction. ``facts``: those that its article requires, by name.
    ``ply``: the half-move of the act, which then counts once.
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
    """Decide, as chief arbiter, a game that cannot continue and for which no player is accused."""

    actor: Actor
    game: GameId
    infraction: str
    white: Mark | Share
    black: Mark | Share
    reason: TextRef | None


@dataclass(frozen=True, slots=True)
class AnnulRuling:
    """Annul a ruling. ``annuls`` may be an annulment: the ruling it annulled is then in force again."""

    actor: Actor
    annuls: RulingId
    reason: TextRef | None = None
    article: str | None = None


@dataclass(frozen=True, slots=True)
class RetractRuling:
    """Retract a ruling, or an annulment, that was made by mistake."""

    actor: Actor
    annuls: RulingId
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class LodgeAppeal:
    """Lodge a player's appeal against a ruling, ``lodged`` at this time (RFC 3339)."""

    actor: Actor
    ruling: RulingId
    by: PlayerId
    grounds: TextRef | None = None
    lodged: str = ""


@dataclass(frozen=True, slots=True)
class DecideAppeal:
    """Decide an appeal, as the committee. ``article``: by default the one that grants this right."""

    actor: Actor
    appeal: str
    upheld: bool
    article: str | None = None
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class NoteArrival:
    """Note a player's arrival: ``late`` in seconds after the start, or None for a player who did not come at all.

    The seat is given by ``player`` with ``round`` or ``game``; without ``player`` by ``round``, ``board`` and ``side``.
    ``place``: the place where the player arrived. ``turn``: seconds after the start when it was the player's turn.
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
    """Note the arrivals of a round (签到), two or more, either all or none."""

    actor: Actor
    arrivals: tuple[NoteArrival, ...]


@dataclass(frozen=True, slots=True)
class CorrectArrival:
    """Correct an arrival in force that was recorded wrongly: ``late`` (None: absent), ``place`` or ``turn`` (None: unchanged)."""

    actor: Actor
    corrects: str
    late: Seconds | None
    reason: TextRef
    place: Place | None = None
    turn: Seconds | None = None


@dataclass(frozen=True, slots=True)
class NoteBreak:
    """Note a break of ``seconds`` away from the board. The player is given by entry number or by ``side`` of the game."""

    actor: Actor
    game: GameId
    seconds: Seconds
    player: PlayerId | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class CorrectBreak:
    """Correct a break (absence from the board) that was recorded wrongly. If ``seconds`` is None, it did not take place."""

    actor: Actor
    game: GameId
    corrects: str
    seconds: Seconds | None
    reason: TextRef


class AnswerFinding(EventCommand[FindingAnswered]):
    """Answer a finding of the service games according to the rulebook."""


@dataclass(frozen=True, slots=True)
class DrawConsequences:
    """Make the rulings that are due after games cancelled a finding or a fact on which other rulings depended."""

    actor: Actor


class NoteCrossing(EventCommand[CrossingNoted]):
    """Note concurrent decisions as seen by the chief arbiter. ``seq``: the first event of the later command."""
