"""The addresses of forms and of the page that they lead back to."""

from collections.abc import Callable
from typing import Any

from shared.web.page import link


def back_to_round(t: str, n: int, board: int | None = None) -> Callable[[int | None], str]:
    """The desk of a round, not before a line; ``board`` is the one that was just dealt with."""

    def back(seq: int | None) -> str:
        query: dict[str, Any] = {"after": seq, "board": board}
        return link("round_page", t=t, n=n, at=None, without=None, **query)

    return back


def board_address(t: str, n: int, board: int, form: str) -> str:
    """The address of a board's form: ``result``, ``correction``, ``arrival``."""
    return f"{link('round_page', t=t, n=n, at=None, without=None)}/boards/{board}/{form}"
