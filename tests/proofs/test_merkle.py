"""The tree: RFC 6962's own vectors, and proofs that hold for every size and position."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.core.trust.merkle import (
    EMPTY,
    TILE_HEIGHT,
    TILE_WIDTH,
    Frontier,
    Tree,
    consistency,
    inclusion,
    leaf_hash,
    node_hash,
    root,
    verify_consistency,
    verify_inclusion,
)

# Leaves and roots of the reference implementation's published test tree.
LEAVES = [bytes.fromhex(h) for h in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


@pytest.mark.parametrize("size", range(1, 9))
def test_the_published_roots_are_met(size):
    frontier = Frontier()
    for leaf in LEAVES[:size]:
        frontier.append(leaf_hash(leaf))
    assert frontier.root().hex() == ROOTS[size - 1]
    assert root([leaf_hash(leaf) for leaf in LEAVES[:size]]).hex() == ROOTS[size - 1]


def test_the_root_of_nothing_is_sha256_of_nothing():
    assert Frontier().root() == root([]) == EMPTY == sha256(b"").digest()


def test_leaves_and_nodes_are_hashed_apart():
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)


HASHES = [leaf_hash(b"%d" % n) for n in range(67)]


def test_every_inclusion_proof_holds_and_no_other_leaf_does():
    for size in range(1, 40):
        whole = root(HASHES[:size])
        for index in range(size):
            proof = inclusion(HASHES, index, size)
            assert verify_inclusion(HASHES[index], index, size, proof, whole)
            assert not verify_inclusion(HASHES[(index + 1) % 67], index, size, proof, whole)


def test_every_consistency_proof_holds():
    for new in range(1, 40):
        for old in range(1, new + 1):
            proof = consistency(HASHES, old, new)
            assert verify_consistency(old, new, root(HASHES[:old]), root(HASHES[:new]), proof)


@given(st.integers(2, 67), st.data())
def test_a_tree_that_is_no_prefix_is_not_proved_to_be_one(new, data):
    old = data.draw(st.integers(1, new - 1))
    other = [leaf_hash(b"x"), *HASHES[1:old]]
    assert not verify_consistency(old, new, root(other), root(HASHES[:new]), consistency(HASHES, old, new))


@given(st.lists(st.binary(), max_size=70), st.lists(st.binary(), max_size=20))
def test_a_tree_knows_every_earlier_root_and_gives_a_frontier_to_go_on_with(first, more):
    tree = Tree()
    for leaf in first:
        tree.append(leaf_hash(leaf))
    frontier = tree.frontier()
    for leaf in more:
        frontier.append(leaf_hash(leaf))
    hashes = [leaf_hash(leaf) for leaf in first + more]
    assert [tree.root(n) for n in range(len(first) + 1)] == [root(hashes[:n]) for n in range(len(first) + 1)]
    assert frontier.root() == root(hashes)


@pytest.mark.parametrize("size", [-1, 4])
def test_a_tree_has_no_root_beyond_its_lines(size):
    tree = Tree()
    for leaf in (b"a", b"b", b"c"):
        tree.append(leaf_hash(leaf))
    with pytest.raises(ValueError, match="of 3 lines"):
        tree.root(size)


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0), (0, 68)])
def test_a_leaf_outside_the_tree_has_no_proof(index, size):
    with pytest.raises(ValueError, match="leaves"):
        inclusion(HASHES, index, size)


@pytest.mark.parametrize(("old", "new"), [(0, 3), (4, 3), (1, 68)])
def test_trees_that_are_not_there_have_no_consistency_proof(old, new):
    with pytest.raises(ValueError, match="leaves"):
        consistency(HASHES, old, new)


TREE = Tree.of([b"%d" % n for n in range(67)])


def test_a_trees_own_proofs_are_those_made_from_all_leaves():
    for size in range(1, 68):
        assert [TREE.inclusion(n, size) for n in range(size)] == [inclusion(HASHES, n, size) for n in range(size)]
        assert [TREE.consistency(n, size) for n in range(1, size + 1)] == [
            consistency(HASHES, n, size) for n in range(1, size + 1)
        ]


BEYOND = (
    lambda t: t.inclusion(67, 67),
    lambda t: t.inclusion(0, 68),
    lambda t: t.consistency(0, 9),
    lambda t: t.consistency(9, 68),
    lambda t: t.tile(0, 0, 68),
    lambda t: t.tile(1, 0, 1),
)


@pytest.mark.parametrize("ask", BEYOND)
def test_a_tree_has_no_proof_and_no_tile_beyond_its_end(ask):
    with pytest.raises(ValueError, match=r"leaves|hashes of tile"):
        ask(TREE)


BIG = Tree.of([b"%d" % n for n in range(70_000)])


@settings(deadline=None)
@given(st.integers(1, 70_000), st.data())
def test_every_tile_of_a_tree_of_any_size_holds_the_roots_that_it_should(size, data):
    level = data.draw(st.integers(0, 1))
    count = size >> (TILE_HEIGHT * level)
    if count == 0:
        return
    number = data.draw(st.integers(0, (count - 1) // TILE_WIDTH))
    width = min(TILE_WIDTH, count - number * TILE_WIDTH)
    tile = BIG.tile(level, number, width)
    span = 1 << TILE_HEIGHT * level
    at = data.draw(st.integers(0, width - 1))
    first = (number * TILE_WIDTH + at) * span
    assert len(tile) == 32 * width
    assert tile[32 * at : 32 * at + 32] == root(BIG.levels[0][first : first + span])


def test_a_tile_of_the_third_level_holds_the_root_of_65536_leaves():
    assert BIG.tile(2, 0, 1) == root(BIG.levels[0][: 1 << 16])
