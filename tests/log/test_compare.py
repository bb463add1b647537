"""Ledgers compared byte by byte, on databases of their own."""

import pytest
import sqlalchemy as sa

from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES
from shared.log.distributed import DistributedLog
from shared.log.sql.tables import LEDGER
from shared.log.worker import repair

T = "tournaments/T"


@pytest.fixture
def ledgers(tmp_path):
    """Fills the ledger of each service named with lines of T; the services' logs."""
    made = []

    def fill(**lines: list[bytes]) -> list[DistributedLog]:
        for source in SOURCES:
            log = DistributedLog(f"sqlite:///{tmp_path / source.rpartition('/')[2]}.db", source)
            made.append(log)
            rows = [
                {"stream": T, "seq": n, "source": GAMES, "sourceseq": n, "command": "c", "n": 0, "line": line, "root": b""}
                for n, line in enumerate(lines.get(source.rpartition("/")[2], ()), 1)
            ]  # fmt: skip
            if rows:
                with log.begin() as connection:
                    connection.execute(sa.insert(LEDGER), rows)
        return made

    yield fill
    for log in made:
        log.close()


def test_of_ledgers_that_begin_alike_the_longest_is_chosen(ledgers):
    logs = ledgers(pairing=[b"1"], games=[b"1", b"2"], penalties=[b"1", b"2", b"3"])
    assert repair.longest(logs, T).source == PENALTIES
    assert repair.streams(logs) == [T]


def test_of_equal_ledgers_any_will_do(ledgers):
    assert repair.longest(ledgers(pairing=[b"1"], games=[b"1"]), T).source in (PAIRING, GAMES)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ({"pairing": [b"1", b"2"], "games": [b"1", b"x"], "standings": [b"1", b"2"]},
         "line 2 of T is not the same in games as in pairing, standings"),
        ({"pairing": [b"x"], "games": [b"1", b"2"]}, "line 1 of T is not the same in"),
        ({"pairing": [b"1"], "games": [b"2"], "penalties": [b"3"], "standings": [b"3"]},
         "line 1 of T is not the same in pairing as in games as in penalties, standings"),
    ],
)  # fmt: skip
def test_where_ledgers_differ_line_and_services_are_named(ledgers, lines, told):
    with pytest.raises(repair.Differ, match=told):
        repair.longest(ledgers(**lines), T)


def test_a_tournament_is_not_resumed_while_ledgers_differ(ledgers, tmp_path, capsys):
    from deploy.cli.main import run

    ledgers(pairing=[b"1"], games=[b"2"])
    databases = [f"--database={name}=sqlite:///{tmp_path / name}.db" for name in ("pairing", "games")]
    assert run(["resume", "T", *databases]) == 1
    told = capsys.readouterr().err
    assert "line 1 of T is not the same" in told
    assert "arbiter rebuild ledger" in told
