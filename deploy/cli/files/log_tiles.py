"""The tree of a log, read by its hash tiles (c2sp.org/tlog-tiles). A server or mirror of tiles needs no route for proofs."""

from collections.abc import Callable, Sequence

from shared.core.trust.merkle import TILE_HEIGHT, TILE_WIDTH, consistency_of, node_hash, root

_HASH_BYTES = 32
Fetch = Callable[[str], bytes | None]
"""A tile's path, below ``tile/``, to its bytes; None where it is not to be had."""


class NoTile(Exception):
    """A requested tile is missing or invalid."""


class TiledTree:
    """The tree over the first ``size`` lines. Only the required tiles are fetched, each once.

    Tiles are not trusted: a proof from them must be verified like any other.
    """

    def __init__(self, size: int, fetch: Fetch) -> None:
        self._size, self._fetch = size, fetch
        self._tiles: dict[tuple[int, int], list[bytes]] = {}

    def consistency(self, old: int) -> Sequence[bytes]:
        """The proof that the tree of ``old`` leaves is a prefix of this one. Raises `NoTile`, ValueError unless
        0 < old <= size."""
        if not 0 < old <= self._size:
            raise ValueError(f"from {old} to {self._size} leaves")
        return consistency_of(self._subtree, old, self._size)

    def _subtree(self, start: int, end: int) -> bytes:
        size, node, at = end - start, b"", end
        while size:
            lowest = size & -size
            peak = self._node(lowest.bit_length() - 1, at // lowest - 1)
            node = node_hash(peak, node) if node else peak
            size, at = size ^ lowest, at - lowest
        return node

    def _node(self, height: int, index: int) -> bytes:
        """The root of the perfect subtree over leaves ``index`` * 2**height and the 2**height - 1 behind it."""
        level, above = divmod(height, TILE_HEIGHT)
        number, first = divmod(index << above, TILE_WIDTH)
        return root(self._tile(level, number)[first : first + (1 << above)])

    def _tile(self, level: int, number: int) -> list[bytes]:
        known = self._tiles.get((level, number))
        if known is None:
            width = min(TILE_WIDTH, (self._size >> level * TILE_HEIGHT) - number * TILE_WIDTH)
            path = tile_path(level, number, width)
            content = self._fetch(path)
            if content is None or len(content) != width * _HASH_BYTES:
                raise NoTile(path)
            hashes = [content[at : at + _HASH_BYTES] for at in range(0, len(content), _HASH_BYTES)]
            known = self._tiles[level, number] = hashes
        return known


def tile_path(level: int, number: int, width: int) -> str:
    """Return the path of a tile: ``0/x001/x234/067``, ``0/000.p/17`` for one of 17 hashes."""
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03}")
    part = "" if width == TILE_WIDTH else f".p/{width}"
    return f"{level}/{'/'.join(groups)}{part}"
