"""The signed checkpoint of a log, as a reader sees it."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from shared.core.trust.merkle import Tree
from shared.desk.desk import Desk, View
from shared.desk.signer_port import history_of


def signed_checkpoint(desk: Desk, view: View) -> str:
    """The note of a view, signed. Raises `signer_port.NotSigned`."""
    t = view.state
    return desk.sign(t.origin, view.seq, view.root, history_of(t, partial(root_at, desk, t.id)))


Answer = TypeVar("Answer")


def of_tree(desk: Desk, tournament: str, ask: Callable[[Tree], Answer]) -> Answer:
    """What the tree over a tournament's lines answers: proofs and tiles, in the time of the logarithm."""
    with desk.folds.changed:
        return ask(desk.folds.get(tournament).tree)


def root_at(desk: Desk, tournament: str, seq: int) -> bytes:
    """The root after line ``seq``, after a look for lines that were not read yet. Raises ValueError where there are fewer."""
    try:
        return desk.root(tournament, seq)
    except ValueError:
        desk.view(tournament)
        return desk.root(tournament, seq)
