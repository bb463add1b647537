"""The signer's memory: no log is signed that does not continue what was signed of it."""

import os
import threading
from pathlib import Path

import pytest

from deploy.server.keys.house_signer import HouseSigner, memory_of, verifiers
from shared.audit.checkpoints.checkpoint import parse
from shared.audit.checkpoints.note import SignedHead
from shared.audit.keys import key_files
from shared.core.state.entities import CheckpointRestart
from shared.core.terms import Seq
from shared.core.trust.merkle import EMPTY, Tree
from shared.desk.signer_port import History, NotSigned

ORIGIN = "arbiter/T"
TREE = Tree.of([b"%d" % n for n in range(40)])
FORK = Tree.of([b"%d" % n for n in range(20)] + [b"other %d" % n for n in range(20)])


def signed(
    signer: HouseSigner,
    size: int,
    tree: Tree = TREE,
    end: int | None = None,
    restarts: tuple[CheckpointRestart, ...] = (),
    published: int = 0,
) -> str:
    """A note of a log that holds ``end`` lines of a tree."""
    end = size if end is None else end

    def root_at(n: int) -> bytes:
        if n > end:
            raise ValueError("beyond the end")
        return tree.root(n)

    return signer.sign(ORIGIN, size, tree.root(size), History(root_at, restarts, published))


@pytest.fixture
def signer(tmp_path: Path) -> HouseSigner:
    return HouseSigner(tmp_path)


def test_a_log_that_grows_is_signed_and_its_largest_head_remembered(signer: HouseSigner) -> None:
    for size in (3, 10, 30):
        assert signer.verifier.verifies(parse(signed(signer, size)))
    assert signer.memory.largest_head(ORIGIN) == SignedHead(30, TREE.root(30))


def test_an_earlier_head_of_the_same_log_is_signed_and_takes_no_others_place(signer: HouseSigner) -> None:
    signed(signer, 30)
    assert parse(signed(signer, 10, end=30)).size == 10
    assert signer.memory.largest_head(ORIGIN) == SignedHead(30, TREE.root(30))


def test_a_shorter_log_is_refused_with_both_sizes_and_by_name(signer: HouseSigner) -> None:
    signed(signer, 30)
    with pytest.raises(NotSigned, match="30 events was signed, but this log has only 12"):
        signed(signer, 12)
    assert "this log has only 12" in str(signer.memory.refusals()[ORIGIN])
    signed(signer, 31)
    assert signer.memory.refusals() == {}


def test_another_root_of_the_same_size_and_a_longer_fork_are_refused(signer: HouseSigner) -> None:
    signed(signer, 30)
    for size in (30, 31, 40):
        with pytest.raises(NotSigned, match=rf"differs from that of this log \({size} events\)"):
            signed(signer, size, FORK)


def test_what_was_written_before_the_fork_says_nothing_against_it(signer: HouseSigner) -> None:
    signed(signer, 20)
    assert parse(signed(signer, 40, FORK)).size == 40
    with pytest.raises(NotSigned):
        signed(signer, 40, TREE)


def test_a_head_that_the_log_does_not_hold_yet_is_not_remembered(signer: HouseSigner) -> None:
    signed(signer, 10)
    signed(signer, 12, end=10)
    assert signer.memory.largest_head(ORIGIN) == SignedHead(10, TREE.root(10))


def test_another_process_remembers_with_it(signer: HouseSigner, tmp_path: Path) -> None:
    signed(signer, 30)
    with pytest.raises(NotSigned):
        signed(HouseSigner(tmp_path), 12)


def test_of_many_who_sign_at_once_none_forgets_the_largest(tmp_path: Path) -> None:
    def work(n: int) -> None:
        mine = HouseSigner(tmp_path)
        for size in range(1 + n, 41, 4):
            signed(mine, size, end=40)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory_of(tmp_path).largest_head(ORIGIN) == SignedHead(40, TREE.root(40))


def test_a_restart_in_the_log_names_what_it_does_not_continue_and_nothing_else(signer: HouseSigner) -> None:
    signed(signer, 30)
    foreign = CheckpointRestart(Seq(5), 29, TREE.root(30).hex())
    with pytest.raises(NotSigned):
        signed(signer, 25, FORK, restarts=(foreign,))
    restart = CheckpointRestart(Seq(5), 30, TREE.root(30).hex())
    assert parse(signed(signer, 25, FORK, restarts=(restart,))).size == 25
    assert signer.memory.largest_head(ORIGIN) == SignedHead(25, FORK.root(25))
    with pytest.raises(NotSigned):
        signed(signer, 30, TREE, restarts=(restart,))


def test_a_lost_memory_begins_anew_with_the_next_note_of_a_log_that_was_never_published(signer: HouseSigner) -> None:
    signed(signer, 30)
    signer.memory.path.unlink()
    assert parse(signed(signer, 12)).size == 12
    assert signer.memory.largest_head(ORIGIN) == SignedHead(12, TREE.root(12))


@pytest.mark.parametrize("tree", [TREE, FORK], ids=["the log", "another"])
def test_a_log_that_was_published_is_not_signed_by_a_signer_that_remembers_nothing_of_it(
    signer: HouseSigner, tree: Tree
) -> None:
    signed(signer, 10)
    signed(signer, 30, published=10)
    signer.memory.path.unlink()
    # when whoever deleted the memory has the log cut, forked, or as it was
    for size in (12, 30, 40):
        with pytest.raises(
            NotSigned, match="10 events were published and signed, but the signer has no memory of this log"
        ):
            signed(signer, size, tree, published=10)
    assert "has no memory of this log" in str(signer.memory.refusals()[ORIGIN])
    # then the office says in the log itself that it begins anew
    foreign = CheckpointRestart(Seq(5), 11, tree.root(11).hex())
    with pytest.raises(NotSigned):
        signed(signer, 31, tree, restarts=(foreign,), published=10)
    restart = CheckpointRestart(Seq(31), 10, tree.root(10).hex())
    assert parse(signed(signer, 31, tree, restarts=(restart,), published=10)).size == 31
    assert signer.memory.refusals() == {}


def test_a_first_publication_of_lines_that_are_being_written_is_no_lost_memory(signer: HouseSigner) -> None:
    signed(signer, 12, end=10)
    assert signer.memory.largest_head(ORIGIN) == SignedHead(0, EMPTY)
    assert parse(signed(signer, 13, published=12)).size == 13
    assert signer.memory.largest_head(ORIGIN) == SignedHead(13, TREE.root(13))


def test_a_memory_that_cannot_be_used_signs_nothing(signer: HouseSigner) -> None:
    signer.memory.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(NotSigned, match=r"signed\.db cannot be used"):
        signed(signer, 12)
    assert signer.memory.cosigned(ORIGIN) is None


def test_nobody_else_reads_the_memory(signer: HouseSigner) -> None:
    signed(signer, 3)
    assert signer.memory.path.stat().st_mode & 0o777 == 0o600


def test_a_key_that_was_changed_signs_from_then_on_and_former_ones_are_kept(
    signer: HouseSigner, tmp_path: Path
) -> None:
    before, note = signer.verifier, parse(signed(signer, 3))
    key_files.make(tmp_path / "arbiter.key", replace=True)
    os.utime(tmp_path / "arbiter.key", ns=(1, 1))
    HouseSigner(tmp_path)
    now, former = verifiers(tmp_path)
    assert former == before and former.verifies(note) and now.verifies(parse(signed(signer, 4)))


def test_a_house_that_is_renamed_signs_what_runs_under_the_name_that_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = HouseSigner(tmp_path).verifier
    monkeypatch.setenv("ARBITER_NAME", "club.example/chess")
    renamed = HouseSigner(tmp_path)
    assert old.verifies(parse(signed(renamed, 3)))
    note = renamed.sign("club.example/chess/U", 3, TREE.root(3), History(TREE.root))
    assert renamed.verifier.verifies(parse(note)) and [v.name for v in verifiers(tmp_path)] == [
        "club.example/chess",
        "arbiter",
    ]
    foreign = renamed.sign("other.example/V", 3, TREE.root(3), History(TREE.root))
    assert renamed.verifier.verifies(parse(foreign)), "never under the name of another house"
