"""Chess: claims of a draw, fallen flags, and the library held against known counts (000-A 国际象棋, H rows)."""

import random
from dataclasses import replace

import chess
import pytest

from services.games.rules.boards.chess.position import FIFTY_MOVES, REPETITION, WRONG_CLAIM, ChessPosition, WrongClaim
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove
from services.games.rules.boards.registry import default_rules
from tests.sampling import POSITIONS

TO_AND_FRO = ("g1f3", "g8f6", "f3g1", "f6g8")


def after(*moves: str, fen: str = chess.STARTING_FEN, **rules) -> ChessPosition:
    position = ChessPosition(chess.Board(fen), replace(default_rules("chess"), **rules))
    for move in moves:
        assert isinstance(position.play(move), LegalMove), move
    return position


# ---------------------------------------------------------------- 对局结束 10-11: the third occurrence


def test_the_third_occurrence_may_be_claimed_and_ends_nothing_by_itself():
    position = after(*TO_AND_FRO, *TO_AND_FRO)
    assert position.claimable() == ("threefold_repetition",)
    assert position.end() is None


def test_the_second_occurrence_is_not_enough():
    assert after(*TO_AND_FRO).claimable() == ()


def test_the_third_occurrence_may_be_claimed_with_the_move_that_makes_it():
    """10 (1): 准备走出该着法."""
    position = after(*TO_AND_FRO, *TO_AND_FRO[:3])
    assert position.claimable() == ()
    assert position.claimable("f6g8") == position.claimable("Ng8") == ("threefold_repetition",)
    assert position.claiming_moves() == ["f6g8"]


def test_an_intended_move_is_not_played_by_the_claim():
    position = after(*TO_AND_FRO, *TO_AND_FRO[:3])
    before = position.text()
    position.claimable("f6g8")
    position.claiming_moves()
    assert position.text() == before and position.to_move() == "black"


def test_an_illegal_intended_move_claims_nothing():
    assert after(*TO_AND_FRO, *TO_AND_FRO[:3]).claimable("f6g4g8") == ()


def test_the_right_is_lost_by_moving_and_comes_back_with_the_position():
    """11."""
    position = after(*TO_AND_FRO, *TO_AND_FRO, "e2e4")
    assert position.claimable() == ()
    back = after(*TO_AND_FRO, *TO_AND_FRO, *TO_AND_FRO)
    assert back.claimable() == ("threefold_repetition",)


def test_five_occurrences_end_nothing_either():
    """The text has no automatic end; the Laws' 9.6 is not adopted."""
    position = after(*TO_AND_FRO * 4)
    assert position.end() is None and position.claimable() == ("threefold_repetition",)


def test_lost_castling_makes_another_position():
    """10: 易位的权利."""
    rooks = ("h1g1", "h8g8", "g1h1", "g8h8")
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert after(*rooks * 2, fen=fen).claimable() == ()
    assert after(*rooks * 3, fen=fen).claimable() == ("threefold_repetition",)


def test_en_passant_counts_only_where_it_can_be_played():
    """10: 吃过路兵的权利."""
    kings = ("g8h8", "g1h1", "h8g8", "h1g1")
    playable = "6k1/8/8/8/4p3/8/3P4/6K1 w - - 0 1"
    assert after("d2d4", *kings * 2, fen=playable).claimable() == ()
    idle = "6k1/8/8/8/7p/8/3P4/6K1 w - - 0 1"
    assert after("d2d4", *kings * 2, fen=idle).claimable() == ("threefold_repetition",)


def test_a_position_with_the_other_side_to_move_is_another():
    """10 (2): 每次都轮到同一方行棋."""
    loses_a_move = ("e1d1", "e8e7", "d1d2", "e7e8", "d2e1")
    again = ("e8e7", "e1d1", "e7e8", "d1e1")
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    assert after(*loses_a_move, *again, fen=fen).claimable() == (), "once White's turn, twice Black's"
    assert after(*loses_a_move, *again, *again, fen=fen).claimable() == ("threefold_repetition",)


# ---------------------------------------------------------------- 对局结束 12: fifty moves

QUIET = "4k2r/8/8/8/8/8/8/4K2R w - - {} 80"


def test_fifty_moves_may_be_claimed_and_end_nothing_even_at_seventy_five():
    position = after("h1h2", fen=QUIET.format(149))
    assert position.claimable() == ("fifty_moves",)
    assert position.end() is None


def test_one_ply_before_fifty_moves_the_quiet_moves_claim_and_captures_do_not():
    position = after(fen=QUIET.format(99))
    assert position.claimable() == ()
    assert "h1h2" in position.claiming_moves()
    assert "h1h8" not in position.claiming_moves()
    assert position.claimable("h1h2") == ("fifty_moves",)


def test_a_pawn_move_starts_the_count_again():
    position = after("a2a3", fen="4k3/8/8/8/8/8/P7/R3K3 w - - 100 80")
    assert position.claimable() == () and position.quiet_plies() == 0


def test_the_move_that_mates_leaves_nothing_to_claim():
    mating = after(fen="6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80")
    assert mating.claimable("e1e8") == ()
    mated = after("e1e8", fen="6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80")
    assert mated.end().termination == "checkmate" and mated.claimable() == () and mated.claiming_moves() == []


def test_the_numbers_are_the_regulations():
    assert after(*TO_AND_FRO, repetitions=2).claimable() == ("threefold_repetition",)
    assert after("h1h2", fen=QUIET.format(79), quiet_moves=40).claimable() == ("fifty_moves",)
    assert "对局结束 10" in REPETITION and "对局结束 12" in FIFTY_MOVES


def test_a_fork_keeps_the_history_and_goes_its_own_way():
    position = after(*TO_AND_FRO, *TO_AND_FRO[:3])
    fork = position.fork()
    fork.play("f6g8")
    assert fork.claimable() == ("threefold_repetition",)
    assert position.claimable() == ()


# ---------------------------------------------------------------- 对局结束 13: the claim decided


def test_a_right_claim_draws_the_game():
    """13 (1)."""
    appeared = after(*TO_AND_FRO, *TO_AND_FRO)
    assert appeared.claim("threefold_repetition") == End("threefold_repetition", None, REPETITION)
    about_to = after(*TO_AND_FRO, *TO_AND_FRO[:3])
    assert about_to.claim("threefold_repetition", "Ng8") == End("threefold_repetition", None, REPETITION)
    assert after(fen=QUIET.format(100)).claim("fifty_moves") == End("fifty_moves", None, FIFTY_MOVES)


def test_after_a_wrong_claim_the_announced_move_must_be_played():
    """13 (2)."""
    wrong = after(*TO_AND_FRO).claim("threefold_repetition", "Nf3")
    assert wrong == WrongClaim("g1f3", WRONG_CLAIM)
    assert after().claim("fifty_moves") == WrongClaim(None, WRONG_CLAIM)


def test_a_claim_of_the_other_kind_is_wrong():
    assert isinstance(after(*TO_AND_FRO, *TO_AND_FRO).claim("fifty_moves"), WrongClaim)


def test_a_claim_with_an_illegal_move_is_none():
    assert isinstance(after().claim("threefold_repetition", "Ke3"), IllegalMove)


# ---------------------------------------------------------------- 对局结束 5, 14: flags


@pytest.mark.parametrize(
    "fen, fallen, by_seed, by_laws",
    [
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "white", None, None),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "black", "white", "white"),
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "white", None, None),
        ("8/8/4k3/8/8/3KN3/8/8 b - - 0 1", "black", None, None),  # drawn before the flag fell (4 (2))
        ("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", "black", "white", None),  # the two texts differ
        (chess.STARTING_FEN, "white", "black", "black"),
    ],
)
def test_a_lone_king_cannot_win_by_a_flag(fen, fallen, by_seed, by_laws):
    assert after(fen=fen, flag_needs="more_than_king").flag_fall(fallen) == by_seed
    assert after(fen=fen, flag_needs="possible_mate").flag_fall(fallen) == by_laws


# ---------------------------------------------------------------- the library, held against others

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def perft(position: ChessPosition, depth: int) -> int:
    moves = position.legal()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        fork = position.fork()
        assert fork.play(move) == LegalMove(move)
        count += perft(fork, depth - 1)
    return count


@pytest.mark.parametrize(
    "fen, counts",
    [
        (chess.STARTING_FEN, (20, 400, 8_902, 197_281)),
        (KIWIPETE, (48, 2_039, 97_862)),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812, 43_238)),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486, 62_379)),
    ],
)
def test_known_numbers_of_move_sequences(fen, counts):
    for depth, count in enumerate(counts, 1):
        assert perft(after(fen=fen), depth) == count


def test_positions_of_random_games_agree_with_python_chess():
    """Legal moves, ends and claims, against the library's own board with its whole history."""
    rng, positions = random.Random(20261121), 0
    while positions < POSITIONS:
        board, position = chess.Board(), ChessPosition()
        shuffles = rng.random() < 0.3
        while position.end() is None and board.ply() < 160:
            legal = position.legal()
            assert legal == sorted(m.uci() for m in board.legal_moves)
            assert ("threefold_repetition" in position.claimable()) == board.is_repetition(3)
            assert ("fifty_moves" in position.claimable()) == board.is_fifty_moves()
            if positions % 50 == 0:
                claims = board.can_claim_threefold_repetition() or board.can_claim_fifty_moves()
                assert bool(position.claimable() or position.claiming_moves()) == claims
            back = chess.Move(board.peek().to_square, board.peek().from_square).uci() if board.move_stack else ""
            earlier = board.move_stack[-2].uci() if len(board.move_stack) > 1 else ""
            undone = earlier[2:4] + earlier[:2]
            move = (
                undone if shuffles and undone in legal and back != undone and rng.random() < 0.8 else rng.choice(legal)
            )
            board.push_uci(move)
            position.play(move)
            positions += 1
        over = board.is_checkmate() or board.is_stalemate() or board.is_insufficient_material()
        assert (position.end() is not None) == over
