"""Game points 局分 and match points 场分 (002-X 14.2, 21.4)."""

import pytest

from shared.core.readings.team_scoring import TeamRound, team_scores
from tests.rules.team_hall import TeamHall


def made(hall: TeamHall, team: int, round: int = 1) -> TeamRound:
    return team_scores(hall.t)[team].rounds[round - 1]


@pytest.mark.parametrize(
    ("boards", "games", "matches", "kind", "article"),
    [
        ("1=", (3, 1), (4, 0), "played", "14.2: more game points win the match"),
        ("==", (2, 2), (2, 2), "played", "14.2: as many, drawn"),
        ("10", (2, 2), (2, 2), "played", "14.2: as many, drawn"),
        ("00", (0, 4), (0, 4), "played", "14.2: fewer lose it"),
        ("1+", (4, 0), (4, 0), "played", "21.4: a + is a point of the match"),
        ("a+", (4, 0), (4, 0), "forfeit", "21.4: nobody opposite is a +"),
        ("++", (4, 0), (4, 0), "forfeit", "21.4: a team's + is two match points"),
        ("+-", (2, 2), (2, 2), "played", "14.2: a + each, so both were there"),
        ("xx", (0, 0), (0, 0), "forfeit", "21.4: a - is nothing, also for both"),
        ("x=", (1, 1), (2, 2), "played", "14.2: what was played decides"),
        ("1.", (2, 0), (0, 0), "open", "no match points before the match has ended"),
    ],
)
def test_game_points_decide_match_points(boards, games, matches, kind, article):
    hall = TeamHall(2).round(f"1-2 {boards}")
    one, two = made(hall, 1), made(hall, 2)
    assert (one.game_points, two.game_points) == games, article
    assert (one.match_points, two.match_points) == matches, article
    assert one.kind == two.kind == kind
    assert (one.opponent, two.opponent) == (2, 1)
    assert (one.side, two.side) == ("white", "black")


@pytest.mark.parametrize(("book", "matches", "games"), [("campus", 4, 4), ("fide-2026", 2, 2)])
def test_a_teams_bye_gives_what_the_regulations_say(book, matches, games):
    hall = TeamHall(3, book=book).round("1-2 11", bye=3)
    assert made(hall, 3)._replace(paired=()) == TeamRound(1, "bye", match_points=matches, game_points=games)


def test_each_board_names_its_player_and_the_lines_it_came_from():
    hall = TeamHall(2).round("1-2 1=")
    boards = made(hall, 2).boards
    assert [(b.board, b.player, b.score.points) for b in boards] == [(1, 21, 0), (2, 22, 1)]
    assert all(len(b.score.events) == 2 for b in boards)


def test_a_board_without_a_player_is_empty_and_keeps_its_number():
    hall = TeamHall(2, boards=3).round("1-2 =b1")
    assert [(b.board, b.player) for b in made(hall, 1).boards] == [(1, 11), (3, 13)]
    assert [(b.board, b.player) for b in made(hall, 2).boards] == [(1, 21), (2, 22), (3, 23)]
    assert (made(hall, 1).game_points, made(hall, 2).game_points) == (3, 3)


def test_a_match_of_several_rounds_counts_once_when_all_of_them_are_played():
    hall = TeamHall(2, kind="everybody").round("1-2 11")
    assert made(hall, 1).kind == "open"
    assert (made(hall, 1).match_points, made(hall, 1).game_points) == (0, 4)
    hall.round("1-2 0=", leg=2)
    assert len(team_scores(hall.t)[1].rounds) == 1
    assert (made(hall, 1).kind, made(hall, 1).match_points, made(hall, 1).game_points) == ("played", 4, 5)
    assert (made(hall, 2).match_points, made(hall, 2).game_points) == (0, 3)


def test_a_team_without_a_match_has_none():
    hall = TeamHall(3).round("1-2 11")
    assert made(hall, 3).kind == "none"
    assert team_scores(hall.t)[3].match_points == 0


def test_only_the_first_rounds_count_where_so_asked():
    hall = TeamHall(2).round("1-2 11").round("2-1 11")
    assert [s.match_points for s in team_scores(hall.t, 1).values()] == [4, 0]
    assert [s.match_points for s in team_scores(hall.t).values()] == [4, 4]
