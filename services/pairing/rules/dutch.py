"""FIDE Dutch, from a tournament to the boards of its next round."""

from dataclasses import dataclass

from services.pairing.rules.absolute import Violation, violations
from services.pairing.rules.commands import GACRUX
from services.pairing.rules.engine import Paired, run
from services.pairing.rules.position import initial_colour, position
from shared.events import Board, ByeSeat, Engine
from shared.terms import GameId, PlayerId, Refusal, Side
from shared.tournament import Tournament

Pairs = tuple[tuple[PlayerId, PlayerId], ...]


def pair_next(
    t: Tournament,
    round: int,
    forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset(),
    *,
    initial: Side | None = None,
    engine: Engine = GACRUX,
) -> tuple[tuple[Board, ...], tuple[ByeSeat, ...]] | Refusal:
    """The pairing of ``round`` by the engine: boards in FIDE board order, and the pairing-allocated bye.

    ``forbidden``: pairs who may not meet. ``initial``: the first colour where round 1 has not
    drawn it (then White). Refusals: ``round-unfinished`` naming the open boards, ``too-few-players``,
    ``no-legal-pairing``, ``engine-failed``, ``engine-not-at-hand``. Rounds after ``round`` do not matter.
    """
    refusal = unfinished(t, round)
    if refusal is not None:
        return refusal
    start = position(t, round, initial_colour(t) or initial or "white", forbidden)
    if len(start.seats) < 2:
        return Refusal("rule", "too-few-players", f"{len(start.seats)} present in round {round}; a pairing takes two")
    assert t.regulations is not None
    paired = run(t.regulations.pairing, engine, start)
    if isinstance(paired, Refusal):
        return paired
    return boards_of(t, paired.boards), byes_of(paired)


def boards_of(t: Tournament, pairs: Pairs) -> tuple[Board, ...]:
    """Boards of the tournament's next pairing. Game ids count pairings, so none is used twice."""
    pairing = len(t.pairings) + 1
    return tuple(Board(n, GameId(f"{t.id}.{pairing}.{n}"), w, b) for n, (w, b) in enumerate(pairs, 1))


def byes_of(paired: Paired) -> tuple[ByeSeat, ...]:
    return () if paired.bye is None else (ByeSeat(paired.bye, "U"),)


def unfinished(t: Tournament, round: int) -> Refusal | None:
    """Open games of earlier rounds: a round is paired on results (C.04.2)."""
    games = [g for g in t.standing_games() if g.round < round and t.setting(g) is None]
    if not games:
        return None
    named = ", ".join(f"{g.round}.{g.board}" for g in games[:20]) + (", …" if len(games) > 20 else "")
    return Refusal("rule", "round-unfinished", f"no result yet on (round.board): {named}", "C.04.2")


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """A round as it was paired, beside the absolute rules and the engine's own pairing.

    ``made`` and ``own``: (white, black), black 0 for the pairing-allocated bye, in board order.
    """

    round: int
    made: Pairs
    violations: tuple[Violation, ...]
    own: Pairs | Refusal

    @property
    def agrees(self) -> bool:
        """Whether the engine would have made the same pairs with the same colours, whatever the boards' order."""
        return not isinstance(self.own, Refusal) and set(self.own) == set(self.made)


def check_round(
    t: Tournament, round: int, forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset()
) -> RoundCheck | Refusal:
    """Check a round's standing pairing on what was there before it; refused if it has none."""
    current = t.current(round)
    if current is None:
        return Refusal("unknown", "unknown-round", f"round {round} has not been paired")
    boards, byes = current.paired.boards, current.paired.byes
    own = pair_next(t, round, forbidden)
    return RoundCheck(
        round,
        _pairs(boards, byes),
        violations(t, round, boards, byes),
        own if isinstance(own, Refusal) else _pairs(*own),
    )


def _pairs(boards: tuple[Board, ...], byes: tuple[ByeSeat, ...]) -> Pairs:
    allocated = tuple((s.player, PlayerId(0)) for s in byes if s.kind == "U")
    return tuple((b.white, b.black) for b in boards) + allocated
