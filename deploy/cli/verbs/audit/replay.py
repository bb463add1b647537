"""``arbiter replay``: a table out of a log."""

import click
import msgspec

from deploy.cli.files.log_files import names_from, replay_of
from deploy.cli.terminal.verb import Integer, Verb, csv_option, json_option, note, print_json, tiebreaks_option, words
from deploy.cli.trf.player_tables import print_csv, print_table, standings_of, teams_of, tiebreak_list
from deploy.failure import Failure
from services.standings.rules.answers import TableAnswer, TeamTableAnswer
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.language.messages import Message, say
from shared.core.readings.settlement import describe, open_bases
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RulingId


@click.command(
    cls=Verb,
    exits={1: say("The log has no team event for --teams, or a text does not match its hash.")},
    example="arbiter replay spring-cup.ndjson --at 30",
)
@click.argument("log", metavar="LOG.ndjson")
@click.option("--at", type=Integer(0), help="Print the standings after this event (default: the last one).")
@click.option("--without", multiple=True, metavar="RULING", help="Ignore this ruling; may be repeated.")
@tiebreaks_option
@click.option("--teams", is_flag=True, help="Print the team standings.")
@click.option("--texts", metavar="FILE", help="Exported texts (NDJSON), for the names.")
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
    """Replay a log file and print the standings."""
    if as_csv and as_json:
        raise Failure(say("--csv and --json cannot be used together"))
    read = replay_of(log)
    t = read.at(read.size if at is None else at)
    for ruling in without:
        if ruling not in t.rulings and ruling not in t.annulments:
            raise Failure(
                say("{log}: ruling {ruling} does not exist up to event {seq}", log=log, ruling=ruling, seq=t.seq)
            )
    for remark in _outdated(t):
        note(remark)
    if without:
        t = t.without_rulings(RulingId(r) for r in without)
    known = names_from(texts)
    answer: TableAnswer | TeamTableAnswer
    answer = teams_of(t, tiebreaks, known) if teams else standings_of(t, tiebreak_list(tiebreaks), known)
    codes = tiebreaks_of(t) if teams and isinstance(t, Tournament) else TIEBREAKS
    if as_csv:
        print_csv(answer, codes, t.regulations.title if t.regulations else "")
    elif as_json:
        print_json(msgspec.to_builtins(answer))
    else:
        title = words(say("{name} after event {seq}", name=answer.tournament, seq=answer.seq))
        print_table(answer, codes, title)
    return 0


def _outdated(t: TournamentState) -> list[Message]:
    """Return a remark on each pairing or table that is outdated and not settled."""
    if not isinstance(t, Tournament):
        return []
    return [say("outdated and not settled: {why}", why=describe(t, basis)) for basis in open_bases(t)]
