"""``arbiter check``: every round of a TRF file against the absolute rules and the engine."""

from collections.abc import Callable
from typing import Any

import click

from deploy.cli.files import read_trf
from deploy.cli.language import words
from deploy.cli.options import encoding_option, json_option
from deploy.cli.output import console, print_json
from deploy.cli.trf_pairing import own_pairing, refuse_unknown_system
from services.pairing.rules.engines.fide_dutch import RoundCheck, check_round
from services.standings.formats.trf.comparison import differences, not_understood
from services.standings.formats.trf.dutch_edition import dutch_edition
from services.standings.formats.trf.model import TrfFile
from services.standings.formats.trf.to_events import REGULATIONS, Hand, forbid, tournament_of
from shared.core.messages import Message, say
from shared.core.terms import Refusal
from shared.regulations import load


@click.command()
@click.argument("file", metavar="FILE.trf")
@encoding_option
@json_option
def check(file: str, as_json: bool, encoding: str | None) -> int:
    """Check each round against the absolute rules and against the engine's own pairing; points and ranks against the results.

    The exit code is 1 where an absolute rule is broken, or where points or ranks are not those of the results.
    """
    trf = read_trf(file, encoding)
    refuse_unknown_system(trf)
    said = str if as_json else words
    rounds = [_round_check(trf, number, said) for number in range(1, trf.rounds_recorded + 1)]
    found = differences(trf, load(REGULATIONS).points)
    told = [{"line": d.line, "column": d.column, "detail": said(d.detail)} for d in found]
    kept = not_understood(trf)
    if as_json:
        kept_text = None if kept is None else said(kept)
        found_here = {"rounds": rounds, "differences": told, "kept": kept_text, "dutch": dutch_edition(trf)}
        print_json({"file": file, **found_here})
    else:
        _print(rounds)
        if dutch_edition(trf) == "2017":
            old = say("checked by the Dutch rules of 2017, in force until 2026-01-31 (C.04.3)")
            console().print(f"{file}: {words(old)}", markup=False, soft_wrap=True)
        _print_differences(file, told, kept)
    return 1 if told or any(r["violations"] for r in rounds) else 0


def _print_differences(file: str, told: list[dict[str, Any]], kept: Message | None) -> None:
    out = console()
    for d in told:
        out.print(f"{file}:{d['line']}:{d['column']}: {d['detail']}", markup=False, soft_wrap=True)
    if kept is not None:
        out.print(f"{file}: {words(kept)}", markup=False, soft_wrap=True)


def _round_check(trf: TrfFile, number: int, said: Callable[[Message], str]) -> dict[str, Any]:
    """A round on what was there before it."""
    t = tournament_of(trf, upto=number)
    if t.current(number) is None:
        return {"round": number, "paired": False, "violations": [], "engine": "not asked"}
    own = own_pairing(trf, tournament_of(trf, upto=number - 1), number)
    hand = Hand(t)
    forbid(hand, trf, number)
    checked = check_round(t, number, own)
    assert not isinstance(checked, Refusal), "the round is paired"
    return _round(checked, said)


def _round(checked: RoundCheck, said: Callable[[Message], str]) -> dict[str, Any]:
    """A checked round as JSON: what it breaks, and the pairs that the engine would have made instead."""
    broken = [
        {"rule": v.rule, "players": list(v.players), "detail": said(v.detail), "article": v.article}
        for v in checked.violations
    ]
    row: dict[str, Any] = {"round": checked.round, "paired": True, "violations": broken}
    if isinstance(checked.own, Refusal):
        return {**row, "engine": "none", "why": said(checked.own.detail)}
    if checked.agrees:
        return {**row, "engine": "agrees"}
    paired, own = set(checked.paired), set(checked.own)
    return {
        **row,
        "engine": "differs",
        "file_has": [list(p) for p in checked.paired if p not in own],
        "engine_has": [list(p) for p in checked.own if p not in paired],
    }


def _print(rounds: list[dict[str, Any]]) -> None:
    out = console()
    for r in rounds:
        rules = "[red]broken[/]" if r["violations"] else "kept"
        engine = {"agrees": "agrees", "none": "has no pairing", "not asked": "was not asked"}.get(r["engine"], "")
        if r["engine"] == "differs":
            engine = f"differs on {len(r['file_has'])} boards"
        out.print(f"round {r['round']}: absolute rules {rules}, the engine {engine}")
        for v in r["violations"]:
            out.print(f"  {v['rule']} ({v['article']}): {v['detail']}", markup=False)
        if r["engine"] == "differs":
            out.print(f"  file   {_pairs(r['file_has'])}", markup=False)
            out.print(f"  engine {_pairs(r['engine_has'])}", markup=False)


def _pairs(pairs: list[list[int]]) -> str:
    shown = ", ".join(f"{w}-{b}" if b else f"{w} bye" for w, b in pairs[:10])
    return shown + (f", and {len(pairs) - 10} more" if len(pairs) > 10 else "")
