"""The regulations for each game: one frozen class per game, every value from a regulations file. Standard library only."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from shared.core.terms import Moves, Ply, Rounds, Seconds, Side, TimeControl

Adjusting = Literal["touch", "violation"]
"""The classification of adjusting 摆正 against the article: a touch 摸子, or a violation 违例."""


Settling = Literal["guess", "swap", "prediction"]
"""How the seats of a board get their colours after the pairing: a guess 猜先, the swap 三手交换, both predictions 预判."""


class BoardRules:
    """The base class of the rules of each game with score sheets.

    ``PIECES``: the names of White's pieces and Black's. ``FIRST``: the colour that moves first.
    """

    __slots__ = ()

    PIECES: ClassVar[tuple[str, str]] = ("White", "Black")
    FIRST: ClassVar[Side] = "black"

    @property
    def first(self) -> Side:
        """Return the colour that moves first under these rules."""
        return self.FIRST

    @property
    def settled_by(self) -> tuple[Settling, ...]:
        """Return what changes the colours of the seats after the pairing, in order; empty if nothing does."""
        return ()


@dataclass(frozen=True, slots=True)
class PieceWorth:
    """The worth of each piece in an exchange 子力价值, in any unit. A crossed pawn's worth floats and has no number."""

    chariot: int
    horse: int
    cannon: int
    advisor: int
    elephant: int


@dataclass(frozen=True, slots=True)
class XiangqiRules(BoardRules):
    """Xiangqi 象棋. ``natural_limit_rounds``: rounds without a capture after which a draw may be claimed (自然限着).

    ``own_checks_counted``: how many of the claimant's own checks count at most. Repetition 棋例 is judged from the
    ``repetitions``-th occurrence of a position. The text sets no bound to 连续照将: a mate threat 杀 is searched ``mate_within``
    checks ahead, a chase 捉 through ``chase_within`` checks, and no piece is chased whose taker would be mated within
    ``sound_within`` checks (0: not searched). ``mate_threat``: a move that leaves a threat of mate is 杀 even if the threat was
    ``standing`` before it, or, as 29.2 says for 捉, only if it is ``new``.

    ``three_checks``: a side that checks three times in a repetition 将军三次 is judged ``by_cycle``, which an idle move excuses,
    or ``loses`` at once (不得将三将). ``repeated``: the side that must vary is ``told_to_vary`` and loses if the cycle comes once
    more. Or the game is decided without a warning, once the position has come again and the cycle ``goes_on`` 仍在延续.
    ``adjusting``: the classification of adjusting (None: as reported).
    """

    PIECES: ClassVar[tuple[str, str]] = ("Red", "Black")
    FIRST: ClassVar[Side] = "white"

    natural_limit_rounds: Rounds
    own_checks_counted: Moves
    repetitions: int
    worth: PieceWorth
    mate_within: int
    chase_within: int
    sound_within: int
    adjusting: Adjusting | None = None
    mate_threat: Literal["standing", "new"] = "standing"
    three_checks: Literal["by_cycle", "loses"] = "by_cycle"
    repeated: Literal["told_to_vary", "goes_on"] = "told_to_vary"


@dataclass(frozen=True, slots=True)
class ChessRules(BoardRules):
    """Chess 国际象棋. A draw may be claimed after ``repetitions`` of a position or ``quiet_moves`` of each side.

    A quiet move is neither a capture nor a pawn move. A flag loses against ``flag_needs``: an opponent with ``more_than_king``,
    or with a ``possible_mate``. Else it is a draw. Reversed colours are kept from ``colours_until_moves`` of both sides on.
    Before it, a new game is played (0: by clock, a quarter of the first time limit. None, formerly: by the arbiter).
    ``touch_ends_claim``: a draw cannot be claimed with a move whose piece was touched for it; if False, with a move already made.
    ``lapsed_claim``: a claim of a repetition after the right to it has lapsed 失去了提和的权利 counts as ``wrong``, with the
    penalty for a wrong claim, or is ``refused``. ``adjusting``: as in xiangqi.

    Draws without a claim: at the ``automatic_repetitions``-th occurrence of a position (Laws 9.6.1), and after
    ``automatic_quiet_moves`` of each side (9.6.2). With the value 0, never. A dead position beyond the material that cannot mate
    is drawn if an arbiter has ``stated`` it (5.2.2). With ``material``, no other position is dead.
    """

    FIRST: ClassVar[Side] = "white"

    repetitions: int
    quiet_moves: Moves
    flag_needs: Literal["more_than_king", "possible_mate"]
    colours_until_moves: Moves | None = None
    touch_ends_claim: bool = False
    adjusting: Adjusting | None = None
    lapsed_claim: Literal["wrong", "refused"] = "wrong"
    automatic_repetitions: int = 0
    automatic_quiet_moves: Moves = Moves(0)
    dead_position: Literal["material", "stated"] = "material"


@dataclass(frozen=True, slots=True)
class GoRules(BoardRules):
    """Go 围棋. ``komi_quarter_zi``: 贴子 in quarters of a stone (3 3/4 子 = 15).

    An illegal ko capture or a forbidden point 禁着点 is void. If it ``loses_turn``, it counts as a pass, the ko with a warning if
    ``ko_warns``. Wrong colours are corrected up to and including the move ``colours_until``. ``handicap`` 让子: 2 to 9 stones on
    Black's star points before White begins (0: none).
    """

    size: int
    komi_quarter_zi: int
    positional_superko: bool
    loses_turn: bool
    ko_warns: bool
    colours_until: Ply
    handicap: int = 0

    @property
    def first(self) -> Side:
        """Return White after a handicap 让子, else Black."""
        return "white" if self.handicap else self.FIRST


FirstHand = Literal["as_paired", "white_grabs", "either_grabs", "both_grab"]
"""How the sides decide who has Black and begins: as paired, or by a guess 猜先. White grabs stones and Black guesses odd or
even; either side grabs, and the other has Black after a right guess; or both grab, and exchange if the difference is odd."""

DirectOpening = Literal["寒星", "溪月", "疏星", "花月", "残月", "雨月", "金星", "松月", "丘月", "新月", "瑞星", "山月"]
IndirectOpening = Literal[
    "长星", "峡月", "恒星", "水月", "流星", "云月", "浦月", "岚月", "银月", "明星", "斜月", "名月"
]
RenjuOpening = Literal["swap", "agreed", "free", DirectOpening, IndirectOpening]
"""``swap`` is 三手交换, ``agreed`` an opening that Black names as the sides agreed 指定打法, ``free`` neither. Or the name of
the opening that every game begins with. 游星 and 彗星 are in no announcement: professional games bar them."""


@dataclass(frozen=True, slots=True)
class RenjuRules(BoardRules):
    """Renju 连珠. ``fifth_moves`` points are offered for the fifth stone (五手N打; 1: none are).

    They may be symmetric if ``symmetric_fifths``. ``professional`` allows only the named openings, without the barred ones.
    ``forbidden``: a forbidden move is ``claimed`` by White before answering it, ``loses`` at once, or is ``illegal`` and not
    played. If ``overline_any_time``, an overline may be claimed until the game ends. Each of the three kinds of 禁手 may be
    allowed; an allowed overline wins like a five. ``pass_allowed``: after the opening.
    """

    opening: RenjuOpening
    fifth_moves: int
    symmetric_fifths: bool
    professional: bool
    forbidden: Literal["claimed", "loses", "illegal"]
    overline_any_time: bool
    pass_allowed: bool
    double_three_forbidden: bool = True
    double_four_forbidden: bool = True
    overline_forbidden: bool = True
    first_hand: FirstHand = "as_paired"

    @property
    def settled_by(self) -> tuple[Settling, ...]:
        swap: tuple[Settling, ...] = ("swap",) if self.opening == "swap" else ()
        return swap if self.first_hand == "as_paired" else ("guess", *swap)


@dataclass(frozen=True, slots=True)
class GomokuRules(BoardRules):
    """Free gomoku 五子棋 (无禁手). Five stones win, more too if ``overline_wins``.

    The first stone goes to 天元 if ``centre_start``, White's first onto White's own half if ``own_half``. A resignation is void
    if not confirmed within ``resignation_confirmed`` seconds (0: no confirmation). A game not decided within ``fours_after``
    seconds is decided by fours 4连子, once an arbiter states that the time is over (0: never).
    """

    centre_start: bool
    own_half: bool
    overline_wins: bool
    resignation_confirmed: Seconds
    first_hand: FirstHand = "white_grabs"
    fours_after: Seconds = Seconds(600)

    @property
    def settled_by(self) -> tuple[Settling, ...]:
        return () if self.first_hand == "as_paired" else ("guess",)


@dataclass(frozen=True, slots=True)
class PredictionRules(BoardRules):
    """Prediction gomoku 预判. Predicting takes at most the game's time divided by ``share_of_time``.

    ``both_forbidden``: White too has forbidden moves, and they lose at once. ``at_limit``: five exactly at the limit is a draw or
    a win. ``draw_predictable``: a draw may be predicted. If one colour must win without a limit, the verdict names that colour if
    ``unlimited_names_colour`` (白40手/黑无限制胜), else none (白40手/无限制胜). ``pass_allowed``: after the opening.
    """

    share_of_time: int
    both_forbidden: bool
    at_limit: Literal["draw", "win"]
    draw_predictable: bool
    unlimited_names_colour: bool = True
    pass_allowed: bool = True

    @property
    def settled_by(self) -> tuple[Settling, ...]:
        return ("prediction",)


@dataclass(frozen=True, slots=True)
class TwentyoneRules:
    """Twenty-one 21点. ``dealer_stands`` from this total on. ``ace_or_eleven``: an ace counts 1 or 11, else 11 only.

    A blackjack pays ``blackjack_pays`` hundredths of the stake and, if ``blackjack_beats_21``, beats every other 21. A hand has
    ``cards_at_most`` (0: no limit). ``five_cards_win``: a full hand not above 21 is as good as 21. Players who are bust lose
    their stake unless a bust dealer returns it (``bust_with_dealer``).
    """

    packs: int
    players_at_most: int
    dealer_stands: int
    ace_or_eleven: bool
    blackjack_pays: int
    blackjack_beats_21: bool
    insurance_pays: int
    cards_at_most: int
    five_cards_win: bool
    bust_with_dealer: Literal["loses", "draws"]


@dataclass(frozen=True, slots=True)
class OfferRule:
    """The rule for draw offers 提和 in a ``game``. ``after_own_move``: an offer not made after one's own move is irregular.

    ``alternate``: so is a second offer without the opponent's in between. ``consecutive``: always or after a refusal.
    """

    game: str
    after_own_move: bool
    alternate: bool
    article: str
    consecutive: Literal["always", "after_refusal"] = "always"


RULES: dict[str, type[BoardRules]] = {
    "chess": ChessRules,
    "xiangqi": XiangqiRules,
    "go": GoRules,
    "renju": RenjuRules,
    "gomoku": GomokuRules,
    "prediction": PredictionRules,
}
"""The games with score sheets, and the class of their rules. Regulations name them ``[game.chess]`` and so on."""


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules of each game of the regulations, by its name. Any other game has no moves, and its results are reported.

    In JSON and TOML each game is a member of its own (`shared.wire.regulations`). ``flag_article``: the meaning of a fallen flag;
    ``flag_articles``: exceptions by game. ``times``: for games whose announcement sets no time. ``schemes`` may be chosen by
    their article, and ``time_articles`` allow a time of its own. ``sheet``: only in regulations from before the rules of games.
    """

    flag_article: str
    sheet: Literal["chess"] | None = None
    rules: dict[str, BoardRules] = field(default_factory=dict)
    times: tuple[TimeControl, ...] = ()
    flag_articles: dict[str, str] = field(default_factory=dict)
    offers: tuple[OfferRule, ...] = ()
    schemes: tuple[TimeControl, ...] = ()
    time_articles: dict[str, str] = field(default_factory=dict)

    def time(self, game: str) -> TimeControl | None:
        """Return the time control of a game, or None if the regulations leave it open."""
        return next((one for one in self.times if one.game == game), None)

    def scheme(self, game: str, name: str) -> TimeControl | None:
        """Return the time control of a game whose article is ``name``, or None if it does not exist."""
        return next((one for one in self.schemes if (one.game, one.article) == (game, name)), None)

    def flag(self, game: str) -> str:
        """Return the article on a fallen flag in a game."""
        return self.flag_articles.get(game, self.flag_article)

    def adjusting(self, game: str) -> Adjusting | None:
        """Return how the rules of a game classify adjusting 摆正 against the article, or None if they do not say."""
        value: Adjusting | None = getattr(self.rules.get(game), "adjusting", None)
        return value

    def offer(self, game: str) -> OfferRule | None:
        """Return the rule on draw offers in a game, or None if any offer is regular."""
        return next((one for one in self.offers if one.game == game), None)
