"""Outdated bases in answers, with their sentences in the language of the request."""

from collections.abc import Iterable
from typing import Any

import msgspec

from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.readings.settlement import as_data, describe, of_data
from shared.core.state.tournament import Tournament, TournamentState
from shared.http.language.language import words

MEMBER = b'"outdated":'


def outdated(t: TournamentState, bases: Iterable[OutdatedBasis]) -> list[dict[str, Any]]:
    """Return bases as answers have them."""
    if not isinstance(t, Tournament):
        return []
    return [as_data(t, basis) | {"message": words(describe(t, basis))} for basis in bases]


def with_sentences(body: bytes, t: TournamentState) -> bytes:
    """Return a command's answer with a sentence for each basis in it, as it is if it has none."""
    if MEMBER not in body or not isinstance(t, Tournament):
        return body
    answer = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    if "outdated" not in answer:
        return body
    bases = msgspec.json.decode(answer["outdated"])
    told = [basis | {"message": words(describe(t, of_data(basis)))} for basis in bases]
    return msgspec.json.encode({**answer, "outdated": told})
