"""The integrity list, as far as the log shows it: permitted actions that should be reviewed all the same."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, UnsetType

from services.standings.rules.publication import first_places_not_parted
from services.standings.rules.teams.table import is_team_event
from shared.audit.evidence.text_evidence import text_hashes
from shared.core.events import Event, RegulationsAdopted, RoundPaired, TextErased
from shared.core.readings.claims import pending_claims
from shared.core.readings.outdated_bases import OutdatedBasis, find_outdated_bases
from shared.core.readings.settlement import may_have_bases
from shared.core.rulebook.regulations import Regulations
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GameId, Role, TextRef
from shared.wire.answer import Answer, Facts


class ListedAnswer(Answer):
    """An issue that needs attention."""

    seq: int


class ChangedRegulationsAnswer(ListedAnswer):
    """A ruleset that was changed after play began."""

    actor: str
    role: Literal[Role, "rulebook"]
    reason: str | None
    values: Sequence[str]


class OverrideAnswer(ListedAnswer):
    """Absolute pairing rules that a pairing overrides."""

    round: int
    actor: str
    rules: Sequence[str]
    reason: str | None


class SharedPlaceAnswer(ListedAnswer):
    """A place shared by several players or teams although the regulations require that it is decided. ``rank``: this place."""

    rank: int
    players: Sequence[int] | UnsetType = UNSET
    teams: Sequence[int] | UnsetType = UNSET


class OrphanAnswer(ListedAnswer):
    """An event without effect."""

    game: str


class BeneathAnswer(ListedAnswer):
    """A correction that a ruling overrides."""

    game: str
    ruling: str


class LateCorrectionAnswer(ListedAnswer):
    """A correction of an arrival or a break after a later round was paired."""

    game: str
    corrects: str
    by: str


class WaitingClaimAnswer(ListedAnswer):
    """A pending claim."""

    claim: str
    game: str


class OpenFindingAnswer(ListedAnswer):
    """A finding without an answer."""

    finding: str
    game: str


class ContradictedAnswer(ListedAnswer):
    """A ruling that a score sheet contradicts."""

    ruling: str
    game: str
    article: str | None
    facts: Facts


class LostTextAnswer(ListedAnswer, kw_only=True):
    """A text that an event refers to, and that is neither stored nor erased."""

    game: str | UnsetType = UNSET
    line: int | UnsetType = UNSET
    text: str


class IntegrityList(NamedTuple):
    # prose: ok: "beneath" is a key of the JSON object
    """The integrity list of a tournament; each entry has the ``seq`` of its event.

    ``regulations``: changes after the first pairing, with the values that differ now. ``overrides``: absolute rules
    overridden by a pairing in force, with the hash of the reason. ``shared``: first places that may not be shared, in
    the final table or, before it, in the present one.

    ``orphans``: events that count for nothing. ``beneath``: corrections overridden by a ruling; they take effect if the
    ruling is annulled. ``arrivals``: arrivals and breaks corrected after a later round was paired. ``claims``: claims
    waiting for an arbiter. ``findings``: findings without an answer.

    ``contradicted``: rulings not in force because a score sheet shows different facts, with these facts. ``outdated``:
    pairings and tables that a later event contradicts, in every decision edition. ``texts``: texts that are neither
    erased nor stored, at the first event that refers to them; on a score sheet with its ``game`` and the ``line``
    there.
    """

    regulations: Sequence[ChangedRegulationsAnswer]
    overrides: Sequence[OverrideAnswer]
    shared: Sequence[SharedPlaceAnswer]
    orphans: Sequence[OrphanAnswer]
    beneath: Sequence[BeneathAnswer]
    arrivals: Sequence[LateCorrectionAnswer]
    claims: Sequence[WaitingClaimAnswer]
    findings: Sequence[OpenFindingAnswer]
    contradicted: Sequence[ContradictedAnswer]
    outdated: Sequence[OutdatedBasis]
    texts: Sequence[LostTextAnswer]


def listing(
    t: Tournament,
    events: Iterable[Event],
    texts: Collection[str] = (),
    sheets: Mapping[str, Sequence[Event]] = MappingProxyType({}),
) -> IntegrityList:
    """Return the integrity list of a tournament.

    ``events``: the events of this state. ``texts``: hashes of the erasable texts that are stored. ``sheets``: the
    available score sheets, by game.
    """
    events = tuple(events)
    changed, overrides = _changes_and_overrides(t, events)
    return IntegrityList(
        regulations=changed,
        overrides=overrides,
        shared=[*_shared_places(t)],
        orphans=[OrphanAnswer(seq, game) for seq, game in t.orphans if _counts_nothing(t, t.games.get(game))],
        beneath=[*_overridden_corrections(t)],
        arrivals=[*_late_corrections(t)],
        claims=[WaitingClaimAnswer(c.seq, c.event.claim, c.event.game) for c in pending_claims(t)],
        findings=[OpenFindingAnswer(f.seq, f.event.finding, f.event.game) for f in t.findings.values() if f.open],
        contradicted=[*_contradicted_rulings(t)],
        outdated=find_outdated_bases(t) if may_have_bases(t) else (),
        texts=[*_missing_texts(events, texts), *_missing_on_sheets(t, events, texts, sheets)],
    )


def _missing_texts(events: Sequence[Event], held: Collection[str]) -> Iterator[LostTextAnswer]:
    left = {*held, *_erased_hashes(events)}
    for e in events:
        for hash in text_hashes(e.data):
            if hash not in left:
                left.add(hash)
                yield LostTextAnswer(e.seq, text=hash)


def _missing_on_sheets(
    t: Tournament, events: Sequence[Event], held: Collection[str], sheets: Mapping[str, Sequence[Event]]
) -> Iterator[LostTextAnswer]:
    """Yield the texts that events of score sheets refer to and that are neither stored (``held``) nor erased.

    ``seq`` is the event that started the game, because a score sheet numbers its events itself.
    """
    left = {*held, *_erased_hashes(events)}
    for id, lines in sheets.items():
        game = t.games.get(GameId(id))
        for e in lines:
            for hash in text_hashes(e.data):
                if hash not in left:
                    left.add(hash)
                    begun = game.started if game is not None else None
                    yield LostTextAnswer(begun or max(e.basis, 1), game=id, line=e.seq, text=hash)


def _erased_hashes(events: Iterable[Event]) -> Iterator[str]:
    return (e.data.hash for e in events if isinstance(e.data, TextErased))


def _contradicted_rulings(t: Tournament) -> Iterator[ContradictedAnswer]:
    for check in t.facts_checks.values():
        d = check.event
        if d.contradicted:
            yield ContradictedAnswer(check.seq, d.ruling, d.game, d.article, d.contradicted)


def _changes_and_overrides(
    t: Tournament, events: Iterable[Event]
) -> tuple[list[ChangedRegulationsAnswer], list[OverrideAnswer]]:
    changes: list[ChangedRegulationsAnswer] = []
    overrides: list[OverrideAnswer] = []
    former: Regulations | None = None
    paired = False
    for e in events:
        if isinstance(e.data, RegulationsAdopted):
            values = differing_paths(former, e.data.regulations) if former is not None else []
            if paired and values:
                changes.append(ChangedRegulationsAnswer(e.seq, e.actor, e.role, _hash(e.data.reason), values))
            former = e.data.regulations
        elif isinstance(e.data, RoundPaired):
            paired = True
            if e.data.overrides and e.data.pairing not in t.withdrawn_pairings:
                reason = _hash(e.data.reason)
                overrides.append(OverrideAnswer(e.seq, e.data.round, e.actor, e.data.overrides, reason))
    return changes, overrides


def _hash(reason: TextRef | None) -> str | None:
    return None if reason is None else reason.text


def _shared_places(t: Tournament) -> Iterator[SharedPlaceAnswer]:
    """Yield the first places that must not be shared but are, each with the event of the final table, or the newest one."""
    seq = next((p.seq for p in reversed(t.publications) if p.event.final), t.seq)
    for place in first_places_not_parted(t):
        yield SharedPlaceAnswer(seq, place.rank, **{"teams" if is_team_event(t) else "players": place.sides})


def differing_paths(former: Any, now: Any, path: str = "") -> list[str]:
    """Return the dotted paths of the values that differ between two rulesets, ``former`` and ``now``.

    A list of rows is one value. ``path``: the path of these values in the whole ruleset.
    """
    if not (is_dataclass(former) and type(former) is type(now)):
        return [] if former == now else [path]
    prefix = f"{path}." if path else ""
    return [
        value
        for f in fields(former)
        for value in differing_paths(getattr(former, f.name), getattr(now, f.name), prefix + f.name)
    ]


def _counts_nothing(t: Tournament, game: Game | None) -> bool:
    """Return whether the orphaned events of a ``game`` have no effect now.

    They have none if the game does not exist (None), its pairing was withdrawn, or a ruling in force decides it.
    """
    return game is None or game.pairing in t.withdrawn_pairings or t.ruling_on(game) is not None


def _overridden_corrections(t: Tournament) -> Iterator[BeneathAnswer]:
    for game in t.games_in_force():
        ruling = t.ruling_on(game)
        if ruling is not None and game.corrected is not None and game.corrected.seq > ruling.seq:
            yield BeneathAnswer(game.corrected.seq, game.game, ruling.event.ruling)


def _late_corrections(t: Tournament) -> Iterator[LateCorrectionAnswer]:
    """Yield corrections of arrivals and breaks that were made after a later round was paired."""
    for corrects, id in t.corrections.items():
        one = t.arrivals.get(id) or t.breaks[id]
        game = t.games.get(one.game)
        later = (p.seq for p in t.pairings if p.withdrawn is None and game is not None and p.event.round > game.round)
        if min(later, default=one.seq) < one.seq:
            yield LateCorrectionAnswer(one.seq, one.game, corrects, id)
