"""Every event type, by stream, and the look-ups by name or by data."""

from collections.abc import Callable
from functools import cache
from typing import Any

from shared.core import events as ev
from shared.core.event_types import games, pairing, penalties
from shared.core.event_types.event_type import EventType, Upcaster, unchanged
from shared.core.readings.counted_results import Counted, counted_results
from shared.core.rulebook.editions import Edition, written_edition
from shared.core.state.entities import CheckpointRestart, KeyInForce, Publication
from shared.core.state.grounds import AS_WRITTEN
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GAMES, PAIRING, STANDINGS, Source
from shared.core.trust.service_keys import ANNOUNCED_BY, BadServiceKey, parse_key


def announce_key(t: TournamentState, e: ev.Event, d: ev.KeyAnnounced) -> None:
    try:
        key = parse_key(d.key)
    except BadServiceKey:
        return
    if key.source in t.keys and e.source in ANNOUNCED_BY[key.source]:
        t.keys[key.source] = (*t.keys[key.source], KeyInForce(d.key, e.seq, e.source))


def publish(t: TournamentState, e: ev.Event, d: ev.StandingsPublished) -> None:
    counted: Counted = {}
    if d.order and isinstance(t, Tournament):
        # An event that is still being decided has no basis: it saw every event applied so far.
        counted = counted_results(t, d.round, e.basis or None)
    t.publications.append(Publication(d, e.seq, e.basis, counted))


def restart(t: TournamentState, e: ev.Event, d: ev.CheckpointRestarted) -> None:
    t.restarts.append(CheckpointRestart(e.seq, d.size, d.root))


def keep_report_file(t: TournamentState, e: ev.Event, d: ev.ReportFileKept) -> None:
    t.report_files.append(d)


def _without_grounds(data: dict[str, Any]) -> dict[str, Any]:
    """Add empty grounds to the data of a claim's decision, whose first version did not store them."""
    return data | {"grounds": ""}


def _with_codes(data: dict[str, Any]) -> dict[str, Any]:
    """Turn the grounds of a claim's decision, one sentence until v3, into a list of one ground with a code."""
    text = data["grounds"]
    return data | {"grounds": [{"code": AS_WRITTEN, "facts": {"text": text}}] if text else []}


OFFICIAL: tuple[EventType[Any], ...] = (
    *pairing.EVENT_TYPES,
    *games.EVENT_TYPES,
    *penalties.EVENT_TYPES,
    EventType("arbiter.report-file.kept.v1", ev.ReportFileKept, STANDINGS, keep_report_file),
    EventType("arbiter.checkpoint.restarted.v1", ev.CheckpointRestarted, STANDINGS, restart),
    EventType(
        "arbiter.standings.published.v2",
        ev.StandingsPublished,
        STANDINGS,
        publish,
        upcasters=(unchanged,),
        masked=("digest", "checkpoint"),
    ),
    EventType(
        "arbiter.key.announced.v2",
        ev.KeyAnnounced,
        PAIRING,
        announce_key,
        upcasters=(unchanged,),
        everybody=True,
        first=1,
    ),
)
"""The event types of the official log."""
SHEETS: tuple[EventType[Any], ...] = (
    EventType("arbiter.move.played.v1", ev.MovePlayed, GAMES),
    EventType("arbiter.offer.made.v1", ev.OfferMade, GAMES),
    EventType("arbiter.claim.made.v4", ev.ClaimMade, GAMES, upcasters=(unchanged, unchanged, unchanged)),
    EventType("arbiter.claim.decided.v4", ev.ClaimDecided, GAMES, upcasters=(_without_grounds, unchanged, _with_codes)),
    EventType("arbiter.moves.taken-back.v2", ev.MovesTakenBack, GAMES, upcasters=(unchanged,)),
    EventType("arbiter.step.taken.v1", ev.StepTaken, GAMES),
    EventType("arbiter.file.read.v1", ev.FileRead, GAMES),
)
"""The event types of the score sheets: only games writes and applies them."""
EVENT_TYPES = (*OFFICIAL, *SHEETS)

BY_NAME: dict[str, EventType[Any]] = {row.name: row for row in EVENT_TYPES}
"""Newest versions only. Older ones are in `UPCASTERS`."""
UPCASTERS: dict[str, tuple[EventType[Any], tuple[Upcaster, ...]]] = {
    older: (row, upcasters) for row in EVENT_TYPES for older, upcasters in row.older_versions().items()
}
"""Older version -> the type in its newest version, and the upcasters that lead there."""
OUTDATED = {
    offices: frozenset(name for row in EVENT_TYPES for name in row.outdated_versions(offices)) for offices in (2, 3)
}
"""By edition of offices, the versions that a log must not contain: a forger could omit a field that an older version lacks."""

NEWEST: dict[str, str] = {name: name for name in BY_NAME} | {older: row.name for older, (row, _) in UPCASTERS.items()}
"""Each version's name -> the newest of its type. Every event is read in this version."""

# One look-up by the data's class when events are applied and written, instead of a way through the rows.
NAMES: dict[type, str] = {row.data: row.name for row in EVENT_TYPES}
WRITERS: dict[type, tuple[Source, ...]] = {row.data: row.writers for row in EVENT_TYPES}
MASKED: dict[type, tuple[str, ...]] = {row.data: row.masked for row in EVENT_TYPES if row.masked}
EVOLVE: dict[type, Callable[[TournamentState, ev.Event, Any], None]] = {
    row.data: row.evolve for row in OFFICIAL if row.evolve is not None
}


@cache
def _names_in(edition: Edition, older: bool) -> dict[type, str]:
    names = NAMES | {UPCASTERS[name][0].data: name for name in edition.older if older}
    return {data: name for data, name in names.items() if name not in edition.unknown}


def written_names(offices: int) -> dict[type, str]:
    """Return the version of each event type that this process writes into a tournament, by the data's class.

    Types that the readers of the written edition do not know are missing.
    ``offices``: the edition of the tournament. Services that follow a tournament know its edition, so it does not go back.
    """
    edition = written_edition()
    return _names_in(edition, offices <= edition.offices)
