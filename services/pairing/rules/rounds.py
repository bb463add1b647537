"""Pairing a round, by its format or by hand."""

from hashlib import sha256

from services.pairing.rules import by_hand
from services.pairing.rules.absolute_criteria import describe, violations
from services.pairing.rules.commands import PairRound
from services.pairing.rules.engines.fide_dutch import unfinished_games
from services.pairing.rules.engines.versions import DUTCH, EARLIER, MENDED, TABLES
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.formats.registry import engine_at_hand, plan_round
from services.pairing.rules.pairing_input import initial_colour
from services.pairing.rules.shown_pairing import ShownPairing, shown
from services.pairing.rules.sides.model import Plan, RoundRequest
from services.pairing.rules.sides.participants import present_in
from services.pairing.rules.sides.seating import seating
from shared.core.events import Decision, Engine, RoundPaired
from shared.core.language.messages import Message, say, term
from shared.core.readings.settlement import refuse_outdated
from shared.core.rounds.stages import rounds_over
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Refusal, Side

LONG = 20
"""More sides than this are paired beside the writer, where an engine pairs them: so many take it ten milliseconds."""


def pair(t: Tournament, c: PairRound) -> Decision | Refusal:
    """Pair the next round.

    Refusals: `_opened`'s, ``pairing-differs``, and those of `_format_pairing` and of `by_hand.decide`.
    """
    opened = _opened(t, c)
    if isinstance(opened, Refusal):
        return opened
    round, first = opened
    decided = (_format_pairing if c.boards is None else by_hand.decide)(t, c, round, first)
    return decided if c.shown is None or isinstance(decided, Refusal) else _as_shown(decided, c.shown)


def judge(t: Tournament, c: PairRound) -> by_hand.HandPairing | Refusal:
    """What the boards of ``c`` would be, and break, as the next round: nothing is asked of its reason and of who commands it.

    Refusals: `_opened`'s and those of `by_hand.judged`.
    """
    opened = _opened(t, c)
    return opened if isinstance(opened, Refusal) else by_hand.judged(t, c, *opened)


def _opened(t: Tournament, c: PairRound) -> tuple[int, by_hand.FirstColour] | Refusal:
    """The round that is next, and its first colour.

    Refusals: ``no-round-left``, ``colour-drawn``, ``basis-outdated``, ``round-unfinished``.
    """
    round = t.rounds_paired() + 1
    if rounds_over(t):
        last = t.announced.rounds
        return Refusal("rule", "no-round-left", say("all {last} rounds announced have been paired", last=last))
    first = _first_colour(t, c)
    if isinstance(first, Refusal):
        return first
    return refuse_outdated(t, table_of=round - 1) or unfinished_games(t, round) or (round, first)


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


def remark_on(c: object) -> Message | None:
    """That a round was paired by an engine of which a fault was mended since."""
    mended = {engine for engines in MENDED.values() for engine in engines}
    if not isinstance(c, PairRound) or c.engine not in mended:
        return None
    return say("paired by {engine}, of which a fault was mended since", engine=engine_of(c) or "")


def colour_by_lot(seed: int) -> Side:
    """The first colour by lot: White where the lowest bit of the seed's SHA-256 (decimal digits, UTF-8) is 0."""
    return "black" if sha256(str(seed).encode()).digest()[-1] & 1 else "white"


def _as_shown(decided: Decision, seen: ShownPairing) -> Decision | Refusal:
    """Refusals: ``pairing-differs``."""
    if all(shown(data) == seen for data in decided.events if isinstance(data, RoundPaired)):
        return decided
    return Refusal("rule", "pairing-differs", say("this is not the pairing that was shown; nothing was written"))


def _first_colour(t: Tournament, c: PairRound) -> by_hand.FirstColour | Refusal:
    """Drawn once, for round 1; every later round keeps it (C.04.3, 5.1)."""
    known = initial_colour(t)
    if known is None:
        if c.initial_colour is not None:
            return by_hand.FirstColour(c.initial_colour, 0)
        return by_hand.FirstColour(colour_by_lot(c.seed), c.seed) if c.seed else by_hand.FirstColour("white", 0)
    if c.initial_colour not in (None, known):
        return Refusal(
            "rule",
            "colour-drawn",
            say("the first colour was {known}", known=term(known)),
            "C.04.3, 5.1",
            where="initial_colour",
        )
    return by_hand.FirstColour(known, 0)


def _engine(t: Tournament, named: Engine | None) -> Engine:
    """The engine at hand, or the earlier one that is named and was at hand by the tournament's edition of decisions, or before
    the log first names the one that mends it."""
    engine = engine_at_hand(t)
    if named is None:
        return engine
    if t.regulations.decisions < 2 and named in EARLIER.get(engine, ()):
        return named
    mended = any(pairing.event.engine == engine for pairing in t.pairings)
    return named if named in MENDED.get(engine, ()) and not mended else engine


def _format_pairing(t: Tournament, c: PairRound, round: int, first: by_hand.FirstColour) -> Decision | Refusal:
    """Refusals: ``engine-pairing``, ``no-first-colour``, ``engine-not-at-hand``, ``engine-broke-rule``, `plan_round`'s."""
    if c.overrides or c.bye is not None:
        detail = say("only a manual pairing can waive rules or name the player with the bye")
        return Refusal("invalid", "engine-pairing", detail, where="overrides" if c.overrides else "bye")
    engine = _engine(t, c.engine)
    if engine.name not in DUTCH and c.initial_colour is not None:
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
    colour, seed = (first.colour, first.seed) if engine.name in DUTCH else ("white", plan.seed)
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


def _is_drawn_up(t: Tournament, plan: Plan) -> bool:
    """Whether a plan follows from what was drawn up before, so that it repeats only what it should."""
    return plan.fixed or FORMATS[stage_due(t).format].rests
