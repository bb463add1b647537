"""Standings over HTTP: tables and why they are so, the log and its proofs, publication."""

from base64 import b64encode
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, request

from services.standings import answers, audit_answers, queries, schemas
from services.standings.audits import Audits
from services.standings.formats.csv_tables import as_csv
from services.standings.publication_command import remember
from services.standings.rules import commands as co
from services.standings.rules.crosstable import crosstable
from services.standings.rules.diff import diff
from services.standings.rules.encounters import with_encounters
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import Table, default_tiebreaks
from shared.core.authority import ACTS, READ_TEXTS
from shared.core.messages import say
from shared.core.terms import STANDINGS, Actor
from shared.desk.desk import Desk, View
from shared.desk.log_checkpoint import of_tree
from shared.http import auth, common_routes, language, paging, tournament_query
from shared.http.bodies import body
from shared.http.command_pipeline import run
from shared.http.offices import permitted
from shared.http.operations import AUDIT, TABLE, WHOLE_LOG, Operation
from shared.http.problems import Problem
from shared.log.texts import Texts

T = "/v1/tournaments/<t>"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
Answer = TypeVar("Answer")


def _b64(hash: bytes) -> str:
    return b64encode(hash).decode()


def tables(bp: Blueprint, desk: Desk) -> None:
    """Reading tables."""
    kept_tables = queries.Tables()

    def table_of(t: str) -> tuple[View, Table, dict[str, str]]:
        sent = tournament_query.query()
        view = tournament_query.view(desk, t)
        table = kept_tables.table(view, sent["tiebreaks"], sent["rules"], sent["round"])
        return view, table, queries.names(desk, view.tournament)

    @bp.get("/v1/tournaments")
    @Operation(
        "All tournaments, by id",
        name="listTournaments",
        answer=answers.TournamentsAnswer,
        tagged=False,
        query=schemas.ListQuery,
    )
    def all_tournaments() -> Response:
        sent = tournament_query.query()
        ids = [t for t in known(desk) if t > sent["from"]]
        views = [desk.view(t) for t in ids[: sent["limit"]]]
        facts = [common_routes.facts(v) for v in views if v is not None and v.tournament.announced is not None]
        more = ids[sent["limit"] - 1] if len(ids) > sent["limit"] else None
        next = None if more is None else f"{request.path}?from={more}&limit={sent['limit']}"
        response = Response(msgspec.json.encode({"tournaments": facts, "next": next}), mimetype="application/json")
        return paging.linked(response, next)

    @bp.get(f"{T}/standings")
    @Operation(
        "The table",
        name="getStandings",
        query=schemas.TableQuery,
        answer=answers.TableAnswer,
        errors=(409,),
        media=("application/json", CSV),
        cost=TABLE,
    )
    def standings(t: str) -> Response:
        view, table, names = table_of(t)
        if request.accept_mimetypes.best_match(["application/json", CSV]) == CSV:
            return tournament_query.tagged(
                view.seq, as_csv(table, view.tournament.regulations.title, names).encode(), CSV
            )
        return tournament_query.answer(view, with_encounters(table, names))

    @bp.get(f"{T}/standings/<int:p>")
    @Operation(
        "A row explained by its events",
        name="explainPlayer",
        query=schemas.TableQuery,
        answer=answers.ExplanationAnswer,
        errors=(409,),
        cost=TABLE,
    )
    def explained(t: str, p: int) -> Response:
        view, table, names = table_of(t)
        return tournament_query.answer(view, explanation(table, queries.player(view, p), names))

    @bp.get(f"{T}/crosstable")
    @Operation(
        "The cross table",
        name="getCrosstable",
        answer=answers.CrosstableAnswer,
        query=schemas.TableQuery,
        errors=(409,),
        cost=TABLE,
    )
    def crossed(t: str) -> Response:
        view, table, names = table_of(t)
        return tournament_query.answer(view, crosstable(table, names))

    @bp.get(f"{T}/diff")
    @Operation(
        "What changed in the table between two lines, and through which",
        name="getDifference",
        answer=answers.DifferenceAnswer,
        query=schemas.RangeQuery,
        errors=(409,),
        cost=TABLE,
    )
    def changes(t: str) -> Response:
        start, end = queries.span(desk, t)
        return tournament_query.answer(end, diff(queries.table(start), queries.table(end)))


def known(desk: Desk) -> list[str]:
    """Ids of all tournaments, sorted."""
    return sorted(stream.partition("/")[2] for stream in desk.streams("tournaments/"))


def proofs(bp: Blueprint, desk: Desk) -> None:
    """What proves the log, and the texts beside it."""

    @bp.get(f"{T}/proofs/<int:seq>")
    @Operation(
        "That a line is in the log",
        name="getInclusionProof",
        query=schemas.ReadQuery,
        answer=answers.InclusionAnswer,
        cost=WHOLE_LOG,
    )
    def inclusion(t: str, seq: int) -> Response:
        view = tournament_query.view(desk, t)
        if not 1 <= seq <= view.seq:
            raise Problem(
                404,
                "beyond-the-end",
                say("The log has no such line"),
                say("the log of {t} has {seq} lines", t=t, seq=view.seq),
            )
        proof = of_tree(desk, t, lambda tree: tree.inclusion(seq - 1, view.seq))
        leaf = of_tree(desk, t, lambda tree: tree.levels[0][seq - 1])
        answer = {"tournament": t, "seq": seq, "index": seq - 1, "size": view.seq, "leaf": _b64(leaf)}
        return tournament_query.answer(view, answer | {"hashes": [_b64(h) for h in proof], "root": _b64(view.root)})

    @bp.get(f"{T}/proofs")
    @Operation(
        "That the log only grew",
        name="getConsistencyProof",
        query=schemas.RangeQuery,
        answer=answers.ConsistencyAnswer,
        cost=WHOLE_LOG,
    )
    def consistency(t: str) -> Response:
        old, new = queries.span(desk, t)
        proof = of_tree(desk, t, lambda tree: tree.consistency(old.seq, new.seq))
        answer = {"tournament": t, "old": old.seq, "size": new.seq, "old_root": _b64(old.root), "root": _b64(new.root)}
        return tournament_query.answer(new, answer | {"hashes": [_b64(h) for h in proof]})

    @bp.get(f"{T}/texts")
    @Operation(
        "What people are called and what they wrote",
        name="listTexts",
        media=("application/json", NDJSON),
        answer=answers.TextsAnswer,
        errors=(401, 403),
    )
    def texts(t: str) -> Response:
        view = permitted(desk, t, auth.require(t, ACTS[READ_TEXTS].roles), READ_TEXTS)
        entries = [{"hash": x.hash, "salt": x.salt, "text": x.text} for x in desk.tournament_texts(t)]
        if request.accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON:
            content = b"".join(msgspec.json.encode(x) + b"\n" for x in entries)
            response = tournament_query.tagged(view.seq, content, NDJSON)
        else:
            response = paging.listed(view, "texts", entries)
        response.headers["Cache-Control"] = "no-store"
        return response


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
        errors=(503,),
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


def publications(bp: Blueprint, desk: Desk) -> None:
    """The one thing that standings write."""

    @bp.post(f"{T}/publications")
    @Operation(
        "Publish the table: digest and signed checkpoint",
        name="publishStandings",
        body=schemas.PublicationSchema,
        status=201,
        match=True,
    )
    def publish(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.PublishStandings:
            sent = body()
            view = desk.view(t)
            if view is None or view.tournament.regulations is None:
                return co.PublishStandings(actor, (), sent["rules"] or "2026", sent["round"] or 0, sent["final"])
            state = view.tournament
            tiebreaks = default_tiebreaks(state) if sent["tiebreaks"] is None else tuple(sent["tiebreaks"])
            rules = sent["rules"] or view.tournament.regulations.ranking.rules
            round = state.rounds_paired() if sent["round"] is None else sent["round"]
            return co.PublishStandings(actor, tiebreaks, rules, round, sent["final"])

        response = run(desk, STANDINGS, t, make)
        remember(desk, t)
        return response
