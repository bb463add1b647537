"""Replay: a log's bytes folded again, with or without checking its hashes on the way."""

from binascii import b2a_base64
from collections.abc import Iterable, Sequence

from shared.collector import no_collector
from shared.envelope import read
from shared.evolve import evolve
from shared.merkle import EMPTY, Tree
from shared.tournament import Tournament


class RootMismatch(ValueError):
    """A line names another root than the lines before it have; ``line`` is its number."""

    def __init__(self, line: int, basis: int) -> None:
        super().__init__(f"line {line} names another root after line {basis} than this log has")
        self.line = line


@no_collector()
def replay(lines: Iterable[bytes], tournament: str) -> Tournament:
    """Fold the lines (without LF) of one log. Raises `envelope.Unreadable`."""
    t = Tournament(tournament)
    for seq, line in enumerate(lines, 1):
        evolve(t, read(line, seq))
    return t


@no_collector()
def replay_verified(lines: Sequence[bytes], tournament: str) -> tuple[Tournament, Tree]:
    """Fold the lines and check every ``basisroot`` against the tree over them.

    Raises `envelope.Unreadable` or `RootMismatch` at the first line that fails.
    """
    t, tree = Tournament(tournament), Tree.of(lines)
    root, basis = b2a_base64(EMPTY, newline=False).decode(), 0
    for seq, line in enumerate(lines, 1):
        event = read(line, seq)
        if event.basisroot != root or event.basis != basis:
            root, basis = event.basisroot, event.basis
            if basis >= seq or b2a_base64(tree.root(basis), newline=False).decode() != root:
                raise RootMismatch(seq, basis)
        evolve(t, event)
    return t, tree
