"""Events of teams, each kind of 002-X 12 and each way to pair them; everything is decided again at the end."""

from typing import Any

import pytest

from shared.regulations import load
from tests.rows.marks import plays
from tests.stories.conftest import Story, T, in_one_process


def announced(
    story: Story,
    kind: str,
    teams: int = 4,
    boards: int = 2,
    substitutes: int = 0,
    format: str = "round_robin",
    rounds: int = 3,
    regulations: str = "xiangqi-1999",
    game: str = "xiangqi",
    **conditions: Any,
) -> None:
    """``teams`` teams; team n has the players 10n + 1, 10n + 2, …, the lower the number the higher the rating."""
    team = {"kind": kind, "boards": boards, "substitutes": substitutes}
    story.tell(
        "/v1/tournaments",
        {
            "id": "T",
            "name": "Team Cup",
            "game": game,
            "format": format,
            "regulations": regulations,
            "conditions": {"team": team, **conditions},
            **({"rounds": rounds} if rounds else {}),
        },
    )
    size = boards + substitutes
    players = [10 * n + k for n in range(1, teams + 1) for k in range(1, size + 1)]
    story.tell(f"{T}/entries", {"players": [{"id": p, "name": f"选手 {p}", "rating": 2400 - p} for p in players]})
    members = [[p for p in players if p // 10 == n] for n in range(1, teams + 1)]
    story.tell(f"{T}/teams", {"teams": [{"name": f"{n} 队", "members": m} for n, m in enumerate(members, 1)]})


def seats(paired: Any) -> list[tuple[int, int]]:
    return [(b["white"], b["black"]) for b in paired["boards"]]


def met(paired: Any) -> set[frozenset[int]]:
    """The teams that meet."""
    return {frozenset({white // 10, black // 10}) for white, black in seats(paired)}


def won_by_the_lower(story: Story, paired: Any) -> None:
    """On every board the player with the lower number wins."""
    results = ["1-0" if white < black else "0-1" for white, black in seats(paired)]
    boards = [b["board"] for b in paired["boards"]]
    said = [{"board": n, "result": r} for n, r in zip(boards, results, strict=True)]
    story.tell(f"{T}/results", {"round": paired["round"], "results": said}, "arbiter")


def rows(story: Story, query: str = "") -> list[tuple[int, int, float, float]]:
    """Team, rank, match points and game points, by rank."""
    told = story.get(f"{T}/standings/teams{query}")
    return [(r["id"], r["rank"], r["points"], r["game_points"]) for r in told["teams"]]


@plays("ranking.orders.*.of", "teams")
@plays("teams.win", 4)
@plays("teams.loss", 0)
def test_a_round_robin_of_teams_on_fixed_boards(story: Story):
    announced(story, "fixed", teams=4)
    assert story.refused(f"{T}/lineups", {"team": 1, "round": 1, "players": [11, 12]}) == (409, "no-lineups")
    for number in (1, 2, 3):
        paired = story.tell(f"{T}/rounds")
        assert [b["board"] for b in paired["boards"]] == [1, 2, 3, 4]
        odd, even = paired["boards"][0], paired["boards"][1]
        assert odd["white"] // 10 == even["black"] // 10, "the team named first has Red on the odd board (002-X 13.2)"
        assert odd["white"] % 10 == odd["black"] % 10 == 1
        won_by_the_lower(story, paired)
        assert story.get(f"{T}/rounds/{number}")["round"] == number
    assert story.refused(f"{T}/rounds") == (409, "no-round-left")
    assert rows(story) == [(1, 1, 6, 6), (2, 2, 4, 4), (3, 3, 2, 2), (4, 4, 0, 0)]
    told = story.get(f"{T}/standings/teams/2")
    assert [(m["opponent"], m["points"], m["game_points"]) for m in sorted(told["matches"], key=lambda m: m["opponent"])] == [
        (1, 0, 0), (3, 2, 2), (4, 2, 2)
    ]  # fmt: skip
    assert {"GPTS", "WIN:GP"} <= {tb["name"] for tb in told["tiebreaks"]}
    crossed = story.get(f"{T}/crosstable/teams")
    assert [c["opponent"] for c in crossed["teams"][0]["matches"]].count(None) == 0
    assert story.get(f"{T}/standings/teams", Accept="text/csv").splitlines()[1].startswith("1,1,1 队,6,6,")
    assert story.tell(f"{T}/publications", {"final": True})["events"]


@in_one_process
def test_substitutes_never_reverse_the_order(story: Story):
    announced(story, "substitutes", teams=2, boards=4, substitutes=2, rounds=1)

    def refused(*players: int) -> tuple[int, str]:
        return story.refused(f"{T}/lineups", {"team": 1, "round": 1, "players": list(players)})

    assert refused(11, 12, 14, 13) == (409, "order-reversed")
    assert refused(11, 12, 13, 21) == (409, "not-a-member")
    assert refused(11, 12, 13, 13) == (422, "player-twice")
    assert refused(11, 12, 13, 14, 15) == (422, "lineup-size")
    story.tell(f"{T}/lineups", {"team": 1, "round": 1, "players": [11, 13, 15, 16]}, "arbiter")
    assert refused(11, 12, 13, 14) == (409, "lineup-exists")
    paired = story.tell(f"{T}/rounds")
    assert [sorted(s) for s in seats(paired)] == [[11, 21], [13, 22], [15, 23], [16, 24]]
    story.report("1-0")
    late = {"team": 2, "round": 1, "players": [21, 22, 23, 25]}
    assert story.refused(f"{T}/lineups", late) == (409, "lineup-late")


def test_a_line_up_after_the_pairing_seats_the_match_anew(story: Story):
    announced(story, "lineup", teams=2, boards=3, rounds=1)
    first = story.tell(f"{T}/rounds")
    handed = story.tell(f"{T}/lineups", {"team": 2, "round": 1, "players": [23, 21, 22]})
    assert [e["type"] for e in handed["events"]] == [
        "arbiter.lineup.handed-in.v1",
        "arbiter.pairing.withdrawn.v2",
        "arbiter.round.paired.v2",
    ]
    assert [e["role"] for e in handed["events"]] == ["chief_arbiter", "rulebook", "rulebook"]
    anew = story.get(f"{T}/rounds/1")
    assert anew["pairing"] == first["pairing"] + 1
    assert [sorted(s) for s in seats(anew)] == [[11, 23], [12, 21], [13, 22]]
    story.tell(f"{T}/lineups", {"team": 1, "round": 1, "players": [13, 11]}, "arbiter")
    short = story.get(f"{T}/rounds/1")
    assert [sorted(s) for s in seats(short)] == [[13, 23], [11, 21]]
    assert short["byes"] == [{"player": 22, "kind": "F"}], "nobody opposite: the board is won by forfeit"
    story.report("1/2-1/2", "1/2-1/2")
    assert rows(story) == [(2, 1, 2, 2), (1, 2, 0, 1)]


@in_one_process
def test_everybody_of_one_team_meets_everybody_of_the_other(story: Story):
    announced(story, "everybody", teams=2, boards=3, rounds=3)
    games = []
    for number in (1, 2, 3):
        paired = story.tell(f"{T}/rounds")
        games += [tuple(sorted(s)) for s in seats(paired)]
        assert rows(story)[0][2] == 0, "no match points before the match is over"
        won_by_the_lower(story, paired)
        assert story.get(f"{T}/standings/teams/1")["matches"][0]["kind"] == ("played" if number == 3 else "open")
    assert sorted(games) == [(a, b) for a in (11, 12, 13) for b in (21, 22, 23)]
    assert rows(story) == [(1, 1, 2, 9), (2, 2, 0, 0)]


@plays("ranking.orders.*.of", "members")
@in_one_process
def test_members_places_in_an_event_of_single_players_are_summed_up(story: Story):
    announced(story, "members", teams=2, boards=2, format="swiss", rounds=2)
    for _ in range(2):
        paired = story.tell(f"{T}/rounds")
        won_by_the_lower(story, paired)
    places = {row["id"]: row["rank"] for row in story.get(f"{T}/standings")["players"]}
    told = story.get(f"{T}/standings/teams")
    assert {row["id"]: row["places"] for row in told["teams"]} == {
        1: places[11] + places[12],
        2: places[21] + places[22],
    }
    assert told["teams"][0]["id"] == 1
    assert story.get(f"{T}/standings/teams/1")["members"][0]["place"] == places[11]
    assert story.get(f"{T}/standings/teams", Accept="text/csv").startswith("rank,id,name,places,PLACES")
    assert story.refused(f"{T}/lineups", {"team": 1, "round": 1, "players": [11, 12]}) == (409, "no-lineups")


@plays("teams.bye", 4)
@plays("teams.bye_board", 2)
def test_a_swiss_of_teams_by_points(story: Story):
    """Five teams (F3), the first round by lot: nobody meets twice, nobody has the bye twice."""
    announced(story, "fixed", teams=5, format="swiss", rounds=3)
    before: set[frozenset[int]] = set()
    free: list[int] = []
    for _ in range(3):
        paired = story.tell(f"{T}/rounds")
        assert not met(paired) & before
        before |= met(paired)
        byes = {b["player"] // 10 for b in paired["byes"]}
        assert len(byes) == 1
        free += byes
        won_by_the_lower(story, paired)
    assert len(set(free)) == 3
    table = rows(story)
    assert sum(points for _, _, points, _ in table) == 3 * 2 * 3, "two match points a match, and two for each bye"
    assert {team: points for team, _, points, _ in table}[1] == 6, "whoever it met"
    bye = next(m for m in story.get(f"{T}/standings/teams/{free[0]}")["matches"] if m["kind"] == "bye")
    assert (bye["points"], bye["game_points"]) == (2, 2), "002-X 21.4"


@pytest.mark.parametrize(
    ("regulations", "game", "points"),
    [
        pytest.param(
            "fide-2026",
            "chess",
            (1, 1),
            marks=[plays("teams.bye", 2), plays("teams.bye_board", 1), plays("teams.draw", 2)],
        ),
        pytest.param("gomoku-campus", "gomoku", (2, 4), marks=[plays("teams.bye_board", 4), plays("teams.draw", 2)]),
    ],
)
@in_one_process
def test_a_drawn_match_shares_its_points_and_a_bye_has_those_of_the_set(
    story: Story, regulations: str, game: str, points: tuple[float, float]
) -> None:
    """C.04.6 and house; 002-X 14.2, 21.4 with the points of 000-E."""
    announced(story, "fixed", teams=3, format="swiss", rounds=1, regulations=regulations, game=game)
    paired = story.tell(f"{T}/rounds")
    drawn = [{"board": b["board"], "result": "1/2-1/2"} for b in paired["boards"]]
    story.tell(f"{T}/results", {"round": 1, "results": drawn}, "arbiter")
    (free,) = {b["player"] // 10 for b in paired["byes"]}
    table = {team: (points, games) for team, _, points, games in rows(story)}
    won = 2 * load(regulations).points.draw / 2
    assert table.pop(free) == points
    assert [*table.values()] == [(1, won)] * 2


def test_a_knock_out_of_teams(story: Story):
    announced(story, "fixed", teams=4, format="knockout", rounds=2)
    semi = story.tell(f"{T}/rounds")
    results = [{"board": b["board"], "result": "1/2-1/2"} for b in semi["boards"]]
    story.tell(f"{T}/results", {"round": 1, "results": results}, "arbiter")
    assert story.refused(f"{T}/rounds") == (409, "match-drawn")
    for match in (1, 2):
        story.tell(f"{T}/lots", {"match": match})
    final = story.tell(f"{T}/rounds")
    assert len(met(final)) == 1
    won_by_the_lower(story, final)
    assert story.refused(f"{T}/rounds") == (409, "no-round-left")
    table = rows(story)
    assert [rank for _, rank, _, _ in table][:2] == [1, 2]
    assert {table[0][0], table[1][0]} == set(min(met(final)))
    assert table[0][0] == min(min(met(final)))


@in_one_process
def test_groups_of_teams_then_finals(story: Story):
    """The best of each group go on in the order of the table of teams as published (002-X 11.3)."""
    announced(story, "fixed", teams=6, format="groups", rounds=0, groups=2, qualifiers=1)
    for _ in range(3):
        won_by_the_lower(story, story.tell(f"{T}/rounds"))
    assert story.refused(f"{T}/rounds") == (409, "standings-not-published")
    story.tell(f"{T}/publications", {})
    final = story.tell(f"{T}/rounds")
    assert met(final) == {frozenset({1, 2})}, "the snake put 1 and 2 into different groups"
    won_by_the_lower(story, final)
    assert [team for team, _, _, _ in rows(story)][:2] == [1, 2]
    assert story.refused(f"{T}/rounds") == (409, "no-round-left")


def test_equals_at_the_top_play_off(story: Story):
    """Two drawn matches leave the first place shared; a match more parts the two, and gives no points (002-X 15.6)."""
    announced(story, "fixed", teams=2, format="double_round_robin", rounds=2)
    for number in (1, 2):
        story.tell(f"{T}/rounds")
        story.report("1/2-1/2", "1/2-1/2", round=number)
    assert [rank for _, rank, _, _ in rows(story)] == [1, 1]
    story.tell(f"{T}/play-offs", {"boards": [[11, 21], [22, 12]], "reason": "the first place is not shared"})
    story.report("1-0", "1-0", round=3)
    assert rows(story, "?tiebreaks=PO,TBR") == [(1, 1, 2, 2), (2, 1, 2, 2)], "one each"
    story.tell(
        f"{T}/corrections",
        {"round": 3, "results": [{"board": 2, "result": "1/2-1/2"}], "reason": "the sheet says so"},
        "arbiter",
    )
    assert rows(story, "?tiebreaks=PO") == [(1, 1, 2, 2), (2, 2, 2, 2)]


def test_a_pairing_of_teams_by_hand_is_checked(story: Story):
    """Teams that have met do not meet again, but by the chief arbiter's override."""
    announced(story, "fixed", teams=4, format="swiss", rounds=2)
    by_hand = {"boards": [[11, 21], [22, 12], [31, 41], [42, 32]], "reason": "the hall is too small"}
    won_by_the_lower(story, story.tell(f"{T}/rounds", by_hand))
    assert rows(story)[0][2:] == (2, 2)
    assert story.refused(f"{T}/rounds", by_hand) == (409, "absolute-rule")
    mates = {"boards": [[11, 12]], "reason": "members of one team"}
    assert story.refused(f"{T}/rounds", mates) == (409, "absolute-rule")
    story.tell(f"{T}/rounds", by_hand | {"overrides": ["rematch"]})
    assert "rematch" in str(story.integrity()["overrides"])


@in_one_process
def test_who_does_not_come_leaves_the_board_to_the_opponents(story: Story):
    announced(story, "fixed", teams=2, format="swiss", rounds=1)
    story.tell(f"{T}/entries/12/withdrawal", {"reason": "ill"})
    paired = story.tell(f"{T}/rounds")
    assert [sorted(s) for s in seats(paired)] == [[11, 21]]
    assert paired["byes"] == [{"player": 22, "kind": "F"}]
    story.report("1/2-1/2")
    assert rows(story) == [(2, 1, 2, 1.5), (1, 2, 0, 0.5)]


def test_a_team_that_leaves_early_has_its_results_annulled(story: Story):
    """Round robin of four: one opponent of three met is fewer than half (002-X 20.3)."""
    announced(story, "fixed", teams=4)
    first = story.tell(f"{T}/rounds")
    won_by_the_lower(story, first)
    opponent = next(iter(next(m for m in met(first) if 4 in m) - {4}))
    assert {team: points for team, _, points, _ in rows(story)}[opponent] == 2
    story.tell(f"{T}/teams/4/withdrawal", {"reason": "the bus broke down"})
    table = {team: (points, games) for team, _, points, games in rows(story)}
    assert table[opponent] == (0, 0) and rows(story)[-1][0] == 4
    annulled = [m for m in story.get(f"{T}/standings/teams/{opponent}")["matches"] if m["opponent"] == 4]
    assert [(m["counted"], m["points"]) for m in annulled] == [(False, 0)]
    assert 4 not in {side for pair in met(story.tell(f"{T}/rounds")) for side in pair}
    assert story.refused(f"{T}/teams/4/withdrawal") == (409, "nobody-left")
    assert story.refused(f"{T}/teams/9/withdrawal") == (404, "unknown-team")


@in_one_process
def test_a_team_that_leaves_late_forfeits_the_rest(story: Story):
    """Two opponents of three met: the results stand, and the last match is won by forfeit (002-X 20.3, 21.4)."""
    announced(story, "fixed", teams=4)
    for _ in (1, 2):
        won_by_the_lower(story, story.tell(f"{T}/rounds"))
    before = {team: (points, games) for team, _, points, games in rows(story)}
    story.tell(f"{T}/teams/1/withdrawal")
    assert {team: (points, games) for team, _, points, games in rows(story)} == before
    last = story.tell(f"{T}/rounds")
    opponent = next(iter(next(m for m in met(last) if 1 in m) - {1}))
    made = next(m for m in story.get(f"{T}/standings/teams/{opponent}")["matches"] if m["opponent"] == 1)
    assert (made["kind"], made["points"], made["game_points"]) == ("forfeit", 2, 2), "a team's + is two match points"


@pytest.mark.parametrize(
    ("team", "status", "code"),
    [
        ({"name": "x", "members": [11, 13]}, 409, "in-another-team"),
        ({"name": "x", "members": [31]}, 409, "team-size"),
        ({"name": "x", "members": [32, 31]}, 409, "not-by-rating"),
        ({"name": "x", "members": [31, 99]}, 404, "unknown-player"),
        ({"id": 1, "name": "x", "members": [31, 32]}, 409, "team-exists"),
        ({"name": "", "members": [31, 32]}, 422, "invalid"),
    ],
)
@in_one_process
def test_a_team_that_cannot_be_is_refused(story: Story, team: dict[str, Any], status: int, code: str):
    announced(story, "fixed", teams=2)
    story.tell(f"{T}/entries", {"players": [{"id": p, "name": f"选手 {p}", "rating": 2400 - p} for p in (13, 31, 32)]})
    assert story.refused(f"{T}/teams", {"teams": [team]})[0] == status
    if code != "invalid":
        assert story.refused(f"{T}/teams", {"teams": [team]})[1] == code


@in_one_process
def test_in_an_event_of_single_players_there_is_no_table_of_teams(story: Story):
    story.announced()
    story.near("GET", f"{T}/standings")
    answer = story.ask("GET", f"{T}/standings/teams")
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (409, "no-team-event")
    assert story.refused(f"{T}/teams", {"teams": [{"name": "x", "members": [1, 2]}]}) == (409, "no-team-event")
    assert "Teams" not in story.ask("GET", "/t/T").text


@in_one_process
def test_a_team_without_an_opponent_has_the_bye_by_hand(story: Story):
    """Any of its members is named for it; the line-up has the bye, the team the points of one."""
    announced(story, "fixed", teams=3, format="swiss", rounds=1)
    boards = {"boards": [[11, 21], [22, 12]], "reason": "as the hall sits"}
    paired = story.tell(f"{T}/rounds", boards | {"bye": 32})
    assert [(b["player"], b["kind"]) for b in paired["byes"]] == [(31, "U"), (32, "U")]
    won_by_the_lower(story, paired)
    assert {row[0]: row[2:] for row in rows(story)} == {1: (2, 2), 2: (0, 0), 3: (2, 2)}


@in_one_process
def test_by_hand_too_a_board_without_an_opponent_is_a_full_point_bye(story: Story):
    announced(story, "fixed", teams=2, format="swiss", rounds=1)
    story.tell(f"{T}/entries/21/withdrawal", {"reason": "ill"})
    paired = story.tell(f"{T}/rounds", {"boards": [[22, 12]], "reason": "as the hall sits"})
    assert [(b["player"], b["kind"]) for b in paired["byes"]] == [(11, "F")]
    won_by_the_lower(story, paired)
    assert {row[0]: row[2:] for row in rows(story)}[1] == (2, 2)
    assert story.get(f"{T}/audit")["verdict"] == "agrees"
