"""Chess: draws without a claim (Laws 9.6) and dead positions (Laws 5.2.2)."""

import random
from dataclasses import replace

import chess
import pytest

from services.games.rules.boards.chess.claims import dead
from services.games.rules.boards.chess.position import DEAD, FIVEFOLD, MATE, SEVENTY_FIVE, STALEMATE, ChessPosition
from services.games.rules.boards.port.claim import ClaimInput
from services.games.rules.boards.port.position import End, LegalMove
from services.games.rules.boards.registry import GAMES, default_rules
from shared.core.readings.claims import ACCUSING_NOBODY
from shared.core.rulebook.game_rules import ChessRules
from shared.core.terms import Moves
from shared.regulations import load
from tests.sampling import POSITIONS

TO_AND_FRO = ("g1f3", "g8f6", "f3g1", "f6g8")
LAWS = load("fide-2026").game.rules["chess"]
LOCKED = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"
"""No king passes and no pawn moves: dead, though both sides have material that could mate."""


def after(*moves: str, fen: str = chess.STARTING_FEN, rules: ChessRules = LAWS) -> ChessPosition:
    position = ChessPosition(chess.Board(fen), rules)
    for move in moves:
        assert isinstance(position.play(move), LegalMove), move
    return position


@pytest.mark.parametrize("name", ["fide-2024", "fide-2026"])
def test_the_fide_sets_have_the_draws_of_the_laws(name):
    rules = load(name).game.rules["chess"]
    assert (rules.automatic_repetitions, rules.automatic_quiet_moves, rules.dead_position) == (5, 75, "stated")


@pytest.mark.parametrize("name", ["campus", "campus-chess"])
def test_the_campus_sets_have_no_draw_without_a_claim(name):
    rules = load(name).game.rules["chess"]
    assert (rules.automatic_repetitions, rules.automatic_quiet_moves, rules.dead_position) == (0, 0, "material")
    assert after(*TO_AND_FRO * 40, rules=rules).end() is None


@pytest.mark.parametrize(("times", "end"), [(4, None), (5, End("fivefold_repetition", None, FIVEFOLD))])
def test_the_fifth_occurrence_ends_the_game(times, end):
    """9.6.1. The start position counts as the first occurrence."""
    assert after(*TO_AND_FRO * (times - 1)).end() == end


def test_occurrences_need_not_follow_each_other():
    """9.6.1: "at least five times" counts occurrences, not cycles in a row."""
    pause = ("b1c3", "b8c6", "c3b1", "c6b8", "g1h3", "g8h6", "h3g1", "h6g8")
    assert after(*TO_AND_FRO, *pause).end() is None
    assert after(*TO_AND_FRO, *pause, *TO_AND_FRO).end().termination == "fivefold_repetition"


def test_lost_rights_make_another_position():
    """9.6.1 counts positions as 9.2.3 does: castling rights are part of a position."""
    rooks = ("h1g1", "h8g8", "g1h1", "g8h8")
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert after(*rooks * 4, fen=fen).end() is None
    assert after(*rooks * 5, fen=fen).end().article == FIVEFOLD


QUIET = "4k2r/8/8/8/8/8/8/4K2R w - - {} 80"


@pytest.mark.parametrize(
    ("plies", "move", "end"),
    [
        (148, "h1h2", None),
        (149, "h1h2", End("seventyfive_moves", None, SEVENTY_FIVE)),
        (149, "h1h8", None),
    ],
    ids=["one ply before", "75 moves by each side", "a capture"],
)
def test_seventy_five_moves_end_the_game(plies, move, end):
    """9.6.2."""
    assert after(move, fen=QUIET.format(plies)).end() == end


def test_a_pawn_move_starts_the_count_again():
    """9.6.2."""
    assert after("a2a3", fen="4k3/8/8/8/8/8/P7/R3K3 w - - 149 80").end() is None


def test_checkmate_takes_precedence_over_seventy_five_moves():
    """9.6.2, last sentence."""
    mated = after("e1e8", fen="6k1/5ppp/8/8/8/8/8/K3R3 w - - 149 90")
    assert mated.end() == End("checkmate", "white", MATE)


def test_stalemate_on_the_last_of_the_moves_is_named():
    assert after("f5f6", fen="5k2/5P2/8/5K2/8/8/8/8 w - - 149 90").end() == End("stalemate", None, STALEMATE)


def test_a_claim_may_announce_the_ending_move():
    """9.2.1: the claim is made before the move, and is right by the third occurrence."""
    before = after(*(TO_AND_FRO * 4)[:-1])
    assert before.claim("threefold_repetition", "f6g8").termination == "threefold_repetition"


def test_moves_after_the_end_do_not_change_it():
    ended = after(*TO_AND_FRO * 4, "e2e4", "e7e5")
    assert ended.end().article == FIVEFOLD and ended.claimable() == () and ended.claiming_moves() == []
    assert ended.fork().end() == ended.end()


def test_a_flag_that_falls_after_the_end_changes_nothing():
    assert after(*TO_AND_FRO * 4).flag_fall("white") is None
    assert after(*TO_AND_FRO * 3).flag_fall("white") == "black"


def test_outside_a_tournament_only_a_claim_draws():
    """Logs without rules of games and questions without a ruleset were decided so."""
    assert after(*TO_AND_FRO * 4, rules=default_rules("chess")).end() is None


@pytest.mark.parametrize(("repetitions", "quiet"), [(5, 0), (0, 75), (5, 75)])
def test_ends_of_random_games_agree_with_python_chess(repetitions, quiet):
    """The library's own predicates, with its whole history of the board, over games that shuffle much."""
    rules = replace(LAWS, automatic_repetitions=repetitions, automatic_quiet_moves=Moves(quiet))
    rng, positions, fivefold, seventy_five = random.Random(20261126), 0, 0, 0
    while positions < POSITIONS or not (fivefold or not repetitions) or not (seventy_five or not quiet):
        clock = rng.choice((0, 120, 140))
        board = chess.Board(rng.choice((chess.STARTING_FEN, f"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - {clock} 90")))
        position = ChessPosition(board.copy(), rules)
        while board.ply() < 420:
            five, moves = board.is_fivefold_repetition(), board.is_seventyfive_moves()
            over = board.is_checkmate() or board.is_stalemate() or board.is_insufficient_material()
            end = position.end()
            assert (end is not None) == (over or bool(repetitions and five) or bool(quiet and moves))
            if end is not None:
                fivefold += end.termination == "fivefold_repetition"
                seventy_five += end.termination == "seventyfive_moves"
                assert not (board.is_checkmate() and end.termination != "checkmate")
                break
            legal, back = sorted(move.uci() for move in board.legal_moves), None
            if len(board.move_stack) > 1:
                earlier = board.move_stack[-2].uci()
                back = earlier[2:4] + earlier[:2]
            quiet_moves = [m for m in legal if not board.is_zeroing(chess.Move.from_uci(m))] or legal
            move = back if back in legal and rng.random() < 0.8 else rng.choice(quiet_moves)
            board.push_uci(move)
            position.play(move)
            positions += 1


# ---------------------------------------------------------------- 5.2.2: dead positions


def stated(fen: str, rules: ChessRules = LAWS, by_arbiter: bool = True, move: str | None = None):
    return dead(ClaimInput("dead_position", None, move, by_arbiter, rules, after(fen=fen, rules=rules), ()))


def test_a_dead_position_that_an_arbiter_states_is_drawn():
    assert after(fen=LOCKED).end() is None, "the program does not recognise it"
    verdict = stated(LOCKED)
    assert verdict.upheld and verdict.end == End("dead_position", None, DEAD)


def test_a_side_alone_proves_no_dead_position():
    verdict = stated(LOCKED, by_arbiter=False)
    assert not verdict.upheld and verdict.end is None and not verdict.findings


def test_a_position_with_a_mate_in_one_is_not_dead():
    refusal = stated("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")
    assert refusal.code == "not-dead" and "e1e8 is checkmate" in str(refusal.detail)


def test_only_listed_endings_are_dead_by_000_a():
    """000-A 国际象棋, 对局结束 4."""
    refusal = stated(LOCKED, load("campus").game.rules["chess"])
    assert refusal.code == "claim-not-in-rules" and "对局结束 4" in refusal.article


def test_a_dead_position_names_no_move():
    assert stated(LOCKED, move="e1e2").code == "move-not-asked"


def test_claims_that_accuse_nobody_are_the_unproved_ones():
    assert {claim.name for game in GAMES.values() for claim in game.claims if claim.unproved} == set(ACCUSING_NOBODY)
