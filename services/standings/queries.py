"""Queries that routes and pages put to a desk: names beside a tournament, its table, its lines."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from services.standings.descriptions.registry import mentions
from services.standings.rules.table.table import Table, standings, updated
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.core.event_types.registry import NAMES
from shared.core.events import Event
from shared.core.messages import in_turn, say
from shared.core.terms import PlayerId
from shared.core.tournament import Tournament
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http import tournament_query
from shared.http.problems import Problem, unknown_tournament
from shared.log.port import Row
from shared.wire.envelope import Unreadable, read

_AT_ONCE = 500
_MOST_TABLES = 64
"""Tables kept, each with the state of its tournament."""

TableKey = tuple[str, tuple[str, ...] | None, str | None, int | None]


def names(desk: Desk, t: Tournament) -> dict[str, str]:
    """The texts that players, teams and officials are called by, by hash; those that were erased are not among them."""
    hashes = {one.name.text for one in (*t.players.values(), *t.teams.values())}
    hashes |= {one.person.text for one in t.officials.values() if one.person is not None}
    return {hash: text.text for hash, text in desk.texts(hashes).items()}


class Tables:
    """The tables of a process that were asked for last: the next one is made from the one before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: OrderedDict[TableKey, Table] = OrderedDict()

    def table(self, view: View, tiebreaks: tuple[str, ...] | None, rules: str | None, after_round: int | None) -> Table:
        """The table, as `table` gives it; of a past state, and where a ruling is thought away, made anew."""
        key = view.tournament.id, tiebreaks, rules, after_round
        with self._lock:
            before = self._tables.get(key)
        if before is None or view.seq < before.seq or view.tournament.suppressed or _other_defaults(before, view):
            new = table(view, tiebreaks, rules, after_round)
        else:
            new = updated(before, view.tournament)
        if not view.tournament.suppressed and (before is None or view.seq >= before.seq):
            with self._lock:
                self._tables[key] = new
                self._tables.move_to_end(key)
                if len(self._tables) > _MOST_TABLES:
                    self._tables.popitem(last=False)
        return new


def _other_defaults(before: Table, view: View) -> bool:
    """Whether regulations were adopted since: what is not asked for follows them."""
    return before.field.tournament.regulations != view.tournament.regulations


def table(
    view: View, tiebreaks: tuple[str, ...] | None = None, rules: str | None = None, after_round: int | None = None
) -> Table:
    """The table as asked for. Raises `Problem` 422 for tie-breaks that are none, 409 before there are regulations."""
    t = view.tournament
    if not isinstance(t, Tournament):
        raise Problem(409, "no-regulations", say("No table yet"), say("no regulations were adopted for {id}", id=t.id))
    refuse_unknown(TIEBREAKS, tiebreaks or ())
    return standings(t, tiebreaks, rules=rules, after_round=after_round)


def refuse_unknown(known: TieBreaks[Any], codes: tuple[str, ...]) -> None:
    """Raises `Problem` 422, which names each of these codes that is no tie-break of those who are ranked."""
    faults = [fault for n in range(len(codes)) for fault in [known.fault(codes, n)] if fault is not None]
    if faults:
        raise Problem(
            422, "unknown-tiebreak", say("No such tie-break"), in_turn(faults[:3]), errors={"tiebreaks": list(faults)}
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
    if id not in view.tournament.players:
        raise Problem(
            404, "unknown-player", say("No such player"), say("{id} has no player {id2}", id=view.tournament.id, id2=id)
        )
    return PlayerId(id)


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Which lines are asked for: by type (its newest version's name, for any), player and round; all of them must fit.

    ``now`` gives the tournament that a line is looked up in: on a live stream it grows. Filters that choose the same are equal.
    """

    now: Callable[[], Tournament] = field(compare=False)
    types: frozenset[str]
    player: int | None
    round: int | None

    def __call__(self, row: Row) -> bool:
        """Whether a line fits; one that cannot be read fits only where nothing is asked for."""
        if not (self.types or self.player or self.round):
            return True
        event = event_of(row)
        if event is None or (self.types and NAMES[type(event.data)] not in self.types):
            return False
        subject = mentions(self.now(), event.data)
        return self.player in (None, *subject.players) and self.round in (None, *subject.rounds)


def folded(desk: Desk, t: str) -> Tournament:
    """A tournament as far as this process has read the log; nothing is waited for. Raises `Problem` 404."""
    view = desk.folds.look(t)
    if view is None:
        raise unknown_tournament(t)
    return view.tournament


def event_of(row: Row) -> Event | None:
    """The event of a line; None where this version cannot read it."""
    try:
        return read(row.line, row.seq)
    except Unreadable:
        return None


def lines(desk: Desk, t: str, after: int, upto: int, keep: LineFilter, limit: int) -> tuple[list[Row], bool]:
    """The first ``limit`` fitting lines after ``after`` up to ``upto``, and whether there are more."""
    rows = list(islice(_fitting(desk, t, after, upto, keep), limit + 1))
    return rows[:limit], len(rows) > limit


def _fitting(desk: Desk, t: str, after: int, upto: int, keep: LineFilter) -> Iterator[Row]:
    while after < upto:
        end = min(upto, after + _AT_ONCE)
        for row in desk.lines(stream_of(t), after, end):
            if keep(row):
                yield row
        after = end
