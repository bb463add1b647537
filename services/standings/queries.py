"""Queries that routes and pages put to a desk: names beside a tournament, its table, its lines."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from flask import current_app
from marshmallow import Schema, fields, validate

from services.standings.descriptions.log_filter import LogFilter
from services.standings.rules.integrity import IntegrityList, listing
from services.standings.rules.table.table import Table, standings, update_table
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.audit.evidence.named_texts import TEXT_MARK
from shared.core.events import Event
from shared.core.language.messages import in_turn, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PlayerId
from shared.core.values.bounds import HIGHEST
from shared.desk.desk import Desk, View
from shared.desk.score_sheets import score_sheets
from shared.desk.views import stream_of
from shared.http.common_problems import unknown_player
from shared.http.problems import Problem, unknown_tournament
from shared.http.reads import tournament_query
from shared.log.port import Row
from shared.web.particulars import hidden_from_reader
from shared.wire.envelope import Unreadable, read

_MOST_TABLES = 64
"""Tables kept, each with the state of its tournament."""

TableKey = tuple[str, tuple[str, ...] | None, str | None, int | None]


def names(desk: Desk, t: TournamentState) -> dict[str, str]:
    """Return the names of players, teams and officials by hash, without those that were erased.

    The names of players are missing if they are hidden from the reader.
    """
    players = {} if hidden_from_reader(desk, t, ("name",)) else t.players
    hashes = {one.name.text for people in (players, t.teams) for one in people.values()}
    hashes |= {one.person.text for one in t.officials.values() if one.person is not None}
    return desk.called(hashes)


class Tables:
    """The tables of a process that were asked for last: the next one is made from the one before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: OrderedDict[TableKey, Table] = OrderedDict()

    def table(
        self,
        view: View,
        tiebreaks: tuple[str, ...] | None = None,
        rules: str | None = None,
        after_round: int | None = None,
    ) -> Table:
        """The table, as `table` gives it; of a past state, and where a ruling is thought away, made anew."""
        key = view.state.id, tiebreaks, rules, after_round
        with self._lock:
            before = self._tables.get(key)
        # Values that are not asked for follow the regulations, which may have been adopted since.
        adopted = before is not None and before.field.tournament.regulations != view.state.regulations
        if before is None or view.seq < before.seq or view.state.suppressed or adopted:
            new = table(view, tiebreaks, rules, after_round)
        else:
            new = update_table(before, view.tournament)
        if not view.state.suppressed and (before is None or view.seq >= before.seq):
            with self._lock:
                self._tables[key] = new
                self._tables.move_to_end(key)
                if len(self._tables) > _MOST_TABLES:
                    self._tables.popitem(last=False)
        return new


_KEPT = "kept-tables"


def kept_tables() -> Tables:
    """Return the tables that all requests to this app share: pages and the API."""
    tables: Tables = current_app.extensions.setdefault(_KEPT, Tables())
    return tables


def table(
    view: View, tiebreaks: tuple[str, ...] | None = None, rules: str | None = None, after_round: int | None = None
) -> Table:
    """Return the table as asked for. Raises `Problem` 422 for an unknown tie-break, and `NoRegulations`."""
    t = view.tournament
    refuse_unknown(TIEBREAKS, tiebreaks or ())
    return standings(t, tiebreaks, rules=rules, after_round=after_round)


def refuse_unknown(known: TieBreaks[Any], codes: tuple[str, ...]) -> None:
    """Raises `Problem` 422, which names each of these codes that is no tie-break of those who are ranked."""
    faults = [fault for n in range(len(codes)) for fault in [known.fault(codes, n)] if fault is not None]
    if faults:
        raise Problem(
            422, "unknown-tiebreak", say("No such tie-break"), in_turn(faults[:3]), errors={"tiebreaks": list(faults)}
        )


class RangeQuery(Schema):
    """Two lengths of the log."""

    from_ = fields.Integer(
        data_key="from", attribute="from", required=True, validate=validate.Range(1, HIGHEST),
        metadata={"description": "Earlier log position: `seq` of an event."},
    )  # fmt: skip
    to = fields.Integer(
        required=True,
        validate=validate.Range(1, HIGHEST),
        metadata={"description": "Later log position: `seq` of an event, not before `from`."},
    )


def span(desk: Desk, t: str) -> tuple[View, View]:
    """The tournament at ``?from`` and at ``?to``. Raises `Problem` 404 and 422."""
    sent = tournament_query.query()
    if sent["from"] > sent["to"]:
        raise Problem(
            422, "bad-query", say("Bad query"), say("from lies after to"), errors={"from": [say("lies after to")]}
        )
    return tournament_query.view_at(desk, t, sent["from"]), tournament_query.view_at(desk, t, sent["to"])


def player(view: View, id: int) -> PlayerId:
    """A player of the tournament. Raises `Problem` 404."""
    if id not in view.state.players:
        raise unknown_player(view.state.id, id)
    return PlayerId(id)


@dataclass(frozen=True, slots=True)
class LiveFilter:
    """The lines of a live stream that are asked for; ``now`` gives the tournament that they are looked up in, which grows.

    Filters that choose the same are equal.
    """

    now: Callable[[], TournamentState] = field(compare=False)
    chosen: LogFilter

    def __call__(self, row: Row) -> bool:
        return self.chosen.fits(self.now(), row)


def folded(desk: Desk, t: str) -> TournamentState:
    """A tournament as far as this process has read the log; nothing is waited for. Raises `Problem` 404."""
    view = desk.folds.current_view(t)
    if view is None:
        raise unknown_tournament(t)
    return view.state


def _naming_texts(lines: Iterable[bytes]) -> list[Event]:
    """The events of those lines of a score sheet that may name a text; without those that this version cannot read."""
    named = ((line, seq) for seq, line in enumerate(lines, 1) if TEXT_MARK in line)
    return [event for line, seq in named if (event := _event(line, seq)) is not None]


def event_of(row: Row) -> Event | None:
    """The event of a line; None where this version cannot read it."""
    return _event(row.line, row.seq)


def _event(line: bytes, seq: int) -> Event | None:
    try:
        return read(line, seq)
    except Unreadable:
        return None


def integrity(desk: Desk, t: Tournament) -> IntegrityList:
    """The integrity list of a tournament as it is in this fold, as `services.standings.rules.integrity.listing` has it."""
    events = filter(None, map(event_of, desk.lines(stream_of(t.id), 0, t.seq)))
    sheets = {game: _naming_texts(lines) for game, lines in score_sheets(desk, t.id)}
    return listing(t, events, {text.hash for text in desk.log.tournament_texts(t.id)}, sheets)


NDJSON = "application/x-ndjson"


def announced_after(desk: Desk, t: str, most: int) -> tuple[list[View], str | None]:
    """Return up to ``most`` listed tournaments by ID after ``t``, and the last of these IDs, or None if no more follow."""
    ids = [stream.partition("/")[2] for stream in desk.streams(stream_of(""), stream_of(t), most + 1)]
    seen = filter(None, map(desk.view, ids[:most]))
    views = [view for view in seen if view.state.announced is not None and not view.state.unlisted]
    return views, ids[most - 1] if len(ids) > most else None
