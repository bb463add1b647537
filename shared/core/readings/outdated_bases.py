"""Outdated bases: pairings and published tables that the present results would no longer give.

A bracket match is paired from the winners of others, a stage from a published table. If a result or a removal behind it
changes, the pairing is kept as played until it is withdrawn, voided or upheld; a table until it is published again.
Nothing is stored for this: the seats are compared with those that would be given now. Standard library only.
"""

from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import Literal, NamedTuple

from shared.core.events import Match, RoundPaired
from shared.core.readings.counted_results import counted_results, latest_event, latest_event_on_ruling
from shared.core.rounds.berger_tables import berger, double_cycle
from shared.core.rounds.further_games import find_needless_games
from shared.core.rounds.matches import (
    find_bracket,
    has_games_left,
    has_left,
    match_results,
    members_of,
    team_of,
    teams_meet,
)
from shared.core.rounds.stages import (
    Stage,
    begins,
    is_bracket,
    published_order,
    qualified,
    seeds_of_finals,
    seeds_of_stage,
    stage_named,
    stages_begun,
)
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.entities import Game, Pairing, Publication
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, GameId, Seq

MATCH_ARTICLE = "002-X 11.1"
QUALIFIERS_ARTICLE = "002-X 11.3"
TABLE_ARTICLE = "002-X 11.2"


class OutdatedBasis(NamedTuple):
    """A pairing in force, or a published table, that the present results would not give.

    ``pairing``: its number, 0 for a publication. ``round``: its round, for a publication the round of the table.
    ``match``: the number of a match of a bracket, else 0. ``boards``: the boards of the match or of the pairing.
    ``seated``: the seated sides. ``due``: the sides that would be seated now, without empty places; if only such a place
    differs, with the sides that would play for it. Both are in order of number, at the beginning of a stage in order of
    seed, and both are empty for a publication. ``due`` is empty too for a further game that is no longer due.
    ``because``: the last event that caused the difference, as far as known (0: unknown).
    """

    kind: Literal["match", "qualifiers", "publication"]
    pairing: int
    round: int
    match: int
    boards: tuple[int, ...]
    seated: tuple[int, ...]
    due: tuple[int, ...]
    because: Seq
    article: str


def find_outdated_bases(t: Tournament) -> tuple[OutdatedBasis, ...]:
    """Return the outdated pairings (of brackets, round robins and stages) and published tables that were not upheld, by round.

    The articles are 002-X 11.1 to 11.3. A Swiss pairing is never outdated.
    """
    begun = stages_begun(t)
    bases = [*_matches(t, begun), *_tables(t, begun), *_qualifiers(t, begun), *_publications(t, begun)]
    return tuple(sorted(bases, key=lambda basis: (basis.round, basis.match, basis.kind)))


def _is_upheld(t: Tournament, basis: OutdatedBasis) -> bool:
    return (basis.pairing, basis.match, basis.seated, basis.due) in t.upheld


# ------------------------------------------------------------ brackets


def _matches(t: Tournament, begun: tuple[Stage, ...]) -> Iterator[OutdatedBasis]:
    if not begun or not is_bracket(t, begun[-1]):
        return
    results = match_results(t)
    paired_bracket = find_bracket(t, results)
    if paired_bracket is None:
        return
    bracket, before = paired_bracket
    rounds = map(t.current, range(begun[-1].first, t.rounds_paired() + 1))
    paired = [(p.event, m) for p in rounds if p is not None for m in p.event.matches if m.leg == 1]

    def compare(event: RoundPaired, m: Match, upheld: frozenset[int]) -> OutdatedBasis | None:
        number, rounds = m.match - before, (event.round, t.rounds_paired() + 1)

        def may_play(side: int) -> bool:
            return side in seated or all(has_games_left(t, round, side) for round in rounds)

        seated = {side for side in (m.first, m.second) if side}
        due = {side for side in bracket.due(number, upheld) if side}
        if not m.boards:
            # A side that had left went without a game: it would have one if what removed it is no longer in force.
            free = {seat.player for seat in event.byes if seat.kind == "U"}
            seated = {side for side in seated if free.intersection(members_of(t, side))}
            due = set(filter(may_play, due))
        if seated == due:
            # An empty seat was right while no side could come for it.
            due |= set(filter(may_play, bracket.undecided_before(number, upheld)))
        if seated == due:
            return None
        because = max((_latest(t, before + n) for n in bracket.feeding(number)), default=Seq(0))
        return _match_basis(event, m, seated, due, because)

    # An upheld match has its sides from matches as they were played, and so may another one that follows these.
    upheld, upheld_before = frozenset[int](), None
    while upheld != upheld_before:
        upheld_before = upheld
        differing = [(m, basis) for event, m in paired if (basis := compare(event, m, upheld)) is not None]
        upheld |= {n for m, basis in differing if _is_upheld(t, basis) for n in bracket.feeding(m.match - before)}
    needless = ((event, m) for event, m in find_needless_games(t) if m.match > before)
    bases = [_match_basis(event, m, {m.first, m.second}, set(), _latest(t, m.match)) for event, m in needless]
    yield from (basis for basis in (*(basis for _, basis in differing), *bases) if not _is_upheld(t, basis))


def _match_basis(event: RoundPaired, m: Match, seated: set[int], due: set[int], because: Seq) -> OutdatedBasis:
    sides = tuple(sorted(seated)), tuple(sorted(due))
    return OutdatedBasis("match", event.pairing, event.round, m.match, m.boards, *sides, because, MATCH_ARTICLE)


def _latest(t: Tournament, number: int) -> Seq:
    """Return the sequence number of the last event that may have changed the winner of a match of the bracket."""
    games = [
        t.games[board.game]
        for pairing in t.pairings
        if pairing.withdrawn is None
        for m in pairing.event.matches
        if m.match == number
        for board in pairing.event.boards
        if board.board in m.boards
    ]
    lot = t.lots.get(number)
    return max(latest_event(t, games), Seq(0) if lot is None else lot.seq)


# ------------------------------------------------------------ tables of round robins


def _tables(t: Tournament, begun: tuple[Stage, ...]) -> Iterator[OutdatedBasis]:
    """Yield as outdated each round of a round robin paired without a game that is due now.

    Its two sides may play, because an expulsion is no longer in force.
    """
    if not any(ruling.event.effect.kind == "expel" for ruling in t.rulings.values()):
        return
    for stage, after in zip_longest(begun, begun[1:]):
        rule = stage_named(t, stage.name)
        traits = FORMATS[rule.format]
        if not traits.rests or not stage.groups or (stage is not begun[0] and t.announced.conditions.carried):
            continue
        cycles = [berger(len(group)) for group in stage.groups]
        tables = [double_cycle(table) for table in cycles] if traits.cycles == 2 else cycles
        last = t.rounds_paired() if after is None else after.first - 1
        paired = [p for p in map(t.current, range(stage.first, last + 1)) if p is not None and begins(p.event)]
        for number, pairing in enumerate(p for p in paired if p.event.stage != PLAY_OFF):
            pairs = [
                (group[one - 1], group[other - 1])
                for group, table in zip(stage.groups, tables, strict=True)
                for one, other in (table[number] if number < len(table) else ())
                if max(one, other) <= len(group)
            ]
            yield from _resting(t, pairing, pairs)


def _resting(t: Tournament, pairing: Pairing, pairs: list[tuple[int, int]]) -> Iterator[OutdatedBasis]:
    event = pairing.event
    if event.engine is None:
        return
    team = team_of(t) if teams_meet(t) else {}
    seated = {team.get(player, int(player)) for b in event.boards for player in (b.white, b.black)}
    missing = {
        side
        for pair in pairs
        if not seated.issuperset(pair) and all(has_games_left(t, event.round, side) for side in pair)
        for side in pair
    }
    if not missing:
        return
    sides = tuple(sorted(seated)), tuple(sorted(seated | missing))
    because = max(_returns(t, missing), default=Seq(0))
    boards = tuple(b.board for b in event.boards)
    basis = OutdatedBasis("qualifiers", event.pairing, event.round, 0, boards, *sides, because, TABLE_ARTICLE)
    if not _is_upheld(t, basis):
        yield basis


# ------------------------------------------------------------ stages


def _qualifiers(t: Tournament, begun: tuple[Stage, ...]) -> Iterator[OutdatedBasis]:
    for stage, after in pairwise(begun):
        pairing = t.current(after.first)
        order = published_order(t, after.first - 1)
        if pairing is None or not order:
            continue
        event, seated = pairing.event, pairing.event.groups[0]
        boards = tuple(b.board for b in event.boards)
        published = [p.seq for p in t.publications if p.event.round == after.first - 1 and p.event.order]
        for due in _due(t, stage, pairing, order):
            because = max([published[-1], *_returns(t, {*seated, *due})])
            basis = OutdatedBasis(
                "qualifiers", event.pairing, event.round, 0, boards, seated, due, because, QUALIFIERS_ARTICLE
            )
            # Two sides meet each other whatever their order.
            if due == seated or (len(due) == len(seated) == 2 and set(due) == set(seated)) or _is_upheld(t, basis):
                break
        else:
            yield basis


def _due(
    t: Tournament, stage: Stage, pairing: Pairing, order: tuple[tuple[int, ...], ...]
) -> Iterator[tuple[int, ...]]:
    """Yield twice the sides that would begin the stage of ``pairing`` now, in order of seed, by the lots drawn for it.

    ``stage``: the stage before it. ``order``: its published table. The first answer has the sides that had not left when the
    stage was paired. The second is without sides that were not seated and have left since (002-X 18.3, 20).
    """
    rule: StageRule = stage_named(t, stage.name)
    event = pairing.event
    everybody = tuple(side for place in order for side in place)

    def had_left(side: int, round: int, until: Seq) -> bool:
        return all(has_left(t, round, member, until) for member in members_of(t, side))

    then = {side for side in everybody if not had_left(side, event.round, pairing.seq)}
    now = {side for side in then if side in event.groups[0] or not had_left(side, t.rounds_paired() + 1, Seq(t.seq))}
    for present in (then, now):
        best, _ = qualified(order, stage.groups or (everybody,), rule.qualifiers, event.seed, present.__contains__)
        yield (seeds_of_stage if t.regulations.stages else seeds_of_finals)(best, rule.qualifiers)


def _returns(t: Tournament, sides: set[int]) -> Iterator[Seq]:
    """Yield, for each expulsion of a player of these sides, the number of the last event about it."""
    members = {member for side in sides for member in members_of(t, side)}
    for id, ruling in t.rulings.items():
        if ruling.event.player in members and ruling.event.effect.kind == "expel":
            yield latest_event_on_ruling(t, id)


# ------------------------------------------------------------ published tables


def _publications(t: Tournament, begun: tuple[Stage, ...]) -> Iterator[OutdatedBasis]:
    """Yield the outdated tables of rounds that a stage was made up from, and of the last round, which the next pairing uses."""
    bases = {stage.first - 1 for stage in begun[1:]} | {t.rounds_paired()}
    latest: dict[int, Publication] = {p.event.round: p for p in t.publications if p.event.order}
    for round in sorted(latest.keys() & bases):
        publication = latest[round]
        now = counted_results(t, round)
        if now == publication.counted:
            continue
        differing = {
            key for key in now.keys() | publication.counted.keys() if now.get(key) != publication.counted.get(key)
        }
        games = [t.games[GameId(key)] for key in differing if isinstance(key, str) and key in t.games]
        because = max(_changed(t, publication, games), default=Seq(0))
        yield OutdatedBasis("publication", 0, round, 0, (), (), (), because, QUALIFIERS_ARTICLE)


def _changed(t: Tournament, publication: Publication, games: list[Game]) -> Iterator[Seq]:
    yield latest_event(t, games)
    for pairing in t.pairings:
        if pairing.event.round <= publication.event.round:
            yield max(pairing.seq, pairing.withdrawn or Seq(0))
    for id, ruling in t.rulings.items():
        if ruling.event.round <= publication.event.round:
            yield latest_event_on_ruling(t, id)
