"""Tie-breaks as gacrux reckons them: the second opinion that ours are held against."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

VERSIONS = {"2024": 1, "2026": 2}


def parsed(trf: str) -> dict[str, Any]:
    """The tournament of a TRF as gacrux reads it."""
    from gacrux.trf2json import trf2json

    file = trf2json()
    file.parse_file(trf, 0)
    assert file.chessjson["status"]["code"] == 0, file.chessjson["status"]
    tournament: dict[str, Any] = file.get_tournament(1)
    return tournament


def values(
    tournament: dict[str, Any],
    names: Sequence[str],
    unrated: int | None = None,
    rules: str | None = None,
    *,
    round_robin: bool = False,
) -> dict[int, tuple[int, dict[str, Fraction | None]]]:
    """Rank by points and then by ``names``, and each value, by player."""
    from gacrux.tiebreak import tiebreak

    params = {"tiebreak": ["PTS", *names], "check": False, "unrated": unrated}
    params |= {"pre_determined": True} if round_robin else {"swiss": True}
    reckoning = tiebreak(tournament, -1, params)
    result = reckoning.compute_tiebreaks(tournament, params)
    assert rules is None or reckoning.rulesversion == VERSIONS[rules]
    return {
        c["cid"]: (c["rank"], dict(zip(names, map(_exact, c["tiebreakScore"][1:]), strict=True)))
        for c in result["competitors"]
    }


def _exact(value: Decimal | int | None) -> Fraction | None:
    return None if value is None else Fraction(value)
