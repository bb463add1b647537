"""What games says in the official log."""

from dataclasses import dataclass
from typing import Literal

from shared.core.events.event import Official
from shared.core.events.grounds import Ground
from shared.core.events.sheets import Claim
from shared.core.rulebook.facts import Fact
from shared.core.rulebook.terminations import Termination
from shared.core.terms import GameId, Mark, PlayerId, Ply, RulingId, Side, TextRef

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
    """Lines of a score sheet committed to: their number and the SHA-256 (hex) over them, each with its LF."""

    lines: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GameStarted(Official):
    """A game has begun: from the usual position, or from a ``position`` that was set up, in the game's own notation (chess
    and xiangqi: FEN; stones: the words of SGF, AB AW PL HA KM, with the points' names)."""

    game: GameId
    position: str | None = None


@dataclass(frozen=True, slots=True)
class ColoursCorrected(Official):
    """Whether a game that goes on is played with ``reversed`` colours, each side with the other's pieces: that is what
    counts for the pairings to come and in the table (000-A 国际象棋, 不合规则 5; Laws 7.3)."""

    game: GameId
    reversed: bool


@dataclass(frozen=True, slots=True)
class ColoursSettled(Official):
    """The seat that holds ``black``'s pieces now, as the score sheet of a game shows it: after a guess, a swap, predictions, a
    correction, or moves taken back. None: the colours are open again. It names the sides on pages, papers and files. Pairings
    and the table count the corrected colours."""

    game: GameId
    black: Side | None


@dataclass(frozen=True, slots=True)
class GameEnded(Official):
    """The end of a game by its own rules. ``sheet`` is filled in by the desk."""

    game: GameId
    white: Mark
    black: Mark
    termination: Termination
    article: str
    sheet: SheetRef | None = None


@dataclass(frozen=True, slots=True)
class FindingMade(Official):
    """What games found and penalties must answer: a flag, an illegal move, a false claim, an offer out of
    order, a clock that gained time. ``overrun``: the time that a wrong claim costs was more than the clock held;
    ``forbidden_point``: a stone on 禁着点.

    ``finding`` is ``f`` and the event's ``sourceseq``; ``player`` is the one it concerns;
    ``opponent_can_win`` tells whether the other side has mating material; ``grounds``: what was measured.
    """

    finding: str
    game: GameId
    kind: FindingKind
    player: PlayerId
    article: str
    ply: Ply
    opponent_can_win: bool
    sheet: SheetRef | None = None
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimPending(Official):
    """A claim that ``accused`` did what no sheet shows, or that the position is dead. It waits for an arbiter, and the game goes
    on. If the claim accuses nobody, ``accused`` is the opponent.

    ``claim`` is its id on the sheet of the ``game``, whose ``ply``, ``side``, ``move`` and ``squares`` it has;
    ``player`` claims; ``article`` is the one that would be broken.
    """

    claim: str
    game: GameId
    kind: Claim
    ply: Ply
    side: Side
    player: PlayerId
    accused: PlayerId
    article: str
    move: str | None = None
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSettled(Official):
    """An arbiter's decision on a pending ``claim`` of a ``game``; what follows from one that is ``upheld`` is found beside it."""

    claim: str
    game: GameId
    upheld: bool
    note: TextRef | None = None


@dataclass(frozen=True, slots=True)
class FindingWithdrawn(Official):
    """A finding no longer holds: an arbiter ``stated_anew`` which pieces were touched, or the moves that it was made on
    were ``taken_back``. The ruling that answered it, or will, lapses with it."""

    finding: str
    game: GameId
    why: Literal["stated_anew", "taken_back"]


@dataclass(frozen=True, slots=True)
class FactsChecked(Official):
    """The facts of a ruling, compared with the score sheet as it stood when the ruling was made.

    ``contradicted``: by the name of each fact that the sheet contradicts, the value that the sheet shows; with one the
    ruling does not stand, by the ``article`` that asks for the first of them. None where nothing is contradicted.
    """

    ruling: RulingId
    game: GameId
    contradicted: dict[str, Fact]
    article: str | None = None
    sheet: SheetRef | None = None


@dataclass(frozen=True, slots=True)
class ResultReported(Official):
    """A result as the hall reports it."""

    game: GameId
    white: Mark
    black: Mark


@dataclass(frozen=True, slots=True)
class ResultCorrected(Official):
    """A correction; ``beneath`` names the standing ruling it waits under, if any."""

    game: GameId
    white: Mark
    black: Mark
    reason: TextRef | None = None
    beneath: RulingId | None = None
