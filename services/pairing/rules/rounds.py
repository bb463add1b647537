"""Pairing a round, by the engine or by hand, and taking an unplayed pairing back."""

from dataclasses import dataclass
from hashlib import sha256

from services.pairing.rules.absolute import OVERRIDABLE, Violation, violations
from services.pairing.rules.commands import PairRound, WithdrawPairing
from services.pairing.rules.dutch import boards_of, pair_next, unfinished
from services.pairing.rules.position import initial_colour, seated
from shared.authority import permit
from shared.events import ByeSeat, Decision, PairingWithdrawn, RoundPaired
from shared.records import Game
from shared.terms import PlayerId, Refusal, Side
from shared.tournament import Tournament

LONG = 60
"""More players than this are paired beside the writer."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The first colour, and the seed that drew it (0: not drawn)."""

    colour: Side
    seed: int


def pair(t: Tournament, c: PairRound) -> Decision | Refusal:
    """Pair the next round.

    Refusals: ``no-round-left``, ``colour-drawn``, ``round-unfinished``, and those of
    `_by_engine` and `_by_hand`.
    """
    assert t.announced is not None
    round = t.rounds_paired() + 1
    if round > t.announced.rounds:
        return Refusal("rule", "no-round-left", f"all {t.announced.rounds} rounds announced have been paired")
    draw = _draw(t, c)
    if isinstance(draw, Refusal):
        return draw
    return unfinished(t, round) or (_by_engine if c.boards is None else _by_hand)(t, c, round, draw)


def withdraw(t: Tournament, c: WithdrawPairing) -> Decision | Refusal:
    """Take the last pairing back, before any game of it has begun.

    Refusals: ``unknown-round``, ``later-round-paired``, ``round-begun`` naming the boards.
    """
    current = t.current(c.round)
    if current is None:
        return Refusal("unknown", "unknown-round", f"round {c.round} has not been paired", where="round")
    if c.round != t.rounds_paired():
        return Refusal("rule", "later-round-paired", f"round {t.rounds_paired()} was paired on it", where="round")
    boards = [b.board for b in current.paired.boards if _begun(t, t.games[b.game])]
    if boards:
        named = ", ".join(map(str, boards))
        return Refusal("rule", "round-begun", f"play has begun, or was ruled on, on board {named}", "C.04.2")
    return Decision((PairingWithdrawn(c.round, current.paired.pairing, c.reason),))


def long(t: Tournament, c: object) -> bool:
    """Whether deciding takes an engine longer than the writer can wait."""
    if not isinstance(c, PairRound) or c.boards is not None or t.announced is None:
        return False
    return len(seated(t, t.rounds_paired() + 1)) > LONG


def engine_of(c: object) -> str | None:
    """The engine that deciding again takes, with its version; None for every other command."""
    return f"{c.engine.name} {c.engine.version}" if isinstance(c, PairRound) and c.boards is None else None


def drawn(seed: int) -> Side:
    """The first colour by lot: White where the lowest bit of the seed's SHA-256 (decimal digits, UTF-8) is 0."""
    return "black" if sha256(str(seed).encode()).digest()[-1] & 1 else "white"


def _draw(t: Tournament, c: PairRound) -> Draw | Refusal:
    """Drawn once, for round 1; every later round keeps it (C.04.3, 5.1)."""
    known = initial_colour(t)
    if known is None:
        if c.initial_colour is not None:
            return Draw(c.initial_colour, 0)
        return Draw(drawn(c.seed), c.seed) if c.seed else Draw("white", 0)
    if c.initial_colour not in (None, known):
        return Refusal("rule", "colour-drawn", f"the first colour was {known}", "C.04.3, 5.1", where="initial_colour")
    return Draw(known, 0)


def _by_engine(t: Tournament, c: PairRound, round: int, draw: Draw) -> Decision | Refusal:
    """Refusals: ``no-engine`` for the format, ``engine-pairing``, ``engine-broke-rule``, and `pair_next`'s."""
    assert t.announced is not None
    if t.announced.format != "swiss":
        detail = f"the format {t.announced.format} is paired by hand: name the boards and a reason"
        return Refusal("rule", "no-engine", detail, where="boards")
    if c.overrides or c.bye is not None:
        detail = "only a pairing by hand sets rules aside or names who has the bye"
        return Refusal("invalid", "engine-pairing", detail, where="overrides" if c.overrides else "bye")
    made = pair_next(t, round, initial=draw.colour, engine=c.engine)
    if isinstance(made, Refusal):
        return made
    boards, byes = made
    broken = violations(t, round, boards, byes)
    if broken:
        return Refusal("rule", "engine-broke-rule", _named(broken), broken[0].article)
    pairing = len(t.pairings) + 1
    return Decision((RoundPaired(round, pairing, boards, byes, c.engine, draw.colour, draw.seed, c.reason),))


def _by_hand(t: Tournament, c: PairRound, round: int, draw: Draw) -> Decision | Refusal:
    """Refusals: ``reason-missing``, ``empty-pairing``, ``unknown-override``, ``absolute-rule``, and the authority's."""
    assert c.boards is not None
    if c.reason is None:
        return Refusal("invalid", "reason-missing", "a pairing by hand is given a reason", where="reason")
    if not c.boards and c.bye is None:
        return Refusal("invalid", "empty-pairing", "a pairing seats somebody", where="boards")
    unknown = sorted(set(c.overrides) - set(OVERRIDABLE))
    if unknown:
        detail = f"{', '.join(unknown)}: what may be set aside is {', '.join(OVERRIDABLE)}"
        return Refusal("invalid", "unknown-override", detail, where="overrides")
    refusal = permit(t, c.actor, "override an absolute rule") if c.overrides else None
    if refusal is not None:
        return refusal
    boards, byes = boards_of(t, c.boards), _byes(c.bye)
    broken = tuple(v for v in violations(t, round, boards, byes) if v.rule not in c.overrides)
    if broken:
        return Refusal("rule", "absolute-rule", _named(broken), broken[0].article, where="boards")
    pairing = len(t.pairings) + 1
    paired = RoundPaired(round, pairing, boards, byes, None, draw.colour, draw.seed, c.reason, c.overrides)
    return Decision((paired,))


def _byes(player: PlayerId | None) -> tuple[ByeSeat, ...]:
    return () if player is None else (ByeSeat(player, "U"),)


def _named(broken: tuple[Violation, ...]) -> str:
    return "; ".join(f"{v.rule}: {v.detail}" for v in broken)


def _begun(t: Tournament, game: Game) -> bool:
    said = (game.started, game.ended, t.reported.get(game.game), game.corrected)
    return any(s is not None for s in said) or bool(game.rulings)
