"""FIDE Dutch: from a tournament to the boards of its next round."""

from dataclasses import dataclass

from services.pairing.rules.absolute_criteria import Violation, violations
from services.pairing.rules.engine_adapters.record import PairingInput
from services.pairing.rules.engines.registry import EnginePairing, run_engine
from services.pairing.rules.engines.versions import GACRUX, PY4SWISS
from services.pairing.rules.pairing_input import initial_colour, input_of
from services.pairing.rules.sides.model import Meeting, Plan, RoundRequest
from services.pairing.rules.sides.seating import board, board_numbers
from services.pairing.rules.sides.stages import new_matches
from shared.core.events import Board, ByeSeat, Engine
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal, Side

Pairs = tuple[tuple[PlayerId, PlayerId], ...]


def dutch(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """Return the plan of ``round`` by the Dutch engine of the request.

    Refusals: ``too-few-players``, and those of `run_engine`.
    """
    start = input_of(t, round, initial_colour(t) or request.initial, t.forbidden)
    paired = _pair(t, start, request.engine)
    if isinstance(paired, Refusal):
        return paired
    meetings = tuple(
        Meeting(*pair, match) for pair, match in zip(paired.boards, new_matches(t, request.stage), strict=False)
    )
    return Plan(meetings, () if paired.bye is None else (paired.bye,), start=start)


def pair_next(
    t: Tournament,
    round: int,
    forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset(),
    *,
    initial: Side | None = None,
) -> tuple[tuple[Board, ...], tuple[ByeSeat, ...]] | Refusal:
    """Return the engine's pairing of ``round``: boards in FIDE board order, and the pairing-allocated bye.

    ``forbidden``: pairs who may not meet, in addition to those of the log. ``initial``: the first colour if round 1 has
    not drawn it (default: White). Refusals: ``round-unfinished`` with the open boards, ``too-few-players``,
    ``no-legal-pairing``, ``engine-failed``, ``engine-not-at-hand``. Rounds after ``round`` are ignored.
    """
    engine = PY4SWISS if t.regulations.pairing.edition == "2017" else GACRUX
    paired = unfinished_games(t, round) or _pair(
        t, input_of(t, round, initial_colour(t) or initial or "white", t.forbidden | forbidden), engine
    )
    if isinstance(paired, Refusal):
        return paired
    numbers = board_numbers(t, list(paired.boards))
    boards = (board(t, n, white, black) for n, (white, black) in zip(numbers, paired.boards, strict=True))
    byes = () if paired.bye is None else (ByeSeat(paired.bye, "U"),)
    return tuple(sorted(boards, key=lambda b: b.board)), byes


def _pair(t: Tournament, start: PairingInput, engine: Engine) -> EnginePairing | Refusal:
    if len(start.players) < 2:
        return Refusal(
            "rule",
            "too-few-players",
            say(
                "only {players} present in round {round}; a pairing requires at least two players",
                players=len(start.players),
                round=start.round,
            ),
        )
    return run_engine(t.regulations.pairing, engine, start)


def unfinished_games(t: Tournament, round: int) -> Refusal | None:
    """Return the refusal ``round-unfinished`` if games of earlier rounds have no result yet, or None (C.04.2)."""
    games = [g for g in t.games_in_force() if g.round < round and t.setting(g) is None]
    if not games:
        return None
    named = (*(f"{g.round}.{g.board}" for g in games[:20]), *(["…"] if len(games) > 20 else []))
    return Refusal(
        "rule",
        "round-unfinished",
        say("results are missing, so the round cannot be paired; missing on (round.board): {named}", named=named),
        "C.04.2",
    )


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """A round as it was paired, with the absolute rules it breaks and the engine's own pairing.

    ``paired`` and ``own``: (white, black) in board order. Black is 0 for a player with a bye or a rest.
    """

    round: int
    paired: Pairs
    violations: tuple[Violation, ...]
    own: Pairs | Refusal

    @property
    def agrees(self) -> bool:
        """True if the engine makes the same pairs with the same colours, in any order of boards."""
        return not isinstance(self.own, Refusal) and set(self.own) == set(self.paired)


def check_round(
    t: Tournament,
    round: int,
    own: tuple[tuple[Board, ...], tuple[ByeSeat, ...]] | Refusal | None = None,
) -> RoundCheck | Refusal:
    """Compare a round's pairing in force with the absolute rules and with the pairing that its system would make.

    Only results before the round count. ``own``: the system's pairing (None: that of the Dutch engine). Refusal:
    ``unknown-round`` if the round has no pairing.
    """
    current = t.current(round)
    if current is None:
        return Refusal("unknown", "unknown-round", say("round {round} has not been paired", round=round))
    boards, byes = current.event.boards, current.event.byes
    own = pair_next(t, round) if own is None else own
    return RoundCheck(
        round,
        _pairs(boards, byes),
        violations(t, round, boards, byes),
        own if isinstance(own, Refusal) else _pairs(*own),
    )


def _pairs(boards: tuple[Board, ...], byes: tuple[ByeSeat, ...]) -> Pairs:
    alone = tuple((s.player, PlayerId(0)) for s in byes if s.kind in ("U", "Z"))
    return tuple((b.white, b.black) for b in boards) + alone
