"""Knock-out 淘汰制, single and double, and the match of two: the next matches of the bracket."""

from collections.abc import Callable

from services.pairing.rules.formats import former_knockout as former
from services.pairing.rules.sides.model import Meeting, Plan, RoundRequest
from services.pairing.rules.sides.participants import entrants_in
from services.pairing.rules.sides.stages import last_match
from shared.core.language.messages import say
from shared.core.rounds.bracket_plan import BracketMatch, round_name
from shared.core.rounds.brackets import Bracket, Sides, plan_of
from shared.core.rounds.matches import find_bracket, has_games_left, match_results
from shared.core.rounds.stages import heads, stages_begun
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

Wave = list[tuple[BracketMatch, Sides]]


def knockout(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the next matches of a single knock-out, including matches for places if these are played.

    Matches of a first round with byes are the preliminary round 预选赛. Refusals: those of `_next_wave`.
    """
    return _next_wave(t, round, request, _stage_of_single)


def double_knockout(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the next matches of a double knock-out. Refusals: those of `_next_wave`."""
    return _next_wave(t, round, request, _stage_of_double)


def match(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the plan of the format match: one match of two sides. Refusals: ``two-sides``, and those of `_next_wave`."""
    sides = _seeds(t, round, request)
    if len(sides) > 2:
        return Refusal(
            "rule",
            "two-sides",
            say(
                "the tournament format match requires exactly two players or teams, but there are {sides}",
                sides=len(sides),
            ),
        )
    return _next_wave(t, round, request, lambda wave: "")


def _next_wave(t: Tournament, round: int, request: RoundRequest, stage: Callable[[Wave], str]) -> Plan | Refusal:
    """Return the plan of the next matches of the bracket that can be played at the same time.

    Lots decide the first colours 猜先 (002-X 13.4). ``stage``: names the stage from these matches. A side that has left
    loses its match. Refusals: ``too-few-players``, ``no-round-left``.
    """
    seeded, begun = _seeds(t, round, request), () if request.entrants else stages_begun(t)
    if len(seeded) < 2:
        return Refusal(
            "rule",
            "too-few-players",
            say("a knock-out requires at least two sides, but there are only {seeded}", seeded=len(seeded)),
        )
    before = last_match(t, begun[-1].first if begun else None)
    wave = _bracket(t, request.stage, seeded, before, begun=bool(begun)).next_wave()
    if not wave:
        return Refusal("rule", "no-round-left", say("all matches of the bracket have been played"))
    meetings = tuple(_meeting(t, round, request.seed, match, sides, before) for match, sides in wave)
    return Plan(
        meetings,
        stage=part_of_bracket(t, wave[0][0].size, request.stage) if request.stage.name else stage(wave),
        groups=() if begun else (seeded,),
        seed=request.seed if any(m.walkover is None for m in meetings) else 0,
        fixed=True,
    )


def _bracket(
    t: Tournament, stage: StageRule, seeded: tuple[int, ...], before: int, *, begun: bool
) -> Bracket | former.Bracket:
    """Return the bracket of the sides ``seeded``, with its matches paired so far, as the decision edition plans it.

    ``before``: the number of matches in earlier stages. ``begun``: the stage has a paired round.
    """
    plan, results = plan_of(stage.format, len(seeded), stage.places), match_results(t)
    if t.regulations.decisions >= 3:
        found = find_bracket(t, results) if begun else None
        if found is not None:
            return found.bracket
    return former.Bracket(plan, seeded, {number - before: m for number, m in results.items() if number > before})


def _seeds(t: Tournament, round: int, request: RoundRequest) -> tuple[int, ...]:
    """Return the sides of the bracket by their seeds: qualified sides, else starting numbers at the first pairing."""
    begun = stages_begun(t)
    return request.entrants or (begun[-1].groups[0] if begun else entrants_in(t, round))


def part_of_bracket(t: Tournament, size: int, stage: StageRule) -> str:
    """Return the name of the stage to which the matches among the last ``size`` sides of a bracket belong.

    One bracket may have several stages, each played until its ``qualifiers`` are left (000-B 4: 初赛, 16强, 决赛).
    """
    if stage.format != "knockout":
        return stage.name
    parts = [one for one in t.regulations.stages if one.format == "knockout"]
    return next((one.name for one in parts if size > one.qualifiers), stage.name)


def _meeting(t: Tournament, round: int, seed: int, match: BracketMatch, sides: Sides, before: int) -> Meeting:
    """Return a match of the bracket as a meeting of two ``sides`` (0: no opponent).

    Lots drawn from ``seed`` decide the first colour. If a side has left, the other one advances without play.
    ``before``: the number of matches in earlier stages.
    """
    number = before + match.number
    first, second = sides if sides[0] else sides[::-1]
    there = [side for side in (first, second) if side and has_games_left(t, round, side)]
    if len(there) < 2:
        return Meeting(first, second, number, places=match.places, walkover=sum(there))
    if heads(seed, number):
        first, second = second, first
    return Meeting(first, second, number, places=match.places)


def _stage_of_single(wave: Wave) -> str:
    first, _ = wave[0]
    return round_name(first.size, byes=first.wave == 1 and not all(all(sides) for _, sides in wave))


def _stage_of_double(wave: Wave) -> str:
    first, _ = wave[0]
    return "final" if first.places == (1, 2) else ""
