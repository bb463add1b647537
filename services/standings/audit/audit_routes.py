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
        "The audit: every line read, chained and decided again",
        name="getAudit",
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
        "What a person should look at: crossings until they are noted, regulations changed after play began, "
        "rules set aside, first places to be played off, what counts nothing, corrections beneath rulings, "
        "claims that wait, open findings, rulings that a score sheet contradicts, pairings and tables that are "
        "outdated, texts that are named and lost",
        name="getIntegrity",
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
