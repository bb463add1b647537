"""The signed checkpoint of a log, for readers."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from shared.core.trust.merkle import Tree
from shared.desk.desk import Desk, View
from shared.desk.signer_port import history_of


def signed_checkpoint(desk: Desk, view: View) -> str:
    """Return the signed checkpoint of the log at a view, as a note. Raises `signer_port.NotSigned`."""
    t = view.state
    return desk.sign(t.origin, view.seq, view.root, history_of(t, partial(root_at, desk, t.id)))


Answer = TypeVar("Answer")


def read_tree(desk: Desk, tournament: str, ask: Callable[[Tree], Answer]) -> Answer:
    """Return the result of ``ask``, called with the Merkle tree of a tournament's events.

    The tree is in memory, so proofs and tiles take time logarithmic in the number of events.
    """
    with desk.folds.changed:
        return ask(desk.folds.get(tournament).tree)


def root_at(desk: Desk, tournament: str, seq: int) -> bytes:
    """Return the Merkle root after event ``seq``, reading new events if necessary. Raises ValueError if there are fewer."""
    try:
        return desk.root(tournament, seq)
    except ValueError:
        desk.view(tournament)
        return desk.root(tournament, seq)
