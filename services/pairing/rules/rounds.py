"""The pairing of a round, by its format or by hand."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from services.pairing.rules import by_hand
from services.pairing.rules.absolute_criteria import describe, violations
from services.pairing.rules.commands import PairRound
from services.pairing.rules.engines.fide_dutch import unfinished_games
from services.pairing.rules.engines.versions import DUTCH, MENDED, TABLES, label
from services.pairing.rules.formats.engine_choice import choose_engine, other_engines
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.formats.registry import installed_engine, plan_round
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
"""Number of sides above which an engine pairs in a child process. An engine takes 10 ms for this many."""


def pair(t: Tournament, c: PairRound) -> Decision | Refusal:
    """Decide the pairing of the next round, by its format or on the given boards.

    Refusals: ``pairing-differs`` if it is not the pairing that the user saw, and those of `_open_round`, `_refuse_fields`,
    `choose_engine`, `_format_pairing` and `by_hand.decide`.
    """
    opened = _open_round(t, c)
    if isinstance(opened, Refusal):
        return opened
    if c.boards is None:
        engine = _refuse_fields(t, c) or choose_engine(t, c.engine)
        decided = engine if isinstance(engine, Refusal) else _format_pairing(t, c, *opened, engine)
    else:
        decided = by_hand.decide(t, c, *opened)
    return decided if c.shown is None or isinstance(decided, Refusal) else _check_shown(decided, c.shown)


def pair_by_other_engines(t: Tournament, c: PairRound) -> Iterator[tuple[Message, Decision | Refusal]]:
    """Yield the pairing that each other available version of the recorded engine makes, if that one is unavailable.

    For an audit: each pairing comes with a remark for its report. It names the recorded engine in place of the version
    that made it, so that it differs from the log only if pairs, colours or boards do.
    """
    opened, missing = _open_round(t, c), choose_engine(t, c.engine)
    if c.engine is None or isinstance(opened, Refusal) or not isinstance(missing, Refusal):
        return
    for engine in other_engines(t, c.engine):
        try:
            decided = _format_pairing(t, c, *opened, engine)
        except Exception:  # noqa: S112 - the adapter was not written for this version, which therefore proves nothing
            continue
        if isinstance(decided, Decision):
            paired = (replace(data, engine=c.engine) for data in decided.events if isinstance(data, RoundPaired))
            other = f"{engine.name} {engine.version}"
            remark = say(
                "{missing}; the available engine {other} makes the same pairing", missing=missing.detail, other=other
            )
            yield remark, replace(decided, events=tuple(paired))


def judge(t: Tournament, c: PairRound) -> by_hand.HandPairing | Refusal:
    """Return the pairing of the boards of ``c`` as the next round, and the rules it breaks.

    Reason and actor are not checked. Refusals: those of `_open_round` and of `by_hand.judge_boards`.
    """
    opened = _open_round(t, c)
    return opened if isinstance(opened, Refusal) else by_hand.judge_boards(t, c, *opened)


def _open_round(t: Tournament, c: PairRound) -> tuple[int, by_hand.FirstColour] | Refusal:
    """Return the number of the next round, and the initial colour of the event.

    Refusals: ``no-round-left``, ``colour-drawn``, ``basis-outdated``, ``round-unfinished``.
    """
    round = t.rounds_paired() + 1
    if rounds_over(t):
        last = t.announced.rounds
        return Refusal("rule", "no-round-left", say("all {last} rounds have been paired", last=last))
    first = _first_colour(t, c)
    if isinstance(first, Refusal):
        return first
    return refuse_outdated(t, table_of=round - 1) or unfinished_games(t, round) or (round, first)


def long(t: TournamentState, c: object) -> bool:
    """Return whether a command needs an engine for more than `LONG` sides, so that it is decided in a child process."""
    if not isinstance(c, PairRound) or c.boards is not None or not isinstance(t, Tournament):
        return False
    return installed_engine(t) != TABLES and len(present_in(t, t.rounds_paired() + 1)) > LONG


def engine_of(c: object) -> str | None:
    """Return the engine and version required to re-evaluate a command, or None if it requires none."""
    if not isinstance(c, PairRound) or c.boards is not None or c.engine == TABLES:
        return None
    return f"{c.engine.name} {c.engine.version}" if c.engine else "the installed engine"


def remark_on(c: object) -> Message | None:
    """Return a remark if a round was paired by an engine with a fault that was fixed since, or None."""
    mended = {(engine.name, label(engine)) for engines in MENDED.values() for engine in engines}
    if not isinstance(c, PairRound) or c.engine is None or (c.engine.name, label(c.engine)) not in mended:
        return None
    return say("paired by {engine}, which had a fault that was corrected later", engine=engine_of(c) or "")


def colour_by_lot(seed: int) -> Side:
    """Draw the first colour: White if the lowest bit of the seed's SHA-256 (decimal digits, UTF-8) is 0."""
    return "black" if sha256(str(seed).encode()).digest()[-1] & 1 else "white"


def _check_shown(decided: Decision, seen: ShownPairing) -> Decision | Refusal:
    """Return the decision if it is the pairing that the user saw (``seen``). Refusal: ``pairing-differs``."""
    if all(shown(data) == seen for data in decided.events if isinstance(data, RoundPaired)):
        return decided
    return Refusal(
        "rule", "pairing-differs", say("the pairing now differs from the one that was shown, so nothing was written")
    )


def _first_colour(t: Tournament, c: PairRound) -> by_hand.FirstColour | Refusal:
    """Return the initial colour: requested or drawn for round 1, and then the same for all rounds (C.04.3, 5.1).

    Refusal: ``colour-drawn`` if the command requests another one later.
    """
    known = initial_colour(t)
    if known is None:
        if c.initial_colour is not None:
            return by_hand.FirstColour(c.initial_colour, 0)
        return by_hand.FirstColour(colour_by_lot(c.seed), c.seed) if c.seed else by_hand.FirstColour("white", 0)
    if c.initial_colour not in (None, known):
        detail = say("the first colour is already {known} and cannot change", known=term(known))
        return Refusal("rule", "colour-drawn", detail, "C.04.3, 5.1", where="initial_colour")
    return by_hand.FirstColour(known, 0)


def _refuse_fields(t: Tournament, c: PairRound) -> Refusal | None:
    """Return why a command has fields that only a pairing by hand or a Dutch Swiss can have, or None.

    Refusals: ``engine-pairing``, ``no-first-colour``.
    """
    if c.overrides or c.bye is not None:
        detail = say("only a manual pairing can waive rules or name the player with the bye")
        return Refusal("invalid", "engine-pairing", detail, where="overrides" if c.overrides else "bye")
    if installed_engine(t).name not in DUTCH and c.initial_colour is not None:
        detail = say("omit initial_colour: it is only for the Dutch Swiss; in this format the table or the lots decide")
        return Refusal("invalid", "no-first-colour", detail, where="initial_colour")
    return None


def _format_pairing(
    t: Tournament, c: PairRound, round: int, first: by_hand.FirstColour, engine: Engine
) -> Decision | Refusal:
    """Decide the pairing of ``round`` by its format. ``first``: the initial colour.

    Refusals: ``engine-broke-rule``, and those of `plan_round`.
    """
    plan = plan_round(t, round, RoundRequest(c.seed, first.colour, engine, stage_due(t)))
    if isinstance(plan, Refusal):
        return plan
    seats = seating(t, round, plan)
    broken = violations(
        t, round, seats.boards, seats.byes, stage=plan.stage, drawn=_is_drawn_up(t, plan), start=plan.start
    )
    if broken:
        return Refusal("rule", "engine-broke-rule", describe(broken), broken[0].article)
    drawn = first if engine.name in DUTCH else by_hand.FirstColour("white", plan.seed)
    return Decision((by_hand.round_paired(t, c, round, plan, seats, drawn, engine),))


def _is_drawn_up(t: Tournament, plan: Plan) -> bool:
    """Return whether a plan follows a table or bracket, or continues a match, so that repeated pairs in it are intended."""
    return plan.fixed or FORMATS[stage_due(t).format].rests
