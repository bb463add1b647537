"""A stolen checkpoint key: it is ended, or counts only for the logs that were signed before its rotation."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.keys.house_signer import HouseKeys, rotate
from shared.audit.checkpoints.checkpoint import Signer, parse
from shared.audit.keys import key_files
from shared.core.trust.merkle import Tree
from tests.stories.conftest import Story
from tests.stories.hall import Embedded

T = "/v1/tournaments/T"
Arbiter = Callable[..., tuple[int, str, str]]


class Theft:
    """A published log whose checkpoint key a thief has copied."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        story = Story(Embedded(self.data))
        story.announced()
        story.tell(f"{T}/publications", {}, "organiser")
        self.signed = int(story.get(f"{T}/checkpoint").split("\n")[1])
        story.tell(f"{T}/entries", {"players": [{"id": 9, "name": "late"}]})
        self.lines = story.hall.lines("T")
        story.hall.close()
        self.key: Ed25519PrivateKey = key_files.read(self.data / "arbiter.key")
        self.log, self.note = folder / "T.ndjson", folder / "T.checkpoint"

    def forge(self, size: int) -> None:
        """Write the log cut off at ``size``, with a checkpoint by the stolen key."""
        cut = self.lines[:size]
        self.log.write_bytes(b"".join(line + b"\n" for line in cut))
        self.note.write_text(Signer("arbiter", self.key).sign("arbiter/T", size, Tree.of(cut).root(size)))

    def evidence(self, *options: str) -> tuple[object, ...]:
        return ("verify", self.log, "--checkpoint", self.note, "--key", self.data / "arbiter.vkey", *options)


@pytest.fixture
def theft(tmp_path: Path) -> Theft:
    return Theft(tmp_path)


def test_former_key_counts_up_to_the_size_that_was_signed(theft: Theft, arbiter: Arbiter) -> None:
    rotate(theft.data)
    theft.forge(theft.signed)
    code, out, _ = arbiter(*theft.evidence())
    assert code == 0 and f"the checkpoint at {theft.signed} is signed with a former key" in out
    assert arbiter(*theft.evidence("--strict"))[0] == 1
    theft.forge(theft.signed + 1)
    code, out, _ = arbiter(*theft.evidence())
    assert (
        code == 1
        and f"none of the given keys verifies the signature of the checkpoint of the first {theft.signed + 1}" in out
    )


def test_former_key_without_limits_is_reported(theft: Theft, arbiter: Arbiter) -> None:
    rotate(theft.data)
    (theft.data / "arbiter.former").unlink()
    theft.forge(theft.signed + 1)
    code, out, _ = arbiter(*theft.evidence())
    assert code == 0 and "is signed with a former key" in out
    assert arbiter(*theft.evidence("--strict"))[0] == 1


def test_former_key_does_not_count_for_other_logs(theft: Theft) -> None:
    rotate(theft.data)
    other = parse(Signer("arbiter", theft.key).sign("arbiter/U", 1, bytes(32)))
    assert not HouseKeys(theft.data).verifies(other)


def test_stolen_key_ends_but_its_publications_still_agree(theft: Theft, arbiter: Arbiter) -> None:
    assert arbiter("keys", "--data", theft.data, "--rotate", "checkpoint", "--stolen")[0] == 0
    assert (theft.data / "arbiter.vkey").read_text().count("\n") == 1
    theft.forge(theft.signed)
    assert arbiter(*theft.evidence())[0] == 1
    code, out, _ = arbiter("verify", theft.log, "--key", theft.data / "arbiter.vkey")
    assert code == 0 and "a published checkpoint is signed with a stolen key" in out
    code, note, _ = arbiter("checkpoint", "T", "--data", theft.data)
    assert code == 0 and HouseKeys(theft.data).verifies(parse(note))


def test_second_rotation_keeps_the_limits_of_the_first(theft: Theft) -> None:
    rotate(theft.data)
    rotate(theft.data, stolen=True)
    old = parse(Signer("arbiter", theft.key).sign("arbiter/T", theft.signed + 1, bytes(32)))
    assert not HouseKeys(theft.data).verifies(old)


def test_only_a_checkpoint_key_can_be_stolen(theft: Theft, arbiter: Arbiter) -> None:
    code, _, err = arbiter("keys", "--data", theft.data, "--rotate", "games", "--stolen")
    assert code == 2 and "--stolen requires --rotate checkpoint" in err


@pytest.mark.parametrize("line", ["nonsense", "KEY", "KEY arbiter/T many"])
def test_malformed_file_of_former_keys_is_one_line(theft: Theft, arbiter: Arbiter, line: str) -> None:
    key = (theft.data / "arbiter.vkey").read_text().split("\n")[0]
    (theft.data / "arbiter.former").write_text(line.replace("KEY", key) + "\n")
    theft.forge(theft.signed)
    code, _, err = arbiter(*theft.evidence())
    assert code == 2 and "arbiter.vkey" in err and err.count("\n") == 1
