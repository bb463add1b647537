"""``arbiter log``: a tournament's log from a file, a data folder or a server, as it is stored or in sentences."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.files.files import read_bytes
from deploy.cli.files.log_files import Replay, names_from, replay_in, texts_in
from deploy.cli.terminal.verb import Integer, Verb, note, source_options, write_bytes
from deploy.failure import Failure
from deploy.server.data_folder import desk_of, folder_unless_server, view_in
from shared.core.events import Event
from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.language.messages import message_of, say
from shared.core.terms import RulingId
from shared.log.port import Row

if TYPE_CHECKING:
    from services.standings.descriptions.log_filter import LogFilter


@click.command(cls=Verb, example="arbiter log spring-cup.ndjson --words --round 2 --texts texts.ndjson")
@click.argument("tournament", metavar="TOURNAMENT|FILE")
@source_options
@click.option("--sheets", is_flag=True, help="Print the score sheets of the games instead.")
@click.option("--words", "as_words", is_flag=True, help="Print sentences for people instead.")
@click.option("--actor", metavar="NAME", help="Print only events by this login name.")
@click.option("--round", "round", type=Integer(1), help="Print only events about this round.")
@click.option("--player", type=Integer(1), help="Print only events about this player (number).")
@click.option("--ruling", metavar="ID", help="Print only events about this ruling, such as its annulment.")
@click.option("--texts", metavar="FILE", help="Exported texts (NDJSON), for the names in sentences.")
def log(
    tournament: str,
    *,
    data: Path | None,
    url: str | None,
    token: str | None,
    sheets: bool,
    as_words: bool,
    actor: str | None,
    round: int | None,
    player: int | None,
    ruling: str | None,
    texts: str | None,
) -> None:
    """Print a tournament's event log (NDJSON).

    Each event is printed byte for byte as it was stored, one per line.

    With --words or a filter, TOURNAMENT may be a log file, which is read without a server. An existing file has
    precedence over a tournament with the same ID. All filters must match. Players whose names are not available are
    printed as numbers.
    """
    writer, known = _login_name(actor), names_from(texts)
    if not as_words and (writer, round, player, ruling) == (None, None, None, None):
        _print_stored(tournament, data, url, token, sheets=sheets)
        return
    if sheets:
        raise Failure(say("--sheets cannot be used with --words or a filter"))
    if tournament == "-" or Path(tournament).is_file():
        content = read_bytes(tournament)
    else:
        from deploy.cli.client import NDJSON, reading

        with reading(data, url, token, "log") as client:
            content = client.get(f"/v1/tournaments/{tournament}/events", accept=NDJSON).content
            if as_words and texts is None and url is None:
                exported = client.get(f"/v1/tournaments/{tournament}/texts", accept=NDJSON).content
                known = {text.hash: text.text for text in texts_in("texts", exported)}
    from services.standings.descriptions.log_filter import LogFilter

    chosen = LogFilter(player=player, round=round, actor=writer, ruling=None if ruling is None else RulingId(ruling))
    _print_chosen(
        replay_in("standard input" if tournament == "-" else tournament, content), content, chosen, as_words, known
    )


def _print_stored(tournament: str, data: Path | None, url: str | None, token: str | None, *, sheets: bool) -> None:
    """Print all events, or the score sheets. Events of a data folder are read without the application of a server."""
    folder = folder_unless_server(data, url)
    if folder is not None and not sheets:
        with desk_of(folder) as desk:
            seq = view_in(desk, tournament).seq
            write_bytes(b"".join(row.line + b"\n" for row in desk.lines(f"tournaments/{tournament}", 0, seq)))
        return
    from deploy.cli.client import NDJSON, reading

    with reading(data, url, token, "log") as client:
        path = f"/v1/tournaments/{tournament}/{'sheets' if sheets else 'events'}"
        write_bytes(client.get(path, accept=NDJSON).content)


def _print_chosen(
    read: Replay, content: bytes, chosen: "LogFilter", as_words: bool, known: Mapping[str, str] | None
) -> None:
    from deploy.cli.files.log_words import LogWords

    t = read.at(read.size)
    if chosen.ruling is not None and chosen.ruling not in t.rulings and chosen.ruling not in t.annulments:
        raise Failure(
            say(
                "{log}: ruling {ruling} does not exist up to event {seq}",
                log=read.file,
                ruling=chosen.ruling,
                seq=t.seq,
            )
        )
    said, found = LogWords(t, known), False
    for event, line in zip(read.events, content.split(b"\n"), strict=False):
        if not chosen.fits(t, _row(read.tournament, event, line)):
            continue
        found = True
        if as_words:
            said.print(event)
        else:
            write_bytes(line + b"\n")
    if not found:
        note(say("No event matches."))


def _row(tournament: str, event: Event, line: bytes) -> Row:
    return Row(event.seq, f"tournaments/{tournament}", event.seq, event.source, event.sourceseq, event.command, 0, line)


def _login_name(typed: str | None) -> str | None:
    try:
        return None if typed is None else login_name(typed)
    except InvalidLoginName as problem:
        raise Failure(
            say("invalid login name {name}: {problem}", name=repr(typed), problem=message_of(problem))
        ) from None
