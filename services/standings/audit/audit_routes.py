"""Audits and the integrity list over HTTP."""

from collections.abc import Sequence

from flask import Blueprint, Response

from services.standings import queries
from services.standings.audit.audits import Audits
from services.standings.rules.integrity import (
    BeneathAnswer,
    ChangedRegulationsAnswer,
    ContradictedAnswer,
    LateCorrectionAnswer,
    LostTextAnswer,
    OpenFindingAnswer,
    OrphanAnswer,
    OverrideAnswer,
    SharedPlaceAnswer,
    WaitingClaimAnswer,
)
from shared.audit.report_answer import AuditAnswer, CrossingAnswer
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.answers import OutdatedBasisAnswer
from shared.http.commands.command_pipeline import outdated
from shared.http.language import language
from shared.http.operations import AUDIT, Operation
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import private_answer
from shared.wire.answer import Answer


class IntegrityAnswer(Answer, kw_only=True):
    """Issues that need attention, each with the event that it is about."""

    tournament: str
    seq: int
    crossings: Sequence[CrossingAnswer]
    regulations: Sequence[ChangedRegulationsAnswer]
    overrides: Sequence[OverrideAnswer]
    shared: Sequence[SharedPlaceAnswer]
    orphans: Sequence[OrphanAnswer]
    beneath: Sequence[BeneathAnswer]
    arrivals: Sequence[LateCorrectionAnswer]
    claims: Sequence[WaitingClaimAnswer]
    findings: Sequence[OpenFindingAnswer]
    contradicted: Sequence[ContradictedAnswer]
    outdated: Sequence[OutdatedBasisAnswer]
    texts: Sequence[LostTextAnswer]


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
        answer=AuditAnswer,
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
        answer=IntegrityAnswer,
        errors=(409, 503),
        cost=AUDIT,
    )
    def listed(t: str) -> Response:
        state = tournament_query.view(desk, t).tournament
        crossings = [one for one in audited.report(t).crossings if not one.noted]
        listed = queries.integrity(desk, state)
        entries = listed._asdict() | {"outdated": outdated(state, listed.outdated)}
        return _fresh(IntegrityAnswer(tournament=t, seq=state.seq, crossings=crossings, **entries))


def _fresh(answer: Answer) -> Response:
    response = private_answer(answer)
    language.mark(response)
    return response
