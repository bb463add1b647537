"""``arbiter pair`` and ``arbiter check``: the pairing of files, without a log."""

from collections.abc import Iterable
from typing import Any

import click

from deploy.cli.common import Failure, console, exit_code, json_option, over, print_json, read_trf
from services.pairing.rules.dutch import RoundCheck, check_round, pair_next
from services.standings.formats.trf import TrfError, TrfFile
from services.standings.formats.trf_tournament import first_colour, tournament_of
from shared.events import Board, ByeSeat
from shared.terms import PlayerId, Refusal


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
    """[white, black] of each board of the next round, the bye last as [player, 0]."""
    trf = read_trf(file)
    refuse_acceleration(trf)
    number = trf.next_round
    if trf.settings.rounds and number > trf.settings.rounds:
        raise Failure(f"{trf.file}: all {trf.settings.rounds} rounds are paired", 1)
    t = tournament_of(trf, rounds=trf.settings.rounds or number + 1)
    answer = pair_next(t, number, forbidden(trf), initial=trf.settings.initial_colour or first_colour(trf))
    if isinstance(answer, Refusal):
        raise Failure(f"{trf.file}: round {number}: {answer.detail}", 1)
    return as_lists(answer[0], answer[1])


def as_lists(boards: Iterable[Board], byes: Iterable[ByeSeat]) -> list[list[int]]:
    """[white, black] by board, the pairing-allocated bye last as [player, 0]."""
    pairs: list[list[int]] = [[b.white, b.black] for b in boards]
    return pairs + [[b.player, 0] for b in byes if b.kind == "U"]


def forbidden(trf: TrfFile) -> frozenset[tuple[PlayerId, PlayerId]]:
    """Pairs that the file does not let meet (XXP, 260)."""
    return frozenset((PlayerId(a), PlayerId(b)) for a, b in trf.settings.forbidden)


def refuse_acceleration(trf: TrfFile) -> None:
    """Accelerated rounds are read and kept, not paired."""
    if trf.settings.accelerated:
        raise TrfError(trf.file, trf.settings.accelerated, 1, "accelerated pairings (XXA, 250) are not supported")


@click.command()
@click.argument("file", metavar="FILE.trf")
@json_option
def check(file: str, as_json: bool) -> int:
    """Check each round against the absolute rules, and against the engine's own pairing.

    The exit code is 1 only where an absolute rule is broken.
    """
    trf = read_trf(file)
    refuse_acceleration(trf)
    t = tournament_of(trf)
    rounds = []
    for number in range(1, trf.rounds_recorded + 1):
        checked = check_round(t, number, forbidden(trf))
        if isinstance(checked, Refusal):
            rounds.append({"round": number, "paired": False, "violations": [], "engine": "not asked"})
        else:
            rounds.append(_round(checked, forbidden(trf)))
    if as_json:
        print_json({"file": file, "rounds": rounds})
    else:
        _print(rounds)
    return 1 if any(r["violations"] for r in rounds) else 0


def _round(checked: RoundCheck, apart: frozenset[tuple[PlayerId, PlayerId]]) -> dict[str, Any]:
    """A checked round as JSON: what it breaks, and the pairs that the engine would have made instead."""
    broken = [
        {"rule": v.rule, "players": list(v.players), "detail": v.detail, "article": v.article}
        for v in checked.violations
    ] + [
        {"rule": "forbidden-pair", "players": [w, b], "detail": f"{w} and {b} are not to meet", "article": "C.04.2"}
        for w, b in checked.made
        if (min(w, b), max(w, b)) in apart
    ]
    found: dict[str, Any] = {"round": checked.round, "paired": True, "violations": broken}
    if isinstance(checked.own, Refusal):
        return {**found, "engine": "none", "why": checked.own.detail}
    if checked.agrees:
        return {**found, "engine": "agrees"}
    made, own = set(checked.made), set(checked.own)
    return {
        **found,
        "engine": "differs",
        "file_has": [list(p) for p in checked.made if p not in own],
        "engine_has": [list(p) for p in checked.own if p not in made],
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
