"""Asking witnesses: good ones, silent ones, and those that refuse or lie."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.keys import witness_client
from deploy.server.keys.house_signer import HouseSigner
from deploy.server.keys.witness_client import WitnessAddress, configured
from deploy.server.keys.witness_loop import WitnessLoop
from deploy.server.numbers.metrics import checkpoint_facts
from deploy.server.settings import BadSetting
from shared.audit.checkpoints.checkpoint import Signer, parse
from shared.audit.checkpoints.cosignature import cosigners
from shared.audit.checkpoints.note import read_base64
from shared.core.trust.merkle import verify_consistency
from shared.desk.desk import Desk
from tests.played import RULES, Played, SqliteLog, spring_cup
from tests.proofs.witness import NOW, Cosigner

ORIGIN = "arbiter/cup"
W1, W2 = (Cosigner(f"witness.example/w{n}", n) for n in (1, 2))
Handler = Callable[[httpx.Request], httpx.Response]


class Hosted:
    """A witness as c2sp.org/tlog-witness has it: it cosigns what continues what it cosigned last."""

    def __init__(self, cosigner: Cosigner) -> None:
        self.cosigner, self.size, self.root, self.asked = cosigner, 0, b"", 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        head, _, note = request.content.decode().partition("\n\n")
        old, *hashes = head.split("\n")
        checkpoint = parse(note)
        if int(old.removeprefix("old ")) != self.size:
            return httpx.Response(409, headers={"Content-Type": "text/x.tlog.size"}, text=f"{self.size}\n")
        proof = [read_base64(one, "a hash") for one in hashes]
        if self.size and not verify_consistency(self.size, checkpoint.size, self.root, checkpoint.root, proof):
            return httpx.Response(422)
        self.size, self.root = checkpoint.size, checkpoint.root
        return httpx.Response(200, text=f"{W2.line(note)}\n{self.cosigner.line(note)}\n")


class House:
    """A house with a log, and its witnesses."""

    def __init__(self, data: Path, hosts: dict[Cosigner, Handler]) -> None:
        self.signer = HouseSigner(data)
        self.desk = Desk(SqliteLog(data / "log.db"), RULES, self.signer.sign)
        self.cup: Played = spring_cup(self.desk)
        self.hosts = {str(n): (one, handler) for n, (one, handler) in enumerate(hosts.items())}
        addresses = [WitnessAddress(f"http://w{n}", one.witness) for n, (one, _) in self.hosts.items()]
        self.loop = WitnessLoop(self.desk, self.signer.memory, addresses, httpx.MockTransport(self.route))

    def route(self, request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/add-checkpoint" and request.method == "POST"
        return self.hosts[request.url.host[1:]][1](request)

    @property
    def trouble(self) -> dict[str, str]:
        return {name: str(why) for name, why in self.signer.memory.witnesses().items() if why}

    def cosigned(self) -> list[str]:
        kept = self.signer.memory.cosigned(ORIGIN)
        return [] if kept is None else [w.name for w in cosigners(parse(kept.note), (W1.witness, W2.witness))]


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness_client.time, "time", lambda: NOW)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[[dict[Cosigner, Handler]], House]]:
    made: list[House] = []

    def make(hosts: dict[Cosigner, Handler]) -> House:
        made.append(House(tmp_path, hosts))
        return made[-1]

    yield make
    for one in made:
        one.desk.close()


def test_witnesses_cosign_a_log_as_it_grows_and_are_not_asked_twice(house) -> None:
    w1, w2 = Hosted(W1), Hosted(W2)
    one = house({W1: w1, W2: w2})
    one.loop.round()
    one.loop.round()
    assert (one.cosigned(), w1.asked, one.trouble) == ([W1.witness.name, W2.witness.name], 1, {})
    first = parse(one.signer.memory.cosigned(ORIGIN).note)
    assert one.signer.verifier.verifies(first)
    one.cup.enter_late("José Núñez")
    one.loop.round()
    grown = parse(one.signer.memory.cosigned(ORIGIN).note)
    assert grown.size > first.size and w1.size == grown.size and len(one.cosigned()) == 2


def test_a_witness_that_knows_another_size_is_asked_from_there(house) -> None:
    w1 = Hosted(W1)
    one = house({W1: w1})
    one.loop.round()
    one.signer.memory.store_cosigned_size(ORIGIN, str(W1.witness), 0)
    one.cup.enter_late("José Núñez")
    one.loop.round()
    assert (w1.asked, one.trouble) == (3, {})


def published(one: House) -> str:
    """The note of a publication that is made now."""
    one.cup.publish(1)
    return json.loads(one.desk.lines("tournaments/cup")[-1].line)["data"]["checkpoint"]


def test_a_publication_holds_the_cosignatures_that_its_note_has(house) -> None:
    one = house({W1: Hosted(W1), W2: Hosted(W2)})
    one.loop.round()
    size = one.desk.view("cup").seq
    note = parse(published(one))
    assert note.size == size and one.signer.verifier.verifies(note)
    assert [w.name for w in cosigners(note, (W1.witness, W2.witness))] == [W1.witness.name, W2.witness.name]


def test_a_publication_of_lines_that_no_witness_has_seen_bears_the_signature_of_the_house_alone(house) -> None:
    one = house({W1: Hosted(W1)})
    one.loop.round()
    one.cup.enter_late("José Núñez")
    note = parse(published(one))
    assert [signature.name for signature in note.signatures] == ["arbiter"]


def test_a_cosignature_of_a_note_that_another_key_signed_is_not_put_under_the_newer_one(house) -> None:
    one = house({W1: Hosted(W1)})
    one.loop.round()
    view = one.desk.view("cup")
    foreign = W1.cosign(Signer("arbiter", Ed25519PrivateKey.generate()).sign(ORIGIN, view.seq, view.root))
    one.signer.memory.keep_cosigned(ORIGIN, view.seq, foreign)
    assert [signature.name for signature in parse(published(one)).signatures] == ["arbiter"]


def answers(status: int, text: str = "", media: str = "text/plain") -> Handler:
    return lambda request: httpx.Response(status, headers={"Content-Type": media}, text=text)


def silent(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectTimeout("timed out")


def of_the_future(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, text=f"{W1.line(request.content.decode().partition(chr(10) * 2)[2], NOW + 86_400)}\n")


FOREIGN = Signer("arbiter", Ed25519PrivateKey.generate()).sign(ORIGIN, 3, bytes(32))


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        (silent, "does not answer: timed out"),
        (answers(403), "does not know the key"),
        (answers(404), "does not know this log"),
        (answers(422), "does not continue the last one"),
        (answers(302), "it answers 302"),
        (answers(500, "boom"), "it answers 500: boom"),
        (answers(409, "7\n"), "does not state the size"),
        (answers(409, "0\n", "text/x.tlog.size"), "a different root hash of the first 0 events"),
        (answers(409, "999\n", "text/x.tlog.size"), "has cosigned 999 events"),
        (answers(409, "many", "text/x.tlog.size"), "is not a number of events"),
        (answers(200), "not a signature line"),
        (answers(200, "<html>"), "not a signature line"),
        (answers(200, f"{W2.line(FOREIGN)}\n"), "a valid cosignature with its key"),
        (answers(200, f"{W1.line(FOREIGN)}\n"), "a valid cosignature with its key"),
        (of_the_future, "a valid cosignature with its key"),
        (answers(200, "x" * (1 << 17)), "is too long"),
    ],
)  # fmt: skip
def test_a_witness_that_does_not_cosign_is_named_and_the_others_cosign(house, handler: Handler, why: str) -> None:
    one = house({W1: handler, W2: Hosted(W2)})
    one.loop.round()
    assert one.cosigned() == [W2.witness.name]
    assert why in one.trouble[W1.witness.name]
    assert why in checkpoint_facts(one.signer.memory)["checkpoints"]["witnesses"][W1.witness.name]


def test_where_nobody_cosigns_there_is_no_cosigned_note(house) -> None:
    one = house({W1: silent})
    one.loop.round()
    assert one.signer.memory.cosigned(ORIGIN) is None


@pytest.mark.parametrize(
    "text", ["nonsense", f"{W1.witness}", f"{W1.witness} ftp://w", f"{W1.witness} http://", "a+00000000+AA== http://w"]
)
def test_a_witness_that_cannot_be_used_is_refused_naming_where(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadSetting, match="ARBITER_WITNESSES"):
        configured(tmp_path, {"ARBITER_WITNESSES": text})
    (tmp_path / "arbiter.witnesses").write_text(text)
    with pytest.raises(BadSetting, match=r"arbiter\.witnesses"):
        configured(tmp_path, {})


def test_witnesses_stand_in_a_file_or_a_variable(tmp_path: Path) -> None:
    lines = [f"{W1.witness} http://w1/", f"{W2.witness} https://w2/x"]
    assert configured(tmp_path, {}) == ()
    (tmp_path / "arbiter.witnesses").write_text("# ours\n" + "\n".join(lines))
    assert [one.url for one in configured(tmp_path, {})] == ["http://w1", "https://w2/x"]
    assert configured(tmp_path, {"ARBITER_WITNESSES": ";".join(lines)}) == configured(tmp_path, {})
    with pytest.raises(BadSetting, match="twice"):
        configured(tmp_path, {"ARBITER_WITNESSES": ";".join(lines + lines)})
