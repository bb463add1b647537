"""What each round gave to each player: the one place where games and byes become points."""

from typing import Literal, NamedTuple

from shared.records import Game
from shared.terms import ByeKind, GameId, HalfPoints, Mark, PlayerId, Points, Seq, Side
from shared.tournament import Tournament

Kind = Literal["played", "forfeit", "bye", "open", "none"]


class RoundScore(NamedTuple):
    """One player's round, in half-points.

    ``kind``: *played* over the board; *forfeit* (won or lost unplayed, opponent
    known); *bye* (``bye`` tells which; an absence is a zero-point bye Z); *open*
    (paired, no result yet: 0 points); *none* (before a late entry or after leaving: no
    entry, counts as Z). ``events`` are the lines it came from.
    """

    round: int
    kind: Kind
    points: HalfPoints
    opponent: PlayerId = PlayerId(0)
    side: Side | None = None
    bye: ByeKind | None = None
    game: GameId | None = None
    counted: bool = True
    mark: Mark | None = None
    events: tuple[Seq, ...] = ()


class Score(NamedTuple):
    """A player's whole record. ``adjustments``: (line, half-points) of effective rulings."""

    player: PlayerId
    rounds: tuple[RoundScore, ...]
    adjustments: tuple[tuple[Seq, HalfPoints], ...]

    @property
    def points(self) -> HalfPoints:
        """Half-points in all, penal adjustments included."""
        return HalfPoints(sum(r.points for r in self.rounds) + sum(p for _, p in self.adjustments))


def bye_points(points: Points, kind: ByeKind) -> HalfPoints:
    """Half-points of a bye (C.04.1 and the regulations in force)."""
    return {"U": points.pairing_bye, "F": points.full_bye, "H": points.half_bye, "Z": points.zero_bye}[kind]


def scores(t: Tournament, rounds: int | None = None) -> dict[PlayerId, Score]:
    """Every player's record over the first ``rounds`` rounds paired (default: all of them)."""
    assert t.regulations is not None, "points come from the regulations"
    last = t.rounds_paired() if rounds is None else rounds
    table: dict[PlayerId, list[RoundScore]] = {p: [] for p in t.players}
    for number in range(1, last + 1):
        seats = _round(t, number)
        for player, record in table.items():
            record.append(seats.get(player) or _unseated(t, t.regulations.points, player, number))
    adjustments: dict[PlayerId, list[tuple[Seq, HalfPoints]]] = {}
    for ruling in t.standing_rulings():
        if ruling.made.effect.points is not None:
            adjustments.setdefault(ruling.made.player, []).append((ruling.seq, ruling.made.effect.points))
    return {p: Score(p, tuple(r), tuple(adjustments.get(p, ()))) for p, r in table.items()}


def _round(t: Tournament, number: int) -> dict[PlayerId, RoundScore]:
    pairing = t.current(number)
    if pairing is None:
        return {}
    assert t.regulations is not None
    seats: dict[PlayerId, RoundScore] = {}
    for seat in pairing.paired.byes:
        worth = bye_points(t.regulations.points, seat.kind)
        seats[seat.player] = RoundScore(number, "bye", worth, bye=seat.kind, events=(pairing.seq,))
    for board in pairing.paired.boards:
        game = t.games[board.game]
        seats[board.white] = _seat(t, game, pairing.seq, "white")
        seats[board.black] = _seat(t, game, pairing.seq, "black")
    return seats


def _seat(t: Tournament, game: Game, paired: Seq, side: Side) -> RoundScore:
    opponent = game.black if side == "white" else game.white
    setting = t.setting(game)
    if setting is None:
        return RoundScore(game.round, "open", HalfPoints(0), opponent, side, game=game.game, events=(paired,))
    mark = setting.white if side == "white" else setting.black
    return RoundScore(
        game.round,
        "played" if mark.played else "forfeit",
        mark.points if mark.counted else HalfPoints(0),
        opponent,
        side,
        game=game.game,
        counted=mark.counted,
        mark=mark,
        events=(paired, setting.seq),
    )


def _unseated(t: Tournament, points: Points, player: PlayerId, number: int) -> RoundScore:
    bye = t.byes.get((player, number))
    if bye is not None:
        return RoundScore(number, "bye", bye_points(points, bye.kind), bye=bye.kind, events=(bye.seq,))
    return RoundScore(number, "none", points.zero_bye, bye="Z")
