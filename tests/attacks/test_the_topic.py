"""Whoever can write to the topics: an insider with one service's password, or a program that has nothing to do with us."""

import json
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deploy.server.numbers.metrics import LogNumbers
from shared.core.language.messages import say
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS
from shared.log.kafka.broker import TEXTS, TOURNAMENTS, Broker, headers_of
from shared.log.kafka.consumer import partition_of
from shared.log.sqlite import open_engines
from shared.log.texts import salted
from shared.log.worker import restore
from shared.log.worker.follower import Follower
from shared.log.worker.ledger import Book
from shared.log.worker.worker_lock import Lock
from tests.attacks.topic_hall import Side, erasure, line
from tests.log.distributed import T

DEEP = b"[" * 200_000
U = "tournaments/U"


@pytest.fixture
def begun(hall):
    """Two tournaments with lines of two services."""
    for source in (PAIRING, GAMES):
        for stream in (T, U):
            hall[source].write(stream=stream)
        hall.send(source)
    return hall


# ---------------------------------------------------------------- poison

NO_LINES = {
    "not JSON": b"nothing",
    "nothing": None,
    "empty": b"",
    "no UTF-8": b'{"source":"\xff"}',
    "nested beyond every stack": b'{"source":"/services/games","sourceseq":2,"subject":"tournaments/T","data":' + DEEP,
    "a huge number": line(GAMES, 10**40),
    "number nought": line(GAMES, 0),
    "a number below": line(GAMES, -1),
    "NUL in the subject": line(GAMES, 2, "tournaments/T\\u0000"),
    "no tournament": line(GAMES, 2, "tournaments/"),
    "a subject too long": line(GAMES, 2, "tournaments/" + "T" * 5000),
    "a sheet": line(GAMES, 2, "games/T.1.1"),
    "nobody's source": line(GAMES, 2).replace(b"/services/games", b"/services/kitchen"),
    "NUL in the command": line(GAMES, 2).replace(b'"c2"', b'"c\\u0000"'),
    "another's line behind": line(GAMES, 2) + b"\n" + line(PAIRING, 2),
    "another tournament's line behind": line(GAMES, 2) + b"\n" + line(GAMES, 3, U),
    "a line with a gap behind": line(GAMES, 2) + b"\n" + line(GAMES, 4).replace(b"c4", b"c2"),
    "two commands": line(GAMES, 2) + b"\n" + line(GAMES, 3),
    "an LF at the end": line(GAMES, 2) + b"\n",
}  # fmt: skip


@pytest.mark.parametrize("poison", NO_LINES.values(), ids=NO_LINES)
def test_a_foreign_producers_poison_is_no_line_and_named_until_somebody_acknowledges_it(begun, poison):
    before = begun.lines()
    begun.put(poison)
    # when the services go on
    begun[GAMES].write("next")
    begun.send(GAMES)
    # then nothing stands still
    assert [json.loads(one)["text"] for one in begun.lines()[len(before) :]] == ["next"]
    assert begun.stopped() == {}
    for source, found in begun.findings().items():
        assert len(found) == 1
        assert f"{TOURNAMENTS}, partition {partition_of('T', 3)}, offset 2" in found[0]
        (finding,) = begun[source].log.findings()
        assert begun[source].log.acknowledge([finding.id], "Li Wei", "the hall's display wrote it") == 1
    assert not any(begun.findings().values())


@pytest.mark.parametrize(
    ("key", "partition"),
    [
        ("U", None),
        (None, None),
        ("T", (partition_of("T", 3) + 1) % 3),
        ("", partition_of("T", 3)),
        ("tournaments/T", None),
    ],
)
def test_a_line_under_another_key_or_in_another_partition_is_none(begun, key, partition):
    before = begun.lines()
    begun.put(line(PENALTIES, 1), key, partition=partition)
    assert begun.lines() == before
    assert begun.stopped() == {}
    assert all("the record key and the partition" in found[0] for found in begun.findings().values())


def test_a_flood_of_poison_is_one_finding(begun):
    for number in range(50):
        begun.put(b"%d" % number)
    (found,) = begun.findings()[GAMES]
    assert "(and 49 more)" in found


POISONED_TEXTS = {
    "not JSON": ("a", b"nothing"),
    "another hash": ("0" * 64, json.dumps({"hash": "0" * 64, "salt": "s", "text": "x", "tournament": "T"}).encode()),
    "nested": ("a", b'{"hash":' + DEEP),
}


@pytest.mark.parametrize(("key", "poison"), POISONED_TEXTS.values(), ids=POISONED_TEXTS)
def test_a_text_that_is_none_is_named_and_the_others_come(begun, key, poison):
    begun.put(poison, key, topic=TEXTS)
    with begun[PAIRING].log.transaction() as tx:
        name = salted("李伟", "T")
        tx.put_texts([name])
    begun.send(PAIRING)
    for side in begun.sides.values():
        assert side.log.texts([name.hash]) == {name.hash: name}
        assert "the text does not match the hash in its key" in str(side.log.findings()[0].sentence())


@pytest.mark.parametrize(("text", "tournament"), [("with \0 in it", "T"), ("x", "T\0"), ("x", "T" * 5000)])
def test_a_genuine_text_that_no_table_holds_is_none(begun, text, tournament):
    poison = salted(text, tournament)
    value = json.dumps({"hash": poison.hash, "salt": poison.salt, "text": text, "tournament": tournament}).encode()
    begun.put(value, poison.hash, topic=TEXTS)
    assert all(side.log.texts([poison.hash]) == {} for side in begun.sides.values())


# ---------------------------------------------------------------- forged records


def test_a_forged_record_stops_one_tournament_and_the_next_one_flows(begun):
    # given the right source, the next number and the right root
    forged = line(GAMES, 2, text="forged")
    begun.put(forged)
    # then the service whose name it bears knows that it never wrote it, and stops that tournament
    assert begun.stopped() == {
        GAMES: "record 2 claims to be from /services/games, but /services/games did not write it"
    }
    assert begun[GAMES].log.stops()[T].seq == 2
    # and the other tournament goes on
    begun[GAMES].write(stream=U)
    begun.send(GAMES)
    assert len(begun.lines(U)) == 3
    assert begun.stopped(U) == {}


def test_a_forged_record_before_the_genuine_one_that_waits_loses_no_acknowledged_event(begun):
    # given a line that was answered and waits in the outbox, and a forged one that comes first
    genuine = begun[GAMES].write("genuine")
    begun.put(line(GAMES, 2, text="forged"))
    assert "has different bytes from those that" in begun.stopped()[GAMES]
    begun.send(GAMES)
    # then every service stops, at the latest when the genuine one comes
    assert set(begun.stopped()) == set(SOURCES)
    assert json.loads(begun.lines()[-1])["text"] == "forged"
    # and the event is listed until it is settled
    (lost,) = begun[GAMES].log.lost(T)
    assert (lost.line, lost.sourceseq) == (genuine, 2)
    assert begun[PAIRING].log.lost(T) == []
    for side in begun.sides.values():
        assert side.log.resume(T)
    again = begun[GAMES].write("genuine, again")
    begun.send(GAMES)
    assert begun.lines()[-1] == again
    assert begun.stopped() == {}
    assert begun[GAMES].log.lost() == [lost]
    begun[GAMES].log.settle(T, lost.command, "c9", "Li Wei", "sent again")
    assert begun[GAMES].log.lost() == []


def test_a_forged_record_with_a_number_ahead_stops_its_tournament_and_is_no_line(begun):
    before = begun.lines()
    begun.put(line(GAMES, 7))
    assert "record 7 claims to be from /services/games, but /services/games did not write it" in begun.stopped()[GAMES]
    assert begun.lines() == before
    # of a tournament that nobody knows there is nothing to stop
    begun.put(line(GAMES, 7, "tournaments/X"), "X")
    assert begun.stopped("tournaments/X") == {}


@pytest.mark.parametrize("basis", [0, 2, 3, -1, 10**30])
def test_a_forged_record_with_a_wrong_root_erases_nothing(begun, basis):
    # given names that every service knows
    name = salted("李伟", "T")
    with begun[PAIRING].log.transaction() as tx:
        tx.put_texts([name])
    begun.send(PAIRING)
    # when an insider erases one, under a root that is none
    begun.put(line(PAIRING, 2, basis=basis, root=b"x" * 32, extra=erasure(name.hash)))
    # then all stop, and the name is still there, also after somebody has gone past it
    assert set(begun.stopped()) == set(SOURCES)
    for side in begun.sides.values():
        assert side.log.resume(T)
        assert side.log.texts([name.hash]) == {name.hash: name}


def test_what_is_erased_while_a_tournament_stands_stopped_is_erased_when_it_is_resumed(begun):
    name = salted("李伟", "T")
    with begun[PAIRING].log.transaction() as tx:
        tx.put_texts([name])
    begun.send(PAIRING)
    begun.put(line(GAMES, 1, text="another"))
    begun[PAIRING].write(extra=erasure(name.hash))
    begun.send(PAIRING)
    assert begun[STANDINGS].log.texts([name.hash])
    assert begun[STANDINGS].log.resume(T)
    assert begun[STANDINGS].log.texts([name.hash]) == {}


@pytest.mark.parametrize("hash", ["", "\\u0000", "0" * 5000, "é" * 64])
def test_an_erasure_of_no_hash_is_a_line_and_erases_nothing(begun, hash):
    begun[PAIRING].write(extra=erasure(hash))
    begun.send(PAIRING)
    assert begun.stopped() == {}


ODD = (
    *(10**30, -(10**30), 2**63, -(2**63) - 1, float("inf"), float("nan"), 1.5, None, True, [], {}, [[]], {"a": 1}),
    *("", "\0", "x" * 100_000, "é", "𝕏", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59.999999Z", "é" * 50),
)
"""Values that a schema, a database or a clock may not be ready for."""
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("arbiter.*.json"))


def places_in(part: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the members of a line lie, at every depth."""
    members = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, member in members:
        yield (*place, name)
        yield from places_in(member, (*place, name))


def with_value(said: Any, place: tuple[Any, ...], value: Any) -> bytes:
    """A line of these members, one of them replaced."""
    changed = part = json.loads(json.dumps(said))
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    return json.dumps(changed, separators=(",", ":"), ensure_ascii=False).encode()


def test_whatever_stands_in_a_member_of_a_line_the_ledger_takes_it_or_stops_its_tournament(tmp_path):
    # given a genuine line of each type, with a value in one of its members that no service writes
    rng, tried, all_odd = Random(14), 0, set()
    writer, reader = open_engines(tmp_path / "ledger.sqlite")
    for file in GOLDEN:
        said = json.loads(file.read_bytes())
        if not said["subject"].startswith("tournaments/"):
            continue
        said["sourceseq"] = 1
        for place in places_in(said):
            # then nothing that the ledger does with it ends the worker
            for value in rng.sample(ODD, 1) if place in all_odd or place[0] == "data" else ODD:
                with writer.connect() as connection, connection.begin() as transaction:
                    book = Book()
                    book.take(connection, with_value(said, place, value), lambda hash: None)
                    book.flush(connection)
                    transaction.rollback()
                tried += 1
            all_odd.add(place)
    assert tried > 1000
    writer.dispose()
    reader.dispose()


# ---------------------------------------------------------------- who signed


class OnlyMarked:
    """Takes for signed what bears a mark."""

    def why_not(self, connection, place, lines):
        return (
            None
            if b"signed" in lines[-1]
            else say("{text}", text=f"number {place.first} of {place.source} bears no signature")
        )

    def took(self, place, seq, lines):
        assert all(b"signed" in line for line in lines)

    def offices(self, connection, place, lines):
        return 1

    def passed(self, connection, place, lines):
        assert place.stream.startswith("tournaments/")

    def forget(self):
        pass


def test_a_record_without_its_services_signature_is_no_line_and_the_genuine_one_still_comes(begun):
    # given services that know the keys
    name = salted("李伟", "T")
    with begun[PAIRING].log.transaction() as tx:
        tx.put_texts([name])
    begun.send(PAIRING)
    for side in begun.sides.values():
        side.follower = Follower(side.log, Broker("nowhere:1", partitions=3), threading.Event(), OnlyMarked())
        side.restart()
    before = begun.lines()
    genuine = begun[PAIRING].write("signed")
    # when somebody else comes first, under the number that the genuine one has, with an erasure in it
    begun.put(line(PAIRING, 2, text="forged", extra=erasure(name.hash)), number=9)
    # then all stop alike, and nothing is erased
    assert len(set(begun.stopped().values())) == 1
    assert set(begun.stopped()) == set(SOURCES)
    begun.send(PAIRING)
    assert begun.lines() == [*before, genuine]
    assert begun[PAIRING].log.lost() == []
    assert not any(begun.findings().values())
    for side in begun.sides.values():
        assert side.log.resume(T)
        assert side.log.texts([name.hash])
        assert side.log.stopped(T) is None


# ---------------------------------------------------------------- restored


def put_back(side, record, verifier) -> int:
    with side.log.begin() as connection:
        return restore._take(connection, side.source, record, 3, verifier, Lock(side.log, None))


def test_what_is_put_back_at_restore_is_the_services_own_and_signed(hall, tmp_path):
    # given a service whose database was put back to an empty one, and its records in the topics
    side = hall[GAMES]
    for stream in (T, "games/T.1.1"):
        side.write("signed", stream)
    sent = hall.send(GAMES)
    (tmp_path / "empty").mkdir()
    empty = Side(tmp_path / "empty", GAMES)
    official, sheet = sent
    # then what somebody else wrote in its name is not put back
    forged = official._replace(value=line(GAMES, 1, text="forged"))
    foreign_key, no_number = official._replace(key=b"U"), official._replace(value=line(GAMES, 3, text="signed"))
    other, nothing = official._replace(value=line(PAIRING, 1, text="signed")), official._replace(value=None)
    other_topic = sheet._replace(topic=TOURNAMENTS)
    for record in (forged, foreign_key, no_number, other, nothing, other_topic):
        assert put_back(empty, record, OnlyMarked()) == 0
    # but what it signed is, once
    assert [put_back(empty, record, OnlyMarked()) for record in (official, sheet, official)] == [1, 1, 0]
    # and it numbers its next record after them, and a forged number of another record does not count
    assert (
        put_back(empty, official._replace(value=line(GAMES, 1, text="forged"), headers=headers_of(10**9)), OnlyMarked())
        == 0
    )
    empty.write("signed")
    ((*_, number),) = empty.unsent()
    assert number == 2
    empty.log.close()


# ---------------------------------------------------------------- numbers


def test_each_service_numbers_its_records_densely_in_each_partition_and_the_same_when_sent_again(begun):
    side = begun[GAMES]
    side.write()
    first = side.unsent()
    # when the relay that numbered them is gone, and another sends them again
    side.restart()
    assert side.unsent() == first
    begun.send(GAMES)
    begun.send(PENALTIES)
    for source in (PAIRING, GAMES):
        for partition in range(3):
            numbers = [
                int(dict(r.headers)["arbiter-n"])
                for r in begun.records
                if r.partition == partition and json.loads(r.value)["source"] == source
            ]
            assert numbers == list(range(1, len(numbers) + 1))
    assert not any(begun.findings().values())


def test_a_record_that_is_missing_is_named_by_who_follows_and_forgotten_once_it_comes(begun):
    side = begun[GAMES]
    for text in "abcd":
        side.write(text)
    first, *rest = side.unsent()
    side.confirmed()
    for topic, key, record, number in rest:
        begun.put(record, key, topic=topic, number=number)
    for found in begun.findings().values():
        assert len(found) == 1
        assert "gap" in found[0]
        assert f"{first[3]} of {GAMES}" in found[0]
    # also to a follower that begins anew
    for one in begun.sides.values():
        one.restart()
    topic, key, record, number = first
    begun.put(record, key, topic=topic, number=number)
    assert not any(begun.findings().values())


def test_a_gap_is_filled_from_its_middle(begun):
    side = begun[GAMES]
    for text in "abcde":
        side.write(text)
    sent = side.unsent()
    side.confirmed()
    for index in (0, 4, 2, 1, 3):
        topic, key, record, number = sent[index]
        begun.put(record, key, topic=topic, number=number)
    assert not any(begun.findings().values())


def test_a_number_that_comes_again_with_other_lines_is_named(begun):
    begun.put(line(PENALTIES, 1), number=1)
    begun.put(line(PENALTIES, 2), number=1)
    assert any("doubled: " in found for found in begun.findings()[GAMES])


@pytest.mark.parametrize("number", [None, 10**17])
def test_a_record_without_the_number_that_its_source_gives_is_named(begun, number):
    begun.put(line(GAMES, 2, text="forged"), number=number)
    kind = "unnumbered" if number is None else "gap"
    assert all(any(one.startswith(kind) for one in found) for found in begun.findings().values())


def test_a_topic_of_the_first_release_has_no_numbers_and_goes_on(hall):
    for first, _ in pairwise(range(1, 5)):
        hall[GAMES].write()
        topic, key, record, _ = hall[GAMES].unsent()[0]
        hall[GAMES].confirmed()
        hall.put(record, key, topic=topic)
        assert len(hall.lines()) == first
    assert not any(hall.findings().values())
    assert hall.stopped() == {}


# ---------------------------------------------------------------- score sheets and texts

G = "games/T.1.1"


def test_score_sheets_are_compared_and_numbered_as_the_log_is(begun):
    side = begun[GAMES]
    for text in "abc":
        side.write(text, G)
    first, *rest = side.unsent()
    side.confirmed()
    # given a record that does not come
    for topic, key, record, number in rest:
        begun.put(record, key, topic=topic, number=number)
    assert ["gap" in found for found in begun.findings()[GAMES]] == [True]
    # then who begins anew still misses it, and it is well once it comes, also twice
    side.restart()
    for _ in range(2):
        topic, key, record, number = first
        begun.put(record, key, topic=topic, number=number)
    assert not any(begun.findings().values())


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (line(GAMES, 2, G, "forged"), "T.1.1"),
        (line(GAMES, 1, G, "forged"), "T.1.1"),
        (line(GAMES, 1, "games/T.1.9"), "T.1.9"),
        (line(PAIRING, 1, G), "T.1.1"),
        (line(GAMES, 1, G), "T.1.2"),
        (line(GAMES, 1), "T"),
        (b"nothing", "T.1.1"),
        (None, "T.1.1"),
        (DEEP, "T.1.1"),
    ],
)
def test_what_games_never_wrote_on_a_score_sheet_is_named(begun, value, key):
    begun[GAMES].write("genuine", G)
    begun.send(GAMES)
    begun.put(value, key, topic="arbiter.moves", number=2)
    (found,) = begun.findings()[GAMES]
    assert "were not written by the games service" in found
    # standings, where nothing is signed, takes what could be genuine; nobody else follows score sheets
    others = begun.findings()
    could_be = value in (line(GAMES, 2, G, "forged"), line(GAMES, 1, "games/T.1.9"))
    assert any("were not written by the games service" in found for found in others[STANDINGS]) is not could_be
    assert not others[PAIRING] and not others[PENALTIES]
    # and the next one flows under its number
    begun[GAMES].write("next", G)
    begun.send(GAMES)
    assert len(begun.findings()[GAMES]) == 1


def test_a_tombstone_that_no_erasure_stands_behind_is_named_and_the_text_stays(begun):
    # given two names, one of which pairing erases while its line is still on its way
    names = [salted(text, "T") for text in ("李伟", "王芳")]
    with begun[PAIRING].log.transaction() as tx:
        tx.put_texts(names)
    begun.send(PAIRING)
    for name in names:
        begun.put(None, name.hash, topic=TEXTS)
    games = begun[GAMES]

    def foreign(later: float) -> int:
        with games.log.begin() as connection:
            return games.follower._texts.foreign_tombstones(connection, time.monotonic() + later)

    assert foreign(1) == 0
    begun[PAIRING].write(extra=erasure(names[0].hash))
    begun.send(PAIRING)
    # then the one that nobody has erased is named once, and stays
    assert [foreign(later) for later in (60, 60)] == [1, 0]
    (found,) = begun.findings()[GAMES]
    assert "the text was deleted by a tombstone, but the log has no event that erases it" in found
    assert games.log.texts([name.hash for name in names]) == {names[1].hash: names[1]}


def test_a_tombstone_waits_while_its_tournament_stands_stopped(begun):
    name = salted("李伟", "T")
    with begun[PAIRING].log.transaction() as tx:
        tx.put_texts([name])
    begun.send(PAIRING)
    begun.put(line(GAMES, 1, text="another"))
    begun.put(None, name.hash, topic=TEXTS)
    begun[PAIRING].write(extra=erasure(name.hash))
    begun.send(PAIRING)
    games = begun[GAMES]
    for resumed in (False, True):
        if resumed:
            games.log.resume(T)
        with games.log.begin() as connection:
            assert games.follower._texts.foreign_tombstones(connection, time.monotonic() + 60) == 0
        assert games.follower._texts.waiting is not resumed
    assert not any("tombstone" in found for found in begun.findings()[GAMES])


# ---------------------------------------------------------------- what the operator types


@pytest.fixture
def types(hall, tmp_path, capsys):
    """Runs a verb on the four databases, or on those named; exit code, and all it says."""
    from deploy.cli.main import run

    def call(*words: str, services: tuple[str, ...] = ("pairing", "games", "penalties", "standings")):
        capsys.readouterr()
        code = run([*words, *(f"--database={name}=sqlite:///{tmp_path / name}.db" for name in services)])
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out + told.err

    return call


@pytest.fixture
def lost(begun):
    """A line of games that was answered, and that a forged one came before; its command."""
    begun[GAMES].write("genuine", extra=',"id":"e7","type":"arbiter.x.v1","actor":"li","role":"arbiter","time":"noon"')
    begun.put(line(GAMES, 2, text="forged"), number=2)
    begun.send(GAMES)
    (found,) = begun[GAMES].log.lost(T)
    return found.command


def test_resume_lists_what_was_answered_and_is_in_no_ledger_until_it_is_given_up_with_a_reason(begun, types, lost):
    code, told = types("resume", "T")
    assert code == 0
    assert f"e7  arbiter.x.v1  command {lost}  by li (arbiter)  at noon" in told
    assert "1 command is missing from every ledger; `arbiter resubmit T`" in told
    give_up = ("resubmit", "T", "--give-up", "--command", lost)
    assert types(*give_up)[0] == 2
    assert types(*give_up, "--by", "Li Wei", "--reason", "played again")[0] == 0
    assert begun[GAMES].log.lost() == []
    assert types("resubmit", "T") == (0, "T has lost no command\n")


def test_what_is_lost_is_not_sent_again_while_its_tournament_stands_stopped(begun, types, lost):
    code, told = types("resubmit", "T")
    assert code == 1
    assert "`arbiter resume T` first" in told
    assert types("resume", "T")[0] == 0
    code, told = types("resubmit", "T", "--command", "another")
    assert code == 2
    assert "another is not a lost command of T" in told


def test_findings_are_listed_and_acknowledged_by_somebody_for_a_reason(begun, types):
    begun.put(b"nothing")
    code, told = types("topics", "findings", services=("games",))
    assert code == 1
    number = told.split()[0]
    assert "games  stranger  arbiter.tournaments" in told
    said = ("--by", "Li Wei", "--reason", "a test of the hall")
    assert types("topics", "acknowledge", "--all")[0] == 2
    assert types("topics", "acknowledge", *said)[0] == 2
    assert types("topics", "acknowledge", number, *said)[0] == 2
    assert types("topics", "acknowledge", "77", *said, services=("games",)) == (
        1,
        "arbiter: 77 is not an open finding of /services/games\n",
    )
    assert types("topics", "acknowledge", number, *said, services=("games",))[0] == 0
    assert types("topics", "acknowledge", "--all", *said)[0] == 0
    assert types("topics", "findings")[0] == 0


def test_doctor_and_the_metrics_name_what_was_found(begun, types, lost, tmp_path):
    begun.put(b"nothing")
    _, told = types("doctor", "--data", str(tmp_path))
    assert "games, tournament T" in told
    assert "1 accepted event is missing from every ledger" in told
    assert "the record must contain the events of one command of one of the four services" in told
    numbers = {
        (sample.name, sample.labels.get("kind", "")): sample.value
        for metric in LogNumbers(begun[GAMES].log).collect()
        for sample in metric.samples
    }
    assert numbers["arbiter_lost_events", ""] == 1
    assert numbers["arbiter_parked_tournaments", ""] == 1
    assert numbers["arbiter_topic_findings", "stranger"] == 1
    assert numbers["arbiter_topic_findings", "doubled"] == 1
