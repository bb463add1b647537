"""``arbiter diff``: the changes of the table between two events of a log."""

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from deploy.cli.files.log_files import names_from, replay_of
from deploy.cli.terminal.verb import Grid, Integer, Verb, json_option, print_json, show, tiebreaks_option, words
from deploy.cli.trf.player_tables import step, tiebreak_list
from deploy.failure import Failure
from services.standings.rules.diff import diff as changed
from services.standings.rules.table.table import player_name, standings
from shared.core.language.messages import say


@click.command(
    cls=Verb,
    exits={1: say("The log does not contain a ruleset, or a text does not match its hash.")},
    example="arbiter diff spring-cup.ndjson --at 30 --to 44",
)
@click.argument("log", metavar="LOG.ndjson")
@click.option("--at", "start", required=True, type=Integer(0), help="Event after which the change begins.")
@click.option("--to", "end", required=True, type=Integer(0), help="Event after which the change ends.")
@tiebreaks_option
@click.option("--texts", metavar="FILE", help="Exported texts (NDJSON), for the names.")
@json_option
def diff(log: str, *, start: int, end: int, tiebreaks: str | None, texts: str | None, as_json: bool) -> int:
    """Show how the standings changed between two events.

    Only rows that differ are printed, with the events that changed them. These events follow in sentences.
    """
    if start > end:
        raise Failure(say("--at must not be after --to"))
    read, known, chosen = replay_of(log), names_from(texts), tiebreak_list(tiebreaks)
    before, after = (standings(read.tournament_at(seq), chosen) for seq in (start, end))
    answer = msgspec.to_builtins(changed(before, after))
    named = {p: player_name(after.field.tournament, p, known) for p in after.field.tournament.players}
    for change in answer["changes"]:
        change["name"] = named[change["id"]]
    between = [seq for seq in answer["events"] if start < seq <= end]
    undoing = read.undoing(start, end)
    seqs = sorted({*between, *undoing})
    answer |= {"from": start, "to": end, "events": read.summary(seqs)}
    if as_json:
        print_json(answer)
    else:
        from deploy.cli.files.log_words import LogWords

        said = LogWords(read.at(max(end, 1)), known)
        print_diff(answer, undoing, [(seq, said.sentence_of(read.events[seq - 1])) for seq in seqs])
    return 0


def print_diff(answer: dict[str, Any], undoing: Sequence[int], sentences: Sequence[tuple[int, str]]) -> None:
    """Print a difference for people: rows first, each with the events that changed it, then these events in sentences.

    A row that rests on events that were undone is changed by those that undid them (``undoing``).
    """
    title = say(
        "{name}: standings after event {start} and after event {end}",
        name=answer["tournament"],
        start=answer["from"],
        end=answer["to"],
    )
    grid = Grid(words(title))
    grid.add_columns(say("No."), justify="right")
    grid.add_columns(say("Name"))
    grid.add_columns(say("Rank"), say("Points"), justify="right")
    grid.add_columns(say("Tie-breaks"), say("Events"))
    within = {seq for seq, _ in sentences}
    for p in answer["changes"]:
        old, new = p["before"] or {"rank": None, "points": None, "tb": {}}, p["after"]
        tiebreaks = [
            f"{code} {step(old['tb'].get(code), value)}"
            for code, value in new["tb"].items()
            if value != old["tb"].get(code)
        ]
        own = [seq for seq in p["events"] if seq in within] or (undoing if p["events"] else ())
        cause = ", ".join(map(str, own)) if own else words(say("others moved"))
        row = (step(old["rank"], new["rank"]), step(old["points"], new["points"]), ", ".join(tiebreaks), cause)
        grid.add_row(str(p["id"]), p["name"] or "", *row)
    if not answer["changes"]:
        show(say("The standings are the same after both events."))
        return
    grid.print()
    if sentences:
        show(say("These events changed the standings:"))
    for seq, sentence in sentences:
        show(f"{seq:>5}  {sentence}")
