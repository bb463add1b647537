"""Problems that several services report, each in the same words: wrong fields, and what a tournament does not have."""

from typing import Any

from shared.core.language.messages import Message, say
from shared.http.problems import Problem

MOST_ERRORS = 20
"""Errors in one response: a caller mends the first ones, and a body of thousands costs no long answer."""


def bad_fields(errors: Any, detail: Message | None = None) -> Problem:
    """422 with the errors of each field, by name; of more than `MOST_ERRORS` errors, the first."""
    kept, left = _first(errors, MOST_ERRORS)
    if detail is None:
        detail = (
            say("the error of each field is listed under errors")
            if left
            else say("errors lists the first {most} fields that are wrong", most=MOST_ERRORS)
        )
    return Problem(422, "bad-fields", say("Fields are missing or wrong"), detail, errors=kept)


def _first(errors: Any, most: int) -> tuple[Any, int]:
    """Return the first ``most`` errors in their structure, and how many more could be kept."""
    if not isinstance(errors, dict):
        return errors, most - 1
    kept = {}
    for name, inner in errors.items():
        if not most:
            break
        kept[name], most = _first(inner, most)
    return kept, most


def bad_field(field: str, why: Message) -> Problem:
    """422 with the error of one field."""
    return bad_fields({field: [why]})


def beyond_the_end(t: str, seq: int) -> Problem:
    """404 for an event after the last one, ``seq``."""
    return Problem(
        404, "beyond-the-end", say("Event does not exist"), say("the log of {t} has only {seq} events", t=t, seq=seq)
    )


def unknown_player(t: str, player: int) -> Problem:
    """404 for a number that no player of the tournament has."""
    detail = say("{t} has no player {player}", t=t, player=player)
    return Problem(404, "unknown-player", say("No such player"), detail)


def unknown_round(round: int) -> Problem:
    """404 for a round without a pairing."""
    return Problem(404, "unknown-round", say("No such round"), say("round {n} has not been paired", n=round))


def unknown_ruling(t: str, ruling: str) -> Problem:
    """404 for an ID that no ruling and no annulment of the tournament has."""
    detail = say("{t} has no ruling {ruling}", t=t, ruling=repr(ruling[:40]))
    return Problem(404, "unknown-ruling", say("No such ruling"), detail)


def unknown_appeal(t: str, appeal: str) -> Problem:
    """404 for an ID that no appeal of the tournament has."""
    detail = say("{t} has no appeal {appeal}", t=t, appeal=repr(appeal[:40]))
    return Problem(404, "unknown-appeal", say("No such appeal"), detail)


def unknown_team(t: str, team: int) -> Problem:
    """404 for a number that no team of the tournament has."""
    return Problem(404, "unknown-team", say("No such team"), say("{t} has no team {team}", t=t, team=team))


def unknown_regulations(names: tuple[str, ...]) -> Problem:
    """404 for a name that no shipped ruleset has; ``names`` are those of the rulesets."""
    detail = say("available: {names}", names=names)
    return Problem(404, "unknown-regulations", say("No such regulations"), detail, see="/v1/regulations")
