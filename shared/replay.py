"""Replay: a log's bytes folded again, with or without checking its hashes on the way."""

from base64 import b64encode
from collections.abc import Iterable

from shared.envelope import read
from shared.merkle import EMPTY, Tree
from shared.tournament import Tournament, evolve


class RootMismatch(ValueError):
    """A line names another root than the lines before it have; ``line`` is its number."""

    def __init__(self, line: int, basis: int) -> None:
        super().__init__(f"line {line} names another root after line {basis} than this log has")
        self.line = line


def replay(lines: Iterable[bytes], tournament: str) -> Tournament:
    """Fold the lines (without LF) of one log. Raises `envelope.Unreadable`."""
    t, take, fold = Tournament(tournament), read, evolve
    for seq, line in enumerate(lines, 1):
        fold(t, take(line, seq))
    return t


def replay_verified(lines: Iterable[bytes], tournament: str) -> tuple[Tournament, Tree]:
    """Fold the lines and check every ``basisroot`` against the tree over them.

    Raises `envelope.Unreadable` or `RootMismatch` at the first line that fails.
    """
    t, tree = Tournament(tournament), Tree()
    checked = (b64encode(EMPTY).decode(), 0)
    for seq, line in enumerate(lines, 1):
        got = read(line, seq)
        named = (got.basisroot, got.basis)
        if named != checked:
            if named[1] >= seq or b64encode(tree.root(named[1])).decode() != named[0]:
                raise RootMismatch(seq, named[1])
            checked = named
        tree.append(line)
        evolve(t, got)
    return t, tree
