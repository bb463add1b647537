"""The stages of a tournament: the stage of a round, those paired so far, and the sides that qualify for the next one."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from shared.core.events import RoundPaired, TournamentAnnounced
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, HalfPoints


def drawn_order(seed: int, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers in the order of the lots, or unchanged if nothing is drawn (seed 0)."""
    return tuple(sorted(numbers, key=lambda n: _ticket(seed, n))) if seed else tuple(numbers)


def heads(seed: int, number: int) -> bool:
    """Return the lot of 猜先: True if the sides of match ``number`` change colours. False if nothing is drawn (seed 0)."""
    return bool(seed) and bool(_ticket(seed, number)[-1] & 1)


def _ticket(seed: int, number: int) -> bytes:
    return sha256(f"{seed}:{number}".encode()).digest()


class MatchScore(NamedTuple):
    """The score of a match.

    ``points``: half-points of the first and the second side; in a team event, game points (局分). ``legs``: the number of rounds
    it was paired in, the last of them ``round``, of this ``stage``. ``open``: the number of games without a result.
    ``absent``: both sides lost its last round unplayed 双方弃权. ``over``: no more games of it are due. ``winner`` is 0
    if it is not over, was drawn (``drawn``), or both sides are out.
    """

    match: int
    first: int
    second: int
    points: tuple[HalfPoints, HalfPoints]
    legs: int
    round: int
    open: int
    stage: str
    places: tuple[int, ...]
    over: bool
    winner: int
    drawn: bool
    absent: bool

    @property
    def loser(self) -> int:
        """Return the side that lost it, or 0."""
        return 0 if not self.winner else self.second if self.winner == self.first else self.first


@lru_cache(maxsize=64)
def whole_competition(announced: TournamentAnnounced) -> StageRule:
    """Return a competition announced without stages as a single stage."""
    c = announced.conditions
    return StageRule(
        "",
        announced.format,
        announced.rounds,
        c.groups,
        c.qualifiers,
        c.games,
        c.best,
        c.extra,
        c.places,
        c.time,
    )


def stage_named(t: Tournament, name: str) -> StageRule:
    """Return the announced stage of this name, or the whole competition if no stage has it."""
    return next((stage for stage in t.regulations.stages if stage.name == name), None) or whole_competition(t.announced)


def rounds_of_a_match(t: Tournament, stage: str = "") -> int:
    """Return how many rounds an undecided match of a stage lasts: the announced games; in 全队轮赛 one per board (12.4)."""
    team = t.announced.conditions.team
    if team is not None and team.kind == "everybody":
        return team.boards
    return stage_named(t, stage).games


def is_game_due(t: Tournament, stage: str, legs: int, *, absent: bool) -> bool:
    """Return whether another game is due in an undecided match: an announced one, or an extra one 加赛 (000-B 4, 9).

    ``legs``: the games so far. Sides that were both ``absent`` from the last announced game have no extra one: the lots decide.
    """
    announced, rules = rounds_of_a_match(t, stage), t.regulations.pairing
    if legs < announced:
        return True
    if rules.drawn_match == "lots" or (absent and t.regulations.decisions >= 2):
        return False
    return rules.drawn_match == "extra" or legs < announced + stage_named(t, stage).extra


def stage_of(t: Tournament, round: int) -> StageRule:
    """Return the stage that a round was paired in, or the stage in force if the round is not paired yet."""
    pairing = t.current(round) if t.regulations.stages else None
    return stage_now(t) if pairing is None else stage_named(t, pairing.event.stage)


def stage_now(t: Tournament) -> StageRule:
    """Return the stage of the last paired round, or the first stage before the first round."""
    stages = t.regulations.stages
    if not stages:
        return whole_competition(t.announced)
    names = (p.event.stage for p in reversed(t.pairings) if p.withdrawn is None and p.event.stage != PLAY_OFF)
    name = next(names, stages[0].name)
    return stage_named(t, name)


def rounds_over(t: Tournament) -> bool:
    """Return whether all announced rounds have been paired. False if stages or a winner decide the number of rounds."""
    last = t.announced.rounds
    return 0 < last <= t.rounds_paired() and not t.regulations.stages and not FORMATS[t.announced.format].winner_needed


def rounds_of(t: Tournament, stage: StageRule) -> int:
    """Return the number of paired rounds of a stage."""
    paired = (t.current(round) for round in range(1, t.rounds_paired() + 1))
    return sum(p is not None and p.event.stage == stage.name for p in paired)


def begun_stages(t: Tournament) -> tuple[StageRule, ...]:
    """Return the announced stages up to the last one that has a round in force."""
    now = {p.event.stage for p in t.pairings if p.withdrawn is None}
    stages = t.regulations.stages
    return stages[: max((n for n, stage in enumerate(stages, 1) if stage.name in now), default=0)]


def ranks_by_places(t: Tournament, name: str) -> bool:
    """Return whether a stage only ranks its sides by the places they play for: a bracket after another format.

    Its games give no points in the table.
    """
    stages = t.regulations.stages
    return bool(stages) and not _bracket(stages[0]) and any(s.name == name and _bracket(s) for s in stages)


def _bracket(stage: StageRule) -> bool:
    return FORMATS[stage.format].winner_needed


class Stage(NamedTuple):
    """A part of a competition as paired so far, from its ``first`` round on.

    ``groups``: the sides of each group, in the order of their table numbers; empty if it has no groups (a Swiss).
    ``encounters``: its rounds that began new meetings.
    """

    name: str
    groups: tuple[tuple[int, ...], ...]
    encounters: int
    first: int = 1


def stages_begun(t: Tournament, last: int | None = None) -> tuple[Stage, ...]:
    """Return the stages begun up to round ``last`` (default: all), in order, by the pairings in force.

    A play-off belongs to no stage.
    """
    begun: list[Stage] = []
    for number in range(1, (t.rounds_paired() if last is None else last) + 1):
        pairing = t.current(number)
        if pairing is None or pairing.event.stage == PLAY_OFF:
            continue
        event = pairing.event
        if event.groups or not begun:
            begun.append(Stage(event.stage, event.groups, 0, number))
        begun[-1] = begun[-1]._replace(encounters=begun[-1].encounters + begins(event))
    return tuple(begun)


def begins(paired: RoundPaired) -> bool:
    """Return whether a round began new meetings: not if it only continued matches (for example the second of two games)."""
    return all(m.leg == 1 for m in paired.matches)


def is_bracket(t: Tournament, stage: Stage) -> bool:
    """Return whether a stage is a bracket."""
    return FORMATS[stage_named(t, stage.name).format].winner_needed


def has_bracket(t: Tournament) -> bool:
    """Return whether the competition, or a stage of it, is a bracket."""
    formats = [t.announced.format, *(stage.format for stage in t.regulations.stages)]
    return any(FORMATS[format].winner_needed for format in formats)


def qualified(
    order: Sequence[Sequence[int]],
    groups: Sequence[Collection[int]],
    wanted: int,
    seed: int,
    remains: Callable[[int], bool],
) -> tuple[list[list[int]], bool]:
    """Return the ``wanted`` best sides of each group, the best first, and whether lots were drawn (002-X 11.3).

    ``order``: a published table, with the sides that share a place together. ``remains``: whether a side still takes part. If
    more sides share the last qualifying place than can qualify, lots from ``seed`` decide.
    """
    drawn, best = False, list[list[int]]()
    for group in groups:
        qualifiers: list[int] = []
        for place in order:
            sharing = [side for side in place if side in group and remains(side)]
            if len(qualifiers) < wanted < len(qualifiers) + len(sharing):
                drawn, sharing = True, list(drawn_order(seed, sharing))
            qualifiers += sharing
        best.append(qualifiers[:wanted])
    return best, drawn


def seeds_of_stage(best: Sequence[Sequence[int]], wanted: int) -> tuple[int, ...]:
    """Return the sides at the beginning of a stage by their seeds: the first of every group before the second of any."""
    return tuple(side for place in range(wanted) for group in best for side in group[place : place + 1])


def seeds_of_finals(best: Sequence[Sequence[int]], wanted: int) -> tuple[int, ...]:
    """Return the sides of the finals by table number: first of each group, then second in reverse order of groups, and so on."""
    return tuple(
        side
        for place in range(wanted)
        for group in (best if place % 2 == 0 else best[::-1])
        for side in group[place : place + 1]
    )


def published_order(t: Tournament, round: int) -> tuple[tuple[int, ...], ...]:
    """Return the order of the last table published after a round, which the next stage is made up from, or () without one."""
    orders = (p.event.order for p in reversed(t.publications) if p.event.round == round and p.event.order)
    return next(orders, ())


def places(t: Tournament, results: Mapping[int, MatchScore]) -> dict[int, int]:
    """Return the best place that each side of a knock-out can still have, from the last match that it completed.

    If nobody has won, both are out: they have the loser's place, or, if a loser would have played on, rank below all who
    were still in the competition.
    """
    best: dict[int, int] = {}
    out: dict[int, int] = {}
    brackets = [m for m in results.values() if FORMATS[stage_named(t, m.stage).format].winner_needed]
    sides = {side for m in brackets for side in (m.first, m.second) if side}
    for match in sorted(brackets, key=lambda m: (m.round, m.match)):
        for side in (match.first, match.second):
            best.setdefault(side, 1)
        if match.over and match.places:
            if not match.winner and t.regulations.decisions >= 2:
                left = len(sides) - sum(match.round > round for side, round in out.items() if side)
                place = match.places[-1] if match.places[-1] > match.places[0] else left
                best[match.first] = best[match.second] = place
                out |= {match.first: match.round, match.second: match.round}
            best[match.winner] = match.places[0]
            best[match.loser] = match.places[-1]
            if match.places[-1] > match.places[0]:
                out[match.loser] = match.round
    best.pop(0, None)
    return best
