"""Who announces a tournament on the topic without pairing's key: in an old version, by a key of his own, by nothing at all."""

import json
import threading
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.keys import service_key_files
from shared.audit.keys.key_files import BadKeys
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS, Source
from shared.core.trust.merkle import leaf_hash
from shared.core.trust.service_keys import ServiceKey
from shared.log.kafka.broker import TOKENS, TOURNAMENTS, Broker, headers_of
from shared.log.kafka.consumer import partition_of
from shared.log.port import NewRow
from shared.log.sql.tables import LEDGER
from shared.log.sql.worker_state import Mendable
from shared.log.worker.acceptance import place_in_log
from shared.log.worker.follower import Follower
from shared.log.worker.ledger import Book
from shared.log.worker.ledger_rebuild import _begun
from shared.log.worker.listed_announcements import Beginnings, ListedAnnouncements
from shared.log.worker.records.record_signatures import RestoredSignatures
from shared.log.worker.revocations import RevocationTopic
from shared.signing.announcement_lists import KEY as LIST
from shared.signing.announcement_lists import list_of, read_list
from shared.signing.service_keys import NO_KEYS, OwnKey, ServiceKeys, signed, signer
from tests.attacks.topic_hall import Record, line

GOLDEN = Path(__file__).parents[1] / "golden"
N = "tournaments/N"


def a_house() -> dict[Source, OwnKey]:
    return {source: OwnKey.of(source, Ed25519PrivateKey.generate()) for source in SOURCES}


HOUSE, LIAR = a_house(), a_house()
FORMER = OwnKey.of(PAIRING, Ed25519PrivateKey.generate())
"""A key of pairing's that stands in its file no more: it was stolen."""


def announced(
    version: int,
    keys: dict[Source, OwnKey] | None = None,
    by: OwnKey | None = None,
    t: str = "N",
    time: str = "2026-11-21T09:30:00.123456Z",
) -> bytes:
    """An announcement of a tournament as pairing writes it, of some version; ``keys`` are named, ``by`` signs."""
    said = json.loads((GOLDEN / f"arbiter.tournament.announced.v{version}.json").read_bytes())
    said.pop("signature", None)
    said |= {"subject": f"tournaments/{t}", "partitionkey": t, "tokenid": "", "time": time}
    said["causationid"] = str(uuid5(NAMESPACE_URL, t))
    if version >= 4:
        said["data"]["keys"] = [str(key.public) for key in keys.values()] if keys else []
    record = [json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()]
    return (signed(record, signer(by.private, by.public)) if by else record)[0]


FORGED = {
    **{f"unsigned, version {version}": announced(version) for version in (1, 2, 3, 4)},
    "the liar's keys, signed by one of them": announced(4, LIAR, LIAR[PAIRING]),
    "the liar's key of pairing among the house's": announced(4, HOUSE | {PAIRING: LIAR[PAIRING]}, LIAR[PAIRING]),
    "a stolen key that counts no more": announced(4, HOUSE | {PAIRING: FORMER}, FORMER),
}


@pytest.fixture
def hall(hall):
    """A hall whose services know pairing's key."""
    for side in hall.sides.values():
        side.follower = Follower(
            side.log, Broker("nowhere:1", partitions=3), threading.Event(), announcers=lambda: [HOUSE[PAIRING].public]
        )
        side.restart()
    return hall


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_an_announcement_without_pairings_configured_key_stops_that_tournament_everywhere(hall, forged):
    hall.put(forged, "N", number=1)
    assert set(hall.stopped(N)) == set(SOURCES)
    assert all("configured" in hall.stopped(N)[source] for source in (GAMES, STANDINGS))
    assert all(stop.seq == 0 for side in hall.sides.values() for stop in [side.log.stops()[N]])
    # an operator who knows better goes past it, in all services alike
    for side in hall.sides.values():
        assert side.log.resume(N)
    assert (hall.stopped(N), hall.lines(N)) == ({}, [forged])
    # and services that begin anew with what they have stop nothing again
    for side in hall.sides.values():
        side.restart()
    hall.put(forged, "N", number=1)
    assert hall.stopped(N) == {}


NEWER = OwnKey.of(PAIRING, Ed25519PrivateKey.generate())
"""The key to which pairing's was rotated; that of `HOUSE` is then a former one."""
ROTATED = HOUSE | {PAIRING: NEWER}


LISTS = ServiceKeys({PAIRING: [NEWER, HOUSE[PAIRING]]})
"""Pairing's after the rotation, by which it lists what the former key announced."""


def know(side, keys: list[OwnKey], own: ServiceKeys = NO_KEYS) -> None:
    """A worker that begins with these keys of pairing's in its configuration; ``own`` where it is pairing's."""

    def public() -> list[ServiceKey]:
        return [key.public for key in keys]

    revocations = RevocationTopic(side.source, public, own if side.source == PAIRING else NO_KEYS)
    broker = Broker("nowhere:1", partitions=3)
    side.follower = Follower(side.log, broker, threading.Event(), announcers=public, revocations=revocations)
    side.restart()


def list_again(hall) -> None:
    """Pairing's worker begins: it lists what its former keys announced; the relay sends it."""
    with hall[PAIRING].log.begin() as connection:
        hall[PAIRING].follower._revocations.listed.publish(connection, None)
    hall.send(PAIRING)


def wrote(hall, record: bytes, t: str) -> None:
    """Pairing's own table has this announcement."""
    with hall[PAIRING].log.transaction([f"tournaments/{t}"]) as tx:
        tx.append([NewRow(f"tournaments/{t}", 0, PAIRING, 1, json.loads(record)["causationid"], 0, record)])


@pytest.fixture
def rotated(hall):
    """A hall after a rotation: its services have the newest key and the former one behind it, and pairing announced R0 before,
    which the others have still to read."""
    wrote(hall, announced(4, HOUSE, HOUSE[PAIRING], "R0"), "R0")
    hall[PAIRING].confirmed()
    for side in hall.sides.values():
        know(side, [NEWER, HOUSE[PAIRING]], LISTS)
    return hall


def in_partition(number: int) -> list[str]:
    """Tournaments of whose records no other lies in the partition, or with R0."""
    return [t for t in (f"R{n}" for n in range(1, 100)) if partition_of(t, 3) == number]


@pytest.mark.parametrize("partition", range(3))
def test_a_stolen_former_key_announces_nothing_once_the_newer_has_listed_what_it_did(rotated, partition):
    list_again(rotated)
    forged = in_partition(partition)[0]
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], forged), forged, number=1)
    stopped = rotated.stopped(f"tournaments/{forged}")
    assert set(stopped) == set(SOURCES)
    assert all("the newest key does not list it" in stopped[source] for source in (GAMES, PENALTIES, STANDINGS))
    # nor what it names, or another line under the name of what it did announce
    other = announced(4, ROTATED, HOUSE[PAIRING], "R0", "2027-01-01T00:00:00.000000Z")
    rotated.put(other, "R0", number=1)
    assert set(rotated.stopped("tournaments/R0")) == set(SOURCES)


def test_what_the_former_key_announced_begins_for_who_reads_it_for_the_first_time(rotated):
    list_again(rotated)
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], "R0"), "R0", number=1)
    assert (rotated.stopped("tournaments/R0"), len(rotated.lines("tournaments/R0"))) == ({}, 1)
    # also after it came once more
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], "R0"), "R0", number=2)
    assert (rotated.stopped("tournaments/R0"), len(rotated.lines("tournaments/R0"))) == ({}, 1)
    # and what the newest key signs begins, without a list
    (later,) = in_partition(0)[:1]
    rotated.put(announced(4, ROTATED, NEWER, later), later, number=1)
    assert set(rotated.stopped(f"tournaments/{later}")) == {PAIRING}


def test_until_the_newer_key_has_listed_nothing_of_a_former_one_is_taken_or_stopped(rotated):
    side, genuine = rotated[STANDINGS], announced(4, HOUSE, HOUSE[PAIRING], "R0")
    record = Record(TOURNAMENTS, partition_of("R0", 3), 0, b"R0", genuine, headers_of(1))
    with pytest.raises(Mendable, match="has not listed yet"):
        side.read(record)
    assert (side.log.stops(), list(side.log.lines("tournaments/R0"))) == ({}, [])
    # a list by the key that was stolen, by a stranger, or that is none, says nothing
    for bad in (
        list_of([leaf_hash(genuine)], LISTS.signer(str(HOUSE[PAIRING].public))),
        list_of([leaf_hash(genuine)], signer(LIAR[PAIRING].private, LIAR[PAIRING].public)),
        b"{}",
        None,
    ):
        rotated.put(bad, LIST.decode(), topic=TOKENS)
    with pytest.raises(Mendable, match="has not listed yet"):
        side.read(record)
    assert [sum(found.records for found in one.log.findings()) for one in rotated.sides.values()] == [4, 4, 4, 4]
    # then pairing's worker begins
    list_again(rotated)
    side.read(record)
    assert [row.line for row in side.log.lines("tournaments/R0")] == [genuine]


def test_pairing_lists_nothing_by_a_key_that_is_not_the_newest_of_the_public_file(rotated):
    # given a rotation of which a process has read the public file, and not yet the private one
    know(rotated[PAIRING], [NEWER, HOUSE[PAIRING]], ServiceKeys({PAIRING: [HOUSE[PAIRING]]}))
    listed = rotated[PAIRING].follower._revocations.listed
    assert not listed.due()
    list_again(rotated)
    assert not any(record.key == LIST for record in rotated.records)
    # or the other way round
    know(rotated[PAIRING], [HOUSE[PAIRING]], LISTS)
    assert not rotated[PAIRING].follower._revocations.listed.due()
    # and once it has both
    know(rotated[PAIRING], [NEWER, HOUSE[PAIRING]], LISTS)
    assert rotated[PAIRING].follower._revocations.listed.due()


def test_an_older_list_that_is_sent_again_takes_nothing_back_and_pairing_sends_the_newest(rotated):
    list_again(rotated)
    first = next(r.value for r in rotated.records if r.key == LIST)
    wrote(rotated, announced(4, HOUSE, HOUSE[PAIRING], "R1"), "R1")
    rotated[PAIRING].confirmed()
    list_again(rotated)
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], "R1"), "R1", number=1)
    assert rotated.stopped("tournaments/R1") == {}
    newest = [r.value for r in rotated.records if r.key == LIST][-1]
    assert newest != first
    for old in (first, None):
        rotated.put(old, LIST.decode(), topic=TOKENS)
        assert not rotated[GAMES].follower._revocations.listed.denies([announced(4, HOUSE, HOUSE[PAIRING], "R1")])
        (sent,) = rotated.send(PAIRING)
        assert (sent.key, sent.value) == (LIST, newest)


def test_what_a_process_of_pairings_announced_by_the_former_key_after_the_list_is_listed_when_it_comes(rotated):
    list_again(rotated)
    late = announced(4, HOUSE, HOUSE[PAIRING], "R1")
    wrote(rotated, late, "R1")
    rotated[PAIRING].confirmed()
    rotated.put(late, "R1", number=1)
    assert PAIRING not in rotated.stopped("tournaments/R1"), "it wrote it, and lists it now"
    (sent,) = rotated.send(PAIRING)
    assert leaf_hash(late) in read_list(sent.value, NEWER.public)


def test_pairing_puts_back_nothing_that_a_stolen_former_key_announced(rotated):
    list_again(rotated)
    listed = rotated[PAIRING].follower._revocations.listed
    signatures = RestoredSignatures([NEWER.public, HOUSE[PAIRING].public], listed)
    forged, genuine = (announced(4, HOUSE, HOUSE[PAIRING], t) for t in ("R1", "R0"))
    with rotated[PAIRING].log.begin() as connection:
        refused, taken = (signatures.why_not(connection, place_in_log([one]), [one]) for one in (forged, genuine))
    assert "does not list" in str(refused) and taken is None


def test_an_announcement_that_pairing_signed_begins_its_tournament(hall):
    genuine = announced(4, HOUSE, HOUSE[PAIRING])
    hall.put(genuine, "N", number=1)
    assert "did not write it" in hall.stopped(N).pop(PAIRING)
    assert (set(hall.stopped(N)) - {PAIRING}, hall.lines(N)) == (set(), [genuine])


@pytest.mark.parametrize("source", [GAMES, PENALTIES, STANDINGS])
def test_what_comes_before_an_announcement_is_no_line_and_does_not_keep_it_out(hall, source):
    # given a liar with one service's password, who is ahead of pairing
    hall.put(line(source, 1, N), "N", number=1)
    assert (hall.lines(N), hall.stopped(N)) == ([], {})
    assert all("never created" in found[0] for found in hall.findings().values())
    hall.put(announced(4, HOUSE, HOUSE[PAIRING]), "N", number=1)
    assert len(hall.lines(N)) == 1 and set(hall.stopped(N)) == {PAIRING}


def test_a_ledger_that_is_read_again_keeps_what_it_had_and_what_stood_stopped(hall):
    # given a tournament of an old edition that an operator has gone past, and one that stands stopped
    kept, stopped = announced(3), announced(2, t="O")
    hall.put(kept, "N", number=1)
    hall[GAMES].log.resume(N)
    hall.put(stopped, "O", number=1)
    with hall[GAMES].log.begin() as connection:
        keys = [HOUSE[PAIRING].public]
        beginnings = Beginnings(lambda: keys, ListedAnnouncements(lambda: keys), _begun(connection))
        connection.execute(LEDGER.delete())
        book = Book(beginnings=beginnings)
        for record in (kept, stopped):
            book.take(connection, record, print)
        # then what was in the ledger needs no key, and the other still does; also another line under the same name
        assert book.stops == 1
        place = place_in_log([kept])
        assert beginnings.why_not(connection, place, [kept]) is None
        assert beginnings.why_not(connection, place, [kept.replace(b'"rounds":5', b'"rounds":6')]) is not None


def test_pairings_keys_are_those_of_the_file_when_they_are_asked(tmp_path):
    with pytest.raises(BadKeys, match="arbiter keys"):
        service_key_files.Announcers(tmp_path / "keys")
    service_key_files.ensure(tmp_path)
    announcers, path = service_key_files.Announcers(tmp_path / "keys"), tmp_path / "keys" / "pairing.vkey"
    (first,) = announcers()
    newest = service_key_files.rotate(tmp_path, PAIRING)
    assert list(map(str, announcers())) == [newest, str(first)]
    # a key that was stolen goes for good
    path.write_text(f"{newest}\n")
    service_key_files.ensure(tmp_path)
    assert list(map(str, announcers())) == [newest]
    # a file that cannot be read takes no key away, and gives none
    for broken in ("nothing\n", "", f"{HOUSE[GAMES].public}\n"):
        path.write_text(broken)
        assert list(map(str, announcers())) == [newest]
        with pytest.raises(BadKeys):
            service_key_files.Announcers(tmp_path / "keys")
