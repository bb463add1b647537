"""Chess 国际象棋 by python-chess: legality, natural ends, claims, and the sides that can still win.

The library never ends a game here: its ``outcome()`` has the draws of Laws 9.6, which a ruleset may lack. Articles:
000-A is the campus event's text, chapters 对局结束 and 不合规则; "Laws" are FIDE's Laws of Chess.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from services.games.rules.boards.chess.move_texts import capture_square, castles, read_move, square_name
from services.games.rules.boards.port.board_game import rules_of
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, LegalStep, Position, Seats, no_steps
from services.games.rules.boards.port.touch_move import Option
from shared.core.events.sheets import Step
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import ChessRules
from shared.core.terms import Moves, Side, other

if TYPE_CHECKING:
    import chess


def default_rules() -> ChessRules:
    """Return the rules of ``fide-2024`` without automatic draws (Laws 9.6) and without claims of dead positions.

    They apply to logs without rules of games and to questions without a ruleset, which were decided before that ruleset
    had these draws and claims.
    """
    rules = rules_of("fide-2024", "chess", ChessRules)
    return replace(rules, automatic_repetitions=0, automatic_quiet_moves=Moves(0), dead_position="material")


MATE = "000-A 国际象棋, 对局结束 1; Laws 5.1.1"
STALEMATE = "000-A 国际象棋, 对局结束 3; Laws 5.2.1"
MATERIAL = "000-A 国际象棋, 对局结束 4; Laws 5.2.2"
INITIAL = "000-A 国际象棋, 不合规则 4; Laws 7.2.1"
COLOURS = "000-A 国际象棋, 不合规则 5; Laws 7.3"
LAPSED = "000-A 国际象棋, 对局结束 11; Laws 9.4"
REPETITION = "000-A 国际象棋, 对局结束 10; Laws 9.2"
FIFTY_MOVES = "000-A 国际象棋, 对局结束 12; Laws 9.3"
WRONG_CLAIM = "000-A 国际象棋, 对局结束 13(2); Laws 9.5.3"
FIVEFOLD = "Laws 9.6.1"
SEVENTY_FIVE = "Laws 9.6.2"
DEAD = "Laws 5.2.2"

Claim: TypeAlias = Literal["threefold_repetition", "fifty_moves"]
_Key: TypeAlias = tuple[int | None, ...]
_ARTICLES: dict[Claim, str] = {"threefold_repetition": REPETITION, "fifty_moves": FIFTY_MOVES}


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """A claim that is rejected. The game continues with ``must_play``, the announced move in UCI, if there was one."""

    must_play: str | None
    article: str


class ChessPosition(Position):
    """A position with the necessary facts of earlier moves. Moves are kept in UCI and read in UCI or SAN.

    Seats hold each other's pieces if the colours were reversed. A FEN's own halfmove clock counts. Positions before the
    first one are unknown and do not count.
    """

    __slots__ = ("_board", "_drawn", "_lapsed", "_rules", "_seats", "_seen")

    def __init__(self, board: chess.Board | None = None, rules: ChessRules | None = None) -> None:
        import chess

        self._board = chess.Board() if board is None else board
        self._rules = default_rules() if rules is None else rules
        self._seats = Seats()
        self._seen: dict[_Key, int] = {_key(self._board): 1}
        self._lapsed: frozenset[chess.Color] = frozenset()
        """Colours that moved on from a repetition without claiming it, while a position of it may still occur again."""
        self._drawn = self._automatic_draw()
        """The first automatic draw of the game; moves played after it do not change the end."""

    def fork(self) -> Self:
        copy = type(self)(self._board.copy(stack=False), self._rules)
        copy._seen, copy._lapsed, copy._drawn = self._seen.copy(), self._lapsed, self._drawn
        copy._seats = self._seats
        return copy

    def holder(self, colour: Side) -> Side:
        return self._seats.holder(colour)

    def to_move(self) -> Side:
        return self.holder(_side(self._board.turn))

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a move in UCI or SAN, or return why it is illegal. A null move is illegal."""
        chess_move = read_move(self._board, move)
        if isinstance(chess_move, IllegalMove):
            return chess_move
        uci = self._board.uci(chess_move)
        self._push(chess_move)
        return LegalMove(uci)

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take the step ``correct_colours``: the seats have held each other's pieces since the first move.

        The rule is 不合规则 5 and Laws 7.3. The step has no ``values``, and every other step is illegal. Whether the
        game may continue with the colours corrected is checked by the caller.
        """
        if step != "correct_colours":
            return no_steps(step)
        if values:
            return IllegalMove(say("this step must not have values"), COLOURS)
        self._seats = self._seats.exchanged()
        return LegalStep(())

    def _push(self, move: chess.Move) -> None:
        mover, before = self._board.turn, self._seen.get(_key(self._board), 0)
        if self._board.is_irreversible(move):
            self._seen.clear()
            before, self._lapsed = 0, frozenset()
        self._board.push(move)
        self._board.clear_stack()
        key = _key(self._board)
        self._seen[key] = self._seen.get(key, 0) + 1
        if max(before, self._seen[key]) >= self._rules.repetitions:
            self._lapsed |= {mover}
        self._drawn = self._drawn or self._automatic_draw()

    def end(self) -> End | None:
        """Return an automatic draw, checkmate 将死, stalemate 逼和 or draw by material; None if the game continues.

        Every other end requires a claim.
        """
        end = self._drawn or self._end_on_board()
        return end and self._seats.end(end)

    def _automatic_draw(self) -> End | None:
        """Return the draw by repetition or by quiet moves that ends the game without a claim (Laws 9.6), or None.

        Checkmate takes precedence (9.6.2), and so do stalemate and insufficient material in the same position.
        """
        rules, times, plies = self._rules, self.occurrences(), self.quiet_plies()
        fivefold = 0 < rules.automatic_repetitions <= times
        if not fivefold and not 0 < 2 * rules.automatic_quiet_moves <= plies:
            return None
        if self._end_on_board() is not None:
            return None
        return End("fivefold_repetition", None, FIVEFOLD) if fivefold else End("seventyfive_moves", None, SEVENTY_FIVE)

    def _end_on_board(self) -> End | None:
        if self._board.is_checkmate():
            return End("checkmate", _side(not self._board.turn), MATE)
        if self._board.is_stalemate():
            return End("stalemate", None, STALEMATE)
        if self._board.is_insufficient_material():
            return End("insufficient_material", None, MATERIAL)
        return None

    def claimable(self, intended: str | None = None) -> tuple[Claim, ...]:
        """Return the draws that the side to move may claim here, or with an ``intended`` move not yet played.

        The tuple is empty once the game has ended, and for an illegal move.
        """
        if self.end() is not None:
            return ()
        if intended is not None:
            move = read_move(self._board, intended)
            return () if isinstance(move, IllegalMove) else self._claims_after(move)
        return self._claims(self._seen[_key(self._board)], self._board.halfmove_clock)

    def claim(self, claim: Claim, intended: str | None = None) -> End | WrongClaim | IllegalMove:
        """Return the draw that the side to move claims, here or with an ``intended`` move not yet played.

        A claim that is not justified is a `WrongClaim`. If the intended move is illegal, the result is the reason
        (对局结束 13).
        """
        if claim in self.claimable(intended):
            return End(claim, None, _ARTICLES[claim])
        must_play = None
        if intended is not None:
            move = read_move(self._board, intended)
            if isinstance(move, IllegalMove):
                return move
            must_play = self._board.uci(move)
        return WrongClaim(must_play, WRONG_CLAIM)

    def mate_in_one(self) -> str | None:
        """Return the first legal move, in UCI and sorted, that is checkmate, or None."""
        return next((move for move in self.legal() if self._mates(move)), None)

    def _mates(self, move: str) -> bool:
        board = self._board.copy(stack=False)
        board.push_uci(move)
        return board.is_checkmate()

    def right_lapsed(self) -> bool:
        """Return whether the side to move played on without claiming a repetition that it could claim (对局结束 11)."""
        return self._board.turn in self._lapsed

    def claiming_moves(self) -> list[str]:
        """Return the legal moves, in UCI and sorted, with which a draw may be claimed."""
        if self.end() is not None:
            return []
        return sorted(self._board.uci(m) for m in list(self._board.legal_moves) if self._claims_after(m))

    def _claims_after(self, move: chess.Move) -> tuple[Claim, ...]:
        """Return the draws that may be claimed with a move; empty if the move ends the game."""
        self._board.push(move)
        occurrences, quiet = self._seen.get(_key(self._board), 0) + 1, self._board.halfmove_clock
        claims = self._claims(occurrences, quiet)
        over = bool(claims) and self._end_on_board() is not None
        self._board.pop()
        return () if over else claims

    def _claims(self, occurrences: int, quiet_plies: int) -> tuple[Claim, ...]:
        claims: list[Claim] = []
        if occurrences >= self._rules.repetitions:
            claims.append("threefold_repetition")
        if quiet_plies >= 2 * self._rules.quiet_moves:
            claims.append("fifty_moves")
        return tuple(claims)

    def can_win(self, side: Side) -> bool:
        """Return whether ``side`` wins if the other's flag falls.

        Depending on the ruleset, it must have more than its king (000-A 国际象棋, 对局结束 5, 14) or be able to mate at all
        (Laws 6.9).
        """
        colour = self.holder(side) == "white"
        if self._rules.flag_needs == "more_than_king":
            own = self._board.occupied_co[colour]
            return own != own & self._board.kings
        return not self._board.has_insufficient_material(colour)

    def flag_fall(self, fallen: Side) -> Side | None:
        """Return the winner if this side's flag falls, or None for a draw (000-A 国际象棋, 对局结束 5, 14).

        An end that the position has already reached takes precedence.
        """
        end = self.end()
        if end is not None:
            return end.winner
        return other(fallen) if self.can_win(other(fallen)) else None

    def legal(self) -> list[str]:
        """Return the legal moves in UCI, sorted."""
        return sorted(map(self._board.uci, self._board.legal_moves))

    def options(self) -> list[Option]:
        """Return the legal moves, with the square of the captured piece; for en passant, the pawn's own square."""
        board = self._board
        return [Option(board.uci(m), square_name(m.from_square), capture_square(board, m)) for m in board.legal_moves]

    def men(self) -> dict[str, Side]:
        """Return the side of the piece on each occupied square."""
        men = self._board.piece_map().items()
        return {square_name(square): self.holder(_side(man.color)) for square, man in men}

    def castling(self, king: str, rook: str) -> str | None:
        """Return the castling move of this king and rook in UCI, legal or not; None if they are not both at home."""
        return castles(self._board, king, rook)

    def san(self, move: str) -> str | None:
        """Return a legal move in SAN, or None if the move is illegal."""
        chess_move = read_move(self._board, move)
        return None if isinstance(chess_move, IllegalMove) else self._board.san(chess_move)

    def occurrences(self) -> int:
        """Return how many times this position has occurred, including now."""
        return self._seen[_key(self._board)]

    def quiet_plies(self) -> int:
        """Return the number of plies since the last capture or pawn move."""
        return self._board.halfmove_clock

    def text(self) -> str:
        return self._board.shredder_fen() if self._board.chess960 else self._board.fen()

    def facts(self) -> dict[str, str]:
        """Return ``{"black": "white"}`` if White's seat has the black pieces, which a FEN omits, or an empty dict."""
        return {"black": "white"} if self._seats.swapped else {}


def _key(board: chess.Board) -> _Key:
    """Return a key that is equal for equal positions: pieces, side to move, castling rights and possible en passant."""
    black, white = board.occupied_co
    pieces = (white, black, board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    en_passant = board.ep_square if board.has_legal_en_passant() else None
    return (*pieces, int(board.turn), board.clean_castling_rights(), en_passant)


def _side(colour: chess.Color) -> Side:
    return "white" if colour else "black"
