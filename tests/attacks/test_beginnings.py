"""Who announces a tournament on the topic without pairing's key: in an old version, by a key of his own, by nothing at all."""

import json
import threading
from base64 import b64encode
from pathlib import Path

import pytest
import uuid_utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit import service_key_files
from shared.audit.key_files import BadKeys
from shared.core.merkle import Frontier, leaf_hash
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS, Source
from shared.log.kafka.broker import TOURNAMENTS, Broker
from shared.log.kafka.consumer import partition_of
from shared.log.sql.tables import LEDGER
from shared.log.worker.acceptance import place_in_log
from shared.log.worker.first_record import Beginnings
from shared.log.worker.follower import Follower
from shared.log.worker.ledger import Book
from shared.log.worker.ledger_rebuild import _begun
from shared.log.worker.repair import _everything, _longest
from shared.signing.records import signed, signer
from shared.signing.service_keys import OwnKey
from tests.attacks.topic_hall import line

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
    assert all("keys of pairing that are configured" in hall.stopped(N)[source] for source in (GAMES, STANDINGS))
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


@pytest.fixture
def rotated(hall):
    """A hall whose services have the file after a rotation: the newest key, and the former one behind it."""
    for side in hall.sides.values():
        side.follower = Follower(
            side.log,
            Broker("nowhere:1", partitions=3),
            threading.Event(),
            announcers=lambda: [NEWER.public, HOUSE[PAIRING].public],
        )
        side.restart()
    return hall


def in_one_partition(number: int) -> list[str]:
    """So many tournaments whose records lie in one partition."""
    return [t for t in (f"R{n}" for n in range(100)) if partition_of(t, 3) == 0][:number]


def key_line(t: str, announcement: bytes) -> bytes:
    """The rotation's line in a tournament: pairing names its newer key, signed by the one before."""
    said = json.loads(announcement)
    root = Frontier()
    root.append(leaf_hash(announcement))
    said |= {"id": str(uuid_utils.uuid7()), "causationid": str(uuid_utils.uuid7()), "sourceseq": 2, "basis": 1}
    said |= {"type": "arbiter.key.announced.v1", "role": "rulebook", "actor": "rulebook", "tokenid": ""}
    said |= {"basisroot": b64encode(root.root()).decode(), "data": {"key": str(NEWER.public), "reason": None}}
    said.pop("signature", None)
    former = HOUSE[PAIRING]
    record = json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()
    return signed([record], signer(former.private, former.public))[0]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("names_the_newer", ["a new tournament", "the rotation's line in an old one"])
def test_a_former_key_begins_what_lies_before_the_line_that_names_the_newer_one_and_nothing_behind(
    rotated, names_the_newer, restarted
):
    old, other, forged = in_one_partition(3)
    former = announced(4, HOUSE, HOUSE[PAIRING], old)
    # what was announced before the rotation is read as it was, also by who reads it for the first time
    rotated.put(former, old, number=1)
    assert set(rotated.stopped(f"tournaments/{old}")) == {PAIRING}
    # once its partition names the newer key
    if names_the_newer == "a new tournament":
        rotated.put(announced(4, ROTATED, NEWER, other), other, number=2)
        assert set(rotated.stopped(f"tournaments/{other}")) == {PAIRING}
    else:
        rotated.put(key_line(old, former), old, number=2)
        assert len(rotated.lines(f"tournaments/{old}")) == 2
    if restarted:
        for side in rotated.sides.values():
            side.restart()
    # whoever stole the former key announces nothing there any more
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], forged), forged, number=3)
    stopped = rotated.stopped(f"tournaments/{forged}")
    assert set(stopped) == set(SOURCES)
    assert all("signed by a former key" in stopped[source] for source in (GAMES, PENALTIES, STANDINGS))
    # and what the newest key signs begins
    (later,) = in_one_partition(4)[3:]
    rotated.put(announced(4, ROTATED, NEWER, later), later, number=4)
    assert set(rotated.stopped(f"tournaments/{later}")) == {PAIRING}


def test_a_stolen_former_key_is_believed_where_no_line_names_the_newer_until_its_line_is_taken_out(rotated):
    first, second = in_one_partition(2)
    elsewhere = next(t for t in (f"R{n}" for n in range(100)) if partition_of(t, 3) == 1)
    rotated.put(announced(4, ROTATED, NEWER, elsewhere), elsewhere, number=1)
    # given a partition whose lines name no newer key, although another's do
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], first), first, number=1)
    assert set(rotated.stopped(f"tournaments/{first}")) == {PAIRING}, "only who never wrote it knows better"
    # once the operator has taken its line out
    for side in rotated.sides.values():
        side.follower = Follower(
            side.log, Broker("nowhere:1", partitions=3), threading.Event(), announcers=lambda: [NEWER.public]
        )
        side.restart()
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], second), second, number=2)
    assert set(rotated.stopped(f"tournaments/{second}")) == set(SOURCES)


def test_an_announcement_that_stands_stopped_does_not_say_that_a_key_is_a_former_one(rotated):
    stopped, genuine = in_one_partition(2)
    # given somebody who knows pairing's newer public key, and has none
    rotated.put(announced(4, ROTATED, LIAR[PAIRING], stopped), stopped, number=1)
    for side in rotated.sides.values():
        side.restart()
    rotated.put(announced(4, HOUSE, HOUSE[PAIRING], genuine), genuine, number=1)
    assert set(rotated.stopped(f"tournaments/{genuine}")) == {PAIRING}


def test_an_announcement_that_pairing_signed_begins_its_tournament(hall):
    genuine = announced(4, HOUSE, HOUSE[PAIRING])
    hall.put(genuine, "N", number=1)
    assert "never wrote it" in hall.stopped(N).pop(PAIRING)
    assert (set(hall.stopped(N)) - {PAIRING}, hall.lines(N)) == (set(), [genuine])


@pytest.mark.parametrize("source", [GAMES, PENALTIES, STANDINGS])
def test_what_comes_before_an_announcement_is_no_line_and_does_not_keep_it_out(hall, source):
    # given a liar with one service's password, who is ahead of pairing
    hall.put(line(source, 1, N), "N", number=1)
    assert (hall.lines(N), hall.stopped(N)) == ([], {})
    assert all("nobody has announced" in found[0] for found in hall.findings().values())
    hall.put(announced(4, HOUSE, HOUSE[PAIRING]), "N", number=1)
    assert len(hall.lines(N)) == 1 and set(hall.stopped(N)) == {PAIRING}


def test_a_ledger_that_is_read_again_keeps_what_it_had_and_what_stood_stopped(hall):
    # given a tournament of an old edition that an operator has gone past, and one that stands stopped
    kept, stopped = announced(3), announced(2, t="O")
    hall.put(kept, "N", number=1)
    hall[GAMES].log.resume(N)
    hall.put(stopped, "O", number=1)
    with hall[GAMES].log.begin() as connection:
        beginnings = Beginnings(lambda: [HOUSE[PAIRING].public], 3, _begun(connection))
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


def test_topics_that_are_made_anew_hold_what_a_former_key_announced_before_what_names_the_newer(rotated):
    # given a tournament that is later by name and was announced before the rotation
    later, earlier = sorted(in_one_partition(2))
    first = announced(4, HOUSE, HOUSE[PAIRING], earlier)
    second = announced(4, ROTATED, NEWER, later, "2027-01-01T00:00:00.000000Z")
    rotation = key_line(earlier, first)
    for record, t in ((first, earlier), (rotation, earlier), (second, later)):
        rotated.put(record, t)
    logs = [side.log for side in rotated.sides.values()]
    sent = [record for _, topic, _, record in _everything(_longest(logs), logs) if topic == TOURNAMENTS]
    assert sent == [first, second, rotation]
