"""Who announces a tournament on the topic without pairing's key: in an old version, by a key of his own, by nothing at all."""

import json
import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit import service_key_files
from shared.audit.key_files import BadKeys
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS, Source
from shared.log.kafka.broker import Broker
from shared.log.sql.tables import LEDGER
from shared.log.worker.acceptance import place_in_log
from shared.log.worker.first_record import Beginnings
from shared.log.worker.follower import Follower
from shared.log.worker.ledger import Book
from shared.log.worker.ledger_rebuild import _begun
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


def announced(version: int, keys: dict[Source, OwnKey] | None = None, by: OwnKey | None = None, t: str = "N") -> bytes:
    """An announcement of a tournament as pairing writes it, of some version; ``keys`` are named, ``by`` signs."""
    said = json.loads((GOLDEN / f"arbiter.tournament.announced.v{version}.json").read_bytes())
    said.pop("signature", None)
    said |= {"subject": f"tournaments/{t}", "partitionkey": t, "tokenid": ""}
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
        beginnings = Beginnings(lambda: [HOUSE[PAIRING].public], _begun(connection))
        connection.execute(LEDGER.delete())
        book = Book(beginnings=beginnings)
        for record in (kept, stopped):
            book.take(connection, record, print)
    # then what was in the ledger needs no key, and the other still does; also another line under the same name
    assert book.stops == 1
    place = place_in_log([kept])
    assert beginnings.why_not(place, [kept]) is None
    assert beginnings.why_not(place, [kept.replace(b'"rounds":5', b'"rounds":6')]) is not None


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
