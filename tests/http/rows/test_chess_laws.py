"""Rows of chess that FIDE's Laws alone have (H18-H20): draws without a claim (9.6), and dead positions (5.2.2)."""

from pathlib import Path
from typing import Any

import chess
import pytest

from tests.http.boards import Board, G, T, board
from tests.http.rows.answers import article, claim, code, followed, result, rulings
from tests.rows.marks import plays, row

SETS = ("fide-2024", "fide-2026")
FIVE_TIMES = "g1f3 g8f6 f3g1 f6g8 " * 4
"""The start position for the fifth time."""
QUIET = "4k2r/8/8/8/8/8/8/4K2R w - - 148 80"
MATES = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 149 90"
LOCKED = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"
"""No king passes and no pawn moves."""


def under(number: str) -> list[Any]:
    return [pytest.param(name, marks=row(number, under=name)) for name in SETS]


def start(b: Board, position: str) -> None:
    followed(b.call("POST", f"{G}/start", {"position": position}, "arbiter"))


def ended(answer: Any) -> dict[str, Any]:
    """The data of the end of the game, which this answer brought."""
    event = answer["events"][-1]
    assert event["type"] == "arbiter.game.ended.v1"
    data: dict[str, Any] = event["data"]
    return data


def nothing_more_is_taken(b: Board, ply: int) -> None:
    """Moves, a resignation, a flag, an offer and moves taken back are refused, and the result stays."""
    before = result(b)
    assert code(b.moves("e2e4", ply)) == (409, "game-over")
    for role in ("player", "arbiter"):
        resigned = {"claim": "resignation", "side": "white"}
        assert code(b.call("POST", f"{G}/claims", resigned, role)) == (409, "game-over")
    assert code(b.call("POST", f"{G}/claims", {"claim": "flag", "side": "black"}, "arbiter")) == (409, "game-over")
    assert code(b.call("POST", f"{G}/offers", {"offer": "draw", "side": "white"}, "player")) == (409, "game-over")
    back = {"to_ply": 0, "reason": "misrecorded"}
    assert code(b.call("POST", f"{G}/take-back", back, "arbiter")) == (409, "game-over")
    assert result(b) == before and rulings(b) == []


@plays("game.chess.automatic_repetitions", 5)
@pytest.mark.parametrize("regulations", under("H18"))
def test_the_fifth_occurrence_draws_without_a_claim(tmp_path: Path, regulations: str) -> None:
    """Laws 9.6.1."""
    with board(tmp_path, "chess", regulations) as b:
        followed(b.moves(FIVE_TIMES.rsplit(" ", 2)[0]))
        assert result(b) is None and b.get().json["status"] == "playing"
        end = ended(followed(b.moves("f6g8", 16)))
        assert (end["termination"], end["article"]) == ("fivefold_repetition", "Laws 9.6.1")
        game = b.get().json
        assert (game["status"], game["result"]["notation"], game["ply"]) == ("decided", "1/2-1/2", 16)
        nothing_more_is_taken(b, 17)


@pytest.mark.parametrize("form", ["batch", "pgn"])
def test_moves_beyond_the_fifth_occurrence_are_refused(tmp_path: Path, form: str) -> None:
    """As after a checkmate: nothing of the batch or of the file is kept."""
    with board(tmp_path, "chess", "fide-2026") as b:
        if form == "batch":
            answer = b.moves(FIVE_TIMES + "e2e4")
        else:
            pgn = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 4) + " e4 1-0"
            answer = b.file('[Result "1-0"]\n\n' + pgn + "\n", "application/vnd.chess-pgn")
        assert code(answer) == (409, "game-over") and article(answer) == "Laws 9.6.1"
        assert "ply 17" in answer.json["detail"] and answer.json["where"] == "moves[16]"
        assert b.get().json["moves"] == []


@pytest.mark.parametrize(("said", "status"), [("1/2-1/2", 201), ("*", 201), ("1-0", 409)])
def test_a_file_cannot_contradict_the_automatic_draw(tmp_path: Path, said: str, status: int) -> None:
    with board(tmp_path, "chess", "fide-2026") as b:
        pgn = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 4)
        answer = b.file(f'[Result "{said}"]\n\n{pgn} {said}\n', "application/vnd.chess-pgn")
        assert answer.status_code == status, answer.text
        if status == 409:
            assert code(answer)[1] == "other-result" and article(answer) == "Laws 9.6.1"
        assert result(b) == ("1/2-1/2" if status == 201 else None)


@plays("game.chess.automatic_quiet_moves", 75)
@pytest.mark.parametrize("regulations", under("H19"))
def test_seventy_five_moves_draw_without_a_claim(tmp_path: Path, regulations: str) -> None:
    """Laws 9.6.2."""
    with board(tmp_path, "chess", regulations) as b:
        start(b, QUIET)
        followed(b.moves("h1h2"))
        assert result(b) is None
        end = ended(followed(b.moves("h8h7", 2)))
        assert (end["termination"], end["article"]) == ("seventyfive_moves", "Laws 9.6.2")
        assert result(b) == "1/2-1/2"
        nothing_more_is_taken(b, 3)


@pytest.mark.parametrize("regulations", under("H19"))
def test_checkmate_takes_precedence_over_75_moves(tmp_path: Path, regulations: str) -> None:
    """Laws 9.6.2, last sentence."""
    with board(tmp_path, "chess", regulations) as b:
        start(b, MATES)
        end = ended(followed(b.moves("e1e8")))
        assert end["termination"] == "checkmate" and result(b) == "1-0"


def knights_only() -> list[str]:
    """150 plies of knights and rooks, in UCI, in which no position comes five times."""
    board, seen = chess.Board(), {}
    while len(board.move_stack) < 150:
        quiet = sorted((m for m in board.legal_moves if not board.is_zeroing(m)), key=chess.Move.uci)

        def times(move: chess.Move) -> int:
            board.push(move)
            found = seen.get(board.epd(), 0)
            board.pop()
            return found

        board.push(min(quiet, key=times))
        seen[board.epd()] = seen.get(board.epd(), 0) + 1
    assert max(seen.values()) < 4
    return [move.uci() for move in board.move_stack]


def test_a_whole_game_of_quiet_moves_is_drawn_on_ply_150(tmp_path: Path) -> None:
    plies = knights_only()
    with board(tmp_path, "chess", "fide-2026") as b:
        followed(b.moves(" ".join(plies[:149])))
        assert result(b) is None
        assert ended(followed(b.moves(plies[149], 150)))["termination"] == "seventyfive_moves"
    other = tmp_path / "campus"
    other.mkdir()
    with board(other, "chess", "campus") as b:
        followed(b.moves(" ".join(plies)))
        assert result(b) is None, "000-A has no such rule"


# ---------------------------------------------------------------- 5.2.2


@plays("game.chess.dead_position", "stated")
@pytest.mark.parametrize("how", ["end", "claim"])
@pytest.mark.parametrize("regulations", under("H20"))
def test_an_arbiter_states_a_dead_position(tmp_path: Path, regulations: str, how: str) -> None:
    """Laws 5.2.2."""
    with board(tmp_path, "chess", regulations) as b:
        start(b, LOCKED)
        followed(b.moves("e1e2"))
        assert result(b) is None, "no program here recognises locked pawns"
        body = {"termination": "dead_position"} if how == "end" else {"claim": "dead_position"}
        refused = b.call("POST", f"{G}/{how}" + "s" * (how == "claim"), body, "player")
        assert code(refused) == (403, "role-may-not")
        end = ended(followed(b.call("POST", f"{G}/{how}" + "s" * (how == "claim"), body, "arbiter")))
        assert (end["termination"], end["article"]) == ("dead_position", "Laws 5.2.2")
        assert result(b) == "1/2-1/2"
        nothing_more_is_taken(b, 2)


@pytest.mark.parametrize("regulations", under("H20"))
@pytest.mark.parametrize("upheld", [True, False])
def test_a_claim_of_a_dead_position_waits(tmp_path: Path, regulations: str, upheld: bool) -> None:
    with board(tmp_path, "chess", regulations) as b:
        start(b, LOCKED)
        made = claim(b, "dead_position", "player", side="white")
        assert (made["state"], made["article"]) == ("pending", "Laws 5.2.2") and result(b) is None
        again = b.call("POST", f"{G}/claims", {"claim": "dead_position", "side": "black"}, "player")
        assert code(again) == (409, "claim-made"), "the same position, whoever claims it"
        listed = b.call("GET", f"{T}/claims", role=None).json["claims"]
        assert [(one["kind"], one["player"], one["accused"]) for one in listed] == [("dead_position", 1, None)]
        decided = b.call("POST", f"{G}/claims/c1/decision", {"upheld": upheld}, "arbiter")
        assert decided.status_code == 201, decided.text
        assert result(b) == ("1/2-1/2" if upheld else None) and rulings(b) == []
        if not upheld:
            followed(b.moves("e1e2"))


def test_a_claim_upheld_after_further_moves_still_draws(tmp_path: Path) -> None:
    """The position was dead when it was claimed, and the game ended there (Laws 5.2.2)."""
    with board(tmp_path, "chess", "fide-2026") as b:
        start(b, LOCKED)
        claim(b, "dead_position", "player", side="white")
        followed(b.moves("e1e2 e8e7"))
        followed(b.call("POST", f"{G}/claims/c1/decision", {"upheld": True}, "arbiter"))
        assert result(b) == "1/2-1/2"


@pytest.mark.parametrize(("role", "more"), [("arbiter", {}), ("player", {"side": "white"})])
def test_a_position_with_a_mate_in_one_is_not_dead(tmp_path: Path, role: str, more: dict[str, str]) -> None:
    with board(tmp_path, "chess", "fide-2026") as b:
        start(b, MATES)
        answer = b.call("POST", f"{G}/claims", {"claim": "dead_position", **more}, role)
        assert code(answer) == (409, "not-dead") and "e1e8 is checkmate" in answer.json["detail"]
        answer = b.call("POST", f"{G}/end", {"termination": "dead_position"}, "arbiter")
        assert code(answer) == (409, "not-dead") and result(b) is None


@plays("game.chess.dead_position", "material")
@pytest.mark.parametrize("regulations", ["campus", "campus-chess"])
def test_by_000_a_only_the_endings_listed_are_dead(tmp_path: Path, regulations: str) -> None:
    """000-A 国际象棋, 对局结束 4."""
    with board(tmp_path, "chess", regulations) as b:
        start(b, LOCKED)
        answer = b.call("POST", f"{G}/claims", {"claim": "dead_position"}, "arbiter")
        assert code(answer) == (409, "claim-not-in-rules") and "对局结束 4" in article(answer)
        followed(b.moves("e1e2"))


@row("H20", under="fide-2026")
def test_a_dead_position_draws_while_a_flag_waits(tmp_path: Path) -> None:
    """Laws 6.9: the game ended before the flag fell, and the claim of the flag lapses."""
    with board(tmp_path, "chess", "fide-2026") as b:
        start(b, LOCKED)
        assert claim(b, "flag", "player", side="black")["state"] == "pending"
        followed(b.call("POST", f"{G}/end", {"termination": "dead_position"}, "arbiter"))
        assert result(b) == "1/2-1/2"
        listed = b.call("GET", f"{T}/claims", role=None).json["claims"]
        assert [one["state"] for one in listed] == ["lapsed"]


def test_a_dead_position_draws_after_an_annulled_flag(tmp_path: Path) -> None:
    """Laws 6.9: a flag in a locked position is first ruled a loss, as no program here recognises the position."""
    time = {"periods": [{"seconds": 3600}], "flag": "at_once"}
    with board(tmp_path, "chess", "fide-2026", conditions={"time": time}) as b:
        start(b, LOCKED)
        moves = [{"move": "e1e2", "clock": 0}]
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": moves}))
        dead = {"termination": "dead_position"}
        assert result(b) == "0-1" and code(b.call("POST", f"{G}/end", dead, "arbiter")) == (409, "game-over")
        (ruling,) = b.call("GET", f"{T}/rulings", role=None).json["rulings"]
        reason = {"reason": "the position was dead before"}
        followed(b.call("POST", f"{T}/rulings/{ruling['ruling']}/annulment", reason, "appeals"))
        followed(b.call("POST", f"{G}/end", dead, "arbiter"))
        assert result(b) == "1/2-1/2"


def test_another_game_has_no_dead_position(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        followed(b.moves("h2e2"))
        assert code(b.call("POST", f"{G}/end", {"termination": "dead_position"}, "arbiter")) == (422, "no-such-claim")
