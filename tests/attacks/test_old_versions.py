"""A line of an older version in a newer log: what that version has no member for would stay unsaid, and would be lifted."""

import json
from pathlib import Path

import pytest

from deploy.server.rules import RULES
from shared.audit.audit import Evidence, audit
from shared.core.event_types.event_type import EventType
from shared.core.event_types.registry import BY_NAME, OUTDATED, UPCASTERS
from shared.core.terms import GAMES, PAIRING
from shared.log.distributed import DistributedLog
from shared.log.worker import restore
from shared.log.worker.acceptance import place_in_log
from shared.log.worker.records.record_signatures import RestoredSignatures
from shared.log.worker.worker_lock import Lock
from shared.wire import canonical
from shared.wire.shapes import kept
from tests.attacks.test_signatures import HOUSE, Record, a_desk, announced, by, lines_of, records_of, taken, write

GOLDEN = Path(__file__).parents[1] / "golden"
OLD = {name: row for name, (row, _) in UPCASTERS.items()}


def test_every_version_that_no_service_writes_any_more_is_barred_and_the_ones_that_it_writes_are_not():
    assert set(OLD) == OUTDATED[3]
    assert OUTDATED[2] == {name for name, row in OLD.items() if int(name.rpartition(".v")[2]) < (row.first or 99)}
    assert not OUTDATED[3] & set(BY_NAME)


def test_a_version_that_a_release_wrote_stays_good_once_there_is_a_newer_one():
    row: EventType = EventType("arbiter.x.happened.v3", object, GAMES, upcasters=(dict, dict), first=2)
    assert row.outdated_versions(2) == ["arbiter.x.happened.v1"]
    assert row.outdated_versions(3) == ["arbiter.x.happened.v1", "arbiter.x.happened.v2"]


@pytest.mark.parametrize("name", sorted(OLD))
def test_an_older_version_is_barred_in_a_log_of_newer_offices(name):
    line = (GOLDEN / f"{name}.json").read_bytes().rstrip(b"\n")
    assert canonical.refusal(line, 1, 1) is None
    assert name in str(canonical.refusal(line, 1, 3))
    assert (canonical.refusal(line, 1, 2) is not None) == (name in OUTDATED[2])


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """A tournament of today, record by record; the last is an arbiter's result."""
    desk = a_desk(tmp_path_factory.mktemp("house"), HOUSE)
    cup = announced(desk)
    cup.pair((1, 2), (3, 4))
    write(cup, GAMES)
    lines = lines_of(desk)
    desk.close()
    return records_of(lines)


def in_an_older_version(record: Record, shapes: dict) -> Record:
    """The record with what an older version has of its last line's data, signed by the key that the house has for it."""
    said = json.loads(record[-1])
    stem, _, newest = said["type"].rpartition(".v")
    shape = shapes[f"{stem}.v{int(newest) - 1}"]
    said |= {"type": f"{stem}.v{int(newest) - 1}", "data": _within(said["data"], shape)}
    line = json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()
    return by(HOUSE[said["source"]][0])([*record[:-1], line])


def _within(value, shape):
    if isinstance(value, dict) and shape is not None and "*" not in shape:
        return {
            name.removesuffix("?"): _within(value.get(name.removesuffix("?")), one)
            for name, one in shape.items()
            if not name.endswith("?") or name[:-1] in value
        }
    return [_within(one, shape[0]) for one in value] if isinstance(value, list) and shape else value


def test_a_dishonest_house_that_writes_an_older_version_differs_and_stops_its_tournament(records, tmp_path):
    shapes, tried = kept(), 0
    for number, record in enumerate(records):
        said = json.loads(record[-1])
        stem, _, newest = said["type"].rpartition(".v")
        if newest == "1" or not number:
            continue
        older, tried = [*records[:number], in_an_older_version(record, shapes)], tried + 1
        report = audit([line for one in older for line in one], RULES, Evidence())
        old = f"its type {stem}.v{int(newest) - 1} is outdated"
        why = f"{old}: in a log of this edition of the role rules, services write {said['type']}"
        assert report.verdict == "differs" and any(why in str(finding.why) for finding in report.findings), (
            report.findings
        )
        folder = tmp_path / str(number)
        folder.mkdir()
        log, _ = taken(folder, older)
        assert why in str(log.stopped("tournaments/cup") or "")
        log.close()
    assert tried >= 2


def test_a_dishonest_house_that_names_its_actor_otherwise_than_handles_are_stops_its_tournament(records, tmp_path):
    for number in (0, len(records) - 1):  # the announcement, and the last of another service
        source = json.loads(records[number][-1])["source"]
        lines = [line.replace(b'"actor":"', b'"actor":"The ', 1) for line in records[number]]
        other = [*records[:number], by(HOUSE[source][0])(lines)]
        folder = tmp_path / str(number)
        folder.mkdir()
        log, _ = taken(folder, other)
        assert "is not a valid login name" in str(log.stopped("tournaments/cup") or ""), number
        log.close()


def test_at_a_restore_a_line_of_ones_own_that_is_not_canonical_is_not_put_back(records, tmp_path):
    """Whoever holds the key signs what the service never writes; the ledger would stop at it, and the service would own it."""

    class Signed:
        def why_not(self, connection, place, lines):
            return None

        def offices(self, connection, place, lines):
            return 2

        def passed(self, connection, place, lines):
            pass

    (genuine,) = (one for one in records if place_in_log(one).source == GAMES)
    spaced = [genuine[-1].replace(b'"data":{', b'"data": {')]
    log = DistributedLog(f"sqlite:///{tmp_path / 'games.db'}", GAMES)
    with log.begin() as connection:
        assert restore._take(connection, GAMES, _record(spaced), 3, Signed(), Lock(log, None)) == 0
        assert restore._take(connection, GAMES, _record(genuine), 3, Signed(), Lock(log, None)) == len(genuine)
    log.close()


def test_at_a_restore_a_line_of_ones_own_in_an_older_version_is_not_put_back(records, tmp_path):
    log, shapes, barred = DistributedLog(f"sqlite:///{tmp_path / 'pairing.db'}", PAIRING), kept(), 0
    verifier = RestoredSignatures([])
    with log.begin() as connection:
        for number, record in enumerate(records):
            own = place_in_log(record).source == PAIRING
            if own and number and not json.loads(record[-1])["type"].endswith(".v1"):
                older, barred = in_an_older_version(record, shapes), barred + 1
                assert restore._take(connection, PAIRING, _record(older), 3, verifier, Lock(log, None)) == 0
            assert restore._take(connection, PAIRING, _record(record), 3, verifier, Lock(log, None)) == (
                len(record) if own else 0
            )
    log.close()
    assert barred >= 1


def _record(lines: Record):
    from shared.log.kafka.broker import TOURNAMENTS
    from shared.log.kafka.consumer import partition_of
    from tests.attacks.topic_hall import Record as Read

    return Read(TOURNAMENTS, partition_of("cup", 3), 0, b"cup", b"\n".join(lines), [])
