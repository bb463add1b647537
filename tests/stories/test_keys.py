"""Keys of services, over HTTP: what they sign, and what happens when one is lost."""

import json

from shared.audit.keys import key_files
from shared.core.terms import GAMES, PAIRING, SOURCES
from shared.core.trust.service_keys import ServiceKey, parse_key
from shared.signing.recovery import sign_recovery
from shared.signing.service_keys import holds
from tests.stories.conftest import Story, T

NEW_KEY = str(ServiceKey(GAMES, bytes(range(32))))


def test_every_record_is_signed_by_the_service_that_wrote_it(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.report("1-0", "*")
    story.foul(1)
    story.hall.settled()
    lines = story.hall.lines("T")
    keys = {parse_key(text).source: parse_key(text) for text in json.loads(lines[0])["data"]["keys"]}
    assert tuple(keys) == SOURCES
    record: list[bytes] = []
    sources = set()
    for line, after in zip(lines, [*lines[1:], b"{}"], strict=True):
        record.append(line)
        event = json.loads(line)
        if event["causationid"] != json.loads(after).get("causationid"):
            assert list(event)[-1] == "signature" and holds(record, keys[event["source"]])
            sources.add(event["source"])
            record = []
        else:
            assert "signature" not in event
    assert len(sources) >= 3


def test_a_lost_key_is_announced_by_another_service_with_its_reason(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.report("1-0", "*")
    recovery = key_files.read(story.hall.data / "recovery.key")
    lost = {"key": NEW_KEY, "reason": "the disk of games is gone", "recovery": ""}
    assert story.refused(f"{T}/keys", lost, "organiser") == (422, "recovery-missing")
    lost["recovery"] = sign_recovery(recovery, "arbiter/T", NEW_KEY)
    assert story.refused(f"{T}/keys", lost, "chief_arbiter") == (403, "role-may-not")
    assert story.refused(f"{T}/keys", lost | {"reason": ""}, "organiser") == (422, "bad-fields")
    assert story.refused(f"{T}/keys", lost | {"key": NEW_KEY[:-4]}, "organiser") == (422, "bad-key")
    foreign = str(ServiceKey(PAIRING, bytes(32)))
    assert story.refused(f"{T}/keys", lost | {"key": foreign}, "organiser") == (409, "not-its-key")
    assert story.refused(f"{T}/pairing-key", lost, "organiser") == (409, "not-its-key")
    story.tell(f"{T}/keys", lost, "organiser")
    assert story.refused(f"{T}/keys", lost, "organiser") == (409, "key-in-force")
    # who has only the key before signs nothing more, and everybody else goes on
    result = {"round": 1, "results": [{"board": 2, "result": "1-0"}]}
    assert story.refused(f"{T}/results", result, "arbiter") == (503, "tournament-stopped")
    story.foul(3)
    story.tell(
        f"{T}/pairing-key",
        {"key": foreign, "reason": "and that of pairing", "recovery": sign_recovery(recovery, "arbiter/T", foreign)},
        "organiser",
    )
    assert story.refused(f"{T}/byes", {"player": 1, "round": 2, "kind": "H"}) == (503, "tournament-stopped")
