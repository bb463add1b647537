"""From meetings to boards: seats, board numbers, game IDs, matches and byes of the next pairing."""

from dataclasses import dataclass

from services.pairing.rules.sides import team_participants as participants
from services.pairing.rules.sides.model import Meeting, Plan
from shared.core.events import Board, ByeSeat, Match
from shared.core.rounds.matches import team_of, teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, GameId, PlayerId

Seats = tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of a round: boards, byes and matches, as the event `RoundPaired` records them."""

    boards: tuple[Board, ...]
    byes: tuple[ByeSeat, ...]
    matches: tuple[Match, ...]


def seating(t: Tournament, round: int, plan: Plan) -> Seating:
    """Return the seats of a plan's meetings: two players on one board, two teams on their boards.

    A team player without an opponent has a full-point bye, and the board has no game.
    """
    seated = [(meeting, _seats(t, round, meeting)) for meeting in plan.meetings]
    numbers = iter(board_numbers(t, [pair for _, pairs in seated for pair in pairs]))
    boards: list[Board] = []
    alone: list[ByeSeat] = []
    matches: list[Match] = []
    for meeting, pairs in seated:
        own = [(next(numbers), *pair) for pair in pairs]
        boards += [board(t, n, white, black) for n, white, black in own if white and black]
        alone += [ByeSeat(white or black, "F") for _, white, black in own if not (white and black)]
        if meeting.match:
            held = tuple(n for n, _, _ in own)
            matches.append(Match(meeting.match, meeting.first, meeting.second, held, meeting.leg, meeting.places))
    byes = _bye_seats(t, round, [*plan.byes, *(m.walkover for m in plan.meetings if m.walkover)], "U")
    seats = (*byes, *_bye_seats(t, round, plan.rests, "Z"), *alone)
    return Seating(tuple(sorted(boards, key=lambda b: b.board)), seats, tuple(matches))


def board(t: Tournament, number: int, white: PlayerId, black: PlayerId) -> Board:
    """Return a board of the tournament's next pairing. Game IDs contain the pairing's number, so each is unique."""
    return Board(number, GameId(f"{t.id}.{len(t.pairings) + 1}.{number}"), white, black)


def sides_of_board(t: Tournament, board: Board) -> tuple[int, int]:
    """Return the players, or the teams, with White and with Black on a board."""
    teams = team_of(t) if teams_meet(t) else {}
    return teams.get(board.white, board.white), teams.get(board.black, board.black)


def board_numbers(t: Tournament, seats: list[Seats]) -> list[int]:
    """Return the board number of each pair in ``seats``: 1, 2, …, but a player with a fixed board plays on that one.

    If two pairs claim one board, the first pair gets it. If both players of a pair have one, it is that of the first
    player. In team events fixed boards do not apply.
    """
    fixed: dict[int, int] = {}
    for n, pair in enumerate(() if teams_meet(t) else seats):
        wanted = [t.fixed_boards[p] for p in pair if p in t.fixed_boards]
        free = [w for w in wanted if w not in fixed.values()]
        if free:
            fixed[n] = free[0]
    taken = set(fixed.values())
    rest = (n for n in range(1, len(seats) + len(taken) + 1) if n not in taken)
    return [fixed[n] if n in fixed else next(rest) for n in range(len(seats))]


def _seats(t: Tournament, round: int, meeting: Meeting) -> tuple[Seats, ...]:
    if meeting.walkover is not None:
        return ()
    if teams_meet(t):
        return participants.boards(t, round, meeting)
    first, second = PlayerId(meeting.first), PlayerId(meeting.second)
    return ((first, second) if meeting.leg % 2 != _has_reversed_start(t, meeting) else (second, first),)


def _has_reversed_start(t: Tournament, meeting: Meeting) -> bool:
    """Return whether the first game of this match was played with reversed colours, so that later games reverse them too.

    They were reversed by a guess (000-E 五子棋, 1: 第二局换先) or by mistake. Always False for the first game itself.
    """
    if meeting.leg == 1 or t.regulations.decisions < 2:
        return False
    for pairing in t.pairings:
        for match in pairing.event.matches if pairing.withdrawn is None else ():
            if (match.match, match.leg) == (meeting.match, 1):
                games = (t.games[b.game] for b in pairing.event.boards if b.board in match.boards)
                return any(game.reversed is not None for game in games)
    return False


def _bye_seats(t: Tournament, round: int, sides: list[int] | tuple[int, ...], kind: ByeKind) -> list[ByeSeat]:
    teams = teams_meet(t)
    return [
        ByeSeat(player, kind)
        for side in sides
        for player in (participants.players_with_bye(t, round, side) if teams else (PlayerId(side),))
    ]
