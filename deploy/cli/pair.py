"""``arbiter pair`` and ``arbiter check``: the pairing of files, without a log."""

from collections.abc import Iterable
from typing import Any

import click

from deploy.cli.common import Failure, console, exit_code, json_option, over, print_json, read_trf
from services.pairing.rules.engines.fide_dutch import RoundCheck, check_round, pair_next, unfinished_games
from services.pairing.rules.engines.versions import TABLES
from services.pairing.rules.formats.model import RoundRequest
from services.pairing.rules.formats.registry import plan_round
from services.pairing.rules.formats.seating import seating
from services.standings.formats.trf.model import TrfError, TrfFile
from services.standings.formats.trf.records import SYSTEMS
from services.standings.formats.trf.to_events import Hand, first_colour, forbid, format_of, tournament_of
from shared.core.events import Board, ByeSeat
from shared.core.terms import HalfPoints, PlayerId, Refusal
from shared.core.tournament import Tournament


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.trf…")
@json_option
def pair(files: tuple[str, ...], as_json: bool) -> int:
    """Pair the next round of TRF files: number of boards, then ``white black`` a line, black 0 for the bye."""
    outcomes = []
    for outcome in over(files, _pair):
        outcomes.append(outcome)
        if outcome.answer is None:
            continue
        if as_json:
            print_json({"file": outcome.file, "boards": outcome.answer})
            continue
        if len(files) > 1:
            click.echo(outcome.file)
        click.echo(len(outcome.answer))
        for white, black in outcome.answer:
            click.echo(f"{white} {black}")
    return exit_code(outcomes)


def _pair(file: str) -> list[list[int]]:
    """[white, black] of each board of the next round, who has no opponent last as [player, 0]."""
    trf = read_trf(file)
    paired_here(trf)
    number = trf.next_round
    if trf.settings.rounds and number > trf.settings.rounds:
        raise Failure(f"{trf.file}: all {trf.settings.rounds} rounds are paired", 1)
    t = tournament_of(trf, rounds=trf.settings.rounds or _rounds(trf, number))
    answer = own_pairing(trf, t, number)
    if isinstance(answer, Refusal):
        raise Failure(f"{trf.file}: round {number}: {answer.detail}", 1)
    return as_lists(*answer)


def _rounds(trf: TrfFile, number: int) -> int:
    """Rounds of a file that does not tell them: one more than is paired; a table takes as many as it has players."""
    return number + 1 if format_of(trf) == "swiss" else 2 * len(trf.players)


def own_pairing(trf: TrfFile, t: Tournament, number: int) -> tuple[tuple[Board, ...], tuple[ByeSeat, ...]] | Refusal:
    """The round as the file's own system pairs it: FIDE Dutch, accelerated where the file says so, or a table."""
    colour = trf.settings.initial_colour or first_colour(trf)
    if format_of(trf) == "swiss":
        return pair_next(t, number, initial=colour, virtual=virtual(trf))
    plan = unfinished_games(t, number) or plan_round(t, number, RoundRequest(0, colour, TABLES))
    if isinstance(plan, Refusal):
        return plan
    seats = seating(t, number, plan)
    return seats.boards, seats.byes


def virtual(trf: TrfFile) -> dict[tuple[PlayerId, int], HalfPoints]:
    """The points of the file's acceleration, by player and round (XXA, 250); what is said last holds."""
    return {
        (PlayerId(v.player), round): HalfPoints(v.points)
        for v in trf.settings.accelerated
        for round in range(v.first, v.last + 1)
    }


def as_lists(boards: Iterable[Board], byes: Iterable[ByeSeat]) -> list[list[int]]:
    """[white, black] by board, who has no opponent last as [player, 0]."""
    pairs: list[list[int]] = [[b.white, b.black] for b in boards]
    return pairs + [[b.player, 0] for b in byes if b.kind in ("U", "Z")]


def paired_here(trf: TrfFile) -> None:
    """Whether the file's own system is one of those at hand."""
    if trf.settings.teams:
        line = trf.settings.teams[0].line
        raise TrfError(trf.file, line, 1, "a file of teams (013, 310): their matches are not paired from a file")
    system = trf.settings.system
    if system is not None and system.format is None:
        known = ", ".join(SYSTEMS)
        raise TrfError(trf.file, system.line, 5, f"the system {system.code} is not paired here; known are {known}")


@click.command()
@click.argument("file", metavar="FILE.trf")
@json_option
def check(file: str, as_json: bool) -> int:
    """Check each round against the absolute rules, and against the engine's own pairing.

    The exit code is 1 only where an absolute rule is broken.
    """
    trf = read_trf(file)
    paired_here(trf)
    rounds = [_checked(trf, number) for number in range(1, trf.rounds_recorded + 1)]
    if as_json:
        print_json({"file": file, "rounds": rounds})
    else:
        _print(rounds)
    return 1 if any(r["violations"] for r in rounds) else 0


def _checked(trf: TrfFile, number: int) -> dict[str, Any]:
    """A round on what was there before it."""
    t = tournament_of(trf, upto=number)
    if t.current(number) is None:
        return {"round": number, "paired": False, "violations": [], "engine": "not asked"}
    own = own_pairing(trf, tournament_of(trf, upto=number - 1), number)
    hand = Hand(t)
    forbid(hand, trf, number)
    checked = check_round(t, number, own)
    assert not isinstance(checked, Refusal), "the round is paired"
    return _round(checked)


def _round(checked: RoundCheck) -> dict[str, Any]:
    """A checked round as JSON: what it breaks, and the pairs that the engine would have made instead."""
    broken = [
        {"rule": v.rule, "players": list(v.players), "detail": v.detail, "article": v.article}
        for v in checked.violations
    ]
    found: dict[str, Any] = {"round": checked.round, "paired": True, "violations": broken}
    if isinstance(checked.own, Refusal):
        return {**found, "engine": "none", "why": checked.own.detail}
    if checked.agrees:
        return {**found, "engine": "agrees"}
    paired, own = set(checked.paired), set(checked.own)
    return {
        **found,
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
