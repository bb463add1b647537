"""A tree read by its hash tiles: the same proofs as from the whole tree, and few tiles."""

from hashlib import sha256

import pytest

from deploy.cli.log_watch import NoTile, TiledTree, tile_path
from shared.core.trust.merkle import TILE_WIDTH, Tree, verify_consistency

SIZE = 66_000
TREE = Tree.of(n.to_bytes(4, "big") for n in range(SIZE))


class Tiles:
    """The tiles of the tree as a server has them, by their paths."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, path: str) -> bytes | None:
        self.asked.append(path)
        level, _, index = path.partition("/")
        number, _, width = index.partition(".p/")
        at = int(number.replace("x", "").replace("/", ""))
        return TREE.tile(int(level), at, int(width or TILE_WIDTH))


@pytest.mark.parametrize("size", [1, 2, 7, 255, 256, 257, 512, 1000, 65_535, 65_536, 65_537, SIZE])
def test_every_proof_by_tiles_is_that_of_the_whole_tree(size):
    for old in {1, 2, 3, 128, 255, 256, 257, 511, 999, 4096, 65_280, 65_535, 65_536, 65_999, size - 1, size}:
        if not 0 < old <= size:
            continue
        tiles = Tiles()
        proof = TiledTree(size, tiles).consistency(old)
        assert proof == TREE.consistency(old, size)
        assert verify_consistency(old, size, TREE.root(old), TREE.root(size), proof)
        assert len(tiles.asked) == len(set(tiles.asked)) <= 5


def test_a_tile_is_named_as_others_name_it():
    assert tile_path(0, 0, 256) == "0/000"
    assert tile_path(1, 0, 17) == "1/000.p/17"
    assert tile_path(0, 1_234_067, 256) == "0/x001/x234/067"
    assert tile_path(0, 70_000, 1) == "0/x070/000.p/1"


def test_a_tile_that_is_not_there_or_of_another_length_is_none():
    for wrong in (None, b"", sha256().digest() * 300, bytes(31)):
        with pytest.raises(NoTile):
            TiledTree(300, lambda path, wrong=wrong: wrong).consistency(200)


@pytest.mark.parametrize("old", [0, 301, -1])
def test_a_proof_from_nothing_or_from_beyond_the_end_is_refused(old):
    with pytest.raises(ValueError, match="300 leaves"):
        TiledTree(300, Tiles()).consistency(old)
