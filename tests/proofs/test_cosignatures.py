"""Cosignatures of witnesses: whose they are, of which time, and how many there must be."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Signer, parse
from shared.audit.checkpoints.cosignature import cosigners, parse_witness, quorum_missing
from tests.proofs.witness import NOW, Cosigner

KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
NOTE = Signer("club.example", KEY).sign("club.example/T", 3, bytes(range(32)))
OTHER = Signer("club.example", KEY).sign("club.example/T", 4, bytes(range(32)))
W1, W2, W3 = (Cosigner(f"witness.example/w{n}", n) for n in (1, 2, 3))


def test_a_cosignature_tells_its_time():
    assert W1.witness.cosigned(parse(W1.cosign(NOTE))) == NOW
    assert W1.witness.cosigned(parse(NOTE)) is None


def test_a_witnesss_key_is_read_back_from_its_line_and_a_houses_key_is_none():
    assert parse_witness(str(W1.witness)) == W1.witness
    with pytest.raises(BadCheckpoint, match="0x04"):
        parse_witness(str(Signer("a", KEY).verifier))


def test_the_key_of_the_specifications_example_has_its_id():
    # key ID = SHA-256(name, LF, 0x04, key)[:4]: the same key under another name or algorithm has another.
    assert W1.witness.keyhash != Cosigner("witness.example/w9", 1).witness.keyhash


@pytest.mark.parametrize(
    "change",
    [
        lambda note: note.replace("\n3\n", "\n4\n"),
        lambda note: NOTE + str(W1.line(OTHER)) + "\n",
        lambda note: NOTE + str(W1.line(NOTE)).replace("witness.example/w1", "witness.example/w2") + "\n",
    ],
    ids=["of another size", "of another note", "under another name"],
)
def test_a_cosignature_that_does_not_hold_is_none(change):
    assert W1.witness.cosigned(parse(change(W1.cosign(NOTE)))) is None


def test_a_line_of_the_witness_that_does_not_hold_spoils_its_others():
    spoiled = W1.cosign(NOTE) + str(W1.line(OTHER)) + "\n"
    assert W1.witness.cosigned(parse(spoiled)) is None


def test_a_quorum_counts_each_witness_once_and_names_who_is_missing():
    note = parse(W2.cosign(W1.cosign(W1.cosign(NOTE, NOW + 5))))
    known = (W1.witness, W2.witness, W3.witness)
    assert {w.name for w in cosigners(note, (*known, W1.witness))} == {W1.witness.name, W2.witness.name}
    assert quorum_missing(note, known, 2) is None
    missing = quorum_missing(note, known, 3)
    assert str(missing) == "2 of 3 witnesses cosigned the checkpoint at 3 (not: witness.example/w3)"
    assert quorum_missing(note, known, 3, [parse(W3.cosign(NOTE))]) is None  # a copy of the same text
