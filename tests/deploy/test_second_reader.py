"""The program `second-reader.py` reads the points of a tournament from a real broker."""

import json
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest
from kafka import KafkaProducer

from shared.log.kafka import topics
from shared.log.kafka.broker import TOURNAMENTS, Broker
from tests.deploy.servers import STACK, kafka
from tests.deploy.test_cli_logs import FILE
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded

pytestmark = STACK
ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "log-1.0.0"
PROGRAM = ROOT / "deploy" / "docs" / "second-reader.py"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with kafka(tmp_path_factory.mktemp("reader")) as bootstrap:
        topics.create(Broker(bootstrap, partitions=3))
        yield bootstrap


def sent(address: str, lines: list[bytes]) -> str:
    """A log as the services send it, one record a command, some of them twice; its tournament's id."""
    producer = KafkaProducer(bootstrap_servers=address)
    tournament = json.loads(lines[0])["subject"].partition("/")[2]
    if json.loads(lines[0])["data"].get("keys"):  # Somebody announces it before the house does, without keys.
        producer.send(TOURNAMENTS, key=tournament.encode(), value=announced_by_a_stranger(lines[0])).get(timeout=30)
    for key, value in poison(lines):
        producer.send(TOURNAMENTS, key=key, value=value).get(timeout=30)
    for number, (_, command) in enumerate(groupby(lines, key=lambda line: json.loads(line)["causationid"])):
        record = b"\n".join(command)
        if b',"signature":"' in record:  # Somebody comes first, with games that nobody won.
            forged = record.replace(b'"points":2', b'"points":1')
            producer.send(TOURNAMENTS, key=tournament.encode(), value=forged).get(timeout=30)
        for _ in range(2 if number % 5 == 0 else 1):
            producer.send(TOURNAMENTS, key=tournament.encode(), value=record).get(timeout=30)
    producer.close()
    return tournament


def announced_by_a_stranger(line: bytes) -> bytes:
    """An announcement that names no keys and bears no signature."""
    said = json.loads(line)
    said.pop("signature", None)
    said["data"] |= {"keys": [], "name": "a stranger's"}
    return json.dumps({**said, "causationid": said["id"]}).encode()


def poison(lines: list[bytes]) -> list[tuple[bytes, bytes | None]]:
    """What somebody else may write among them: a key and a record each."""
    first, key = json.loads(lines[0]), json.loads(lines[0])["subject"].partition("/")[2].encode()
    foreign = json.dumps({**first, "source": "/services/kitchen"}).encode()
    torn = lines[0] + b"\n" + json.dumps({**first, "subject": "tournaments/other", "sourceseq": 2}).encode()
    values = [None, b"", b"nothing", b"[]", b"1", b"[" * 100_000, b"\xff", foreign, torn]
    if first["data"].get("keys"):
        values += [
            lines[0].replace(b'"signature":"', b'"signed":"'),
            re.sub(rb'(:)([A-Za-z0-9+/]{86}==)("}$)', rb"\1" + b"A" * 86 + rb"==\3", lines[0]),
        ]
    return [*((key, value) for value in values), (b"somebody", lines[0])]


def golden(name: str) -> list[bytes]:
    """A log as the first release wrote it."""
    return (GOLDEN / f"{name}.ndjson").read_bytes().splitlines()


def of_today(arbiter, folder: Path) -> list[bytes]:
    """A log as it is written now."""
    file = folder / "today.trf"
    file.write_text(FILE)
    assert arbiter("import", file, "--data", folder, "--id", "today")[0] == 0
    return arbiter("log", "today", "--data", folder)[1].encode().splitlines()


def of_the_hall(folder: Path) -> list[bytes]:
    """A log in which grounds of rulings have fallen: an arrival corrected, a touch stated anew, a slip retracted."""
    house = Embedded(folder)
    try:
        story = Story(house)
        story.announced()
        story.paired([1, 2], [3, 4])
        late = story.tell(f"{T}/arrivals", {"player": 2, "round": 1, "late": 901}, "arbiter")
        correction = {"late": 300, "reason": "the hall's clock was fast"}
        story.tell(f"{T}/arrivals/{late['arrival']}/correction", correction, "arbiter")
        story.tell(f"{T}/arrivals", {"player": 3, "round": 1, "absent": True}, "arbiter")
        story.tell("/v1/games/T.1.1/start", {}, "arbiter")
        for squares in ("e9",), ():
            story.tell("/v1/games/T.1.1/claims", {"claim": "touch", "squares": list(squares)}, "arbiter")
        slip = story.foul(2)
        story.tell(f"{T}/rulings/{slip['ruling']}/retraction", {"reason": "it was player 1"}, "arbiter")
        story.foul(2)
        story.foul(2)
        story.report("1/2-1/2")
        lines = house.lines("T")
        types = {json.loads(line)["type"] for line in lines}
        assert {"arbiter.arrival.corrected.v1", "arbiter.finding.withdrawn.v1"} <= types
        return lines
    finally:
        house.close()


@pytest.mark.parametrize("name", ["spring-cup", "hall", "today", "fallen"])
def test_a_federation_reads_the_same_points_without_our_code(address, arbiter, name, tmp_path):
    if name == "fallen":
        lines = of_the_hall(tmp_path / "hall")
    else:
        lines = of_today(arbiter, tmp_path) if name == "today" else golden(name)
        assert (name == "today") is bool(json.loads(lines[0])["data"].get("keys"))
    log = tmp_path / "log.ndjson"
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    keys = sorted(tmp_path.rglob("pairing.vkey"))
    assert bool(keys) is (name in ("today", "fallen"))
    ran = subprocess.run(
        [sys.executable, PROGRAM, address, sent(address, lines), *keys],
        check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    read = {int(row.split()[0]): float(row.split()[1]) for row in ran.stdout.splitlines()}
    ours = json.loads(arbiter("replay", log, "--json")[1])
    assert read == {row["id"]: row["points"] for row in ours["players"]}
    assert len(set(read.values())) > 1
