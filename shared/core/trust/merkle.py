"""The Merkle tree over the events of a log: RFC 6962 section 2.1, SHA-256.

A leaf is the bytes of an event's line without its LF. The root of an empty log is the SHA-256 of no bytes.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()
TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
"""Number of hashes in a full tile."""

DIGITS, FORMER_DIGITS = 40, 20
"""Number of printed hex digits of a root: 160 bits. Until 1.0 they were 80 bits, which can be forged for money."""
_DIGEST = re.compile(rf"(0|[1-9][0-9]{{0,17}}):([0-9a-f]{{{FORMER_DIGITS}}}(?:[0-9a-f]{{{DIGITS - FORMER_DIGITS}}})?)")

Subtree = Callable[[int, int], bytes]
"""Returns the root over the leaves from one number to before another, as if they were the only ones."""


def leaf_hash(line: bytes) -> bytes:
    """Return the hash of one line (RFC 6962, 2.1: 0x00 before the leaf)."""
    return sha256(b"\x00" + line).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees (RFC 6962, 2.1: 0x01 before both)."""
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """The roots of the perfect subtrees that cover the lines so far, largest first.

    ``size`` is the number of lines. This is enough to append lines and to compute the root.
    """

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)

    def append(self, leaf: bytes) -> None:
        """Append the next line, given its leaf hash."""
        node, size, peaks = leaf, self.size, self.peaks
        while size & 1:
            node = sha256(b"\x01" + peaks.pop() + node).digest()
            size >>= 1
        peaks.append(node)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over all lines so far."""
        if not self.peaks:
            return EMPTY
        node = self.peaks[-1]
        for peak in self.peaks[-2::-1]:
            node = sha256(b"\x01" + peak + node).digest()
        return node


class Tree:
    """Every perfect subtree over the lines so far, from which the root after any number of lines can be computed."""

    __slots__ = ("levels",)

    def __init__(self) -> None:
        self.levels: list[list[bytes]] = [[]]
        """``levels[k][i]`` covers lines i * 2**k + 1 to (i + 1) * 2**k."""

    @classmethod
    def of(cls, lines: Iterable[bytes]) -> "Tree":
        """Return the tree over all these lines, built level by level, in two thirds of the time of appending each line."""
        return cls._over([sha256(b"\x00" + line).digest() for line in lines])

    @classmethod
    def _over(cls, leaves: list[bytes]) -> "Tree":
        tree = cls()
        level = tree.levels[0] = leaves
        while len(level) > 1:
            pairs = iter(level)
            level = [sha256(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=False)]
            tree.levels.append(level)
        return tree

    @property
    def size(self) -> int:
        return len(self.levels[0])

    def append(self, leaf: bytes) -> None:
        """Append the next line, given its leaf hash."""
        node = leaf
        for level in self.levels:
            level.append(node)
            if len(level) & 1:
                return
            node = sha256(b"\x01" + level[-2] + node).digest()
        self.levels.append([node])

    def root(self, size: int) -> bytes:
        """Return the root after the first ``size`` lines. Raises ValueError if there are fewer."""
        if not 0 <= size <= self.size:
            raise ValueError(f"a root after {size} of {self.size} lines")
        if size == 0:
            return EMPTY
        node = b""
        for level in self.levels:  # the smallest subtree first
            if size & 1:
                node = sha256(b"\x01" + level[size - 1] + node).digest() if node else level[size - 1]
            size >>= 1
            if not size:
                break
        return node

    def subtree(self, start: int, end: int) -> bytes:
        """Return the root over only the leaves ``start`` to ``end`` - 1, for proofs, from the stored perfect subtrees."""
        size, node, at = end - start, b"", end
        while size:
            lowest = size & -size
            level = lowest.bit_length() - 1
            peak = self.levels[level][(at >> level) - 1]
            node = sha256(b"\x01" + peak + node).digest() if node else peak
            size, at = size ^ lowest, at - lowest
        return node

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the audit path of a leaf, as the function `inclusion` does, but in logarithmic time."""
        if not 0 <= index < size <= self.size:
            raise ValueError(f"leaf {index} of a tree of {size} among {self.size} leaves")
        return _inclusion(self.subtree, index, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return a consistency proof, as the function `consistency` does, but in logarithmic time."""
        if not 0 < old <= new <= self.size:
            raise ValueError(f"from {old} to {new} of {self.size} leaves")
        return consistency_of(self.subtree, old, new)

    def tile(self, level: int, number: int, width: int) -> bytes:
        """Return the first ``width`` hashes of tile ``number`` of a ``level`` (tlog-tiles). Raises ValueError if too few."""
        height = level * TILE_HEIGHT
        nodes = self.levels[height] if height < len(self.levels) else []
        hashes = nodes[number * TILE_WIDTH : number * TILE_WIDTH + width]
        if len(hashes) < width:
            raise ValueError(f"{len(hashes)} hashes of tile {number} of level {level}, not {width}")
        return b"".join(hashes)

    def frontier(self) -> Frontier:
        """Return the frontier of this tree, to append further lines separately."""
        size = self.size
        peaks = [nodes[(size >> k) - 1] for k, nodes in enumerate(self.levels) if size >> k & 1]
        return Frontier(size, peaks[::-1])


def root(hashes: Sequence[bytes]) -> bytes:
    """Return the root over these leaf hashes."""
    if not hashes:
        return EMPTY
    level = list(hashes)
    while len(level) > 1:
        pairs = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def _split(size: int) -> int:
    """Return the largest power of two smaller than ``size`` (size > 1)."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion(hashes: Sequence[bytes], index: int, size: int) -> list[bytes]:
    """Return the audit path of leaf ``index`` (from 0) in the tree of the first ``size`` leaves (RFC 6962, 2.1.1).

    Raises ValueError for an index outside the tree.
    """
    if not 0 <= index < size <= len(hashes):
        raise ValueError(f"leaf {index} of a tree of {size} among {len(hashes)} leaves")

    return _inclusion(lambda start, end: root(hashes[start:end]), index, size)


def _inclusion(subtree: Subtree, index: int, size: int) -> list[bytes]:
    def path(start: int, end: int) -> list[bytes]:
        if end - start == 1:
            return []
        middle = start + _split(end - start)
        if index < middle:
            return [*path(start, middle), subtree(middle, end)]
        return [*path(middle, end), subtree(start, middle)]

    return path(0, size)


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes) -> bool:
    """Return whether ``proof`` leads from a leaf hash to the root of a tree of ``size`` leaves (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    fn, sn, node = index, size - 1, leaf
    for step in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            node = node_hash(step, node)
            while fn and not fn & 1:
                fn, sn = fn >> 1, sn >> 1
        else:
            node = node_hash(node, step)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and node == expected


def consistency(hashes: Sequence[bytes], old: int, new: int) -> list[bytes]:
    """Return the proof that the tree of ``old`` leaves is a prefix of that of ``new`` (RFC 6962, 2.1.2).

    Raises ValueError unless 0 < old <= new <= number of leaves.
    """
    if not 0 < old <= new <= len(hashes):
        raise ValueError(f"from {old} to {new} of {len(hashes)} leaves")

    return consistency_of(lambda start, end: root(hashes[start:end]), old, new)


def consistency_of(subtree: Subtree, old: int, new: int) -> list[bytes]:
    """Return the proof of `consistency` for a tree given by its subtrees, 0 < old <= new."""

    def sub(m: int, start: int, end: int, whole: bool) -> list[bytes]:
        size = end - start
        if m == size:
            return [] if whole else [subtree(start, end)]
        k = _split(size)
        if m <= k:
            return [*sub(m, start, start + k, whole), subtree(start + k, end)]
        return [*sub(m - k, start + k, end, False), subtree(start, start + k)]

    return sub(old, 0, new, True)


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether ``proof`` shows the first tree to be a prefix of the second (RFC 9162, 2.1.4.2)."""
    if old == new:
        return not proof and old_root == new_root
    if not 0 < old < new or not proof:
        return False
    steps = list(proof)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    first = second = steps[0]
    for step in steps[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            first, second = node_hash(step, first), node_hash(step, second)
            while fn and not fn & 1:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = node_hash(second, step)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and first == old_root and second == new_root


def short_digest(size: int, root: bytes) -> str:
    """Return ``SIZE:`` and the first 40 hex digits of the root, as printed on every sheet."""
    return f"{size}:{root.hex()[:DIGITS]}"


def digest_size(digest: str) -> int:
    """Return the size in a short digest, or -1 if it is invalid."""
    match = _DIGEST.fullmatch(digest)
    return int(match[1]) if match else -1


def digest_fits(digest: str, root: bytes) -> bool:
    """Return whether a short digest is that of a log with this root after that many events. Accepts 80 bits, as until 1.0."""
    match = _DIGEST.fullmatch(digest)
    return match is not None and root.hex().startswith(match[2])
