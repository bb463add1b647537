"""``arbiter check``: every round of a TRF file against the absolute rules and the engine."""

from collections.abc import Callable
from typing import Any

import click

from deploy.cli.files.files import read_trf, tell
from deploy.cli.regulation_sets import requested
from deploy.cli.terminal.verb import (
    Verb,
    counted,
    encoding_option,
    game_option,
    json_option,
    note,
    print_json,
    regulations_option,
    show,
    words,
)
from deploy.cli.trf.trf_pairing import own_pairing, refuse_unknown_system, teams_unpaired
from deploy.imports import remarks
from deploy.imports.file_event import file_event
from services.pairing.rules.engines.fide_dutch import RoundCheck, check_round
from services.standings.files.trf.to_events import Hand, forbid, tournament_of
from shared.core.language.messages import Message, and_more, message_of, say
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import Refusal
from shared.trf.comparison import differences, not_understood
from shared.trf.model.model import TrfFile
from shared.trf.rounds import dutch_edition


@click.command(
    cls=Verb,
    exits={1: say("An absolute rule is broken, or points or ranks do not match the results.")},
    example="arbiter check open.trf",
)
@click.argument("file", metavar="FILE.trf")
@regulations_option
@game_option
@encoding_option
@json_option
def check(file: str, as_json: bool, encoding: str | None, regulations: str | None, game: str | None) -> int:
    """Check the pairings and standings in a TRF file.

    Each round is checked against the absolute rules and compared with the engine's own pairing. A difference from the
    engine's pairing is reported, but is not an error. The engine is not run for a ruleset with another pairing system.
    Points and ranks are compared with the results. In a team file, rounds are not checked, and a note is printed.
    """
    trf = read_trf(file, encoding)
    event = file_event(trf, requested(regulations, game))
    said = str if as_json else words
    teams = teams_unpaired(trf)
    if teams is None:
        refuse_unknown_system(trf)
    numbers = range(1, trf.rounds_recorded + 1) if teams is None else ()
    rounds = [_round_check(trf, event.regulations, number, said) for number in numbers]
    tell(remarks.on_regulations(trf, event.regulations))
    tell(remarks.on_event(trf, event))
    found = differences(trf, event.regulations.points)
    told = [{"line": d.line, "column": d.column, "detail": said(d.detail)} for d in found]
    kept = not_understood(trf)
    noted = [{"line": d.line, "column": d.column, "detail": said(d.detail)} for d in trf.settings.remarks]
    if as_json:
        kept_text = None if kept is None else said(kept)
        found_here = {"rounds": rounds, "differences": told, "remarks": noted, "kept": kept_text}
        found_here["dutch"] = dutch_edition(trf)
        if teams is not None:
            found_here["not_paired"] = said(message_of(teams))
        print_json({"file": file, **found_here})
    else:
        _print(rounds)
        if teams is not None:
            note(message_of(teams))
        elif dutch_edition(trf) == "2017":
            old = say("rounds were checked against the Dutch rules of 2017, in force until 2026-01-31 (C.04.3)")
            show(f"{file}: {words(old)}")
        _print_differences(file, [*told, *noted], kept)
    return 1 if told or any(r["violations"] for r in rounds) else 0


def _print_differences(file: str, told: list[dict[str, Any]], kept: Message | None) -> None:
    for d in told:
        show(f"{file}:{d['line']}:{d['column']}: {d['detail']}")
    if kept is not None:
        show(f"{file}: {words(kept)}")


def _round_check(trf: TrfFile, regulations: Regulations, number: int, said: Callable[[Message], str]) -> dict[str, Any]:
    """Check a round against the rounds before it."""
    t = tournament_of(trf, regulations, upto=number)
    if t.current(number) is None:
        return {"round": number, "paired": False, "violations": [], "engine": "not asked"}
    own = own_pairing(trf, tournament_of(trf, regulations, upto=number - 1), number)
    hand = Hand(t)
    forbid(hand, trf, number)
    checked = check_round(t, number, own)
    assert not isinstance(checked, Refusal), "the round is paired"
    return _round(checked, said)


def _round(checked: RoundCheck, said: Callable[[Message], str]) -> dict[str, Any]:
    """Return a checked round as JSON: the broken rules, and the engine's own pairs where they differ."""
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
    for r in rounds:
        show(_told(r))
        if "why" in r:
            show(say("  {detail}", detail=r["why"]))
        for v in r["violations"]:
            broken = say("  {rule} ({article}): {detail}", rule=v["rule"], article=v["article"], detail=v["detail"])
            show(broken)
        if r["engine"] == "differs":
            show(say("  file   {pairs}", pairs=_pairs(r["file_has"])))
            show(say("  engine {pairs}", pairs=_pairs(r["engine_has"])))


def _told(r: dict[str, Any]) -> Message:
    """Return a line on a round: the rules, and the engine."""
    rules = say("an absolute rule is broken") if r["violations"] else say("the absolute rules are obeyed")
    boards = len(r.get("file_has", ()))
    differs = counted(
        boards, say("the engine differs on 1 board"), say("the engine differs on {boards} boards", boards=boards)
    )
    engine = {
        "agrees": say("the engine agrees"),
        "none": say("the engine makes no pairing"),
        "not asked": say("the engine was not run"),
    }.get(r["engine"], differs)
    return say("round {round}: {rules}, {engine}", round=r["round"], rules=rules, engine=engine)


def _pairs(pairs: list[list[int]]) -> Message:
    return and_more((f"{w}-{b}" if b else say("{player} bye", player=w) for w, b in pairs), 10)
