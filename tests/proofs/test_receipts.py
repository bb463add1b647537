"""Receipts: what a file proves alone, and what makes it none."""

from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Signer, parse
from shared.audit.receipts.receipt_check import Receipt, check, parse_receipt, receipt
from shared.core.trust.merkle import Tree
from tests.proofs.witness import Cosigner

LINES = Path("tests/golden/log-1.0.0/spring-cup.ndjson").read_bytes().splitlines()
TREE = Tree.of(LINES)
KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
SIGNER = Signer("arbiter", KEY)
T = "spring-cup"
W1, W2 = (Cosigner(f"witness.example/w{n}", n) for n in (1, 2))


def a_receipt(seq: int = 5, origin: str = f"arbiter/{T}", size: int = len(LINES)) -> Receipt:
    note = SIGNER.sign(origin, size, TREE.root(size))
    return receipt(LINES[seq - 1], seq, tuple(TREE.inclusion(seq - 1, size)), note)


@pytest.mark.parametrize("seq", [1, 2, 7, len(LINES)])
def test_a_receipt_is_read_back_as_it_was_written_and_holds(seq):
    one = parse_receipt(str(a_receipt(seq)))
    assert one == a_receipt(seq) and one.holds
    report = check(one, [SIGNER.verifier])
    assert (report.verdict, report.exit_code(strict=True)) == ("agrees", 0)


def test_a_receipt_is_in_the_form_that_others_read():
    text = str(a_receipt(5)).split("\n")
    assert text[0] == "c2sp.org/tlog-proof@v1"
    assert text[1] == f"extra {b64encode(LINES[4]).decode()}" and text[2] == "index 4"
    assert "" in text and text[text.index("") + 1] == f"arbiter/{T}"


def test_without_a_key_nobody_knows_who_signed():
    report = check(a_receipt(), [])
    assert (report.verdict, report.exit_code(strict=False), report.exit_code(strict=True)) == ("incomplete", 3, 1)


def test_a_receipt_signed_by_another_house_is_refused_by_the_name_of_its_signer():
    other = Signer("other.example", Ed25519PrivateKey.from_private_bytes(b"\x08" * 32))
    (why,) = check(a_receipt(), [other.verifier]).findings
    assert "none of the given keys" in str(why) and "signed by arbiter" in str(why)


def test_a_receipt_under_the_checkpoint_of_another_tournament_is_refused_by_both_names():
    (why,) = check(a_receipt(origin="arbiter/other"), [SIGNER.verifier]).findings
    assert str(why) == f"the event belongs to tournaments/{T}, but the checkpoint to arbiter/other"


def test_another_line_in_the_same_place_does_not_lead_to_the_root():
    forged = replace(a_receipt(), line=LINES[5])
    assert not forged.holds
    assert "the proof does not lead" in str(check(forged, [SIGNER.verifier]).findings[0])


def test_a_changed_checkpoint_is_no_longer_signed():
    text = str(a_receipt()).replace(f"\n{len(LINES)}\n", f"\n{len(LINES) - 1}\n")
    assert check(parse_receipt(text), [SIGNER.verifier]).verdict == "differs"


def test_a_quorum_of_witnesses_is_asked_of_the_receipts_checkpoint():
    plain = a_receipt()
    cosigned = receipt(plain.line, plain.seq, plain.hashes, W1.cosign(plain.note))
    both = (W1.witness, W2.witness)
    assert check(cosigned, [SIGNER.verifier], both, 1).verdict == "agrees"
    assert [str(why) for why in check(cosigned, [SIGNER.verifier], both, 2).findings] == [
        f"1 of 2 witnesses cosigned the checkpoint at {len(LINES)} (not: witness.example/w2)"
    ]
    assert parse(cosigned.note) == cosigned.checkpoint


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda t: "", "must begin with"),
        (lambda t: t.replace("@v1", "@v2"), "must begin with"),
        (lambda t: t.replace("extra ", "index "), "line 2"),
        (lambda t: t.replace("extra ", "extra !"), "line 2: the line is not base64"),
        (lambda t: t.replace("index 4", "index 04"), "line 3"),
        (lambda t: t.replace("index 4", "4"), "line 3"),
        (lambda t: t.replace("\n\narbiter", "\nAAAA\n\narbiter"), "32 bytes"),
        (lambda t: t.replace("\n\narbiter", "\n" + "\n".join(["A" * 43 + "="] * 70) + "\n\narbiter"), "63 hashes"),
        (lambda t: t.partition("\n\n")[0], "does not contain a checkpoint"),
        (lambda t: t.partition("\n\n")[0] + "\n\n", "empty line"),
    ],
)
def test_what_is_no_receipt_is_refused_saying_why(change, why):
    with pytest.raises(BadCheckpoint, match=why):
        parse_receipt(change(str(a_receipt(5))))
