"""The integrity list, as far as the log shows it: permitted actions that should be reviewed all the same."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

from services.standings.rules.publication import first_places_not_parted
from services.standings.rules.teams.table import is_team_event
from shared.audit.evidence.text_evidence import text_hashes
from shared.core.events import Event, RegulationsAdopted, RoundPaired, TextErased
from shared.core.readings.claims import pending_claims
from shared.core.readings.outdated_bases import OutdatedBasis, find_outdated_bases
from shared.core.readings.settlement import basis_to_data, describe, may_have_bases
from shared.core.rulebook.regulations import Regulations
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GameId


def listing(
    t: Tournament,
    events: Iterable[Event],
    texts: Collection[str] = (),
    sheets: Mapping[str, Sequence[Event]] = MappingProxyType({}),
) -> dict[str, list[dict[str, Any]]]:
    # prose: ok: "beneath" is a key of the JSON object
    """Return the integrity list of a tournament; each entry has the ``seq`` of its event.

    ``events``: the events of this state. ``texts``: hashes of the erasable texts that are stored. ``sheets``: the
    available score sheets, by game.

    ``regulations``: changes after the first pairing, with the values that differ now. ``overrides``: absolute rules
    overridden by a pairing in force, with the hash of the reason. ``shared``: first places that may not be shared, in
    the final table or, before it, in the present one.

    ``orphans``: events that count for nothing. ``beneath``: corrections overridden by a ruling; they take effect if the
    ruling is annulled. ``arrivals``: arrivals and breaks corrected after a later round was paired. ``claims``: claims
    waiting for an arbiter. ``findings``: findings without an answer.

    ``contradicted``: rulings not in force because a score sheet shows different facts, with these facts. ``outdated``:
    pairings and tables that a later event contradicts, in every decision edition, with a readable ``message``.
    ``texts``: texts that are neither erased nor stored, at the first event that refers to them; on a score sheet with
    its ``game`` and the ``line`` there.
    """
    events = tuple(events)
    changed, overrides = _changes_and_overrides(t, events)
    orphans = [{"seq": seq, "game": game} for seq, game in t.orphans if _counts_nothing(t, t.games.get(game))]
    open_findings = [f for f in t.findings.values() if f.open]
    return {
        "regulations": changed,
        "overrides": overrides,
        "shared": list(_shared_places(t)),
        "orphans": orphans,
        "beneath": list(_overridden_corrections(t)),
        "arrivals": list(_late_corrections(t)),
        "claims": [{"seq": c.seq, "claim": c.event.claim, "game": c.event.game} for c in pending_claims(t)],
        "findings": [{"seq": f.seq, "finding": f.event.finding, "game": f.event.game} for f in open_findings],
        "contradicted": list(_contradicted_rulings(t)),
        "outdated": [basis_to_data(t, basis) | {"message": describe(t, basis)} for basis in _outdated_bases(t)],
        "texts": [*_missing_texts(events, texts), *_missing_on_sheets(t, events, texts, sheets)],
    }


def _outdated_bases(t: Tournament) -> tuple[OutdatedBasis, ...]:
    return find_outdated_bases(t) if may_have_bases(t) else ()


def _missing_texts(events: Sequence[Event], held: Collection[str]) -> Iterator[dict[str, Any]]:
    left = {*held, *_erased_hashes(events)}
    for e in events:
        for hash in text_hashes(e.data):
            if hash not in left:
                left.add(hash)
                yield {"seq": e.seq, "text": hash}


def _missing_on_sheets(
    t: Tournament, events: Sequence[Event], held: Collection[str], sheets: Mapping[str, Sequence[Event]]
) -> Iterator[dict[str, Any]]:
    """Yield the texts that score sheets refer to and that are neither stored (``held``) nor erased.

    ``seq`` is the event that started the game, because a sheet numbers its events itself.
    """
    left = {*held, *_erased_hashes(events)}
    for id, lines in sheets.items():
        game = t.games.get(GameId(id))
        for e in lines:
            for hash in text_hashes(e.data):
                if hash not in left:
                    left.add(hash)
                    begun = game.started if game is not None else None
                    yield {"seq": begun or max(e.basis, 1), "game": id, "line": e.seq, "text": hash}


def _erased_hashes(events: Iterable[Event]) -> Iterator[str]:
    return (e.data.hash for e in events if isinstance(e.data, TextErased))


def _contradicted_rulings(t: Tournament) -> Iterator[dict[str, Any]]:
    for check in t.facts_checks.values():
        d = check.event
        if d.contradicted:
            yield {"seq": check.seq, "ruling": d.ruling, "game": d.game, "article": d.article, "facts": d.contradicted}


def _changes_and_overrides(t: Tournament, events: Iterable[Event]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    changes: list[dict[str, Any]] = []
    overrides: list[dict[str, Any]] = []
    former: Regulations | None = None
    paired = False
    for e in events:
        if isinstance(e.data, RegulationsAdopted):
            values = differing_paths(former, e.data.regulations) if former is not None else []
            if paired and values:
                reason = None if e.data.reason is None else e.data.reason.text
                changes.append({"seq": e.seq, "actor": e.actor, "role": e.role, "reason": reason, "values": values})
            former = e.data.regulations
        elif isinstance(e.data, RoundPaired):
            paired = True
            if e.data.overrides and e.data.pairing not in t.withdrawn_pairings:
                override = {"seq": e.seq, "round": e.data.round, "actor": e.actor, "rules": list(e.data.overrides)}
                overrides.append(override | {"reason": None if e.data.reason is None else e.data.reason.text})
    return changes, overrides


def _shared_places(t: Tournament) -> Iterator[dict[str, Any]]:
    """Yield the places of `first_places_not_parted`, each with the event of the final table, or the newest event."""
    seq = next((p.seq for p in reversed(t.publications) if p.event.final), t.seq)
    for place in first_places_not_parted(t):
        yield {"seq": seq, "rank": place.rank, "teams" if is_team_event(t) else "players": place.sides}


def differing_paths(former: Any, now: Any, path: str = "") -> list[str]:
    """Return the dotted paths of the values that differ. A table of rows is one value."""
    if not (is_dataclass(former) and type(former) is type(now)):
        return [] if former == now else [path]
    prefix = f"{path}." if path else ""
    return [
        value
        for f in fields(former)
        for value in differing_paths(getattr(former, f.name), getattr(now, f.name), prefix + f.name)
    ]


def _counts_nothing(t: Tournament, game: Game | None) -> bool:
    """Return whether an event counts for nothing.

    That is so without a game, in a withdrawn pairing, and in a game decided by a ruling. Events after a ruling that
    ends a game count again if the ruling is no longer in force.
    """
    return game is None or game.pairing in t.withdrawn_pairings or t.ruling_on(game) is not None


def _overridden_corrections(t: Tournament) -> Iterator[dict[str, Any]]:
    for game in t.games_in_force():
        ruling = t.ruling_on(game)
        if ruling is not None and game.corrected is not None and game.corrected.seq > ruling.seq:
            yield {"seq": game.corrected.seq, "game": game.game, "ruling": ruling.event.ruling}


def _late_corrections(t: Tournament) -> Iterator[dict[str, Any]]:
    """Yield corrections of arrivals and breaks that were made after a later round was paired."""
    for corrects, id in t.corrections.items():
        one = t.arrivals.get(id) or t.breaks[id]
        game = t.games.get(one.game)
        later = (p.seq for p in t.pairings if p.withdrawn is None and game is not None and p.event.round > game.round)
        if min(later, default=one.seq) < one.seq:
            yield {"seq": one.seq, "game": one.game, "corrects": corrects, "by": id}
