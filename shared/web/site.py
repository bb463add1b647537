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


def upholding_address(t: str, n: int) -> str:
    """The address of the form by which an outdated pairing of a round is upheld, or taken back."""
    return f"{link('round_page', t=t, n=n, at=None, without=None)}/upholding"


def publication_address(t: str, n: int) -> str:
    """The address of the form that publishes the table after a round again."""
    return f"{link('tournament_page', t=t, at=None, without=None)}/publication?round={n}"


def board_address(t: str, n: int, board: int, form: str) -> str:
    """The address of a board's form: ``result``, ``correction``, ``arrival``."""
    return f"{link('round_page', t=t, n=n, at=None, without=None)}/boards/{board}/{form}"
