"""The signed checkpoint of a log, as a reader sees it."""

from functools import partial

from shared.desk.desk import Desk, View
from shared.desk.signer_port import History


def signed_checkpoint(desk: Desk, view: View) -> str:
    """The note of a view, signed. Raises `signer_port.NotSigned`."""
    t = view.tournament
    return desk.sign(t.origin, view.seq, view.root, History(partial(root_at, desk, t.id), t.restarts))


def root_at(desk: Desk, tournament: str, seq: int) -> bytes:
    """The root after line ``seq``, after a look for lines that were not read yet. Raises ValueError where there are fewer."""
    try:
        return desk.root(tournament, seq)
    except ValueError:
        desk.view(tournament)
        return desk.root(tournament, seq)
