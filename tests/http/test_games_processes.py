"""One score sheet fed by two processes: each decides on what the other wrote."""

from pathlib import Path

from services.games.rules.commands import Move, PlayMoves
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys.key_files import read as read_key
from shared.core.terms import GAMES, Actor, GameId, Ply, Refusal
from shared.desk.desk import Desk
from shared.log.sqlite import SqliteLog
from tests.http.boards import RULES, board

BOARD = Actor("board", "board", "t")


def test_moves_of_two_processes_stand_on_one_sheet(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        sign = Signer("arbiter", read_key(tmp_path / "arbiter.key")).sign
        other = Desk(SqliteLog(tmp_path / "arbiter.db"), RULES, sign, threads=False)

        def fed(ply: int, move: str) -> object:
            return other.submit(GAMES, "T", PlayMoves(BOARD, GameId("T.1.1"), Ply(ply), (Move(move),)))

        try:
            for ply, (ours, theirs) in enumerate([("e4", "e5"), ("Nf3", "Nc6"), ("Bb5", "a6")]):
                assert b.moves(ours, 2 * ply + 1).status_code == 201
                assert getattr(fed(2 * ply + 2, theirs), "status", None) == 201
            refused = fed(7, "Bb6")
            assert isinstance(refused, Refusal) and refused.code == "illegal-move"
        finally:
            other.close()
        assert b.get("?notation=san").json["moves"] == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]
