"""The interface to formats, with one row for every format of `shared.core.rulebook.formats`."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from services.pairing.rules.engines.versions import TABLES
from services.pairing.rules.formats.groups import groups
from services.pairing.rules.formats.knockout import double_knockout, knockout, match
from services.pairing.rules.formats.multi_game_matches import plan_open_matches
from services.pairing.rules.formats.next_stage import entrants, stage_due
from services.pairing.rules.formats.round_robin import round_robin
from services.pairing.rules.formats.swiss import swiss, swiss_engine
from services.pairing.rules.sides.model import Plan, RoundRequest
from shared.core.events import Engine
from shared.core.language.messages import say, term
from shared.core.rounds.rounds_to_come import is_stage_over
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import Tournament
from shared.core.terms import Conditions, Refusal


def no_plan(t: Tournament, round: int, request: RoundRequest) -> Refusal:
    """Return the refusal ``no-engine``: every round of this format is paired by hand."""
    detail = say(
        "the format {format} is paired by hand: name the boards and a reason", format=term(request.stage.format)
    )
    return Refusal("rule", "no-engine", detail, where="boards")


def tables(regulations: Regulations, conditions: Conditions) -> Engine:
    """Return the name and version recorded for formats that are paired by tables or brackets, without an engine."""
    return TABLES


@dataclass(frozen=True, slots=True)
class PairedFormat:
    """How a format is paired.

    ``plan``: a function that returns the plan of a round or a refusal. ``engine``: a function that returns the engine for
    the regulations and conditions of a tournament.
    """

    plan: Callable[[Tournament, int, RoundRequest], Plan | Refusal]
    engine: Callable[[Regulations, Conditions], Engine] = tables


PAIRED_FORMATS: dict[Format, PairedFormat] = {
    "swiss": PairedFormat(swiss, swiss_engine),
    "round_robin": PairedFormat(round_robin),
    "double_round_robin": PairedFormat(round_robin),
    "groups": PairedFormat(groups),
    "knockout": PairedFormat(knockout),
    "double_knockout": PairedFormat(double_knockout),
    "match": PairedFormat(match),
    "manual": PairedFormat(no_plan),
    "teams": PairedFormat(no_plan),
}


def plan_round(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the plan of ``round``: matches in progress come first, then the stage that is due.

    Refusals: ``no-engine`` for a format paired by hand, ``match-drawn``, ``no-round-left``, those of `entrants` and of
    the format.
    """
    going_on = plan_open_matches(t, round)
    if going_on is not None:
        return going_on
    due = request.stage
    if t.regulations.stages and t.rounds_paired() and due == stage_now(t) and is_stage_over(t):
        return Refusal(
            "rule", "no-round-left", say("all rounds of the stage {name}, the last, have been paired", name=due.name)
        )
    going = entrants(t, round, due, request.seed)
    if isinstance(going, Refusal):
        return going
    sides, drawn = going
    plan = PAIRED_FORMATS[due.format].plan(t, round, replace(request, entrants=sides))
    if isinstance(plan, Refusal):
        return plan
    return replace(plan, stage=plan.stage or due.name, seed=plan.seed or drawn)


def installed_engine(t: Tournament) -> Engine:
    """Return the installed engine that pairs the next round of this competition, with its version."""
    return PAIRED_FORMATS[stage_due(t).format].engine(t.regulations, t.announced.conditions)
