"""``deploy/asyncapi.yaml``: what it says of the topics is what is written to them."""

import gzip
import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from deploy.build import asyncapi_build
from shared.core.event_types.registry import EVENT_TYPES
from shared.core.terms import PAIRING, ROLES, SOURCES
from shared.log.kafka import topics
from shared.log.kafka.broker import TOPICS, Broker, headers_of
from shared.log.port import Text
from shared.log.texts import genuine
from shared.signing.announcement_lists import KEY as LIST
from shared.signing.announcement_lists import read_list
from shared.signing.revocation_records import read_record
from tests.attacks.topic_hall import KEYS
from tests.yaml_files import ASYNCAPI, document

ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("arbiter.*.json"))
DOCUMENT = document(ASYNCAPI)
MESSAGES = DOCUMENT["components"]["messages"]
META = gzip.decompress((Path(__file__).parent / "asyncapi-3.0.0.json.gz").read_bytes())
"""AsyncAPI's own schema of its documents: schemas/3.0.0.json of npm's @asyncapi/specs 6.11.1 (Apache-2.0), unchanged."""
META_SHA256 = "d4571a420e6ffb7fcc7066c95a6db1202f299a3c51daa103d0706bf30f95e626"
EXAMPLES = [(name, example) for name, message in MESSAGES.items() for example in message["examples"]]


def schema_of(message: str) -> Draft202012Validator:
    named = MESSAGES[message]["payload"]["$ref"]
    return Draft202012Validator({"$ref": named, "components": DOCUMENT["components"]})


def message_of(line: dict) -> str:
    return "sheetLines" if line["subject"].startswith("games/") else "officialLines"


def test_the_document_is_valid_by_asyncapi_s_own_schema():
    assert sha256(META).hexdigest() == META_SHA256
    assert [error.message for error in Draft7Validator(json.loads(META)).iter_errors(DOCUMENT)] == []


def test_the_header_of_numbers_is_the_one_that_relays_write():
    schema = {"$ref": "#/components/schemas/RecordHeaders", "components": DOCUMENT["components"]}
    for number in (1, 10**17):
        headers = {name: value.decode() for name, value in headers_of(number)}
        assert set(headers) == set(DOCUMENT["components"]["schemas"]["RecordHeaders"]["properties"])
        Draft202012Validator(schema).validate(headers)


@pytest.mark.parametrize("missing", ["asyncapi", "info"])
def test_asyncapi_s_own_schema_refuses_what_is_none(missing):
    document = {name: said for name, said in DOCUMENT.items() if name != missing}
    assert not Draft7Validator(json.loads(META)).is_valid(document)


def test_asyncapi_s_own_schema_refuses_a_misspelt_channel():
    channels = {name: {**channel, "adress": "x"} for name, channel in DOCUMENT["channels"].items()}
    assert not Draft7Validator(json.loads(META)).is_valid({**DOCUMENT, "channels": channels})


@pytest.mark.parametrize(("message", "example"), EXAMPLES, ids=[e["name"] for _, e in EXAMPLES])
def test_every_example_is_valid(message, example):
    schema_of(message).validate(example["payload"])


@pytest.mark.parametrize("path", GOLDEN, ids=[p.stem for p in GOLDEN])
def test_every_golden_line_is_valid(path):
    line = json.loads(path.read_bytes())
    schema_of(message_of(line)).validate(line)


def test_every_example_line_is_a_golden_one():
    golden = [json.loads(path.read_bytes()) for path in GOLDEN]
    for message, example in EXAMPLES:
        if message not in ("text", "revocation", "listedAnnouncements"):
            assert example["payload"] in golden


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("source", "/services/other"),
        ("sourceseq", 0),
        ("basisroot", "x"),
        ("type", "result"),
        ("subject", "games/T.1.1"),
    ],
)
def test_a_line_that_is_none_is_not_valid(field, value):
    (line,) = [e["payload"] for _, e in EXAMPLES if e["name"] == "result"]
    assert not schema_of("officialLines").is_valid(line | {field: value})


def test_the_schemas_of_events_are_what_make_docs_would_write():
    document = asyncapi_build.FILE.read_text(encoding="utf-8")
    assert document == asyncapi_build.render(document), "run `make docs`: the event types have changed"


@pytest.mark.parametrize("row", EVENT_TYPES, ids=lambda row: row.name)
def test_data_that_is_not_of_its_type_is_not_valid(row):
    line = json.loads((ROOT / "tests" / "golden" / f"{row.name}.json").read_bytes())
    schema = schema_of(message_of(line))
    wrong = [line | {"data": line["data"] | {"surprise": 1}}, line | {"data": []}]
    wrong += [line | {"source": source} for source in SOURCES if source not in row.writers]
    wrong += [line | {"data": without(line["data"], name)} for name in required(row)]
    assert [one for one in wrong if schema.is_valid(one)] == []


def required(row) -> list[str]:
    """The fields without which data is none of its type."""
    return DOCUMENT["components"]["schemas"][row.data.__name__].get("required", [])


def without(data: dict, name: str) -> dict:
    return {other: value for other, value in data.items() if other != name}


def test_sources_and_roles_are_those_of_the_code():
    fields = DOCUMENT["components"]["schemas"]["Line"]["properties"]
    assert fields["source"]["enum"] == list(SOURCES)
    assert set(fields["role"]["enum"]) == {*ROLES, "rulebook"}


def test_topics_and_their_settings_are_those_that_are_made():
    broker = Broker("nowhere:1")
    channels = {channel["address"]: channel["bindings"]["kafka"] for channel in DOCUMENT["channels"].values()}
    assert tuple(channels) == TOPICS
    for topic, told in channels.items():
        made = topics.settings(broker, topic)
        assert told["partitions"] == topics.count_of(broker, topic)
        for name, value in told["topicConfiguration"].items():
            assert made[name] == (",".join(value) if isinstance(value, list) else str(value))


def test_the_example_of_a_revocation_is_one_as_pairing_writes_it():
    (said,) = [e["payload"] for message, e in EXAMPLES if message == "revocation"]
    revocation = read_record(json.dumps(said, separators=(",", ":")).encode())
    assert revocation.key in MESSAGES["revocation"]["bindings"]["kafka"]["key"]["examples"]
    for wrong in (said | {"name": "li.wei"}, said | {"more": 1}, said | {"signature": ""}):
        assert not schema_of("revocation").is_valid(wrong)


def test_the_example_of_a_list_of_announcements_is_one_as_pairing_writes_it():
    (said,) = [e["payload"] for message, e in EXAMPLES if message == "listedAnnouncements"]
    listed = read_list(json.dumps(said, separators=(",", ":")).encode(), KEYS.own(PAIRING)[0])
    assert sorted(b64encode(leaf).decode() for leaf in listed) == said["announced"]
    assert MESSAGES["listedAnnouncements"]["bindings"]["kafka"]["key"]["const"] == LIST.decode()
    for wrong in (said | {"more": 1}, said | {"announced": ["x"]}, said | {"signature": ""}):
        assert not schema_of("listedAnnouncements").is_valid(wrong)


def test_the_example_of_a_text_is_genuine():
    (text,) = [e["payload"] for message, e in EXAMPLES if message == "text"]
    assert genuine(Text(**text))
