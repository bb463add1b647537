"""A chess event played over HTTP, and the files that an auditor gets of it."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys import key_files, service_key_files
from shared.core.terms import GAMES, PAIRING
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded
from tests.stories.rich_event import tell_rich_event


@contextmanager
def played(data: Path) -> Iterator[Story]:
    """The rich event, open to be asked about."""
    hall = Embedded(data)
    story = Story(hall)
    tell_rich_event(story)
    try:
        yield story
    finally:
        hall.close()


def rotated(data: Path) -> list[bytes]:
    """The log of a house that gave two of its services new keys while a tournament went on."""
    hall = Embedded(data)
    story = Story(hall)
    story.announced(players=4, game="chess")
    hall.close()
    for source in (PAIRING, GAMES):
        service_key_files.rotate(data, source)
    story.hall = hall = Embedded(data)
    assert story.ask("POST", f"{T}/byes", {"player": 4, "round": 2, "kind": "H"}, "chief_arbiter").status_code == 201
    story.seq = len(hall.lines("T"))
    story.paired([1, 2], [3, 4])
    results = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    assert story.ask("POST", f"{T}/results", results, "arbiter").status_code == 201
    lines = hall.lines("T")
    hall.close()
    return lines


def forger(story: Story) -> Signer:
    """Who holds the house's key of checkpoints, and signs whatever he likes."""
    return Signer(story.hall.signer.verifier.name, key_files.read(story.hall.data / "arbiter.key"))


def joined(lines: Sequence[bytes]) -> bytes:
    """Lines as a file holds them."""
    return b"".join(line + b"\n" for line in lines)


def proof(story: Story, query: str) -> dict[str, Any]:
    """An answer of ``.../proofs``."""
    answer = story.ask("GET", f"{T}/proofs{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def vkey(name: str, algorithm: int, public: bytes) -> str:
    """A verifier key as C2SP writes it (``signed-note``)."""
    key = bytes([algorithm]) + public
    hash = sha256(f"{name}\n".encode() + key).hexdigest()[:8]
    return f"{name}+{hash}+{b64encode(key).decode()}"
