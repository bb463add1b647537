"""``arbiter standings``: tables out of TRF files."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import click
import msgspec
from msgspec.structs import asdict, replace

from deploy.cli.files.files import each_outcome, exit_code, read_trf, tell
from deploy.cli.regulation_sets import set_of
from deploy.cli.terminal.verb import (
    Integer,
    Verb,
    csv_option,
    encoding_option,
    json_option,
    note,
    print_json,
    tiebreaks_option,
)
from deploy.cli.trf.player_tables import print_csv, print_table, tiebreak_list
from deploy.failure import Failure
from deploy.imports import remarks
from deploy.imports.file_event import AS_STATED, file_event
from deploy.imports.tiebreak_order import order
from services.standings.files.trf.to_events import names, tournament_of
from services.standings.rules.answers import TableAnswer
from services.standings.rules.encounters import add_encounters
from services.standings.rules.table.table import standings as table_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.event_types.gc_pause import pause_collector
from shared.core.language.messages import say
from shared.core.rulebook.regulations import Regulations
from shared.regulations import load
from shared.trf.comparison import differences


class FileTableAnswer(TableAnswer, kw_only=True):
    """The standings of a file, and the name of the ruleset that they are computed by."""

    regulations: str


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table. The file or the ruleset decides those that are None."""

    tiebreaks: tuple[str, ...] | None
    also: tuple[str, ...]
    rules: str | None
    regulations: Regulations | None
    """The ruleset; if None, that of the file's date, as in `arbiter import`."""
    unrated: int | None
    after: int | None
    encoding: str | None


@click.command(
    cls=Verb, exits={1: say("The ruleset is not valid.")}, example="arbiter standings open.trf --tiebreaks BH/C1,BH,SB"
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.trf…")
@tiebreaks_option
@click.option("--also", metavar="LIST|all", help="Further tie-breaks, shown but not used for ranking.")
@click.option("--rules", type=click.Choice(["2024", "2026"]), help="Edition of the FIDE tie-break regulations (C.07).")
@click.option("--regulations", metavar="NAME|FILE", help="Ruleset (default: FIDE's ruleset for the date of the file).")
@click.option("--unrated", type=Integer(1, 4000), help="Rating of unrated players in rating tie-breaks.")
@click.option("--after", type=Integer(0), help="Print the standings after this round (default: the last one).")
@encoding_option
@csv_option
@json_option
def standings(files: tuple[str, ...], as_json: bool, as_csv: bool, **options: Any) -> int:
    """Compute the standings of a TRF file.

    Players are ranked by points, then by the tie-breaks. Players who are equal in all of them share a rank.
    """
    if as_csv and (as_json or len(files) > 1):
        raise Failure(say("--csv requires a single file and cannot be used with --json"))
    choice = TableOptions(
        tiebreak_list(options["tiebreaks"]), tiebreak_list(options["also"], every=True) or (), options["rules"],
        set_of(options["regulations"]) if options["regulations"] else None, options["unrated"], options["after"],
        options["encoding"],
    )  # fmt: skip
    outcomes = []
    for outcome in each_outcome(files, partial(_standings, choice)):
        outcomes.append(outcome)
        if outcome.answer is None:
            continue
        if as_csv:
            print_csv(outcome.answer, TIEBREAKS, (choice.regulations or load(outcome.answer.regulations)).title)
        elif as_json:
            print_json({"file": outcome.file, **msgspec.to_builtins(outcome.answer)})
        else:
            print_table(outcome.answer, TIEBREAKS, outcome.file)
    return exit_code(outcomes)


@pause_collector()
def _standings(choice: TableOptions, file: str) -> FileTableAnswer:
    trf = read_trf(file, choice.encoding)
    regulations = choice.regulations
    if regulations is None:
        event = file_event(trf, AS_STATED)
        regulations = event.regulations
        tell(remarks.on_event(trf, event))
    tell(remarks.on_regulations(trf, regulations))
    tell(remarks.on_differences(trf, differences(trf, regulations.points)))
    t = tournament_of(trf, regulations)
    if choice.after is not None and choice.after > trf.rounds_recorded:
        raise Failure(
            say(
                "{file}: --after {after} is later than the last round of the file ({rounds})",
                file=trf.file,
                rounds=trf.rounds_recorded,
                after=choice.after,
            )
        )
    chosen = choice.tiebreaks
    if chosen is None and trf.settings.tiebreaks:
        chosen = order(trf, None, TIEBREAKS)
    table = table_of(
        t,
        chosen,
        rules=choice.rules,
        after_round=choice.after,
        unrated=choice.unrated,
        also=choice.also,
    )
    if choice.after is None:
        score: dict[int, int] = {row.player: row.points for row in table.rows}
        for message in remarks.on_points_of_players(trf, regulations.points, score):
            note(message)
    answer = replace(add_encounters(table, names(trf)), tournament=t.announced.name if t.announced else trf.file)
    return FileTableAnswer(**asdict(answer), regulations=regulations.name)
