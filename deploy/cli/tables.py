"""``arbiter standings``, ``replay`` and ``diff``: tables, out of files and out of logs."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from deploy.cli.common import Failure, console, exit_code, json_option, over, print_json, read_trf, told
from deploy.cli.log_files import names_from, replay_of
from deploy.cli.team_tables import print_teams, teams_of
from deploy.cli.terminal_tables import grid_of, number, plain
from services.standings.formats.csv_tables import from_json
from services.standings.formats.trf.to_events import REGULATIONS, names, tournament_of
from services.standings.rules.diff import diff as changed
from services.standings.rules.table.table import as_json, name_of
from services.standings.rules.table.table import standings as table_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.terms import RulingId
from shared.core.tournament import Tournament
from shared.regulations import names as regulation_names


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a table is to be made; what is None is left to the file or the regulations."""

    tiebreaks: tuple[str, ...] | None = None
    also: tuple[str, ...] = ()
    rules: str | None = None
    regulations: str = REGULATIONS
    unrated: int | None = None
    after: int | None = None


def _list(text: str | None, *, every: bool = False) -> tuple[str, ...] | None:
    """Names of tie-breaks out of a comma-separated list; ``all`` where ``every`` is allowed."""
    if text is None:
        return None
    if every and text.strip().lower() == "all":
        return TIEBREAKS.codes
    chosen = tuple(n.strip().upper() for n in text.split(",") if n.strip())
    for name in chosen:
        if name not in TIEBREAKS.codes:
            raise click.UsageError(f"unknown tie-break {name!r}; known are {' '.join(TIEBREAKS.codes)}")
        if chosen.count(name) > 1:
            raise click.UsageError(f"tie-break {name} stands twice")
    return tuple(n for n in chosen if n != "PTS") if not every else chosen


csv_option = click.option("--csv", "as_csv", is_flag=True, help="For spreadsheets.")
tiebreaks_option = click.option("--tiebreaks", metavar="LIST", help="After points, in this order: BH/C1,BH,…")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.trf…")
@tiebreaks_option
@click.option("--also", metavar="LIST|all", help="Further columns, that do not rank.")
@click.option("--rules", type=click.Choice(["2024", "2026"]), help="Edition of FIDE C.07.")
@click.option("--regulations", default=REGULATIONS, show_default=True)
@click.option("--unrated", type=click.IntRange(1, 4000), help="Rating of unrated players in rating tie-breaks.")
@click.option("--after", type=click.IntRange(0), help="After this round.")
@csv_option
@json_option
def standings(files: tuple[str, ...], as_json: bool, as_csv: bool, **options: Any) -> int:
    """Standings of TRF files: by points, then by the tie-breaks; equal in all is an equal rank."""
    if options["regulations"] not in regulation_names():
        raise click.UsageError(
            f"unknown regulations {options['regulations']!r}; known are {' '.join(regulation_names())}"
        )
    if as_csv and (as_json or len(files) > 1):
        raise click.UsageError("--csv is one table, and no --json")
    wanted = Wanted(
        _list(options["tiebreaks"]), _list(options["also"], every=True) or (), options["rules"],
        options["regulations"], options["unrated"], options["after"],
    )  # fmt: skip
    outcomes = []
    for outcome in over(files, partial(_standings, wanted)):
        outcomes.append(outcome)
        if outcome.answer is None:
            continue
        if as_csv:
            print_csv(outcome.answer)
        elif as_json:
            print_json({"file": outcome.file, **outcome.answer})
        else:
            print_table(outcome.answer, outcome.file)
    return exit_code(outcomes)


def _standings(wanted: Wanted, file: str) -> dict[str, Any]:
    trf = read_trf(file)
    t = tournament_of(trf, wanted.regulations)
    if wanted.after is not None and wanted.after > trf.rounds_recorded:
        raise Failure(f"{trf.file}: it has {trf.rounds_recorded} rounds, not {wanted.after}")
    chosen = wanted.tiebreaks
    if chosen is None and trf.settings.tiebreaks:
        unknown = [n for n in trf.settings.tiebreaks if n not in TIEBREAKS.codes]
        chosen = None if unknown else trf.settings.tiebreaks
        if unknown:
            line = trf.settings.tiebreaks_line
            told(f"{trf.file}:{line}: tie-break {unknown[0]} is not known here; the order is that of the regulations")
    table = table_of(t, chosen, rules=wanted.rules, after_round=wanted.after, unrated=wanted.unrated, also=wanted.also)
    return {**as_json(table, names(trf)), "tournament": t.announced.name if t.announced else trf.file}


@click.command()
@click.argument("log", metavar="LOG.ndjson")
@click.option("--at", type=click.IntRange(0), help="As it was after this line.")
@click.option("--without", multiple=True, metavar="RULING", help="As if this ruling did not stand.")
@tiebreaks_option
@click.option("--teams", is_flag=True, help="The table of teams.")
@click.option("--texts", metavar="FILE", help="Texts (NDJSON), for the names.")
@csv_option
@json_option
def replay(
    log: str,
    *,
    at: int | None,
    without: tuple[str, ...],
    tiebreaks: str | None,
    teams: bool,
    texts: str | None,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Fold a log and print the standings."""
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other")
    read = replay_of(log)
    t = read.at(read.size if at is None else at)
    for ruling in without:
        if ruling not in t.rulings and ruling not in t.annulments:
            raise Failure(f"{log}: there is no ruling {ruling} up to line {t.seq}")
    if without:
        t = t.without(RulingId(r) for r in without)
    known = names_from(texts)
    answer = teams_of(t, tiebreaks, known) if teams else standings_of(t, _list(tiebreaks), known)
    if as_csv:
        print_csv(answer)
    elif as_json:
        print_json(answer)
    else:
        (print_teams if teams else print_table)(answer, f"{answer['tournament']} after line {answer['seq']}")
    return 0


def standings_of(t: Tournament, tiebreaks: tuple[str, ...] | None, known: Mapping[str, str] | None) -> dict[str, Any]:
    """The standings JSON of a tournament; before regulations there are none, and nobody to rank."""
    if not isinstance(t, Tournament):
        return {"tournament": t.id, "seq": t.seq, "rounds": 0, "tiebreaks": list(tiebreaks or ()), "players": []}
    return as_json(table_of(t, tiebreaks), known)


@click.command()
@click.argument("log", metavar="LOG.ndjson")
@click.option("--at", "start", required=True, type=click.IntRange(0))
@click.option("--to", "end", required=True, type=click.IntRange(0))
@tiebreaks_option
@click.option("--texts", metavar="FILE", help="Texts (NDJSON), for the names.")
@json_option
def diff(log: str, *, start: int, end: int, tiebreaks: str | None, texts: str | None, as_json: bool) -> int:
    """What changed in the table between two lines, and through which events."""
    if start > end:
        raise click.UsageError("--at lies after --to")
    read, known, chosen = replay_of(log), names_from(texts), _list(tiebreaks)
    before, after = (table_of(read.at(max(seq, read.adopted)), chosen) for seq in (start, end))
    answer = changed(before, after)
    named = {p: name_of(after.field.tournament, p, known) for p in after.field.tournament.players}
    for change in answer["changes"]:
        change["name"] = named[change["id"]]
    between = [seq for seq in answer["events"] if start < seq <= end]
    answer |= {"from": start, "to": end, "events": read.summary(sorted({*between, *read.undoing(start, end)}))}
    if as_json:
        print_json(answer)
    else:
        print_diff(answer)
    return 0


def print_csv(answer: dict[str, Any]) -> None:
    """A table of players or teams as CSV, its line ends as they are (RFC 4180)."""
    rows = answer["teams"] if "teams" in answer else answer["players"]
    sys.stdout.buffer.write(from_json(rows, score_of(answer), columns_of(answer, rows)).encode())
    sys.stdout.buffer.flush()


def columns_of(answer: dict[str, Any], rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """The tie-breaks that rank, then those beside them; points have a column of their own."""
    names = dict.fromkeys([*answer["tiebreaks"], *(n for p in rows for n in p["tb"])])
    return tuple(n for n in names if n not in ("PTS", "GPTS"))


def score_of(answer: dict[str, Any]) -> tuple[str, ...]:
    """What ranks before tie-breaks: points, of teams with game points, or the sum of places."""
    if "teams" not in answer:
        return ("points",)
    return ("places",) if answer["teams"] and "places" in answer["teams"][0] else ("points", "game_points")


def print_table(answer: dict[str, Any], title: str) -> None:
    """Standings for people."""
    grid = grid_of(title)
    columns = columns_of(answer, answer["players"])
    grid.add_column("#", justify="right")
    grid.add_column("No.", justify="right")
    grid.add_column("Name")
    for name in ("Pts", *columns):
        grid.add_column(name, justify="right")
    for p in answer["players"]:
        values = (number(p["points"]), *(number(p["tb"].get(n)) for n in columns))
        grid.add_row(str(p["rank"]), str(p["id"]), plain(p.get("name")), *values)
    console().print(grid)


def print_diff(answer: dict[str, Any]) -> None:
    """A difference for people: rows first, then the events it came from."""
    grid = grid_of(f"{answer['tournament']}, from line {answer['from']} to {answer['to']}")
    for name in ("No.", "Name", "Rank", "Points"):
        grid.add_column(name, justify="left" if name == "Name" else "right")
    for p in answer["changes"]:
        old, new = p["before"] or {"rank": None, "points": None}, p["after"]
        rank = step(old["rank"], new["rank"])
        grid.add_row(str(p["id"]), plain(p["name"]), rank, step(old["points"], new["points"]))
    out = console()
    out.print(grid)
    for event in answer["events"]:
        out.print(f"line {event['seq']}: {event['type']} by {event['actor']}", markup=False)


def step(old: float | None, new: float | None) -> str:
    """A value that may have changed: 2, or 1½ → 2."""
    return number(new) if old == new else f"{number(old)} → {number(new)}"
