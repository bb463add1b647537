"""The page and the command agree on former keys; the page does not take the recovery key as the operator's key."""

from base64 import b64decode, b64encode
from itertools import takewhile
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoints.checkpoint import Signer, parse
from shared.audit.keys import key_files
from shared.core.terms import GAMES
from shared.core.trust.merkle import Tree
from shared.core.trust.service_keys import ServiceKey
from shared.core.trust.verifier_key import VerifierKey
from shared.signing.recovery import sign_recovery
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded
from tests.verifiers.event import files
from tests.verifiers.programs import Case, command, page, page_answers, write

NAME = parse(files()["checkpoint.txt"].decode()).origin.partition("/")[0]
NEW, OLD = (Signer(NAME, Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32)) for n in (1, 2))


def _signed_by_the_former_key(former: str | None) -> Case:
    """Return the log before its publication, with a checkpoint by the former key of two, and how far that key counts."""
    origin = parse(files()["checkpoint.txt"].decode()).origin
    lines = [*takewhile(lambda line: b"standings.published" not in line, files()["log.ndjson"].splitlines())]
    note = OLD.sign(origin, len(lines), Tree.of(lines).root(len(lines)))
    case = {"log.ndjson": b"".join(line + b"\n" for line in lines), "sheets.ndjson": files()["sheets.ndjson"]}
    case |= {"checkpoint.txt": note.encode(), "arbiter.vkey": f"{NEW.verifier}\n{OLD.verifier}\n".encode()}
    if former is not None:
        line = former.format(key=OLD.verifier, origin=origin, size=len(lines), less=len(lines) - 1)
        case["arbiter.former"] = f"{line}\n".encode()
    return case


FORMER = {
    None: "agrees",
    "{key} {origin} {size}": "agrees",
    "{key} {origin} {less}": "differs",
    "{key} {origin}x {size}": "differs",
    "{key} stolen": "differs",
    "{key} {origin} {less}\n{key} {origin} {size}": "agrees",
}


def test_former_key_counts_as_far_as_its_list_says(tmp_path: Path) -> None:
    cases = [write(_signed_by_the_former_key(former), tmp_path / str(n)) for n, former in enumerate(FORMER)]
    assert command(cases) == page(cases) == [*FORMER.values()]
    remarks = [answer["remarks"] for answer in page_answers(cases) if answer["verdict"] == "agrees"]
    assert all("formerKey" in said for said in remarks)


@pytest.mark.parametrize("line", ["{key} {origin} many", "{key} {origin} {size}\nnonsense"])
def test_malformed_list_of_former_keys_is_not_used(line: str, tmp_path: Path) -> None:
    assert page([write(_signed_by_the_former_key(line), tmp_path)]) == ["unreadable"]


def test_recovery_key_is_not_the_operator_s(tmp_path: Path) -> None:
    recovery = f"{VerifierKey('recovery', b64decode('AQ' * 21 + 'A='))}\n".encode()
    evidence = {name: files()[name] for name in ("log.ndjson", "sheets.ndjson", "checkpoint.txt")}
    alone, both, archive = page_answers(
        [
            write(evidence | {"recovery.vkey": recovery}, tmp_path / "alone"),
            write(evidence | {"recovery.vkey": recovery, "arbiter.vkey": files()["arbiter.vkey"]}, tmp_path / "both"),
            write({"event.zip": files()["event.zip"], "recovery.vkey": recovery}, tmp_path / "archive"),
        ]
    )
    assert (alone["verdict"], both["verdict"], archive["verdict"]) == ("incomplete", "agrees", "agrees")
    assert all("recoveryKey" in answer["remarks"] for answer in (alone, both, archive))
    assert archive["own"], "the operator's key still comes from the archive alone"


def test_lost_key_needs_the_signature_of_the_recovery_key(tmp_path: Path) -> None:
    hall = Embedded(tmp_path / "data")
    story, new = Story(hall), str(ServiceKey(GAMES, bytes(range(32))))
    story.announced(players=4, game="chess")
    signature = sign_recovery(key_files.read(hall.data / "recovery.key"), "arbiter/T", new)
    story.tell(f"{T}/keys", {"key": new, "reason": "the disk is gone", "recovery": signature}, "organiser")
    content = b"".join(line + b"\n" for line in hall.lines("T"))
    recovery = (hall.data / "keys" / "recovery.vkey").read_bytes()
    hall.close()
    forged = content.replace(signature.encode(), b64encode(bytes(64)))
    assert forged != content
    genuine, altered = page_answers(
        [
            write({"log.ndjson": content, "recovery.vkey": recovery}, tmp_path / "genuine"),
            write({"log.ndjson": forged}, tmp_path / "forged"),
        ]
    )
    assert genuine["verdict"] == "agrees" and {"recovered", "recoveryKey"} <= set(genuine["remarks"]), genuine
    assert "recovery" in [said[0] for said in altered["said"]], altered
