"""The checklist for the end of an event, computed from its log: the open items, and the pages that settle them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from services.standings.audit.audits import Audits, Check, Way, cosigned, signatures
from services.standings.rulebook.role_pages import offices_of
from services.standings.rules.publication import (
    NOBODY,
    deciding_codes,
    first_places_not_parted,
    own_table,
    place_to_part,
    shared_places,
)
from services.standings.rules.published_table import digest
from shared.audit.checkpoints.note import SignedNotes
from shared.audit.report import Progress
from shared.core.language.messages import Instant, Message, say
from shared.core.readings.claims import running_deadlines
from shared.core.readings.settlement import sides_of
from shared.core.rounds.further_games import match_to_play
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.rounds_to_come import is_another_round_due, planned_rounds
from shared.core.rounds.stages import is_bracket, stages_begun
from shared.core.rulebook.ranking_rules import LOTS_CODE, PLAY_OFF_CODE
from shared.core.state.entities import Publication
from shared.core.state.tournament import Tournament
from shared.http.problems import Problem
from shared.web.attention import Attention, attention
from shared.web.names import isolated
from shared.web.page import link


def checklist(t: Tournament, audits: Audits, notes: SignedNotes, names: Mapping[str, str]) -> list[Check]:
    """Return every check, in the order of an arbiter's work. ``names`` are by hash."""
    waiting = list(attention(t, t.rounds_paired() + 1))
    return [
        _rounds(t),
        *_waiting(waiting),
        *_audited(t, audits),
        _places(t),
        _published(t),
        cosigned(t, notes),
        signatures(t),
        _chief(t, names),
    ]


def _rounds(t: Tournament) -> Check:
    paired, due = t.rounds_paired(), is_another_round_due(t)
    begun = stages_begun(t)
    if due is False:
        if begun and is_bracket(t, begun[-1]):
            return Check("rounds", True, say("Rounds: {paired} are paired; the bracket is over", paired=paired))
        if paired == 1:
            return Check("rounds", True, say("Rounds: the only round is paired"))
        return Check("rounds", True, say("Rounds: all {paired} are paired", paired=paired))
    if due is None:
        return Check(
            "rounds",
            None,
            say("Rounds: {paired} are paired; results of the bracket decide whether more follow", paired=paired),
        )
    sides, planned = match_to_play(t), planned_rounds(t)
    if sides is not None:
        what = say(
            "Rounds: {paired} are paired; the match of {sides} is still to be played",
            paired=paired,
            sides=sides_of(t, tuple(sorted(sides))),
        )
    elif planned:
        what = say("Rounds: {paired} of {last} are paired", paired=paired, last=planned)
    else:
        what = say("Rounds: {paired} are paired, and more follow", paired=paired)
    address = f"{link('round_page', t=t.id, n=paired + 1, at=None, without=None)}/pairing"
    return Check("rounds", False, what, (), Way(address, say("pair the next one")))


_KINDS: tuple[tuple[str, Message, Message], ...] = (
    (
        "outdated",
        say("Pairings and tables: all are up to date"),
        say("Pairings and tables are outdated; settle them before the final table is published"),
    ),
    ("result", say("Results: all are in"), say("Results are missing")),
    ("claim", say("Claims: none is pending"), say("Claims wait for an arbiter")),
    ("finding", say("Findings from score sheets: all are settled"), say("Findings from score sheets are open")),
    ("appeal", say("Appeals: all are decided"), say("Appeals are open")),
)
"""The kinds of waiting items, each with its text for none and for some."""


def _waiting(all: Sequence[Attention]) -> Iterator[Check]:
    for kind, none, some in _KINDS:
        one = tuple(a for a in all if a.kind == kind)
        yield Check("outdated" if kind == "outdated" else f"{kind}s", not one, some if one else none, one)


def appeal_periods(t: Tournament, now: str) -> Message | None:
    """Return how many rulings can still be appealed and until when, or None. It is a remark: nothing has to be done."""
    running = running_deadlines(t, datetime.fromisoformat(now))
    if not running:
        return None
    until = Instant((datetime.fromisoformat(now) + max(running.values())).isoformat(), t.announced.time_zone)
    if len(running) == 1:
        return say("1 ruling can still be appealed until {until}.", until=until)
    return say("{count} rulings can still be appealed, the last one until {until}.", count=len(running), until=until)


def _audited(t: Tournament, audits: Audits) -> Iterator[Check]:
    """Yield the checks that require an audit: concurrent decisions, and whether the log agrees with its re-evaluation."""
    way = Way(link("crossings_page", t=t.id), say("see them"))
    whole = Way(link("audit_page", t=t.id), say("see it"))
    try:
        report = audits.look(t.id)
    except Problem as problem:
        why = problem.detail or problem.title
        yield Check("audit", None, say("Audit: unavailable now ({why})", why=why), (), whole)
        return
    if isinstance(report, Progress):
        yield Check("audit", None, say("Audit: in progress"), (), whole, made=False)
        return
    open = sum(not one.noted for one in report.crossings)
    if open:
        yield Check("crossings", False, say("Concurrent decisions to be noted: {count}", count=open), (), way)
    else:
        yield Check("crossings", True, say("Concurrent decisions: all noted"))
    differs = report.verdict == "differs"
    yield Check(
        "audit",
        not differs,
        say("Audit: {count} findings", count=report.findings)
        if differs
        else say("Audit: {count} events re-evaluated, all match", count=report.checked),
        (),
        whole,
    )


def _places(t: Tournament) -> Check:
    """Return the check for a shared first place, which must be decided by a play-off or lots (002-X 15.6)."""
    shared = next(iter(first_places_not_parted(t)), None)
    if shared is None:
        return Check("places", True, say("No ties to break"))
    by_lot = t.regulations.ranking.parted_by == "lot"
    whose = say("teams") if teams_meet(t) else say("players")
    what = say(
        "{whose} {sides} share place {rank}, which must be decided by {how}",
        whose=whose,
        sides=tuple(shared.sides),
        rank=shared.rank,
        how=say("a lot") if by_lot else say("a play-off"),
    )
    address = parting_address(t)
    return Check("places", False, what, (), None if address is None else Way(address, say("decide the order")))


def holds(t: Tournament, published: Publication) -> bool:
    """Return whether a published table is still the current one."""
    d = published.event
    now = digest(t, d, published.basis)
    return d.round == t.rounds_paired() and now == d.digest


def _published(t: Tournament) -> Check:
    way = Way(link("publication_form", t=t.id, at=None, without=None), say("publish it"))
    last = t.publications[-1] if t.publications else None
    if last is None:
        return Check("published", False, say("Standings not published"), (), way)
    facts = {"round": last.event.round, "seq": last.seq}
    if not holds(t, last):
        changed = say("Standings: published after round {round} (event {seq}), changed since", **facts)
        return Check("published", False, changed, (), way)
    if not t.closed():
        interim = say("Standings: published after round {round} (event {seq}), but not as the final standings", **facts)
        return Check("published", False, interim, (), way)
    return Check("published", True, say("Standings: final standings published (event {seq}), unchanged since", **facts))


def _chief(t: Tournament, names: Mapping[str, str]) -> Check:
    chiefs = tuple(isolated(row.called or row.handle) for row in offices_of(t, names) if row.role == "chief_arbiter")
    if chiefs:
        return Check("chief", True, say("Chief arbiter: {chiefs}", chiefs=chiefs))
    way = Way(link("roles_page", t=t.id), say("see the officials"))
    return Check(
        "chief", False, say("Chief arbiter: not appointed yet; appoint one, who must sign the report"), (), way
    )


_FORMS: dict[str, tuple[str, Message]] = {
    PLAY_OFF_CODE: ("play_off_form", say("Pair a play-off")),
    LOTS_CODE: ("lots_form", say("Draw lots")),
}


class Parting(NamedTuple):
    """A shared place: the number of sides, whether it must be decided, and the forms for that (address and label)."""

    rank: int
    sides: int
    due: bool
    ways: tuple[tuple[str, Message], ...]


def partings(t: Tournament) -> list[Parting]:
    """Return every shared place that can be decided now, from the first; no place while a round is still to come."""
    asked = own_table(t, NOBODY, final=True)
    codes = () if is_another_round_due(t) else deciding_codes(t, asked)
    return [
        Parting(
            place.rank,
            len(place.sides),
            place.rank <= t.regulations.ranking.unshared,
            tuple((_address(t, _FORMS[code][0], place.sides), _FORMS[code][1]) for code in codes),
        )
        for place in (shared_places(t, asked) if codes else ())
    ]


def parting_address(t: Tournament) -> str | None:
    """Return the address of the form for the first place that must not be shared but is, or None."""
    shared = place_to_part(t, own_table(t, NOBODY, final=True))
    if shared is None:
        return None
    return _address(
        t, _FORMS[LOTS_CODE if t.regulations.ranking.parted_by == "lot" else PLAY_OFF_CODE][0], shared.sides
    )


def _address(t: Tournament, form: str, sides: list[int]) -> str:
    """Return the address of a form, with the sides that share the place."""
    return link(form, t=t.id, at=None, without=None, equals=",".join(map(str, sides)))
