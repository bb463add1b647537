"""Chases 捉: new threats to win an unprotected piece (002-X 27.1, 27.2, 28.3, 28.5, 28.6, 29)."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.exchange import Capture, is_piece, is_protected, scale, winning_captures
from services.games.rules.boards.xiangqi.geometry import KING, PAWN
from services.games.rules.boards.xiangqi.threats import Line, checks, mate, mates_if_free, mating_checks
from shared.core.rulebook.game_rules import XiangqiRules

_IDLE: Final = {True: frozenset({KING}), False: frozenset({KING, PAWN})}
"""The kinds whose own chases are idle, by whether a pawn's own chase counts."""


@dataclass(frozen=True, slots=True)
class Chase:
    """A threat to win the piece on ``prey``. ``capture``: the capture that wins it.

    ``line``: the checks and answers before the capture, which is its last move; empty if the capture is possible at
    once.
    """

    prey: int
    capture: Capture
    line: Line = ()


class Chases(NamedTuple):
    """The chases of a move. ``excused``: the articles by which winning captures are not chases."""

    made: tuple[Chase, ...]
    excused: tuple[str, ...]


_Captures = dict[tuple[int, int], Capture]
"""Captures by points of taker and prey."""
_Far = dict[int, Chase]
"""Chases by point of the prey."""


class Sight:
    """The threats of positions under one set of rules, each computed once. Boards are left unchanged."""

    def __init__(self, rules: XiangqiRules) -> None:
        self._rules = rules
        self._worth = scale(rules.worth)
        self._mates: dict[bytes, Line] = {}
        self._captures: dict[bytes, _Captures] = {}
        self._far: dict[tuple[bytes, bool], _Far] = {}

    def mate(self, board: Board) -> Line:
        """Return the line by which the side to move would mate by checks alone (28.2), or an empty line."""
        key = board.key()
        if key not in self._mates:
            self._mates[key] = mate(board, self._rules.mate_within)
        return self._mates[key]

    def mate_stood(self, board: Board, move: int) -> bool:
        """Return whether each mate threatened after a move of the side to move was threatened before it.

        It must have been threatened by the same piece, by a check on the same point.
        """
        after = board.fork()
        after.make(move)
        after.pass_move()
        within = self._rules.mate_within
        for check in mating_checks(after, within):
            before = (move >> 7) << 7 | check & 127 if check >> 7 == move & 127 else check
            if not mates_if_free(board, before, within):
                return False
        return True

    def chases(self, board: Board, move: int, pawns: bool) -> Chases:
        """Return the new chases of a move of the side to move, not made before it (29.2).

        A king's chases do not count (27.1). A pawn's chases count only if ``pawns`` is true (27.2).
        """
        idle = _IDLE[pawns]
        before = self._near(board)
        moved = {(move & 127 if taker == move >> 7 else taker, prey) for taker, prey in before}
        board.make(move)
        board.pass_move()
        new, excused = [], set[str]()
        for (taker, prey), capture in sorted(self._near(board).items()):
            kind = board.squares[taker] & 7
            if (taker, prey) in moved:
                excused.add("29.2")
            elif kind in idle:
                excused.add("27.1" if kind == KING else "27.2")
            elif self._safe(board, capture.move):
                new.append(Chase(prey, capture))
            else:
                excused.add("29.4")
        far = {} if new else self._by_checks(board, pawns)
        board.pass_move()
        board.unmake()
        if far:
            known = {prey for taker, prey in before if board.squares[taker] & 7 not in idle} | set(
                self._by_checks(board, pawns)
            )
            new = [chase for prey, chase in sorted(far.items()) if prey not in known]
        return Chases(tuple(new), tuple(sorted(excused)))

    def _near(self, board: Board) -> _Captures:
        """Return the captures by which the side to move wins a piece at once, whatever the answer.

        Offers to exchange 兑 or to be taken 献 are left out.
        """
        key = board.key()
        if key not in self._captures:
            self._captures[key] = {
                (capture.move >> 7, prey): capture
                for prey in sorted(board.men[1 - board.turn])
                if is_piece(board.squares[prey], prey)
                for capture in winning_captures(board, prey, self._worth)
                if not self._is_offer(board, capture.move)
            }
        return self._captures[key]

    def _is_offer(self, board: Board, move: int) -> bool:
        """Return whether the piece that a capture takes is of the same kind and could take the capturing piece as well.

        That is an offer to exchange 兑 (28.5), or to be taken 献 (28.6). Different pieces of equal worth 同等子力 never
        attack each other: a horse and a cannon cannot.
        """
        taker, prey = move >> 7, move & 127
        if board.squares[taker] & 7 != board.squares[prey] & 7:
            return False
        board.pass_move()
        back = prey << 7 | taker
        free = back in board.moves_of(prey) and not board.leaves_king(back)
        board.pass_move()
        return free

    def _safe(self, board: Board, move: int) -> bool:
        """Return whether the side that plays this capture is not mated in return (29.4)."""
        board.make(move)
        mated = mate(board, self._rules.sound_within)
        board.unmake()
        return not mated

    def _by_checks(self, board: Board, pawns: bool) -> _Far:
        """Return the unprotected pieces (29.3) that are lost after checks, whatever the answers (29.1).

        ``pawns``: a capture by a pawn counts.
        """
        key = board.key(), pawns
        if key not in self._far:
            chases = self._won_after(board, self._rules.chase_within, pawns)
            self._far[key] = {prey: chase for prey, chase in chases.items() if not is_protected(board, prey)}
        return self._far[key]

    def _won_after(self, board: Board, within: int, pawns: bool) -> _Far:
        chases: _Far = {}
        for check in checks(board) if within else ():
            if board.squares[check & 127]:
                continue
            board.make(check)
            lost = self._lost_to(board, check, within, pawns)
            board.unmake()
            for prey, chase in lost.items():
                chases.setdefault(prey, chase)
        return chases

    def _lost_to(self, board: Board, check: int, within: int, pawns: bool) -> _Far:
        """Return the pieces that are lost after the ``check`` just made, whatever the answer.

        They are given by their points before the answer. ``within``: the maximum number of checks, this one included.
        ``pawns``: a capture by a pawn counts.
        """
        common: _Far | None = None
        for answer in sorted(board.legal_moves()):
            if board.squares[answer & 127]:
                return {}
            board.make(answer)
            lost = self._won_after(board, within - 1, pawns)
            for (taker, prey), capture in self._near(board).items():
                if board.squares[taker] & 7 not in _IDLE[pawns] and self._safe(board, capture.move):
                    lost[prey] = Chase(prey, capture, (capture.move,))
            board.unmake()
            here = {answer >> 7 if prey == answer & 127 else prey: chase for prey, chase in lost.items()}
            common = {
                prey: Chase(prey, chase.capture, (check, answer, *chase.line))
                for prey, chase in here.items()
                if common is None or prey in common
            }
            if not common:
                return {}
        return common or {}
