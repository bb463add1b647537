"""Hands the audit the table source -> rules, and runs it in the child process, beside the server."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deploy.server.rules import RULES
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoint import Verifier
from shared.desk.desk import Desk
from shared.desk.views import stream_of


def auditor(desk: Desk, key: Verifier, *, sheets: bool = True) -> Callable[[str], dict[str, Any]]:
    """The audit of a tournament as ``GET …/audit`` answers it.

    Its sheets are audited too where this log holds them (``sheets``); elsewhere what rests on
    them counts as not decided again.
    """
    return lambda t: _report(desk, key, t, sheets)


def integrity(desk: Desk, key: Verifier, *, sheets: bool = True) -> Callable[[str], list[Any]]:
    """The integrity list of a tournament: its crossings, each with ``seq``, ``why`` and ``noted``."""

    def crossings(t: str) -> list[Any]:
        listed: list[Any] = _report(desk, key, t, sheets)["crossings"]
        return listed

    return crossings


def _report(desk: Desk, key: Verifier, t: str, sheets: bool) -> dict[str, Any]:
    # The log first: its digests then cover lines that the sheets hold by now.
    lines = [row.line for row in desk.lines(stream_of(t))]
    return desk.in_child(decided_again, lines, sheets_of(desk, t) if sheets else None, key)


def sheets_of(desk: Desk, t: str) -> dict[str, list[bytes]]:
    """Game -> lines of its score sheet. A tournament's id may hold dots, so a prefix does not tell."""
    games = (stream.removeprefix("games/") for stream in desk.streams(f"games/{t}."))
    return {g: [row.line for row in desk.lines(f"games/{g}")] for g in games if g.rsplit(".", 2)[0] == t}


def decided_again(
    lines: Sequence[bytes], sheets: Mapping[str, Sequence[bytes]] | None, key: Verifier
) -> dict[str, Any]:
    """The whole audit of bytes; runs in the child process."""
    return audit(lines, RULES, Evidence(sheets=sheets, keys=(key,))).as_json()
