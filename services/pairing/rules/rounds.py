"""Pairing a round, by its format or by hand, and taking an unplayed pairing back."""

from dataclasses import dataclass
from hashlib import sha256

from services.pairing.rules.absolute_criteria import OVERRIDABLE, Violation, bound_by_format, violations
from services.pairing.rules.commands import PairRound, WithdrawPairing
from services.pairing.rules.engines.fide_dutch import unfinished_games
from services.pairing.rules.engines.versions import GACRUX, TABLES
from services.pairing.rules.formats.manual import pair_manually
from services.pairing.rules.formats.model import Plan, RoundRequest
from services.pairing.rules.formats.multi_game_matches import continuing
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.formats.participants import present_in
from services.pairing.rules.formats.registry import engine_at_hand, plan_round
from services.pairing.rules.formats.seating import seating
from services.pairing.rules.pairing_input import initial_colour
from services.pairing.rules.shown_pairing import ShownPairing, shown
from shared.core.authority import permit
from shared.core.events import Decision, PairingWithdrawn, RoundPaired
from shared.core.formats import FORMATS
from shared.core.messages import Message, in_turn, say, term
from shared.core.stages import rounds_over
from shared.core.terms import Refusal, Side
from shared.core.tournament import Tournament, TournamentState

LONG = 60
"""More sides than this are paired beside the writer, where an engine pairs them."""


@dataclass(frozen=True, slots=True)
class FirstColour:
    """The first colour, and the seed that drew it (0: not drawn)."""

    colour: Side
    seed: int


def pair(t: Tournament, c: PairRound) -> Decision | Refusal:
    """Pair the next round.

    Refusals: ``no-round-left``, ``colour-drawn``, ``round-unfinished``, ``pairing-differs``, and those of
    `_format_pairing` and `_manual_pairing`.
    """
    round = t.rounds_paired() + 1
    if rounds_over(t):
        last = t.announced.rounds
        return Refusal("rule", "no-round-left", say("all {last} rounds announced have been paired", last=last))
    first = _first_colour(t, c)
    if isinstance(first, Refusal):
        return first
    decided = unfinished_games(t, round) or (_format_pairing if c.boards is None else _manual_pairing)(
        t, c, round, first
    )
    return decided if c.shown is None or isinstance(decided, Refusal) else _as_shown(decided, c.shown)


def withdraw(t: Tournament, c: WithdrawPairing) -> Decision | Refusal:
    """Take the last pairing back, before any game of it has begun.

    Refusals: ``unknown-round``, ``later-round-paired``, ``round-begun`` naming the boards.
    """
    current = t.current(c.round)
    if current is None:
        return Refusal(
            "unknown", "unknown-round", say("round {round} has not been paired", round=c.round), where="round"
        )
    if c.round != t.rounds_paired():
        return Refusal(
            "rule",
            "later-round-paired",
            say("round {rounds_paired} was paired on it", rounds_paired=t.rounds_paired()),
            where="round",
        )
    boards = boards_begun(t, current.event)
    if boards:
        named = ", ".join(map(str, boards))
        return Refusal(
            "rule", "round-begun", say("play has begun, or was ruled on, on board {named}", named=named), "C.04.2"
        )
    return Decision((PairingWithdrawn(c.round, current.event.pairing, c.reason),))


def long(t: TournamentState, c: object) -> bool:
    """Whether deciding takes an engine longer than the writer can wait."""
    if not isinstance(c, PairRound) or c.boards is not None or not isinstance(t, Tournament):
        return False
    return engine_at_hand(t) != TABLES and len(present_in(t, t.rounds_paired() + 1)) > LONG


def engine_of(c: object) -> str | None:
    """The engine that deciding again takes, with its version; None for what takes none."""
    if not isinstance(c, PairRound) or c.boards is not None or c.engine == TABLES:
        return None
    return f"{c.engine.name} {c.engine.version}" if c.engine else "the engine at hand"


def colour_by_lot(seed: int) -> Side:
    """The first colour by lot: White where the lowest bit of the seed's SHA-256 (decimal digits, UTF-8) is 0."""
    return "black" if sha256(str(seed).encode()).digest()[-1] & 1 else "white"


def _as_shown(decided: Decision, seen: ShownPairing) -> Decision | Refusal:
    """Refusals: ``pairing-differs``."""
    if all(shown(data) == seen for data in decided.events if isinstance(data, RoundPaired)):
        return decided
    return Refusal("rule", "pairing-differs", say("this is not the pairing that was shown; nothing was written"))


def _first_colour(t: Tournament, c: PairRound) -> FirstColour | Refusal:
    """Drawn once, for round 1; every later round keeps it (C.04.3, 5.1)."""
    known = initial_colour(t)
    if known is None:
        if c.initial_colour is not None:
            return FirstColour(c.initial_colour, 0)
        return FirstColour(colour_by_lot(c.seed), c.seed) if c.seed else FirstColour("white", 0)
    if c.initial_colour not in (None, known):
        return Refusal(
            "rule",
            "colour-drawn",
            say("the first colour was {known}", known=term(known)),
            "C.04.3, 5.1",
            where="initial_colour",
        )
    return FirstColour(known, 0)


def _format_pairing(t: Tournament, c: PairRound, round: int, first: FirstColour) -> Decision | Refusal:
    """Refusals: ``engine-pairing``, ``no-first-colour``, ``engine-not-at-hand``, ``engine-broke-rule``, `plan_round`'s."""
    if c.overrides or c.bye is not None:
        detail = say("only a pairing by hand sets rules aside or names who has the bye")
        return Refusal("invalid", "engine-pairing", detail, where="overrides" if c.overrides else "bye")
    engine = engine_at_hand(t)
    if engine != GACRUX and c.initial_colour is not None:
        detail = say("only the Dutch Swiss begins with a colour; here the table or the lots decide")
        return Refusal("invalid", "no-first-colour", detail, where="initial_colour")
    if c.engine not in (None, engine):
        at_hand, wanted = (f"{e.name} {e.version}" for e in (engine, c.engine))
        return Refusal(
            "rule",
            "engine-not-at-hand",
            say("{wanted} does not pair this here, {at_hand} does", wanted=wanted, at_hand=at_hand),
        )
    plan = plan_round(t, round, RoundRequest(c.seed, first.colour, engine, stage_due(t)))
    if isinstance(plan, Refusal):
        return plan
    seats = seating(t, round, plan)
    broken = violations(t, round, seats.boards, seats.byes, stage=plan.stage, drawn=_is_drawn_up(t, plan))
    if broken:
        return Refusal("rule", "engine-broke-rule", describe(broken), broken[0].article)
    pairing = len(t.pairings) + 1
    colour, seed = (first.colour, first.seed) if engine == GACRUX else ("white", plan.seed)
    paired = RoundPaired(
        round,
        pairing,
        seats.boards,
        seats.byes,
        engine,
        colour,
        seed,
        c.reason,
        stage=plan.stage,
        matches=seats.matches,
        groups=plan.groups,
    )
    return Decision((paired,))


def _manual_pairing(t: Tournament, c: PairRound, round: int, first: FirstColour) -> Decision | Refusal:
    """Refusals: ``reason-missing``, ``empty-pairing``, ``unknown-override``, ``absolute-rule``, and the authority's."""
    assert c.boards is not None
    if c.reason is None:
        return Refusal("invalid", "reason-missing", say("a pairing by hand is given a reason"), where="reason")
    if not c.boards and c.bye is None:
        return Refusal("invalid", "empty-pairing", say("a pairing seats somebody"), where="boards")
    unknown = sorted(set(c.overrides) - set(OVERRIDABLE))
    if unknown:
        detail = say(
            "{unknown}: what may be set aside is {overridable}", unknown=tuple(unknown), overridable=tuple(OVERRIDABLE)
        )
        return Refusal("invalid", "unknown-override", detail, where="overrides")
    refusal = permit(t, c.actor, "override an absolute rule") if c.overrides else None
    if refusal is not None:
        return refusal
    plan, due = _plan_of_format(t, round, first), stage_due(t)
    if isinstance(plan, Refusal):
        return plan
    seats = pair_manually(t, round, c.boards, c.bye, plan, due)
    if isinstance(seats, Refusal):
        return seats
    stage, fixed = (plan.stage, plan.fixed) if plan else (due.name, False)
    broken = violations(t, round, seats.boards, seats.byes, stage=stage, drawn=fixed)
    broken = tuple(v for v in broken if v.rule not in c.overrides)
    if broken:
        return Refusal("rule", "absolute-rule", describe(broken), broken[0].article, where="boards")
    pairing = len(t.pairings) + 1
    paired = RoundPaired(
        round,
        pairing,
        seats.boards,
        seats.byes,
        None,
        first.colour,
        first.seed,
        c.reason,
        c.overrides,
        stage=stage,
        matches=seats.matches,
        groups=plan.groups if plan else (),
    )
    return Decision((paired,))


def _plan_of_format(t: Tournament, round: int, first: FirstColour) -> Plan | Refusal | None:
    """What the format has for the round, where a pairing by hand is bound to it: stages, brackets, second games."""
    if not bound_by_format(t):
        return None
    due = stage_due(t)
    if FORMATS[due.format].drawn_up:
        return plan_round(t, round, RoundRequest(first.seed, first.colour, TABLES, due))
    return continuing(t, round)


def _is_drawn_up(t: Tournament, plan: Plan) -> bool:
    """Whether a plan follows from what was drawn up before, so that it repeats only what it should."""
    return plan.fixed or FORMATS[stage_due(t).format].rests


def describe(broken: tuple[Violation, ...]) -> Message:
    """Rules broken, in one sentence."""
    return in_turn(say("{rule}: {detail}", rule=v.rule, detail=v.detail) for v in broken)


def boards_begun(t: Tournament, paired: RoundPaired) -> list[int]:
    """The boards of a round on which play has begun, or was ruled on."""
    return [b.board for b in paired.boards if t.begun(t.games[b.game])]
