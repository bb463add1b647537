"""The comments of an exported file by which it can be imported as the same event: game, ruleset, rulings, table."""

import json
from collections.abc import Iterator
from typing import Any

from services.standings.rules.table.table import Table
from shared.core.events import Effect, RulingMade
from shared.core.rounds.matches import teams_meet
from shared.core.state.outcomes import stated_mark
from shared.core.state.tournament import Tournament
from shared.trf.event_records import CHANGE, GAME, RESULTS_ONLY, RULESET, RULING, TABLE, digest_of, short_digest

_RANKING = ("adjust_points", "exclude", "expel")
"""Effects that change points or ranks, and that no result shows."""


def event_lines(t: Tournament, table: Table) -> list[str]:
    """Return the texts of the comments, each with its name before it.

    Rulings are those in force by officials that rank or give points. Those of the rulebook result from them.
    """
    rules = t.regulations
    lines = [f"{GAME}: {t.announced.game}"]
    lines += [f"{RESULTS_ONLY}: yes"] * t.announced.excludes_sheets
    lines.append(f"{RULESET}: {rules.name} {short_digest(rules.digest)}".rstrip())
    lines += [f"{CHANGE}: {path} = {_json(value)}" for path, value in rules.changes.items()]
    lines += [f"{RULING}: {_json(_body(t, ruling))}" for ruling in _ranking_rulings(t)]
    if not teams_meet(t):
        number = {p: entry.starting_number for p, entry in t.players.items()}
        columns = {"points": digest_of((number[row.player], row.points) for row in table.rows)}
        columns["rank"] = digest_of((number[row.player], row.rank) for row in table.rows)
        for code in table.tiebreaks:
            columns[code] = digest_of((number[row.player], row.values[code].quarters) for row in table.rows)
        lines.append(" ".join((f"{TABLE}:", *(f"{code} {digest}" for code, digest in columns.items()))))
    return lines


def _ranking_rulings(t: Tournament) -> Iterator[RulingMade]:
    discipline = t.regulations.ranking.discipline
    misconduct = () if discipline is None else discipline.infractions
    for id, ruling in t.rulings.items():
        made = ruling.event
        ranks = made.counter is not None or made.infraction in misconduct or made.effect.kind in _RANKING
        if ranks and made.player is not None and ruling.role != "rulebook" and t.is_in_force(id):
            yield made


def _body(t: Tournament, made: RulingMade) -> dict[str, Any]:
    """Return a ruling as the request that makes it, by starting number, with ``game`` true if it is about a game."""
    assert made.player is not None
    body: dict[str, Any] = {
        "player": t.players[made.player].starting_number,
        "round": made.round,
        "infraction": made.infraction,
    }
    row = next(
        (r for r in t.regulations.rulebook.infraction_rules(t.announced.game) if r.name == made.infraction), None
    )
    if row is not None and row.effect is None:
        body["effect"] = _effect(made.effect)
    if made.game is not None:
        body["game"] = True
    if made.ply is not None:
        body["ply"] = made.ply
    if made.facts:
        body["facts"] = dict(made.facts)
    return body


def _effect(effect: Effect) -> dict[str, Any]:
    body: dict[str, Any] = {"kind": effect.kind}
    for side, mark in (("white", effect.white), ("black", effect.black)):
        if mark is not None:
            body[side] = stated_mark(mark)
    if effect.points is not None:
        body["points"] = effect.points / 2
    if effect.clock is not None:
        body["clock"] = effect.clock
    if effect.rounds:
        body["rounds"] = list(effect.rounds)
    return body


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
