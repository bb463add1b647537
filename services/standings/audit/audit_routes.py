"""Audits and the integrity list over HTTP."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from services.standings import queries
from services.standings.audit import audit_answers
from services.standings.audit.audits import Audits
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.language import language
from shared.http.operations import AUDIT, Operation
from shared.http.reads import tournament_query


def audits(bp: Blueprint, desk: Desk, audited: Audits) -> None:
    """Everything decided again."""

    @bp.get(f"{T}/audit")
    @Operation(
        "Audit the log",
        name="getAudit",
        description=(
            "Reads the whole log, verifies every hash, signature and proof, and re-evaluates every decision. The "
            "response lists differences and what could not be checked."
        ),
        tagged=False,
        answer=audit_answers.AuditAnswer,
        errors=(503,),
        cost=AUDIT,
    )
    def audit(t: str) -> Response:
        tournament_query.view(desk, t)
        return _fresh(audited.report(t))

    @bp.get(f"{T}/integrity")
    @Operation(
        "List issues that need attention",
        name="getIntegrity",
        description=(
            "Lists concurrent decisions that are not yet acknowledged, rulesets changed after play began, "
            "overridden pairing rules, shared first places, events without effect, overridden corrections, "
            "pending claims, open findings, rulings that a score sheet contradicts, outdated pairings and "
            "standings, and lost texts."
        ),
        tagged=False,
        answer=audit_answers.IntegrityAnswer,
        errors=(409, 503),
        cost=AUDIT,
    )
    def listed(t: str) -> Response:
        state = tournament_query.view(desk, t).tournament
        crossings = [c for c in audited.report(t)["crossings"] if not c["noted"]]
        entries = queries.integrity(desk, state)
        entries["outdated"] = [one | {"message": language.words(one["message"])} for one in entries["outdated"]]
        return _fresh({"tournament": t, "seq": state.seq, "crossings": crossings} | entries)


def _fresh(payload: Any) -> Response:
    response = Response(msgspec.json.encode(payload), mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    language.mark(response)
    return response
