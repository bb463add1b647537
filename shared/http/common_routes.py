"""What every service answers besides its own: health, version, metrics, its description, a tournament."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from threading import Lock
from typing import Annotated, Any, ClassVar

from flask import Blueprint, Response, current_app, jsonify, request

from shared.core.events import TournamentAnnounced
from shared.core.language.messages import say
from shared.core.rulebook.editions import written_edition
from shared.core.rulebook.ranking_rules import Ranked, StageRule
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import OFFICES, ROLES, Conditions, Phase, Role, Seq
from shared.desk.desk import Desk, View
from shared.http.answers import SetValue
from shared.http.language.language import words
from shared.http.openapi import openapi
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests.app_context import METRICS_MEDIA, current_context
from shared.wire.answer import Answer, said

_INFO = {
    "type": "object",
    "required": ["title", "version"],
    "properties": {name: {"type": "string"} for name in ("title", "version", "description")},
    "additionalProperties": False,
}


class DescriptionAnswer(Answer):
    """An OpenAPI 3.1 document."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "type": "object",
        "required": ["openapi", "info", "paths"],
        "properties": {"openapi": {"type": "string"}, "info": _INFO, "paths": {"type": "object"}},
    }


class RegulationsInForceAnswer(Answer):
    """The ruleset in force."""

    name: str
    edition: str
    digest: str | None
    decisions: int
    changes: Mapping[str, SetValue]
    seq: int


class TournamentAnswer(Answer):
    """A tournament, without the names of its players."""

    id: str
    name: str
    game: Annotated[str, said(deprecated=True, description="Deprecated: use `discipline`.")]
    discipline: str
    results_only: Annotated[
        bool,
        said(
            description="True if only results are reported, without moves and clocks: the tournament says so, or its ruleset "
            "has no rules for the game."
        ),
    ]
    format: str
    rounds: Annotated[int, said(deprecated=True, description="Deprecated: use `rounds_planned`.")]
    rounds_planned: int
    conditions: Conditions
    stages: Sequence[StageRule]
    round: Annotated[int, said(description="Number of the last paired round, or 0.")]
    tiebreaks: Sequence[str]
    regulations: RegulationsInForceAnswer | None
    players: int
    officials: Annotated[
        Mapping[str, str],
        said(deprecated=True, description="Deprecated: use `roles`. Highest role of each official, by login name."),
    ]
    roles: Annotated[
        Mapping[str, Sequence[Role]], said(description="All roles of each official, the highest first, by login name.")
    ]
    offices: Mapping[str, Sequence[str]]
    seq: int
    closed: bool
    stopped: str | None
    state: Annotated[
        Phase,
        said(
            description="`announced`: no round is paired. `running`: a round is paired. `finished`: the final standings are "
            "published (`closed`)."
        ),
    ]
    place: Annotated[str | None, said(description="Venue, or null if unknown.")]
    begins: Annotated[str | None, said(format="date", description="First day (ISO 8601), or null if unknown.")]
    ends: Annotated[str | None, said(format="date", description="Last day (ISO 8601), or null if unknown.")]
    time_zone: Annotated[str | None, said(description="IANA time zone of the venue, or null if unknown.")]


WRITES, READS = "writes", "reads"
"""Purposes of a process: a replica that only answers reads is asked for those."""
_LAG_AT_MOST = 1000
"""Events behind the log from which on a process is better not asked."""
_TOLD = 12
"""Tournaments named at most that this process cannot sign in."""
_POINTS = frozenset(f"points.{field.name}" for field in fields(Points))
"""Paths of values that are half-points inside."""


def blueprint(service: str, desk: Desk, under: str = "") -> Blueprint:
    """The common routes of ``service``; ``under`` is the prefix that it is mounted at."""
    bp = Blueprint(f"{service}-base", __name__)

    @bp.get("/healthz")
    @Operation(cost=0)
    def healthz() -> Response:
        return jsonify(status="ok")

    @bp.get("/readyz")
    @Operation(cost=0)
    def readyz() -> Response:
        purpose = request.args.get("for", WRITES)
        if purpose not in (WRITES, READS):
            raise Problem(
                400,
                "bad-query",
                say("Bad query"),
                say("the parameter for must be {writes} or {reads}", writes=WRITES, reads=READS),
            )
        return ready(desk, purpose)

    @bp.get("/version")
    def version() -> Response:
        return jsonify(service=service, version=current_context().version)

    @bp.get("/metrics")
    @Operation(cost=0)
    def numbers() -> Response:
        context = current_context()
        context.metrics.streams.set(context.stream_slots.taken)
        context.metrics.lag.set(desk.folds.lag())
        context.metrics.foreign_keys.set(len(desk.foreign_keys()))
        return Response(context.metrics.text(), content_type=METRICS_MEDIA)

    making = Lock()  # a crowd that asks at once has it made once

    @cache
    def written() -> bytes:
        document = openapi.specification(current_app, f"Arbiter: {service}", current_context().version, under)
        return json.dumps(document, ensure_ascii=False).encode()

    @bp.get("/v1/openapi.json")
    @Operation(
        "Get this API description",
        name="getDescription",
        description=("Returns the OpenAPI document of the service."),
        answer=DescriptionAnswer,
        tagged=False,
    )
    def description() -> Response:
        with making:
            content = written()
        return Response(content, mimetype="application/json")

    @bp.get("/v1/tournaments/<t>")
    @Operation(
        "Get a tournament",
        name="getTournament",
        description=(
            "Returns the properties of the tournament from the events that this service has read. The ETag can be "
            "used as `If-Match`. Names of players are not included."
        ),
        answer=TournamentAnswer,
        query=tournament_query.POINT,
    )
    def tournament(t: str) -> Response:
        view = tournament_query.view(desk, t)
        return tournament_query.answer(view, facts(view))

    return bp


def ready(desk: Desk, purpose: str) -> Response:
    """Return 200 with the lag in events, or 503 while this process ends, is far behind, or (for writes) cannot write."""
    lag, health = desk.folds.lag(), current_context().health
    more = health.facts() | {"edition": written_edition().number, "keys": list(desk.foreign_keys().values())[:_TOLD]}
    reason = (health.refuses() or health.unwritable()) if purpose == WRITES else None
    if current_context().closing.is_set() or lag > _LAG_AT_MOST or reason is not None:
        raise Problem(503, "not-ready", say("Not ready"), reason, headers={"Retry-After": "1"}, lag=lag, **more)
    return jsonify(status="ready", lag=lag, **more)


def facts(view: View) -> TournamentAnswer:
    """The tournament's own data, without its players' names."""
    t = view.state
    announced, rules = t.announced, t.regulations  # the line between the two is a state that may be looked at
    assert announced is not None, "a view is of what was announced"
    roles = {name: [role for role in ROLES if role in one.roles] for name, one in t.officials.items()}
    return TournamentAnswer(
        id=t.id,
        name=announced.name,
        game=announced.game,
        discipline=announced.game,
        results_only=t.results_only if isinstance(t, Tournament) else announced.results_only,
        format=announced.format,
        rounds=announced.rounds,
        rounds_planned=announced.rounds,
        conditions=announced.conditions,
        stages=rules.stages if rules else (),
        round=t.rounds_paired(),
        tiebreaks=_order(announced, rules) if rules else announced.tiebreaks,
        regulations=_regulations(rules, t.regulations_seq) if rules else None,
        players=len(t.players),
        officials={name: held[0] for name, held in roles.items()},
        roles=roles,
        offices={role: t.holders(role) for role in OFFICES},
        seq=view.seq,
        closed=t.closed(),
        stopped=None if view.stopped is None else words(view.stopped),
        state=_phase(t),
        place=announced.place or None,
        begins=announced.begins or None,
        ends=announced.ends or None,
        time_zone=announced.time_zone or None,
    )


def _phase(t: TournamentState) -> Phase:
    if t.closed():
        return "finished"
    return "running" if t.rounds_paired() else "announced"


def _regulations(rules: Regulations, seq: Seq) -> RegulationsInForceAnswer:
    """The set in force and the line that adopted it: its edition and digest, the edition of decisions, and the changes by
    path, points as points."""
    points = {path: value / 2 for path, value in rules.changes.items() if path in _POINTS and isinstance(value, int)}
    return RegulationsInForceAnswer(
        rules.name, rules.edition, rules.digest or None, rules.decisions, rules.changes | points, seq
    )


def _order(announced: TournamentAnnounced, rules: Regulations) -> tuple[str, ...]:
    """The tie-breaks in force after points: those announced, or the regulations' for the format; of teams, where these meet."""
    of: Ranked = "teams" if announced.conditions.teams_meet else "players"
    names = announced.tiebreaks or rules.ranking.order(announced.format, of)
    return rules.tiebreaks_in_force(names, announced.format, of)
