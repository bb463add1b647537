"""The events of games in the official log."""

from dataclasses import dataclass
from typing import Annotated, Literal

from shared.core.events.event import Ground, Official
from shared.core.events.sheets import Claim
from shared.core.rulebook.effects import Fact
from shared.core.rulebook.terminations import Termination
from shared.core.terms import GameId, Mark, PlayerId, Ply, RulingId, Side, TextRef
from shared.core.values.bounds import MOVE, POSITION, SQUARES, Article, Count, Hash, RecordId

FindingKind = Literal[
    "flag",
    "overrun",
    "illegal_move",
    "forbidden_point",
    "bad_sealed_move",
    "facing_generals",
    "false_claim",
    "false_natural_limit",
    "irregular_offer",
    "consecutive_offer",
    "unmovable_touch",
    "uncapturable_touch",
    "clock_gained",
]


@dataclass(frozen=True, slots=True)
class SheetRef:
    """A commitment to the events of a score sheet: their number, and the SHA-256 (hex) over them, each with its LF."""

    lines: Count
    sha256: Hash


@dataclass(frozen=True, slots=True)
class GameStarted(Official):
    """A game has begun, from the usual position or from a ``position`` that was set up.

    The ``position`` is in the game's own notation (chess and xiangqi: FEN; stones: the words of SGF, AB AW PL HA KM, with the
    points' names).
    """

    game: GameId
    position: Annotated[str, POSITION] | None = None


@dataclass(frozen=True, slots=True)
class ColoursCorrected(Official):
    """Whether a game that continues is played with ``reversed`` colours, each side with the other's pieces.

    These colours count for future pairings and in the table (000-A 国际象棋, 不合规则 5; Laws 7.3).
    """

    game: GameId
    reversed: bool


@dataclass(frozen=True, slots=True)
class ColoursSettled(Official):
    """The seat that holds ``black``'s pieces now, according to the score sheet (None: the colours are open again).

    It follows a guess, a swap, predictions, a correction, or moves taken back. Pages, papers and files name the sides by
    it. Pairings and the table count the corrected colours.
    """

    game: GameId
    black: Side | None


@dataclass(frozen=True, slots=True)
class GameEnded(Official):
    """The end of a game by its own rules. The server fills in ``sheet``."""

    game: GameId
    white: Mark
    black: Mark
    termination: Termination
    article: Article
    sheet: SheetRef | None = None


@dataclass(frozen=True, slots=True)
class FindingMade(Official):
    """A finding of games that penalties must answer.

    It is a flag, an illegal move, a false claim, an offer out of order, or a clock that gained time. ``overrun``: a wrong claim
    costs more time than the clock had. ``forbidden_point``: a stone on 禁着点.

    ``finding`` is ``f`` and the event's ``sourceseq``. ``player``: the player it concerns. ``opponent_can_win``: whether the
    other side has mating material. ``grounds``: the measured values.
    """

    finding: RecordId
    game: GameId
    kind: FindingKind
    player: PlayerId
    article: Article
    ply: Ply
    opponent_can_win: bool
    sheet: SheetRef | None = None
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimPending(Official):
    """A claim that ``accused`` did an act that no score sheet shows, or that the position is dead.

    It waits for an arbiter, and the game continues. If the claim accuses nobody, ``accused`` is the opponent. ``claim`` is its
    ID on the sheet of the ``game``, with the claim's ``ply``, ``side``, ``move`` and ``squares``. ``player`` is the claimant,
    ``article`` the one that would be broken.
    """

    claim: RecordId
    game: GameId
    kind: Claim
    ply: Ply
    side: Side
    player: PlayerId
    accused: PlayerId
    article: Article
    move: Annotated[str, MOVE] | None = None
    squares: Annotated[tuple[Annotated[str, MOVE], ...], SQUARES] = ()


@dataclass(frozen=True, slots=True)
class ClaimSettled(Official):
    """An arbiter's decision on a pending ``claim`` of a ``game``. If ``upheld``, its consequences are a finding of their own."""

    claim: RecordId
    game: GameId
    upheld: bool
    note: TextRef | None = None


@dataclass(frozen=True, slots=True)
class FindingWithdrawn(Official):
    """A finding no longer holds, and the ruling that answers it, now or later, lapses with it.

    ``why``: an arbiter ``stated_anew`` which pieces were touched, or the moves behind it were ``taken_back``.
    """

    finding: RecordId
    game: GameId
    why: Literal["stated_anew", "taken_back"]


@dataclass(frozen=True, slots=True)
class FactsChecked(Official):
    """The facts of a ruling, compared with the score sheet at the time of the ruling.

    ``contradicted``: the value on the sheet for each fact that the sheet contradicts, by name. If there is one, the ruling
    is not in force, by the ``article`` that requires the first of them (None if nothing is contradicted).
    """

    ruling: RulingId
    game: GameId
    contradicted: dict[str, Fact]
    article: Article | None = None
    sheet: SheetRef | None = None


@dataclass(frozen=True, slots=True)
class ResultReported(Official):
    """A result reported by an arbiter."""

    game: GameId
    white: Mark
    black: Mark


@dataclass(frozen=True, slots=True)
class StatementMade(Official):
    """The result of a ``game`` as one of its players states it. The second equal statement reports the result."""

    game: GameId
    player: PlayerId
    white: Mark
    black: Mark


@dataclass(frozen=True, slots=True)
class CallMade(Official):
    """An arbiter is called to a ``game``. ``open`` false: an arbiter has answered the call."""

    game: GameId
    open: bool


@dataclass(frozen=True, slots=True)
class ResultCorrected(Official):
    """A correction of a game's result by an arbiter.

    If a ruling in force overrides the correction, the last field has the ruling's ID. The correction takes effect if that
    ruling is annulled.
    """

    game: GameId
    white: Mark
    black: Mark
    reason: TextRef | None = None
    beneath: RulingId | None = None
