"""A C2SP witness that is not ours, Go's own reader of notes, and a Merkle library that checks our proofs."""

import json
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from deploy.server.keys.witness_client import WitnessAddress, WitnessError, ask
from shared.audit.checkpoints.checkpoint import Signer, parse
from shared.audit.checkpoints.cosignature import parse_witness
from shared.core.trust.merkle import Tree, consistency
from tests.foreign.build import GO
from tests.foreign.event import forger, joined, proof, vkey
from tests.foreign.tampering import CHECKPOINT, KEY, LOG, SHEETS, written
from tests.stories.conftest import Story, T

pytestmark = GO
WITNESS = "witness.example/w1"
PROOFS = 300
ASKED = ("index", "size", "leaf", "root", "hashes", "old", "old_root")


class Answer(NamedTuple):
    status: int
    text: str


@dataclass(frozen=True)
class Witness:
    """Where it listens, and its public key (C2SP: ``cosignature/v1``)."""

    address: str
    key: str

    def add(self, old: int, hashes: list[str], note: str) -> Answer:
        """Ask for a cosignature of a checkpoint that goes on from one of ``old`` lines."""
        body = "\n".join((f"old {old}", *hashes, "", note))
        try:
            with urlopen(f"{self.address}/add-checkpoint", body.encode(), timeout=30) as answer:
                return Answer(answer.status, answer.read().decode())
        except HTTPError as refused:
            return Answer(refused.code, refused.read().decode())


@pytest.fixture
def witness(programs: Path, event: Story) -> Iterator[Witness]:
    """A witness of the event's log that has seen nothing yet."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    seed = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    keyhash = vkey(WITNESS, 1, public).split("+")[1]
    secret = "+".join(("PRIVATE", "KEY", WITNESS, keyhash, b64encode(b"\x01" + seed).decode()))
    arguments = [programs / "witness", parse(checkpoint(event)).origin, str(forger(event).verifier), secret]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Witness(process.stdout.readline().strip(), vkey(WITNESS, 4, public))
        process.kill()


def checkpoint(event: Story, at: int | None = None) -> str:
    """The event's signed checkpoint, of its first lines."""
    answer = event.ask("GET", f"{T}/checkpoint" + ("" if at is None else f"?at={at}"))
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def asked(programs: Path, questions: list[dict[str, Any]]) -> list[str]:
    """What Go's libraries say to each."""
    lines = "\n".join(map(json.dumps, questions))
    ran = subprocess.run([programs / "proofs"], input=lines, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_the_witness_cosigns_a_checkpoint_and_one_that_goes_on_from_it_and_go_opens_both_signatures(
    event: Story, programs: Path, witness: Witness
) -> None:
    size = len(event.hall.lines("T"))
    for old, hashes, note in (
        (0, [], checkpoint(event, 9)),
        (9, proof(event, f"?from=9&to={size}")["hashes"], checkpoint(event)),
    ):
        answer = witness.add(old, hashes, note)
        assert (answer.status, answer.text.startswith(f"— {WITNESS} ")) == (200, True), answer.text
        house = str(forger(event).verifier)
        opened = {"note": note + answer.text, "keys": [house, witness.key]}
        unknown = {"note": note + answer.text, "keys": [house]}
        assert asked(programs, [opened, unknown]) == [
            f"{forger(event).verifier.name} {WITNESS}",
            forger(event).verifier.name,
        ]


def test_the_witness_refuses_a_log_that_was_written_anew(event: Story, witness: Witness) -> None:
    """Another history of the same length, signed by the house's own key, with the proof that belongs to the genuine one."""
    size, genuine = len(event.hall.lines("T")), parse(checkpoint(event))
    assert witness.add(0, [], checkpoint(event, 9)).status == 200
    hashes = proof(event, f"?from=9&to={size}")["hashes"]
    forged = forger(event).sign(genuine.origin, size, bytes(32))
    assert witness.add(9, hashes, forged).status == 422
    assert witness.add(9, [], forger(event).sign(genuine.origin, 9, bytes(32))).status in (409, 422)
    assert witness.add(0, [], checkpoint(event)).status == 409
    assert witness.add(9, hashes, checkpoint(event)).status == 200


def test_the_witness_refuses_another_houses_key(event: Story, witness: Witness) -> None:
    genuine = parse(checkpoint(event, 9))
    other = Signer(forger(event).verifier.name, Ed25519PrivateKey.generate())
    answer = witness.add(0, [], other.sign(genuine.origin, 9, genuine.root))
    assert answer.status != 200 and WITNESS not in answer.text


def test_our_own_client_is_cosigned_by_it_and_told_why_not(
    event: Story, witness: Witness, verifier: Path, tmp_path: Path
) -> None:
    """The cosigned note is good to the auditor's Go program, which knows the witness's key."""
    lines = event.hall.lines("T")
    tree, first, last = Tree.of(lines), parse(checkpoint(event, 9)), parse(checkpoint(event))
    forged = parse(forger(event).sign(last.origin, last.size, bytes(32)))
    address = WitnessAddress(witness.address, parse_witness(witness.key))

    def proof_to(size: int) -> Callable[[int], list[bytes]]:
        return lambda old: consistency(tree.levels[0], old, size)

    with httpx.Client() as client:
        assert ask(client, address, first, 0, proof_to(9)).size == 9
        with pytest.raises(WitnessError, match="does not continue the last one"):
            ask(client, address, forged, 9, proof_to(len(lines)))
        cosigned = ask(client, address, last, 0, proof_to(len(lines)))  # it says that it knows nine
        with pytest.raises(WitnessError, match=f"has cosigned {len(lines)} events"):
            ask(client, address, first, 9, proof_to(9))
    given = {
        LOG: joined(lines),
        CHECKPOINT: str(replace(last, signatures=(*last.signatures, cosigned.signature))).encode(),
        KEY: str(forger(event).verifier).encode(),
        "witness.vkey": witness.key.encode(),
        SHEETS: joined([line for sheet in event.hall.sheets("T").values() for line in sheet]),
    }
    ran = subprocess.run([verifier, *written(given, tmp_path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def altered(hashes: list[str], rng: Random) -> list[str]:
    """The proof with one of its hashes exchanged for another."""
    n = rng.randrange(len(hashes))
    return [*hashes[:n], b64encode(rng.randbytes(32)).decode(), *hashes[n + 1 :]]


@pytest.mark.parametrize("kind", ["inclusion", "consistency"])
def test_three_hundred_proofs_are_checked_by_a_library_that_is_not_ours(
    event: Story, programs: Path, kind: str
) -> None:
    size, rng = len(event.hall.lines("T")), Random(7)
    pairs = [(old, new) for new in range(1, size + 1) for old in range(1, new + 1)]
    chosen = rng.sample(pairs, PROOFS)
    query = "/{}?at={}" if kind == "inclusion" else "?from={}&to={}"
    answers = [proof(event, query.format(*pair)) for pair in chosen]
    questions = [
        {name: a[name] for name in ("index", "size", "leaf", "root", "hashes", "old", "old_root") if name in a}
        for a in answers
    ]
    assert asked(programs, questions) == ["holds"] * PROOFS
    forged = [q | {"hashes": altered(q["hashes"], rng)} for q in questions if q["hashes"]]
    assert len(forged) > PROOFS / 2 and "holds" not in asked(programs, forged)
