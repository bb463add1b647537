"""A compressed tournament is read, audited, corrected and erased as before (`arbiter compress`)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deploy.cli.main import run
from shared.http.app import close
from tests.people import PeopleHall, play_both

T = "/v1/tournaments/a"
ADDRESSES = (
    "/",
    "/people",
    "/t/a",
    "/t/a/players",
    "/t/a/standings",
    "/t/a/standings?at=12",
    "/t/a/crosstable",
    "/t/a/rounds/2",
    "/t/a/rulings",
    "/t/a/log",
    "/t/a/log/9",
    "/t/a/timeline",
    "/t/a/integrity",
    "/t/a/prizes",
    "/t/a/papers/report",
    "/games/a.1.1",
    "/v1/tournaments",
    "/v1/people",
    T,
    f"{T}/archive",
    f"{T}/audit",
    f"{T}/checkpoint",
    f"{T}/crosstable",
    f"{T}/diff?from=5&to=15",
    f"{T}/events",
    f"{T}/events?after=7&limit=3",
    f"{T}/integrity",
    f"{T}/proofs?from=4&to=15",
    f"{T}/proofs/3",
    f"{T}/receipts/9",
    f"{T}/rounds/1.pgn",
    f"{T}/rulings",
    f"{T}/sheets",
    f"{T}/standings",
    f"{T}/standings?without=r1",
    f"{T}/texts",
    f"{T}/tlog/checkpoint",
    f"{T}/tlog/tile/entries/000.p/9",
    f"{T}/trf",
    "/v1/games/a.1.1",
    "/v1/games/a.1.1/sheet",
)


class Hall(PeopleHall):
    """The officials of a finished event `a`, with a score sheet and a ruling, and of `b`, which is in progress."""

    def report(self, t: str, round: int, result: str) -> None:
        if (t, round) == ("a", 1):
            moved = self.call("POST", "/v1/games/a.1.1/moves", {"ply": 1, "moves": ["e4", "e5", "Nf3"]}, "arbiter")
            assert moved.status_code == 201, moved.text
            self.tell("/v1/tournaments/a/rulings", {"player": 2, "round": 1, "infraction": "foul"})
        super().report(t, round, result)

    def answers(self) -> dict[str, tuple[int, bytes]]:
        return {address: self.answer(address) for address in ADDRESSES}

    def answer(self, address: str) -> tuple[int, bytes]:
        """Read as the chief arbiter, but pages as a stranger, because an official's forms have keys of their own."""
        answer = self.call("GET", address, role="chief_arbiter" if address.startswith("/v1") else None)
        return answer.status_code, answer.data

    def stream(self) -> bytes:
        """Return the start of the live stream of event `a`."""
        answer = self.call("GET", f"{T}/events?after=10", Accept="text/event-stream")
        assert answer.status_code == 200
        return b"".join(part for part, _ in zip(answer.response, range(5), strict=False))

    def compress(self, *options: str) -> None:
        assert run(["compress", "--days", "0", *options, "--data", str(self.data)]) == 0


@pytest.fixture
def hall(tmp_path: Path):
    made = Hall(tmp_path)
    play_both(made)
    made.answer("/people")  # waits for the projection of people, which the front page does not
    yield made
    close(made.app)


def stored(data: Path, statement: str) -> list[tuple]:
    with closing(sqlite3.connect(data / "arbiter.db")) as db, db:
        return db.execute(statement).fetchall()


def test_compressed_tournament_is_read_as_before(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    before, stream, rows = hall.answers(), hall.stream(), stored(hall.data, "SELECT * FROM events ORDER BY pos")
    assert {status for status, _ in before.values()} == {200}, before
    # when the finished event is compressed, while its server runs
    hall.compress()
    assert "1 tournament was compressed" in capsys.readouterr().err
    # then a server that has read it, and one that starts now, answer with the same bytes
    assert stored(hall.data, "SELECT stream FROM cold ORDER BY stream") == [("games/a.1.1",), ("tournaments/a",)]
    assert stored(hall.data, "SELECT count(*) FROM events WHERE stream LIKE '%/a%'") == [(4,)]
    after = hall.answers()
    assert [address for address in ADDRESSES if after[address] != before[address]] == []
    assert hall.stream() == stream
    again = Hall(hall.data)
    assert again.answers() == before
    close(again.app)
    hall.compress()
    assert "0 tournaments were compressed" in capsys.readouterr().err
    # and the command moves it back as it was
    hall.compress("--undo")
    assert "2 logs and score sheets were moved back" in capsys.readouterr().err
    assert stored(hall.data, "SELECT * FROM events ORDER BY pos") == rows


def test_late_decision_is_accepted_and_compressed_again(hall: Hall) -> None:
    hall.compress()
    # when a ruling of the compressed event is annulled
    sent = {"reason": "the film shows otherwise"}
    annulled = hall.call("POST", f"{T}/rulings/r1/annulment", sent, "appeals", Idempotency_Key="k1")
    assert annulled.status_code == 201, annulled.text
    # then it is in the log, and the event is decompressed by itself
    assert hall.get(f"{T}/rulings/r1")["standing"] is False
    assert stored(hall.data, "SELECT count(*) FROM cold") == [(0,)]
    verdict = hall.get(f"{T}/audit")["verdict"]
    assert verdict == "agrees"
    # and after the next compression, the same command gets the same answer
    hall.compress()
    assert stored(hall.data, "SELECT stream FROM cold ORDER BY stream") == [("games/a.1.1",), ("tournaments/a",)]
    repeated = hall.call("POST", f"{T}/rulings/r1/annulment", sent, "appeals", Idempotency_Key="k1")
    assert (repeated.status_code, repeated.data) == (annulled.status_code, annulled.data)
    assert hall.get(f"{T}/rulings/r1")["standing"] is False


def test_text_of_a_compressed_tournament_is_erased(hall: Hall) -> None:
    hall.compress()
    (cleo,) = (one["hash"] for one in hall.get(f"{T}/texts", "organiser")["texts"] if one["text"] == "Cleo")
    assert hall.call("DELETE", f"{T}/texts/{cleo}", role="organiser").status_code == 200
    assert "Cleo" not in hall.call("GET", "/t/a/players").text
    assert b"Cleo" not in (hall.data / "arbiter.db").read_bytes()


def test_people_are_rebuilt_from_compressed_tournaments(hall: Hall) -> None:
    before = hall.get("/v1/people")
    rows = stored(hall.data, "SELECT * FROM people_results ORDER BY tournament, player, game")
    hall.compress()
    assert run(["rebuild", "people", "--data", str(hall.data)]) == 0
    assert hall.get("/v1/people") == before
    assert stored(hall.data, "SELECT * FROM people_results ORDER BY tournament, player, game") == rows


def test_damaged_tournament_is_named_and_others_are_read(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    hall.compress()
    stored(hall.data, "UPDATE cold SET content = substr(content, 1, 99) WHERE stream = 'tournaments/a'")
    again = PeopleHall(hall.data)
    refused = again.call("GET", f"{T}/standings")
    assert (refused.status_code, refused.json["detail"]) == (
        503,
        "the compressed events of tournaments/a are damaged: run `arbiter doctor`",
    )
    assert again.call("GET", "/v1/tournaments/b/standings").status_code == 200
    close(again.app)
    # and the operator learns which, and the remedy
    assert run(["doctor", "--data", str(hall.data)]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "log of a: the compressed events of tournaments/a are damaged" in told
    assert "restore" in told
    assert run(["compress", "--undo", "--data", str(hall.data)]) == 1
    assert "tournaments/a are damaged" in capsys.readouterr().err
