"""What the judge answers: the members of each question's answer."""

from collections.abc import Mapping, Sequence

from shared.http.answers import Answer


class EndAnswer(Answer):
    """``winner`` null: a draw."""

    termination: str
    winner: str | None
    article: str | None


class LegalMovesAnswer(Answer):
    legal: Sequence[str]


class ClaimableDrawsAnswer(Answer):
    """Claims of the position as it is, and moves with which one may be claimed."""

    now: Sequence[str]
    with_move: Sequence[str]


class ChessReplayAnswer(Answer):
    """``halfmove_clock``: plies since the last capture or pawn move."""

    uci: Sequence[str]
    san: Sequence[str]
    fen: str
    end: EndAnswer | None
    halfmove_clock: int
    claims: ClaimableDrawsAnswer


class FlagFallAnswer(Answer):
    """``winner`` null: a draw."""

    winner: str | None


class FutileTouchAnswer(Answer):
    kind: str
    square: str
    article: str


class TouchAnswer(Answer):
    """The moves ``due``; ``free``: any may be played."""

    due: Sequence[str]
    free: bool
    article: str
    grounds: str
    futile: Sequence[FutileTouchAnswer]


class XiangqiLegalMovesAnswer(Answer):
    """``illegal``: what the king's safety forbids, with its reason."""

    legal: Sequence[str]
    illegal: Mapping[str, str]


class XiangqiReplayAnswer(Answer):
    iccs: Sequence[str]
    chinese: Sequence[str]
    fen: str
    end: EndAnswer | None


class StatusAnswer(Answer):
    red: str
    black: str


class KindsAnswer(Answer):
    """What each side's moves are, in turn."""

    red: Sequence[str]
    black: Sequence[str]


class TurningPointAnswer(Answer):
    """A value of the regulations, and the verdict if it were another."""

    article: str
    what: str
    value: str
    otherwise: str


class DeedAnswer(Answer):
    move: str
    chinese: str
    side: str
    kind: str
    articles: Sequence[str]


class RepetitionAnswer(Answer):
    """``turns_on`` null: to search for it would have taken too much effort."""

    verdict: str
    status: StatusAnswer
    kinds: KindsAnswer
    article: str
    explanation: Sequence[str]
    articles: Sequence[str]
    turns_on: Sequence[TurningPointAnswer] | None
    moves: Sequence[DeedAnswer]


class NaturalLimitAnswer(Answer):
    valid: bool
    own_checks: int
    rounds: int


class DrawnMaterialAnswer(Answer):
    draw: bool


class IllegalPointsAnswer(Answer):
    ko: Sequence[str]
    suicide: Sequence[str]
    superko: Sequence[str]


class GoMoveAnswer(Answer):
    verdict: str


class CapturedAnswer(Answer):
    black: int
    white: int


class GoReplayAnswer(Answer):
    """``captures``: by ply from 0 the stones that it takes."""

    captures: Mapping[str, Sequence[str]]
    captured_by: CapturedAnswer


class AreaAnswer(Answer):
    """Points of each side; ``black_zi`` and ``margin_zi`` in 子."""

    black: int
    white: int
    neutral: int
    black_zi: float
    margin_zi: float
    winner: str | None


class ForbiddenPointsAnswer(Answer):
    """``forbidden``: point and kind; ``five``: points that make exactly five."""

    forbidden: Mapping[str, str]
    five: Sequence[str]


class FoulAnswer(Answer):
    point: str
    kind: str


class GomokuReplayAnswer(Answer):
    """``five``: the winning row."""

    end: EndAnswer | None
    five: Sequence[str] | None


class RenjuReplayAnswer(GomokuReplayAnswer):
    """``claimable``: the fouls that may be pointed out now."""

    claimable: Sequence[FoulAnswer]


class ColoursAnswer(Answer):
    first: str
    second: str


class PliesLimitAnswer(Answer):
    colour: str
    plies: float


class SettlementAnswer(Answer):
    """What two predictions settle; ``limit`` null: there is none."""

    colours: ColoursAnswer
    limit: PliesLimitAnswer | None


class PredictionVerdictAnswer(Answer):
    """``string``: how it is announced."""

    winner: str | None
    string: str


class PayoutAnswer(Answer):
    """``pays`` in stakes."""

    outcome: str
    pays: float


class PayoutsAnswer(Answer):
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
