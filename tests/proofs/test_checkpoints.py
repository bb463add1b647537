"""Signed checkpoints: the note's form, whose key it is, and what cannot be read."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoint import BadCheckpoint, Signer, Verifier, parse, parse_verifier, short_digest

ROOT = bytes(range(32))


@pytest.fixture(scope="module")
def signer():
    return Signer("arbiter.test", Ed25519PrivateKey.from_private_bytes(b"\x07" * 32))


def test_a_checkpoint_says_origin_size_and_root_and_bears_a_signature(signer):
    note = signer.sign("故事杯-2026", 41, ROOT)
    assert note.split("\n")[:4] == ["arbiter/故事杯-2026", "41", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    checkpoint = parse(note)
    assert (checkpoint.size, checkpoint.root) == (41, ROOT)
    assert signer.verifier.verifies(checkpoint)


def test_a_verifier_key_is_read_back_from_its_line(signer):
    assert parse_verifier(f"{signer.verifier}\n") == signer.verifier


def test_the_example_key_of_the_signed_note_is_read():
    # The key of the Go checksum database, the note format's best known one.
    key = parse_verifier("sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")
    assert key.keyhash.hex() == "033de0ae"


def test_another_key_of_the_same_name_does_not_verify(signer):
    other = Signer("arbiter.test", Ed25519PrivateKey.from_private_bytes(b"\x08" * 32))
    assert not other.verifier.verifies(parse(signer.sign("T", 3, ROOT)))


def test_a_changed_size_does_not_verify(signer):
    changed = signer.sign("T", 3, ROOT).replace("\n3\n", "\n4\n")
    assert not signer.verifier.verifies(parse(changed))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda n: "", "origin"),
        (lambda n: n.replace("\n3\n", "\n03\n"), "size"),
        (lambda n: n.replace("\n3\n", "\n-3\n"), "size"),
        (lambda n: n.replace("\n3\n", "\n³\n"), "size"),
        (lambda n: n.replace("AAEC", "?AEC"), "base64"),
        (lambda n: n.replace("AAECAwQF", "AAECAwQFAwQF"), "32 bytes"),
        (lambda n: n.partition("\n\n")[0] + "\n\n", "no signature"),
        (lambda n: n.replace("\u2014", "-"), "signature line"),
        (lambda n: n.replace("\n\n", "\nextension\n\n"), "extension"),
    ],
)
def test_a_note_that_is_no_checkpoint_is_refused_saying_why(signer, change, why):
    with pytest.raises(BadCheckpoint, match=why):
        parse(change(signer.sign("T", 3, ROOT)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "name"),
        ("a+00000000+!!", "base64"),
        ("a+00000000+AA==", "Ed25519"),
        (str(Verifier("a", b"\1" * 32)).replace("a+", "b+", 1), "hash"),
    ],
)
def test_a_key_that_is_none_is_refused_saying_why(text, why):
    with pytest.raises(BadCheckpoint, match=why):
        parse_verifier(text)


def test_a_short_digest_is_the_size_and_twenty_hex_digits():
    assert short_digest(41, ROOT) == "41:00010203040506070809"
