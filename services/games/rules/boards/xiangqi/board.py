"""A xiangqi board: moves made and unmade, legal moves, check (002-X 2.2, 2.3, 3.1)."""

from typing import Final

from services.games.rules.boards.xiangqi.geometry import (
    ADVISOR,
    ADVISOR_STEPS,
    ALONG_FILE,
    ALONG_RANK,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    ELEPHANT_STEPS,
    HORSE,
    HORSE_STEPS,
    HORSES_ON,
    KING,
    KING_STEPS,
    NEAR,
    PAWN,
    PAWN_STEPS,
    PAWNS_ON,
    RED,
    WAYS,
)

_RANK: Final = tuple(point // 9 for point in range(90))
_FILE: Final = tuple(point % 9 for point in range(90))


class Board:
    """Pieces on points, and the side to move. ``quiet`` counts the plies since the last capture.

    ``men`` are the pieces of each side by point. They are read directly, but changed only by `make`, `unmake` and
    `pass_move`.
    """

    __slots__ = ("_files", "_kings", "_ranks", "_taken", "men", "quiet", "squares", "turn")

    def __init__(self, squares: list[int], turn: int, quiet: int = 0) -> None:
        """Set up a board. ``squares``: ninety pieces by point, with one king on each side."""
        self.squares = squares
        self.turn = turn
        self.quiet = quiet
        self._ranks = [sum(1 << file for file in range(9) if squares[rank * 9 + file]) for rank in range(10)]
        self._files = [sum(1 << rank for rank in range(10) if squares[rank * 9 + file]) for file in range(9)]
        self.men = tuple(
            {point: man for point, man in enumerate(squares) if man and man >> 3 == side} for side in (RED, BLACK)
        )
        self._kings = [squares.index(KING), squares.index(KING | 8)]
        self._taken: list[tuple[int, int, int]] = []

    def fork(self) -> "Board":
        """Return a copy, in which moves made so far cannot be undone."""
        return Board(self.squares.copy(), self.turn, self.quiet)

    def key(self) -> bytes:
        """Return a key that is equal for two boards exactly if pieces and side to move are equal."""
        return bytes([*self.squares, self.turn])

    def king(self, side: int) -> int:
        return self._kings[side]

    # ------------------------------------------------------------ moving

    def make(self, move: int) -> None:
        """Play a move of the side to move. Its legality is not checked."""
        origin, end = move >> 7, move & 127
        squares, turn = self.squares, self.turn
        man, taken = squares[origin], squares[end]
        self._taken.append((move, taken, self.quiet))
        squares[end] = man
        squares[origin] = 0
        self._ranks[_RANK[origin]] &= ~(1 << _FILE[origin])
        self._files[_FILE[origin]] &= ~(1 << _RANK[origin])
        mine = self.men[turn]
        del mine[origin]
        mine[end] = man
        if taken:
            del self.men[1 - turn][end]
            self.quiet = 0
        else:
            self._ranks[_RANK[end]] |= 1 << _FILE[end]
            self._files[_FILE[end]] |= 1 << _RANK[end]
            self.quiet += 1
        if man & 7 == KING:
            self._kings[turn] = end
        self.turn = 1 - turn

    def unmake(self) -> int:
        """Undo the last move, and return it."""
        move, taken, self.quiet = self._taken.pop()
        origin, end = move >> 7, move & 127
        squares = self.squares
        self.turn = turn = 1 - self.turn
        man = squares[end]
        squares[origin] = man
        squares[end] = taken
        self._ranks[_RANK[origin]] |= 1 << _FILE[origin]
        self._files[_FILE[origin]] |= 1 << _RANK[origin]
        mine = self.men[turn]
        del mine[end]
        mine[origin] = man
        if taken:
            self.men[1 - turn][end] = taken
        else:
            self._ranks[_RANK[end]] &= ~(1 << _FILE[end])
            self._files[_FILE[end]] &= ~(1 << _RANK[end])
        if man & 7 == KING:
            self._kings[turn] = origin
        return move

    def pass_move(self) -> None:
        """Give the move to the other side, to find a side's threats."""
        self.turn = 1 - self.turn

    # ------------------------------------------------------------ check

    def is_attacked(self, point: int, by: int) -> bool:
        """Return whether a king on ``point`` would be in check 将 by side ``by``, facing kings included."""
        squares, black = self.squares, by << 3
        chariot, cannon = CHARIOT | black, CANNON | black
        _, first, second = ALONG_RANK[point << 10 | self._ranks[_RANK[point]]]
        for met in first:
            if squares[met] == chariot:
                return True
        for met in second:
            if squares[met] == cannon:
                return True
        _, first, second = ALONG_FILE[point << 10 | self._files[_FILE[point]]]
        for met in first:
            if squares[met] == chariot or squares[met] == KING | black:
                return True
        for met in second:
            if squares[met] == cannon:
                return True
        horse, pawn = HORSE | black, PAWN | black
        for origin, leg in HORSES_ON[point]:
            if squares[origin] == horse and not squares[leg]:
                return True
        return any(squares[origin] == pawn for origin in PAWNS_ON[by][point])

    def is_in_check(self, side: int) -> bool:
        return self.is_attacked(self._kings[side], 1 - side)

    def kings_face(self) -> bool:
        """Return whether the kings are on one file with nothing between them 将帅对面 (002-X 2.2)."""
        king = self._kings[RED]
        return self._kings[BLACK] in ALONG_FILE[king << 10 | self._files[_FILE[king]]][1]

    def leaves_king(self, move: int) -> bool:
        """Return whether the side to move would be in check after this move."""
        return self.checks_after(move, self.turn)

    def checks_after(self, move: int, side: int) -> bool:
        """Return whether the king of ``side`` would be in check after a move of the side to move."""
        origin, end = move >> 7, move & 127
        squares, ranks, files = self.squares, self._ranks, self._files
        man, taken = squares[origin], squares[end]
        rank, file, to_rank, to_file = _RANK[origin], _FILE[origin], _RANK[end], _FILE[end]
        before = ranks[rank], files[file], ranks[to_rank], files[to_file]
        squares[end], squares[origin] = man, 0
        ranks[rank] &= ~(1 << file)
        files[file] &= ~(1 << rank)
        ranks[to_rank] |= 1 << to_file
        files[to_file] |= 1 << to_rank
        king = end if man & 7 == KING and man >> 3 == side else self._kings[side]
        checked = self.is_attacked(king, 1 - side)
        squares[origin], squares[end] = man, taken
        ranks[to_rank], files[to_file] = before[2], before[3]
        ranks[rank], files[file] = before[0], before[1]
        return checked

    # ------------------------------------------------------------ moves

    def moves_of(self, point: int) -> list[int]:
        """Return the moves of the piece on ``point``, ignoring the safety of its own king (002-X 2.2, 2.3)."""
        squares = self.squares
        man = squares[point]
        side, base = man >> 3, point << 7
        match man & 7:
            case 5 | 6 as kind:
                beside, first, second = ALONG_RANK[point << 10 | self._ranks[_RANK[point]]]
                ahead, first_ahead, second_ahead = ALONG_FILE[point << 10 | self._files[_FILE[point]]]
                targets = (*first, *first_ahead) if kind == CHARIOT else (*second, *second_ahead)
                return [*beside, *ahead, *(base | end for end in targets if squares[end] >> 3 != side)]
            case 4:
                return [
                    base | end
                    for leg, ends in HORSE_STEPS[point]
                    if not squares[leg]
                    for end in ends
                    if not (squares[end] and squares[end] >> 3 == side)
                ]
            case 3:
                ends = tuple(end for eye, end in ELEPHANT_STEPS[point] if not squares[eye])
            case 1:
                ends = KING_STEPS[side][point]
            case 2:
                ends = ADVISOR_STEPS[side][point]
            case _:
                ends = PAWN_STEPS[side][point]
        return [base | end for end in ends if not (squares[end] and squares[end] >> 3 == side)]

    def pseudo_moves(self) -> list[int]:
        """Return all moves of the side to move, ignoring the safety of its own king."""
        return [move for point in self.men[self.turn] for move in self.moves_of(point)]

    def legal_moves(self) -> list[int]:
        """Return all legal moves of the side to move, unordered."""
        turn = self.turn
        king = self._kings[turn]
        if self.is_attacked(king, 1 - turn):
            return [move for move in self._answers(king) if not self.leaves_king(move)]
        shields, gaps = self._shields(king, turn)
        legal: list[int] = []
        for point in self.men[turn]:
            moves = self.moves_of(point)
            if point in shields:
                moves = [move for move in moves if not self.leaves_king(move)]
            elif gaps:
                moves = [move for move in moves if move & 127 not in gaps or not self.leaves_king(move)]
            legal += moves
        return legal

    def can_move(self) -> bool:
        """Return whether the side to move has a legal move."""
        king = self._kings[self.turn]
        moves = self._answers(king) if self.is_attacked(king, 1 - self.turn) else self.pseudo_moves()
        return any(not self.leaves_king(move) for move in moves)

    def _answers(self, king: int) -> list[int]:
        """Return the moves that could end a check of the king on this point. Some of them may be illegal."""
        near = NEAR[king]
        return [move for move in self.pseudo_moves() if move & 127 in near or move >> 7 in near]

    def _shields(self, king: int, turn: int) -> tuple[set[int], tuple[int, ...]]:
        """Return, for a king not in check, the points of its shields and the gaps before cannons.

        Shields are pieces that may expose the king by moving off (itself included). Gaps are empty points on which a
        piece would become a cannon's screen.
        """
        squares, black = self.squares, (1 - turn) << 3
        chariot, cannon, horse, facing = CHARIOT | black, CANNON | black, HORSE | black, KING | black
        shields = {king}
        gaps: tuple[int, ...] = ()
        for line in WAYS[king]:
            met = [point for point in line if squares[point]][:3]
            if not met:
                continue
            if squares[met[0]] == cannon:
                gaps += line[: line.index(met[0])]
            if len(met) > 1 and (squares[met[1]] == chariot or squares[met[1]] == facing):
                shields.add(met[0])
            if len(met) > 2 and squares[met[2]] == cannon:
                shields.update(met[:2])
        for origin, leg in HORSES_ON[king]:
            if squares[origin] == horse:
                shields.add(leg)
        return shields, gaps

    def takers(self, point: int) -> list[int]:
        """Return all moves of the side to move that capture on ``point``, ignoring the safety of its own king."""
        turn, squares, black = self.turn, self.squares, self.turn << 3
        chariot, cannon, horse, pawn = CHARIOT | black, CANNON | black, HORSE | black, PAWN | black
        _, first, second = ALONG_RANK[point << 10 | self._ranks[_RANK[point]]]
        _, first_ahead, second_ahead = ALONG_FILE[point << 10 | self._files[_FILE[point]]]
        origins = [met for met in (*first, *first_ahead) if squares[met] == chariot]
        origins += [met for met in (*second, *second_ahead) if squares[met] == cannon]
        origins += [origin for origin, leg in HORSES_ON[point] if squares[origin] == horse and not squares[leg]]
        origins += [origin for origin in PAWNS_ON[turn][point] if squares[origin] == pawn]
        origins += [origin for origin in KING_STEPS[turn][point] if squares[origin] == KING | black]
        origins += [origin for origin in ADVISOR_STEPS[turn][point] if squares[origin] == ADVISOR | black]
        origins += [
            origin for eye, origin in ELEPHANT_STEPS[point] if squares[origin] == ELEPHANT | black and not squares[eye]
        ]
        return [origin << 7 | point for origin in origins]
