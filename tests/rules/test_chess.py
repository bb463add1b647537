"""Chess behind the port: legality, natural ends, and who can still win."""

import chess
import pytest

from services.games.rules.boards.chess.move_texts import ILLEGAL
from services.games.rules.boards.chess.position import MATE, MATERIAL, STALEMATE, ChessPosition
from services.games.rules.boards.port.position import End, LegalMove
from tests.builders import why


def at(fen: str) -> ChessPosition:
    return ChessPosition(chess.Board(fen))


@pytest.mark.parametrize(
    "said, written",
    [("e4", "e2e4"), ("e2e4", "e2e4"), ("Nf3", "g1f3"), ("g1f3", "g1f3")],
)
def test_moves_are_read_in_uci_and_san_and_written_in_uci(said, written):
    assert ChessPosition().play(said) == LegalMove(written)


@pytest.mark.parametrize(
    "fen, said, written",
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "e1g1"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a7a8n"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q", "a7a8q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", "e5d6"),
    ],
)
def test_castling_promotion_and_en_passant_have_one_writing(fen, said, written):
    assert at(fen).play(said) == LegalMove(written)


@pytest.mark.parametrize(
    "fen, said, reason",
    [
        (chess.STARTING_FEN, "e3e4", "e3 is empty"),
        (chess.STARTING_FEN, "e7e5", "the piece on e7 is the opponent's"),
        (chess.STARTING_FEN, "e2e5", "the pawn on e2 cannot move like this"),
        (chess.STARTING_FEN, "Ke2", "none of the pieces can make this move"),
        (chess.STARTING_FEN, "--", "a pass is not a move"),
        (chess.STARTING_FEN, "0000", "a pass is not a move"),
        (chess.STARTING_FEN, "炮二平五", "this is neither UCI nor SAN"),
        (chess.STARTING_FEN, "", "this is neither UCI nor SAN"),
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "a1a2", "the king would be left in check"),
        ("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3", "the king would be left in check"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "the move does not state the piece to which the pawn is promoted"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", "the king on e1 cannot move like this"),
        ("4k3/8/8/8/8/1N6/8/K4N2 w - - 0 1", "Nd2", "more than one piece can make this move: b3d2, f1d2"),
    ],
)
def test_an_illegal_move_says_why_and_changes_nothing(fen, said, reason):
    position = at(fen)
    before = position.text()
    assert why(position.play(said)) == (reason, ILLEGAL)
    assert position.text() == before


# 000-A 国际象棋, 对局结束 1, 3, 4
@pytest.mark.parametrize(
    "fen, end",
    [
        ("4R1k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", End("checkmate", "white", MATE)),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", End("checkmate", "black", MATE)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", End("stalemate", None, STALEMATE)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", End("insufficient_material", None, MATERIAL)),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", End("insufficient_material", None, MATERIAL)),
        ("4k3/8/8/8/8/8/8/4KN2 b - - 0 1", End("insufficient_material", None, MATERIAL)),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", End("insufficient_material", None, MATERIAL)),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", None),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", None),
        (chess.STARTING_FEN, None),
    ],
)
def test_how_a_position_ends_the_game(fen, end):
    assert at(fen).end() == end


def test_repetition_and_fifty_moves_end_nothing_without_a_claim():
    """000-A 国际象棋, 对局结束 10 and 12: on a claim only."""
    position = ChessPosition()
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 5:
        position.play(move)
    assert position.end() is None
    assert at("4k3/8/8/8/8/8/P7/4K3 w - - 160 120").end() is None


# 000-A 国际象棋, 对局结束 5 and 14
@pytest.mark.parametrize(
    "fen, white, black",
    [
        (chess.STARTING_FEN, True, True),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", True, False),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", False, True),
        ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", True, False),
        ("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", False, True),
        ("4k2p/8/8/8/8/8/8/4KN2 w - - 0 1", True, True),
    ],
)
def test_who_can_still_win(fen, white, black):
    position = at(fen)
    assert (position.can_win("white"), position.can_win("black")) == (white, black)


def test_a_fork_is_played_on_alone():
    position = ChessPosition()
    fork = position.fork()
    fork.play("e4")
    assert (position.to_move(), fork.to_move()) == ("white", "black")
