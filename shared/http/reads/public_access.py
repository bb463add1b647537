"""Unlisted tournaments: the only check that hides them from readers without a token."""

from typing import Any

from shared.http.problems import unknown_tournament
from shared.http.requests.app_context import current_context
from shared.http.requests.auth import visitor_of


def refuse_unlisted(arguments: dict[str, Any]) -> None:
    """Raise `Problem` 404, as for an unknown tournament, if a route is about an unlisted one and its reader has no token for it.

    ``arguments``: the parts of the address: a tournament ``t``, or a game ``g`` of one.
    """
    t = arguments.get("t") or str(arguments.get("g", "")).rpartition(".")[0].rpartition(".")[0]
    context = current_context()
    if not isinstance(t, str) or not t or t in context.listed or visitor_of(t) is not None:
        return
    seen = context.desk.view(t)
    if seen is None or seen.state.announced is None:
        return
    if seen.state.unlisted:
        raise unknown_tournament(t)
    context.listed.add(t)
