"""Signed checkpoints: the note's form, whose key it is, and what cannot be read."""

from base64 import b64encode
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoints.checkpoint import (
    BadCheckpoint,
    Signature,
    Signer,
    Verifier,
    parse,
    parse_key_file,
    parse_verifier,
)
from shared.core.trust.merkle import digest_fits, digest_size, short_digest

ROOT = bytes(range(32))
KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)


@pytest.fixture(scope="module")
def signer():
    return Signer("arbiter.test", KEY)


def test_a_checkpoint_says_origin_size_and_root_and_bears_a_signature(signer):
    note = signer.sign("arbiter/故事杯-2026", 41, ROOT)
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
        (lambda n: "", "empty line"),
        (lambda n: n.replace("\n3\n", "\n03\n"), "is not a number of events"),
        (lambda n: n.replace("\n3\n", "\n-3\n"), "is not a number of events"),
        (lambda n: n.replace("\n3\n", "\n³\n"), "is not a number of events"),
        (lambda n: n.replace("AAEC", "?AEC"), "base64"),
        (lambda n: n.replace("\n3\n", "\n" + "9" * 5000 + "\n"), "is not a number of events"),
        (lambda n: n.replace("AAECAwQF", "AAECAwQFAwQF"), "32 bytes"),
        (lambda n: n.replace("Hh8=", "Hh9="), "canonical"),
        (lambda n: n.partition("\n\n")[0] + "\n\n", "no signature"),
        (lambda n: n.partition("\n\n")[0], "empty line"),
        (lambda n: n.replace("\u2014", "-"), "signature line"),
        (lambda n: n.replace("\u2014 arbiter.test", "\u2014 arbiter+test"), "signature line"),
        (lambda n: n + "\u2014 other AAAA\n", "4 bytes"),
        (lambda n: n + "\u2014 other !!\n", "base64"),
        (lambda n: n.replace("\n3\n", "\n3\r\n"), "control"),
        (lambda n: n + "x" * (1 << 20), "not have more than"),
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


def test_a_short_digest_is_the_size_and_forty_hex_digits():
    assert short_digest(41, ROOT) == "41:000102030405060708090a0b0c0d0e0f10111213"


@pytest.mark.parametrize("digits", [20, 40])
def test_a_printed_digest_is_compared_in_full_and_a_former_one_of_twenty_digits_too(digits):
    digest = f"41:{ROOT.hex()[:digits]}"
    assert digest_size(digest) == 41 and digest_fits(digest, ROOT)
    assert not digest_fits(digest[:-1] + "f", ROOT)


@pytest.mark.parametrize(
    "text",
    ["41:", "41:00010203", "041:00010203040506070809", "41:0001020304050607080A", "41:" + "0" * 30, "x:" + "0" * 40],
)
def test_a_digest_of_another_length_or_form_is_of_no_log(text):
    assert digest_size(text) == -1 and not digest_fits(text, bytes(32))


def foreign(note: str, count: int, size: int = 100) -> str:
    """The note with signature lines of keys that nobody here knows, of any algorithm."""
    lines = (f"\u2014 witness.example/{n} {b64encode(bytes([n]) * size).decode()}\n" for n in range(count))
    return note + "".join(lines)


@pytest.mark.parametrize("size", [5, 68, 76, 2428])
def test_ten_unknown_signatures_are_left_as_they_are(signer, size):
    checkpoint = parse(foreign(signer.sign("arbiter/T", 3, ROOT), 10, size))
    assert len(checkpoint.signatures) == 11 and signer.verifier.verifies(checkpoint)
    assert str(checkpoint) == foreign(signer.sign("arbiter/T", 3, ROOT), 10, size)


def test_a_signature_of_the_keys_name_with_another_id_is_unknown(signer):
    other = Signer("arbiter.test", Ed25519PrivateKey.from_private_bytes(b"\x08" * 32))
    both = signer.sign("arbiter/T", 3, ROOT) + other.sign("arbiter/T", 3, ROOT).partition("\n\n")[2]
    assert signer.verifier.verifies(parse(both)) and other.verifier.verifies(parse(both))


def test_extension_lines_mean_nothing_and_are_signed_with_the_rest(signer):
    extended = signer.sign("arbiter/T", 3, ROOT).replace("\n\n", "\nsome extension\n\n")
    checkpoint = parse(extended)
    assert (checkpoint.size, checkpoint.extensions) == (3, ("some extension",))
    assert not signer.verifier.verifies(checkpoint)
    again = Signature("arbiter.test", signer.verifier.keyhash, KEY.sign(checkpoint.text.encode()))
    assert signer.verifier.verifies(replace(checkpoint, signatures=(again,)))


def test_a_known_keys_second_signature_that_does_not_hold_spoils_the_note(signer):
    note = signer.sign("arbiter/T", 3, ROOT)
    wrong = Signature("arbiter.test", signer.verifier.keyhash, bytes(64))
    assert not signer.verifier.verifies(parse(f"{note}{wrong}\n"))


def test_the_specifications_own_example_is_read():
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    lines = (
        "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE"
        "+xeMcTOAYQ8=\n",
        "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe"
        "+mbIUBkBIfZ+qnA==\n",
    )
    checkpoint = parse(f"{text}\n{''.join(lines)}")
    assert checkpoint.origin == "example.com/behind-the-sofa" and len(checkpoint.signatures) == 2


def test_a_file_of_keys_has_the_one_in_force_first_and_former_ones_after_it(signer):
    former = Verifier("arbiter.test", b"\1" * 32)
    assert parse_key_file(f"{signer.verifier}\n{former}\n").keys == (signer.verifier, former)
    with pytest.raises(BadCheckpoint, match="name"):
        parse_key_file("\n")
