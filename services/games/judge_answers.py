"""Responses of the judge: the members of the answer to each question."""

from collections.abc import Mapping, Sequence

from shared.wire.answer import Answer


class EndAnswer(Answer):
    """The end of a game. `winner` is null for a draw."""

    termination: str
    winner: str | None
    article: str | None


class LegalMovesAnswer(Answer):
    """The legal moves of a position."""

    legal: Sequence[str]


class ClaimableDrawsAnswer(Answer):
    """Draws that can be claimed: in the position, or with a move."""

    now: Sequence[str]
    with_move: Sequence[str]


class ChessReplayAnswer(Answer):
    """A replayed chess game."""

    uci: Sequence[str]
    san: Sequence[str]
    fen: str
    end: EndAnswer | None
    halfmove_clock: int
    claims: ClaimableDrawsAnswer


class FlagFallAnswer(Answer):
    """The winner after a flag fall. Null: a draw."""

    winner: str | None


class FutileTouchAnswer(Answer):
    """A touch of a piece that no legal move follows."""

    kind: str
    square: str
    article: str


class TouchAnswer(Answer):
    """The moves that must be played after pieces were touched. `free`: any move may be played."""

    due: Sequence[str]
    free: bool
    article: str
    grounds: str
    futile: Sequence[FutileTouchAnswer]


class XiangqiLegalMovesAnswer(Answer):
    """Legal moves, and moves that leave the king in check."""

    legal: Sequence[str]
    illegal: Mapping[str, str]


class XiangqiReplayAnswer(Answer):
    """A replayed xiangqi game."""

    iccs: Sequence[str]
    chinese: Sequence[str]
    fen: str
    end: EndAnswer | None


class StatusAnswer(Answer):
    """The status of each side in a repetition."""

    red: str
    black: str


class KindsAnswer(Answer):
    """The kinds of the moves of each side, in order."""

    red: Sequence[str]
    black: Sequence[str]


class TurningPointAnswer(Answer):
    """A value of the ruleset, and the verdict if it were different."""

    article: str
    what: str
    value: str
    otherwise: str


class DeedAnswer(Answer):
    """A move of a repetition, with its kind."""

    move: str
    chinese: str
    side: str
    kind: str
    articles: Sequence[str]


class RepetitionAnswer(Answer):
    """The verdict on a repetition. `turns_on` is null if the search would take too long."""

    verdict: str
    status: StatusAnswer
    kinds: KindsAnswer
    article: str
    explanation: Sequence[str]
    articles: Sequence[str]
    turns_on: Sequence[TurningPointAnswer] | None
    moves: Sequence[DeedAnswer]


class NaturalLimitAnswer(Answer):
    """The count of the natural move limit (自然限着)."""

    valid: bool
    own_checks: int
    rounds: int


class DrawnMaterialAnswer(Answer):
    """Whether the material can win."""

    draw: bool


class IllegalPointsAnswer(Answer):
    """Points where a stone cannot be placed."""

    ko: Sequence[str]
    suicide: Sequence[str]
    superko: Sequence[str]


class GoMoveAnswer(Answer):
    """The verdict on a move of Go."""

    verdict: str


class CapturedAnswer(Answer):
    """Captured stones."""

    black: int
    white: int


class GoReplayAnswer(Answer):
    """A replayed game of Go."""

    captures: Mapping[str, Sequence[str]]
    captured_by: CapturedAnswer


class AreaAnswer(Answer):
    """The area of each side. `black_zi` and `margin_zi` are in 子."""

    black: int
    white: int
    neutral: int
    black_zi: float
    margin_zi: float
    winner: str | None


class ForbiddenPointsAnswer(Answer):
    """The forbidden points of a position."""

    forbidden: Mapping[str, str]
    five: Sequence[str]


class FoulAnswer(Answer):
    """A foul that can be pointed out."""

    point: str
    kind: str


class GomokuReplayAnswer(Answer):
    """A replayed game of gomoku."""

    end: EndAnswer | None
    five: Sequence[str] | None


class RenjuReplayAnswer(GomokuReplayAnswer):
    """A replayed game of renju."""

    claimable: Sequence[FoulAnswer]


class ColoursAnswer(Answer):
    """The colours at a board. They are null until the guess, swap or prediction in `settled_by` decides them."""

    first: str
    second: str


class PliesLimitAnswer(Answer):
    """A limit of plies."""

    colour: str
    plies: float


class SettlementAnswer(Answer):
    """The result of two predictions."""

    colours: ColoursAnswer
    limit: PliesLimitAnswer | None


class PredictionVerdictAnswer(Answer):
    """The result that two predictions decide."""

    winner: str | None
    string: str


class PayoutAnswer(Answer):
    """The payout of a player, in stakes."""

    outcome: str
    pays: float


class PayoutsAnswer(Answer):
    """The payouts of a deal."""

    players: Sequence[PayoutAnswer]


JUDGED: dict[tuple[str, str], type[Answer]] = {
    ("chess", "legal_moves"): LegalMovesAnswer,
    ("chess", "replay"): ChessReplayAnswer,
    ("chess", "flag_fall"): FlagFallAnswer,
    ("chess", "touch"): TouchAnswer,
    ("xiangqi", "legal_moves"): XiangqiLegalMovesAnswer,
    ("xiangqi", "replay"): XiangqiReplayAnswer,
    ("xiangqi", "repetition"): RepetitionAnswer,
    ("xiangqi", "natural_limit"): NaturalLimitAnswer,
    ("xiangqi", "drawn_material"): DrawnMaterialAnswer,
    ("xiangqi", "touch"): TouchAnswer,
    ("go", "legality"): IllegalPointsAnswer,
    ("go", "move"): GoMoveAnswer,
    ("go", "replay"): GoReplayAnswer,
    ("go", "area"): AreaAnswer,
    ("renju", "forbidden"): ForbiddenPointsAnswer,
    ("renju", "replay"): RenjuReplayAnswer,
    ("gomoku", "replay"): GomokuReplayAnswer,
    ("prediction", "settle"): SettlementAnswer,
    ("prediction", "verdict"): PredictionVerdictAnswer,
    ("twentyone", "settle"): PayoutsAnswer,
}
"""The answer to each question, by game and name."""
