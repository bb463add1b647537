"""A round paired by hand (F9): the pairing that results from the given boards, and the absolute rules it breaks."""

from dataclasses import dataclass

from services.pairing.rules.absolute_criteria import OVERRIDABLE, Violation, describe, is_bound_by_format, violations
from services.pairing.rules.commands import PairRound
from services.pairing.rules.engines.versions import TABLES
from services.pairing.rules.formats.manual import pair_manually
from services.pairing.rules.formats.multi_game_matches import plan_open_matches
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.formats.registry import plan_round
from services.pairing.rules.sides.model import Plan, RoundRequest
from services.pairing.rules.sides.seating import Seating
from shared.core.events import Decision, Engine, RoundPaired
from shared.core.language.messages import say
from shared.core.readings.authority import permit
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, Side


@dataclass(frozen=True, slots=True)
class FirstColour:
    """The initial colour of the event (C.04.3, 5.1), and the seed that it was drawn from (0: it was not drawn)."""

    colour: Side
    seed: int


@dataclass(frozen=True, slots=True)
class HandPairing:
    """A pairing by hand: its event, and the absolute rules that it breaks, including those that are overridden."""

    paired: RoundPaired
    broken: tuple[Violation, ...]


def decide(t: Tournament, c: PairRound, round: int, first: FirstColour) -> Decision | Refusal:
    """Decide the pairing of ``round`` on the boards that the command gives. ``first``: the initial colour.

    Refusals: ``reason-missing``, ``empty-pairing``, ``unknown-override``, ``absolute-rule``, those of `permit` and of
    `judge_boards`.
    """
    assert c.boards is not None
    if c.reason is None:
        return Refusal("invalid", "reason-missing", say("a manual pairing requires a reason"), where="reason")
    if not c.boards and c.bye is None:
        return Refusal("invalid", "empty-pairing", say("a pairing seats somebody"), where="boards")
    unknown = sorted(set(c.overrides) - set(OVERRIDABLE))
    if unknown:
        detail = say(
            "rules that cannot be waived: {unknown}; those that can: {overridable}",
            unknown=tuple(unknown),
            overridable=tuple(OVERRIDABLE),
        )
        return Refusal("invalid", "unknown-override", detail, where="overrides")
    refusal = permit(t, c.actor, "override an absolute rule") if c.overrides else None
    if refusal is not None:
        return refusal
    made = judge_boards(t, c, round, first)
    if isinstance(made, Refusal):
        return made
    broken = tuple(v for v in made.broken if v.rule not in c.overrides)
    if broken:
        return Refusal("rule", "absolute-rule", describe(broken), broken[0].article, where="boards")
    return Decision((made.paired,))


def judge_boards(t: Tournament, c: PairRound, round: int, first: FirstColour) -> HandPairing | Refusal:
    """Return the boards of the command ``c`` as a pairing of ``round``, with the absolute rules that it breaks.

    Refusals: those of `plan_of_format` and of `pair_manually`. ``first``: the initial colour.
    """
    assert c.boards is not None
    due = stage_due(t)
    plan = plan_of_format(t, round, first) or Plan((), stage=due.name)
    if isinstance(plan, Refusal):
        return plan
    seats = pair_manually(t, round, c.boards, c.bye, plan, due)
    if isinstance(seats, Refusal):
        return seats
    broken = violations(t, round, seats.boards, seats.byes, stage=plan.stage, drawn=plan.fixed)
    return HandPairing(round_paired(t, c, round, plan, seats, first), broken)


def round_paired(
    t: Tournament,
    c: PairRound,
    round: int,
    plan: Plan,
    seats: Seating,
    first: FirstColour,
    engine: Engine | None = None,
) -> RoundPaired:
    """Return the event that pairs ``round`` on these ``seats``. ``plan``: gives their stage and groups.

    ``first``: the initial colour, and the seed of all lots. ``engine``: None for a pairing by hand.
    """
    return RoundPaired(
        round,
        len(t.pairings) + 1,
        seats.boards,
        seats.byes,
        engine,
        first.colour,
        first.seed,
        c.reason,
        c.overrides,
        stage=plan.stage,
        matches=seats.matches,
        groups=plan.groups,
    )


def plan_of_format(t: Tournament, round: int, first: FirstColour) -> Plan | Refusal | None:
    """Return the plan that a manual pairing of ``round`` must follow, or None if it may seat any players.

    Such a plan comes from a table, a bracket, or matches that need another game. ``first``: the initial colour, and the
    seed of lots. Refusals: those of `plan_round` and of `plan_open_matches`.
    """
    if not is_bound_by_format(t):
        return None
    due = stage_due(t)
    if FORMATS[due.format].drawn_up:
        return plan_round(t, round, RoundRequest(first.seed, first.colour, TABLES, due))
    return plan_open_matches(t, round)
