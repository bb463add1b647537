"""Whoever can write to the topic of revoked tokens: nothing that pairing's key did not sign is believed, none is taken back."""

import json
import time
from itertools import product

import pytest
import uuid_utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.distributed import revocation_facts
from deploy.server.numbers.metrics import LogNumbers
from shared.core.terms import GAMES, PAIRING, SOURCES
from shared.core.trust.token_revocations import Revocation
from shared.desk.keys.revocations import NoKey, Revocations
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import TOKENS
from shared.log.port import RevokedRow
from shared.log.worker.repair import _revoked
from shared.log.worker.revocations import RevocationTopic
from shared.signing.announcement_lists import KEY as LIST
from shared.signing.revocation_records import record_of
from shared.signing.service_keys import NO_KEYS, OwnKey, ServiceKeys, signed, signer
from tests.attacks.topic_hall import KEYS, Hall, Record, line

JTI = str(uuid_utils.uuid7())
KEY = f"jti/{JTI}"
STOLEN = Revocation(1_795_284_000, "li.wei", jti=JTI)
SIGN = KEYS.signer(str(KEYS.own(PAIRING)[0]))
FOREIGN = OwnKey.of(PAIRING, Ed25519PrivateKey.generate())
OF_GAMES = OwnKey.of(GAMES, Ed25519PrivateKey.generate())


@pytest.fixture
def record(hall):
    """What pairing has revoked and sent."""
    hall[PAIRING].revocations.revoke(STOLEN)
    (sent,) = hall.send(PAIRING)
    assert (sent.topic, sent.key) == (TOKENS, KEY.encode())
    return sent.value


def covers(hall: Hall, source, jti: str = JTI) -> bool:
    known = Revocations(hall[source].log, NO_KEYS)
    known.refresh()
    return known.covers(jti, "zhou", None, 0)


def test_what_pairing_revokes_every_service_knows(hall, record):
    assert hall.revoked() == {key: [record] for key in SOURCES}
    assert all(covers(hall, source) for source in SOURCES)
    assert not any(hall.findings().values())
    assert hall[PAIRING].unsent() == []


def test_all_of_a_name_is_revoked_up_to_the_latest_time_in_whatever_order_the_records_come(hall):
    earlier, later = (record_of(Revocation(at, "li.wei", name="zhou"), SIGN) for at in (100, 200))
    for records in ((earlier, later), (later, earlier)):
        for one in records:
            hall.put(one, "name//zhou", topic=TOKENS)
        for source in SOURCES:
            known = Revocations(hall[source].log, NO_KEYS)
            known.refresh()
            assert [known.covers("x", "zhou", t, at) for t, at in product((None, "T"), (200, 201))] == [True, False] * 2


def bare(**said) -> bytes:
    return json.dumps(
        {"type": "arbiter.token.revoked.v1", "at": 1, "by": "li.wei", **said}, separators=(",", ":")
    ).encode()


def by(own: OwnKey, bare: bytes) -> bytes:
    return signed([bare], signer(own.private, own.public))[0]


OURS = OwnKey.of(PAIRING, Ed25519PrivateKey.from_private_bytes(b"pairing".ljust(32)))
OTHER = str(uuid_utils.uuid7())
POISON = {
    "not JSON": (KEY, b"nothing"),
    "empty": (KEY, b""),
    "no UTF-8": (KEY, b"\xff"),
    "too deep": (KEY, b"[" * 200_000),
    "unsigned": (f"jti/{OTHER}", bare(jti=OTHER)),
    "by another key": (f"jti/{OTHER}", by(FOREIGN, bare(jti=OTHER))),
    "by games' key": (f"jti/{OTHER}", by(OF_GAMES, bare(jti=OTHER))),
    "the record key of the revocation": (f"jti/{OTHER}", by(OURS, bare(jti=JTI))),
    "under no key": (None, by(OURS, bare(jti=OTHER))),
    "under a key with NUL": ("jti/\0", by(OURS, bare(jti=OTHER))),
    "a line of the log": (KEY, by(OURS, line(PAIRING, 1))),
    "of another type": (KEY, by(OURS, bare(jti=JTI).replace(b"revoked", b"restored"))),
    "not as pairing writes": (KEY, by(OURS, bare(jti=JTI).replace(b":1,", b": 1,"))),
    "a member more": (KEY, by(OURS, bare(jti=JTI, more=1))),
    "no time": (KEY, by(OURS, bare(jti=JTI, at=-1))),
    "a time beyond every number": (KEY, by(OURS, bare(jti=JTI).replace(b'"at":1', b'"at":1e400'))),
    "UUID": ("jti/x", by(OURS, bare(jti="x"))),
    "nobody": ("name//", by(OURS, bare(name=""))),
    "a name that is no handle": ("name//Zhou", by(OURS, bare(name="Zhou"))),
    "two things at once": (KEY, by(OURS, bare(jti=JTI, name="zhou"))),
    "altered": (f"jti/{OTHER}", by(OURS, bare(jti=JTI)).replace(JTI.encode(), OTHER.encode())),
}  # fmt: skip


@pytest.mark.parametrize(("key", "value"), POISON.values(), ids=POISON)
def test_what_pairing_did_not_sign_revokes_nothing_and_is_named_until_somebody_acknowledges_it(hall, key, value):
    hall.put(value, key, topic=TOKENS)
    assert not any(hall.revoked().values())
    for source, found in hall.findings().items():
        assert len(found) == 1 and TOKENS in found[0]
        numbers = {s.labels["kind"]: s.value for m in LogNumbers(hall[source].log).collect()
                   if m.name == "arbiter_topic_findings" for s in m.samples}  # fmt: skip
        assert numbers["stranger"] == 1
        (finding,) = hall[source].log.findings()
        assert hall[source].log.acknowledge([finding.id], "Li Wei", "looked at") == 1
    # then the services go on, of tokens and of tournaments
    hall[PAIRING].revocations.revoke(STOLEN)
    hall[PAIRING].write("next")
    hall.send(PAIRING)
    assert all(covers(hall, source) for source in SOURCES)
    assert len(hall.lines()) == 1


@pytest.mark.parametrize(
    "value", [None, b"poison", by(FOREIGN, bare(jti=JTI)), by(OURS, bare(jti=JTI))], ids=["tombstone", "poison", "forged", "old"]
)  # fmt: skip
def test_nothing_gives_a_token_back_and_pairing_sends_again_what_was_written_over(hall, record, value):
    hall.put(value, KEY, topic=TOKENS)
    assert hall.revoked() == {key: [record] for key in SOURCES}
    # and whoever reads the compacted topic for the first time finds the genuine record
    (again,) = hall.send(PAIRING)
    assert (again.key, again.value) == (KEY.encode(), record)
    assert hall[PAIRING].unsent() == [], "it is not sent for ever"


def test_a_flood_of_tombstones_is_one_finding_and_one_record_that_waits(hall, record):
    for _ in range(20):
        hall.put(None, KEY, topic=TOKENS)
    assert [len(found) for found in hall.findings().values()] == [1] * 4
    assert len(hall[PAIRING].unsent()) == 1


def ours():
    """Pairing's public keys."""
    return KEYS.own(PAIRING)


class Topic:
    """The topic as a consumer reads it from its beginning."""

    def __init__(self, records: list[Record]) -> None:
        self.records = records


def read_again(hall: Hall, source, topic: RevocationTopic, records: list[Record], monkeypatch) -> None:
    monkeypatch.setattr("shared.log.worker.revocations.consumer.partitions", lambda reader, name: [])
    monkeypatch.setattr("shared.log.worker.revocations.consumer.begins", lambda reader, places: {})
    monkeypatch.setattr("shared.log.worker.revocations.consumer.ends", lambda reader, places: {})
    monkeypatch.setattr("shared.log.worker.revocations.consumer.stretch", lambda reader, begins, ends: reader.records)
    topic.read_again(hall[source]._lock, Topic(records))


def test_a_topic_that_was_emptied_is_filled_again_from_pairings_table_and_nobody_forgets(hall, record, monkeypatch):
    topic = RevocationTopic(PAIRING, ours, KEYS)
    read_again(hall, PAIRING, topic, [], monkeypatch)
    assert [(key, value) for _, key, value, _ in hall[PAIRING].unsent()] == [(KEY, record)]
    read_again(hall, GAMES, RevocationTopic(GAMES, ours), [], monkeypatch)
    assert hall.revoked() == {key: [record] for key in SOURCES}
    assert hall[GAMES].unsent() == []


def test_a_new_key_of_pairings_signs_again_what_it_holds_and_who_learns_the_key_late_reads_it_then(
    hall, record, monkeypatch
):
    keys = ServiceKeys({PAIRING: [FOREIGN, OURS]})
    pairing = RevocationTopic(PAIRING, lambda: keys.own(PAIRING), keys)
    read_again(hall, PAIRING, pairing, hall.records, monkeypatch)
    (_, listed, _, _), (_, key, anew, _) = hall[PAIRING].unsent()
    assert listed == LIST.decode(), "what the key before announced: nothing"
    assert (key, anew) == (KEY, record_of(STOLEN, signer(FOREIGN.private, FOREIGN.public)))
    fresh = DistributedLog(f"sqlite:///{hall[GAMES].log.engine.url.database}.fresh", GAMES)
    hall.sides[GAMES].log.close()
    hall.sides[GAMES].log = fresh
    hall.sides[GAMES]._lock._log = fresh
    sent = [Record(TOKENS, 0, 9, KEY.encode(), anew, [])]
    read_again(hall, GAMES, RevocationTopic(GAMES, ours), sent, monkeypatch)
    assert not covers(hall, GAMES)
    read_again(hall, GAMES, RevocationTopic(GAMES, lambda: keys.own(PAIRING)[:1]), sent, monkeypatch)
    assert covers(hall, GAMES)


def test_the_topics_are_made_anew_with_what_any_service_knows(hall, record):
    later = record_of(Revocation(7, "li.wei", name="zhou"), SIGN)
    with hall[GAMES].log.transaction() as tx:
        tx.keep_revoked(RevokedRow("name//zhou", 7, later))
    logs = [side.log for side in hall.sides.values()]
    assert _revoked(logs) == [RevokedRow(KEY, STOLEN.at, record), RevokedRow("name//zhou", 7, later)]


def test_a_service_whose_worker_does_not_follow_says_so(hall, record):
    log = hall[GAMES].log
    assert "nobody follows" in revocation_facts(log)["problem"]
    with log.begin() as connection:
        connection.exec_driver_sql("UPDATE worker SET at = ?", (time.time(),))
    assert revocation_facts(log) == {"revoked": 1, "problem": None}
    with log.begin() as connection:
        connection.exec_driver_sql("UPDATE worker SET at = ?", (time.time() - 60,))
    assert "60 s" in revocation_facts(log)["problem"]


def test_who_does_not_hold_pairings_key_revokes_nothing(hall):
    with pytest.raises(NoKey):
        Revocations(hall[GAMES].log, NO_KEYS).revoke(STOLEN)
    assert not any(hall.revoked().values())
