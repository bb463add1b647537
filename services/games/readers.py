"""How a body sent to an address of games becomes a command: read by its own route, and by whoever previews it."""

from typing import Any

from services.games import schemas
from services.games.rules import commands as co
from shared.core.terms import GAMES, Actor
from shared.http.commands.readers import Reader
from shared.log.texts import Texts

T = "/v1/tournaments/<t>"


def results(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str) -> co.ReportResults:
    return co.ReportResults(actor, _results(fields))


def corrections(actor: Actor, fields: dict[str, Any], texts: Texts, now: str, *, t: str) -> co.Correct:
    return co.Correct(actor, _results(fields), texts.ref(fields["reason"]))


def _results(fields: dict[str, Any]) -> tuple[co.Result, ...]:
    return tuple(co.Result(co.Place(fields["round"], r["board"]), *r["result"]) for r in fields["results"])


RESULTS = Reader(GAMES, f"{T}/results", schemas.ResultsSchema, results)
CORRECTIONS = Reader(GAMES, f"{T}/corrections", schemas.CorrectionsSchema, corrections)

READERS = (RESULTS, CORRECTIONS)
