"""What every log backend keeps, whatever lies beneath it."""

import os
import sys
from pathlib import Path
from random import Random

import pytest
from sqlalchemy.exc import IntegrityError

from shared.core.terms import GAMES, PAIRING, PENALTIES
from shared.log.port import START, KeptAnswer, NewRow, moved
from shared.log.texts import salted
from tests import warm
from tests.log.conftest import line, together
from tests.log.lagging import LaggingLog
from tests.log.writer import COMMANDS


def test_lines_come_back_in_order_and_dense(backend):
    log = backend.open()
    written = [data for n in range(1, 6) for data in backend.append(log, count=n)]
    backend.settle()
    rows = backend.read(log)
    assert [r.line for r in rows] == written
    assert [r.seq for r in rows] == list(range(1, 16))
    assert [r.sourceseq for r in rows] == list(range(1, 16))


def test_bytes_are_kept_as_they_were_committed(backend):
    log = backend.open()
    (written,) = backend.append(log, text="选手\u2028 \\u00e9 ’")
    backend.settle()
    assert backend.read(log)[0].line == written


def test_streams_number_their_lines_apart(backend):
    log = backend.open()
    for stream in ("tournaments/A", "tournaments/B", "tournaments/A"):
        backend.append(log, stream)
    backend.settle()
    assert [r.seq for r in log.lines("tournaments/A")] == [1, 2]
    assert [r.seq for r in log.lines("tournaments/B")] == [1]
    assert log.streams("tournaments/") == ["tournaments/A", "tournaments/B"]


def test_a_tail_gives_every_official_line_once_and_no_sheets(backend):
    log = backend.open()
    backend.append(log, "tournaments/A", 3)
    with log.transaction() as tx:
        tx.append([NewRow("games/A.1.1", 1, GAMES, 1, "moves", 0, b"{}")])
    backend.append(log, "tournaments/B", 2)
    backend.settle()
    first = log.tail(START, 2)
    rest = log.tail(moved(START, first))
    assert [(r.stream, r.seq) for r in first + rest] == [("tournaments/A", n) for n in (1, 2, 3)] + [
        ("tournaments/B", n) for n in (1, 2)
    ]
    assert log.tail(log.end()) == []


def test_own_lines_are_told_in_parts_sheets_among_them(backend):
    log = backend.open()
    backend.append(log, "tournaments/A", 3)
    with log.transaction() as tx:
        tx.append([NewRow("games/A.1.1", 1, GAMES, 1, "moves", 0, b"{}")])
    backend.settle()
    first = log.own_tail(0, 2)
    rest = log.own_tail(first[-1].pos, 9)
    assert [r.stream for r in first + rest] == 3 * ["tournaments/A"] + ["games/A.1.1"]
    assert [r.seq for r in first] == ([1, 2] if log.immediate else [0, 0])
    assert log.own_tail(rest[-1].pos, 9) == []


def test_new_lines_of_several_sheets_are_told_at_once(backend):
    log = backend.open()
    sheets = {"games/A.1.1": 3, "games/A.1.2": 2, "games/A.1.3": 1}
    rows = [
        NewRow(sheet, n, GAMES, n, f"c{sheet}{n}", 0, b"{}") for sheet, end in sheets.items() for n in range(1, end + 1)
    ]
    with log.transaction() as tx:
        tx.append(rows)
    with log.transaction() as tx:
        told = tx.sheets_since({"games/A.1.1": 1, "games/A.1.2": 0, "games/A.1.4": 0})
    wanted = [("games/A.1.1", 2), ("games/A.1.1", 3), ("games/A.1.2", 1), ("games/A.1.2", 2)]
    assert [(r.stream, r.seq) for r in told] == wanted
    assert log.sheet_ends([*sheets, "games/A.1.4"]) == sheets | {"games/A.1.4": 0}


def test_a_used_number_of_a_source_is_refused(backend):
    log = backend.open()
    backend.append(log)
    with pytest.raises(IntegrityError), log.transaction() as tx:
        tx.append([NewRow("tournaments/T", 2, GAMES, 1, "other", 0, b"{}")])
    backend.settle()
    assert len(backend.read(log)) == 1


def test_a_command_is_written_once(backend):
    log = backend.open()
    backend.append(log, command="c1")
    with pytest.raises(IntegrityError):
        backend.append(log, command="c1")
    backend.settle()
    assert len(backend.read(log)) == 1


def test_a_transaction_that_fails_leaves_nothing(backend):
    log = backend.open()
    text = salted("李伟", "T")
    with pytest.raises(RuntimeError), log.transaction() as tx:
        tx.append([NewRow("tournaments/T", 1, GAMES, 1, "c", 0, line(GAMES, "tournaments/T", 1))])
        tx.keep([KeptAnswer("k", "b", 201, b"{}", "c")])
        raise RuntimeError("power cut")
    backend.settle()
    assert backend.read(log) == []
    with log.transaction() as tx:
        assert tx.kept_answers(["k"]) == {}
        assert tx.by_commands(["c"]) == []
    assert log.texts([text.hash]) == {}


def test_kept_answers_are_found_again_after_a_restart(backend):
    first = backend.open()
    answer = KeptAnswer("k", "b", 201, b'{"events":[]}', "c")
    with first.transaction() as tx:
        tx.keep([answer])
    with backend.open().transaction() as tx:
        assert tx.kept_answers(["k", "other"]) == {"k": answer}


def test_texts_are_kept_beside_the_log_and_erased_for_good(backend):
    log = backend.open()
    kept, erased = salted("李伟", "T"), salted("Anna", "T")
    with log.transaction() as tx:
        tx.put_texts([kept, erased])
    with log.transaction() as tx:
        tx.erase_text(erased.hash)
    with log.transaction() as tx:
        tx.put_texts([erased])
    assert log.texts([kept.hash, erased.hash]) == {kept.hash: kept}
    assert log.tournament_texts("T") == [kept]


def test_lines_are_there_after_a_restart(backend):
    first = backend.open()
    written = backend.append(first, count=3)
    first.close()
    again = backend.open()
    backend.append(again)
    backend.settle()
    assert [r.line for r in backend.read(again)][:3] == written
    assert [r.sourceseq for r in backend.read(again)] == [1, 2, 3, 4]


def test_one_transaction_commits_many_commands_at_once(backend):
    log = backend.open()
    with log.transaction() as tx:
        tx.append(
            [NewRow("tournaments/T", n, GAMES, n, f"c{n}", 0, line(GAMES, "tournaments/T", n)) for n in range(1, 65)]
        )
    backend.settle()
    assert [r.seq for r in backend.read(log)] == list(range(1, 65))


def test_racing_writers_and_a_tailing_reader_see_one_order(backend):
    reader, seen = backend.open(), []

    def write():
        log = backend.open()
        for _ in range(15):
            backend.append(log)

    def tail():
        position = START
        while len(seen) < 45:
            backend.settle()
            rows = reader.tail(position)
            position = moved(position, rows)
            seen.extend(rows)

    together(write, write, write, tail)
    assert [r.seq for r in seen] == list(range(1, 46))
    assert [r.line for r in seen] == [r.line for r in reader.lines("tournaments/T")]


def test_processes_that_write_at_once_never_use_a_number_twice(backend):
    backend.open()
    command = [sys.executable, "-m", "tests.log.writer", backend.kind, backend.folder]
    writers = [warm.started(command, env=os.environ, cwd=Path.cwd()) for _ in range(3)]
    assert [w.wait(60) for w in writers] == [0, 0, 0]
    backend.settle()
    assert [r.sourceseq for r in backend.read(backend.open())] == list(range(1, 3 * COMMANDS + 1))


# ---------------------------------------------------------------- what only a lagging log can do


@pytest.fixture
def lagging(tmp_path):
    world = {s: LaggingLog(tmp_path, s, Random(3)) for s in (PAIRING, GAMES, PENALTIES)}
    yield world
    for log in world.values():
        log.close()


def pending(log, tx):
    """Own lines of T that are not back in the ledger."""
    back = sum(r.source == log.source for r in log.lines("tournaments/T"))
    return tx.own_since({"tournaments/T": back})


def append_to(log, source, count):
    with log.transaction() as tx:
        first = len(log.lines("tournaments/T")) + len(pending(log, tx))
        for n in range(first + 1, first + count + 1):
            tx.append([NewRow("tournaments/T", 0, source, n, f"{source}{n}", 0, line(source, "tournaments/T", n))])


def test_own_lines_are_pending_until_they_are_back(lagging):
    games = lagging[GAMES]
    append_to(games, GAMES, 2)
    with games.transaction() as tx:
        assert [r.sourceseq for r in pending(games, tx)] == [1, 2]
    games.relay(10)
    games.follow(10)
    with games.transaction() as tx:
        assert pending(games, tx) == []
    assert [r.seq for r in games.lines("tournaments/T")] == [1, 2]


def test_repeats_and_records_ahead_of_their_turn_change_nothing(lagging):
    games, pairing = lagging[GAMES], lagging[PAIRING]
    lines = [line(GAMES, "tournaments/T", n) for n in (1, 2, 3)]
    for n in (2, 0, 0, 2, 1, 0, 2, 1):
        games.topic.send("tournaments/T", lines[n])
    pairing.follow(100)
    assert [r.line for r in pairing.lines("tournaments/T")] == lines


def test_a_used_number_with_other_bytes_stops_that_tournament_alone(lagging):
    games, pairing = lagging[GAMES], lagging[PAIRING]
    for data in (
        line(GAMES, "tournaments/T", 1),
        line(GAMES, "tournaments/T", 1, "other"),
        line(GAMES, "tournaments/U", 1),
    ):
        games.topic.send("", data)
    pairing.follow(100)
    assert "different bytes" in str(pairing.stopped("tournaments/T"))
    assert pairing.stopped("tournaments/U") is None
    assert len(pairing.lines("tournaments/U")) == 1


def test_a_record_without_source_and_number_is_no_line(lagging):
    games, pairing = lagging[GAMES], lagging[PAIRING]
    for record in (b"", b"\xff", b"{}", b'{"source":"/services/else","sourceseq":1,"subject":"tournaments/T"}'):
        games.topic.send("", record)
    games.topic.send("", line(GAMES, "tournaments/T", 1))
    pairing.follow(100)
    assert [r.seq for r in pairing.lines("tournaments/T")] == [1]


def test_every_ledger_has_the_same_lines_under_the_same_numbers(lagging):
    rng = Random(5)
    for _ in range(30):
        source = rng.choice((PAIRING, GAMES, PENALTIES))
        with lagging[source].transaction() as tx:
            back = [r for r in lagging[source].lines("tournaments/T") if r.source == source]
            n = len(back) + len(pending(lagging[source], tx))
            tx.append(
                [NewRow("tournaments/T", 0, source, n + 1, f"{source}{n}", 0, line(source, "tournaments/T", n + 1))]
            )
        lagging[rng.choice((PAIRING, GAMES, PENALTIES))].relay(2)
        lagging[rng.choice((PAIRING, GAMES, PENALTIES))].follow(3)
    while sum(log.relay(100) + log.follow(100) for log in lagging.values()):
        pass
    ledgers = [[(r.seq, r.line) for r in log.lines("tournaments/T")] for log in lagging.values()]
    assert ledgers[0] == ledgers[1] == ledgers[2]
    assert len(ledgers[0]) == 30
