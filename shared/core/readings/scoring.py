"""The score of each player in each round: the only code that turns games and byes into points."""

from typing import Literal, NamedTuple

from shared.core.events import ByeSeat
from shared.core.rulebook.regulations import Points
from shared.core.state.entities import Game, Pairing
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, GameId, HalfPoints, Mark, PlayerId, Seq, Side

Kind = Literal["played", "forfeit", "bye", "open", "none"]

_COLOURS: tuple[Side, Side] = ("white", "black")
_NEW = tuple.__new__
"""Takes half the time of a named tuple's own constructor, in the code that makes most of a table."""


class RoundScore(NamedTuple):
    """One player's round, in half-points.

    ``kind`` is one of these:
    *played*: over the board.
    *forfeit*: won or lost unplayed, opponent known.
    *bye*: its kind is in ``bye``. An absence is a zero-point bye Z.
    *open*: paired, without a result yet, 0 points.
    *none*: before a late entry or after a withdrawal, without an entry of its own, counts as Z.

    A round that does not count (``counted`` false: annulled, or by a ruling) gives 0 points; ``mark`` is its value otherwise.
    ``events`` are the events it results from.
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
    """A player's whole record. ``adjustments``: (event, half-points) of rulings with effect."""

    player: PlayerId
    rounds: tuple[RoundScore, ...]
    adjustments: tuple[tuple[Seq, HalfPoints], ...]

    @property
    def points(self) -> HalfPoints:
        """Return the total in half-points, including penal adjustments."""
        return HalfPoints(sum([r.points for r in self.rounds]) + sum([p for _, p in self.adjustments]))


def bye_points(points: Points, kind: ByeKind) -> HalfPoints:
    """Return the half-points of a bye (C.04.1 and the regulations in force)."""
    return {"U": points.pairing_bye, "F": points.full_bye, "H": points.half_bye, "Z": points.zero_bye}[kind]


def scores(t: Tournament, rounds: int | None = None) -> dict[PlayerId, Score]:
    """Return every player's record over the first ``rounds`` rounds paired (default: all of them)."""
    last = t.rounds_paired() if rounds is None else rounds
    rounds_of_all = [round_scores(t, number) for number in range(1, last + 1)]
    penal = adjustments(t)
    return {p: Score(p, tuple([seats[p] for seats in rounds_of_all]), penal.get(p, ())) for p in t.players}


def record_of(t: Tournament, player: PlayerId) -> tuple[RoundScore, ...]:
    """Return one player's rounds as in `scores`, without computing those of all the others."""
    return tuple(_round_of(t, player, number) for number in range(1, t.rounds_paired() + 1))


def _round_of(t: Tournament, player: PlayerId, number: int) -> RoundScore:
    pairing = t.current(number)
    if pairing is not None:
        for board in pairing.event.boards:
            if player in (board.white, board.black):
                return scores_of_game(t, t.games[board.game])[player == board.black]
        for seat in pairing.event.byes:
            if seat.player == player:
                return _bye(t, pairing, seat)
    return _unseated(t, t.regulations.points, player, number)


def adjustments(t: Tournament, upto: int | None = None) -> dict[PlayerId, tuple[tuple[Seq, HalfPoints], ...]]:
    """Return the penal points by player: (event, half-points) of rulings with effect, of rounds up to ``upto``."""
    penal: dict[PlayerId, list[tuple[Seq, HalfPoints]]] = {}
    for ruling in t.rulings_with_effect():
        points, player = ruling.event.effect.points, ruling.event.player
        if points is not None and player is not None and (upto is None or ruling.event.round <= upto):
            penal.setdefault(player, []).append((ruling.seq, points))
    return {p: tuple(all) for p, all in penal.items()}


def round_scores(t: Tournament, number: int) -> dict[PlayerId, RoundScore]:
    """Return the score of every player in round ``number``, also of those without a seat or a bye."""
    seats, points = scores_of_seated(t, number), t.regulations.points
    return {p: seats.get(p) or _unseated(t, points, p, number) for p in t.players}


def scores_of_seated(t: Tournament, number: int) -> dict[PlayerId, RoundScore]:
    """Return the score in round ``number`` of the players with a seat or a bye in its pairing in force."""
    pairing = t.current(number)
    if pairing is None:
        return {}
    seats: dict[PlayerId, RoundScore] = {}
    for seat in pairing.event.byes:
        seats[seat.player] = _bye(t, pairing, seat)
    for board in pairing.event.boards:
        game = t.games[board.game]
        seats[board.white], seats[board.black] = scores_of_game(t, game)
    return seats


def _bye(t: Tournament, pairing: Pairing, seat: ByeSeat) -> RoundScore:
    worth = bye_points(t.regulations.points, seat.kind)
    return RoundScore(pairing.event.round, "bye", worth, bye=seat.kind, events=(pairing.seq,))


def scores_of_game(t: Tournament, game: Game) -> tuple[RoundScore, RoundScore]:
    """Return the scores of a game's two players, the one paired as White first. ``side``: the colour that each has played."""
    setting, first, second = t.setting(game), *_COLOURS
    lines: tuple[Seq, ...] = (game.seq,) if setting is None else (game.seq, setting.seq)
    if game.reversed is not None:
        first, second, lines = second, first, (*lines, game.reversed)
    if setting is None:
        none = HalfPoints(0)
        return (
            RoundScore(game.round, "open", none, game.black, first, game=game.game, events=lines),
            RoundScore(game.round, "open", none, game.white, second, game=game.game, events=lines),
        )
    annulled = t.annulling_event(game)
    if annulled is not None:
        lines = (*lines, annulled)
    white, black = setting.white, setting.black
    return (
        _side(game, first, game.black, white, white.counted and annulled is None, lines),
        _side(game, second, game.white, black, black.counted and annulled is None, lines),
    )


def _side(game: Game, side: Side, opponent: PlayerId, mark: Mark, counted: bool, lines: tuple[Seq, ...]) -> RoundScore:
    points = mark.points if counted else 0
    kind = "played" if mark.played else "forfeit"
    return _NEW(RoundScore, (game.round, kind, points, opponent, side, None, game.game, counted, mark, lines))


def _unseated(t: Tournament, points: Points, player: PlayerId, number: int) -> RoundScore:
    bye = t.byes.get((player, number))
    if bye is not None:
        return RoundScore(number, "bye", bye_points(points, bye.kind), bye=bye.kind, events=(bye.seq,))
    return RoundScore(number, "none", points.zero_bye, bye="Z")
