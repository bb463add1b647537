"""A pairing by hand (F9) in the terms of its format: the stage, matches and byes of its boards."""

from services.pairing.rules.absolute_criteria import is_bound_by_format
from services.pairing.rules.sides import team_participants as team_sides
from services.pairing.rules.sides.model import Meeting, Plan
from services.pairing.rules.sides.seating import Seating, Seats, board, board_numbers, seating, sides_of_board
from services.pairing.rules.sides.stages import new_matches
from shared.core.events import Board, ByeSeat, Match
from shared.core.language.messages import say
from shared.core.rounds.matches import team_of, teams_meet
from shared.core.rounds.stages import whole_competition
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, PlayerId, Refusal


def pair_manually(
    t: Tournament,
    round: int,
    seats: tuple[Seats, ...],
    bye: PlayerId | None,
    plan: Plan | None,
    stage: StageRule | None = None,
) -> Seating | Refusal:
    """Return the seating of a pairing by hand: these ``seats`` (white, black), in the order of boards.

    ``bye``: the player with the pairing-allocated bye, if any.
    ``plan``: the format's plan for the round, or None. ``stage``: the stage that is due, or None for a play-off. If the
    plan is fixed (a bracket, the second of two games), exactly its pairs meet, with the given colours. Refusals:
    ``not-as-drawn``, ``bye-of-a-team``.
    """
    boards = tuple(
        board(t, number, white, black)
        for number, (white, black) in zip(board_numbers(t, list(seats)), seats, strict=True)
    )
    meetings = _meetings(t, boards)
    if plan is not None and plan.fixed:
        return _seat_as_drawn(t, round, plan, boards, meetings, bye)
    rule = stage or whole_competition(t.announced)
    kind: ByeKind = "Z" if FORMATS[rule.format].rests and is_bound_by_format(t) else "U"
    free = () if bye is None else _players_with_bye(t, round, bye)
    if isinstance(free, Refusal):
        return free
    byes = tuple(ByeSeat(player, kind) for player in free)
    held, alone = _seat_alone_players(t, round, boards, list(meetings.values()) if stage is not None else [])
    numbered = zip(new_matches(t, rule), meetings.values(), strict=False)
    matches = tuple(
        Match(n, *sides_of_board(t, own[0]), held.get(own[0].board, tuple(b.board for b in own)))
        for n, own in numbered
        if n
    )
    return Seating(tuple(sorted(boards, key=lambda b: b.board)), (*byes, *alone), matches)


def _seat_alone_players(
    t: Tournament, round: int, boards: tuple[Board, ...], meetings: list[list[Board]]
) -> tuple[dict[int, tuple[int, ...]], tuple[ByeSeat, ...]]:
    """Return the board numbers of each match of teams, by its first board, and the byes of players without an opponent.

    Such a player has a full-point bye. The numbers are in the order of the line-ups. Boards without a game get numbers
    after all given boards. Both are empty for single players, and before decision edition 2.
    """
    held: dict[int, tuple[int, ...]] = {}
    alone: list[ByeSeat] = []
    if not teams_meet(t) or t.regulations.decisions < 2:
        return held, ()
    number_of = {player: b.board for b in boards for player in (b.white, b.black)}
    last = max((b.board for b in boards), default=0)
    for own in meetings:
        numbers = list[int]()
        for white, black in team_sides.boards(t, round, Meeting(*sides_of_board(t, own[0]))):
            player = white or black
            if (white and black) or player in number_of:
                numbers.append(number_of.get(player, 0))
            else:
                alone.append(ByeSeat(player, "F"))
                numbers.append(last + len(alone))
        numbers = [n for n in dict.fromkeys(numbers) if n in {b.board for b in own} or n > last]
        held[own[0].board] = (*numbers, *(b.board for b in own if b.board not in numbers))
    return held, tuple(alone)


def _players_with_bye(t: Tournament, round: int, bye: PlayerId) -> tuple[PlayerId, ...] | Refusal:
    """Return the players who have the bye: ``bye`` itself, or in a team event the line-up of this player's team.

    Refusal in a team event: ``bye-of-a-team`` if the player is in no team.
    """
    if not teams_meet(t):
        return (bye,)
    team = team_of(t).get(bye)
    if team is None:
        return Refusal(
            "invalid",
            "bye-of-a-team",
            say("the bye must go to a team, but {bye} is not a member of any team", bye=bye),
            where="bye",
        )
    return team_sides.players_with_bye(t, round, team)


def _meetings(t: Tournament, boards: tuple[Board, ...]) -> dict[tuple[int, int], list[Board]]:
    """Return the boards on which each two sides meet, by the numbers of both sides, the smaller first."""
    meetings: dict[tuple[int, int], list[Board]] = {}
    for b in boards:
        white, black = sides_of_board(t, b)
        meetings.setdefault((min(white, black), max(white, black)), []).append(b)
    return meetings


def _seat_as_drawn(
    t: Tournament,
    round: int,
    plan: Plan,
    boards: tuple[Board, ...],
    meetings: dict[tuple[int, int], list[Board]],
    bye: PlayerId | None,
) -> Seating | Refusal:
    drawn = seating(t, round, plan)
    due = {m.pair for m in plan.meetings if m.walkover is None}
    if set(meetings) != due or (bye is not None and bye not in {s.player for s in drawn.byes}):
        named = tuple(say("{first} and {second}", first=a, second=b) for a, b in sorted(due))
        return Refusal(
            "rule",
            "not-as-drawn",
            say("by the present results, the matches of this round must be between {named}", named=named),
            "002-X 11.1",
            where="boards",
        )
    matches = tuple(_match(t, m, meetings.get(m.pair, [])) for m in plan.meetings)
    return Seating(tuple(sorted(boards, key=lambda b: b.board)), drawn.byes, matches)


def _match(t: Tournament, meeting: Meeting, held: list[Board]) -> Match:
    """Return a match with the boards ``held`` that it is played on.

    In its first round, the side that has White on the first board is named first. Later rounds keep this order.
    """
    sides = sides_of_board(t, held[0]) if held and meeting.leg == 1 else (meeting.first, meeting.second)
    return Match(meeting.match, *sides, tuple(b.board for b in held), meeting.leg, meeting.places)
