"""One line, one meaning: a line's bytes are the only ones that say what it says."""

import json
from base64 import b64encode
from pathlib import Path
from random import Random

import msgspec
import pytest

from deploy.build import shapes_build
from shared.core.event_types.registry import BY_NAME, UPCASTERS
from shared.wire import canonical, shapes
from shared.wire.envelope import Unreadable, read, with_signature

GOLDEN = Path(__file__).parents[1] / "golden"
LINES = [line for f in sorted(GOLDEN.glob("*.json")) for line in f.read_bytes().splitlines()]
LOGS = [f for f in sorted(GOLDEN.glob("log-*/*.ndjson")) if not f.name.endswith("texts.ndjson")]
LINES += [line for log in LOGS for line in log.read_bytes().splitlines()]
OLD = [line for line in LINES if json.loads(line)["type"] not in BY_NAME]


def problem(line: bytes) -> str | None:
    """Why a line is refused where it enters: not read, or not canonical."""
    try:
        why = canonical.why_not(line, read(line, 1))
        return None if why is None else str(why)
    except Unreadable as unreadable:
        return str(unreadable.detail)


def written(event: object) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()


def test_every_line_of_every_version_that_was_ever_written_is_canonical():
    assert [(line, why) for line in LINES if (why := problem(line)) is not None] == []
    assert {json.loads(line)["type"] for line in OLD} == set(UPCASTERS)


def test_every_version_has_its_shape_and_the_newest_that_of_its_type():
    assert set(shapes.kept()) == {*BY_NAME, *UPCASTERS}
    assert shapes_build.FILE.read_text(encoding="utf-8") == shapes_build.render(), "make docs"


LINE = (GOLDEN / "arbiter.ruling.made.v2.json").read_bytes().strip()
OLDER = (GOLDEN / "arbiter.ruling.made.v1.json").read_bytes().strip()


@pytest.mark.parametrize("line", [LINE, OLDER], ids=["newest", "older"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"sourceseq":', b'"sourceseq": '),
        (b'{"specversion"', b' {"specversion"'),
        (b'"actor":"li.wei"', b'"actor":"li\\u002ewei"'),
        (b'"actor":"li.wei","role":"arbiter"', b'"role":"arbiter","actor":"li.wei"'),
        (b'"player":2', b'"player":9,"player":2'),
        (b'"actor":"li.wei"', b'"actor":"somebody","actor":"li.wei"'),
        (b'"count":3', b'"count":3.0'),
        (b'"count":3', b'"count":3,"more":1'),
        (b'"kind":"set_marks",', b'"kind":"set_marks","hidden":"x",'),
        (b',"finding":"f5"', b""),
        (b'"round":1,"infraction":"third_foul"', b'"infraction":"third_foul","round":1'),
        (b'"data":{', b'"data":{"more":[],'),
        (b'-7ccc-8ddd-eeeeffff0001"', b'-4ccc-8ddd-eeeeffff0001"'),
        (b'-7ccc-8ddd-eeeeffff0001"', b'-7CCC-8ddd-eeeeffff0001"'),
        (b'-7ccc-8ddd-eeeeffff0000"', b'-1ccc-8ddd-eeeeffff0000"'),
        (b"hSuFU=", b"hSuFV="),
        (b"hSuFU=", b"hSuFU"),
        (b"09:30:00.123456Z", b"09:30:00.123Z"),
        (b"09:30:00.123456Z", b"09:30:00.123456+00:00"),
        (b"2026-11-21T", b"2026-13-21T"),
        (b'"partitionkey":"T"', b'"partitionkey":"U"'),
        (b"application/json", b"application/xml"),
        (b'"tokenid":"tok1"', b'"tokenid":"tok 1"'),
        (b'.0.0"', b'"'),
        (b'"sourceseq":1', b'"sourceseq":0'),
        (b'"data":{', b'"official":1,"data":{'),
        (b'"data":{', b'"signature":"00000000:AAAA","data":{'),
    ],
)  # fmt: skip
def test_what_says_the_same_in_other_bytes_or_more_than_it_may_is_refused(line, old, new):
    assert old in line
    assert problem(line.replace(old, new, 1)) is not None


def test_a_member_more_less_or_elsewhere_is_refused_in_every_object_of_every_older_version():
    for line in OLD:
        event = json.loads(line)
        for place in objects(event["data"]):
            for change in (lambda o: o.update(zz=1), popped, swapped):
                other = json.loads(line)
                target = other["data"]
                for step in place:
                    target = target[step]
                shape = shape_at(event["type"], place)
                if "*" in shape or (change is swapped and len(target) < 2):
                    continue
                if change is popped and f"{next(iter(target))}?" in shape:
                    continue  # a member that may be left out
                change(target)
                assert problem(written(other)) is not None, (event["type"], place, change)


def objects(value, place=()):
    """Where the objects with members stand in parsed JSON."""
    if isinstance(value, dict):
        if value:
            yield place
        for name, one in value.items():
            yield from objects(one, (*place, name))
    elif isinstance(value, list):
        for n, one in enumerate(value):
            yield from objects(one, (*place, n))


def shape_at(type_, place):
    shape = shapes.kept()[type_]
    for step in place:
        shape = shape[0] if isinstance(step, int) else shape.get(step, shape.get(f"{step}?", shape.get("*")))
    return shape


def popped(target):
    target.pop(next(iter(target)))


def swapped(target):
    first = next(iter(target))
    target[first] = target.pop(first)


def test_no_byte_can_be_put_in_or_left_out_of_a_line_unless_its_meaning_changes():
    rng = Random(1)
    for line in (LINE, OLDER):
        said = msgspec.json.decode(line)
        for _ in range(400):
            place = rng.randrange(len(line))
            other = line[:place] + rng.choice([b"", bytes([rng.randrange(1, 127)])]) + line[place + rng.randrange(2) :]
            if other != line and problem(other) is None:
                assert msgspec.json.decode(other) != said, other


@pytest.mark.parametrize(
    ("tokenid", "good"),
    [("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000", True), ("", True), ("t1", False), ("0190AAAA-BBBB-7CCC-8DDD-EEEEFFFF0000", False)],
)  # fmt: skip
def test_the_tokens_id_on_a_signed_line_is_a_uuid_or_none(tokenid, good):
    line = LINE.replace(b'"tokenid":"tok1"', b'"tokenid":"%s"' % tokenid.encode())
    signed = with_signature(line, f"00000000:{b64encode(bytes(64)).decode()}")
    assert (problem(signed) is None) == good
    assert (problem(signed) or "").startswith("its tokenid") != good
