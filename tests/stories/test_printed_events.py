"""One event by each set of regulations, from its announcement to the audit of every line: what its own articles decide."""

from typing import Any

import pytest

from shared.regulations import names
from tests.rows.marks import row
from tests.stories.conftest import Story, T
from tests.stories.test_games_claims import claimed
from tests.stories.test_games_kinds import G, opened, played, step, won

HALLS = ("embedded",)

LIFTED = {"infraction": "removing_stones"}
VIOLATION = {"infraction": "violation"}

RULED: list[tuple[str, str, list[dict[str, Any]], str, str, dict[int, float]]] = [
    # set, game, rulings on player 2, infraction and article of the last ruling, points of players 1 and 2
    ("campus", "xiangqi", [{"infraction": "foul"}] * 3, "third_foul", "000-A 2.7", {1: 1, 2: 0}),
    (
        "campus-xiangqi",
        "xiangqi",
        [{"infraction": name} for name in ("disturbing", "stopping_the_clock", "touching_an_unmovable_piece")],
        "third_foul",
        "000-A 2.7",
        {1: 1, 2: 0},
    ),
    ("campus-xiangqi", "xiangqi", [VIOLATION] * 3, "third_violation", "000-A 7.10", {1: 1, 2: 0}),
    ("campus-chess", "chess", [{"infraction": "disturbing"}] * 4, "disturbing", "000-A 国际象棋, 犯规 1", {1: 0, 2: 0}),
    (
        "campus-chess",
        "chess",
        [{"infraction": "abuse"}] * 3,
        "third_violation",
        "000-A 国际象棋, 违例 10",
        {1: 1, 2: 0},
    ),
    (
        "campus-go",
        "go",
        [{"infraction": "taking_back", "facts": {"opponent_moved": False}}],
        "taking_back",
        "000-A 围棋, 行棋 2",
        {1: 0, 2: 0},
    ),
    ("campus-go", "go", [{"infraction": "foul"}] * 3, "foul", "house: 000-A 围棋 has no list of fouls", {1: 0, 2: 0}),
    (
        "go-campus",
        "go",
        [{"infraction": "scattering_the_board", "facts": {"by": 2}}],
        "scattering_the_board",
        "000-A 围棋, 行棋 3",
        {1: 1, 2: 0},
    ),
    ("campus-wuziqi", "renju", [LIFTED], "removing_stones", "000-A 五子棋, 1.F, 2.E", {1: 1, 2: 0}),
    (
        "campus-wuziqi",
        "renju",
        [{"infraction": "leaving_the_game"}],
        "leaving_the_game",
        "000-A 五子棋, 1.F",
        {1: 1, 2: 0},
    ),
    ("renju", "renju", [{"infraction": "grave_foul"}], "grave_foul", "004 3.1 (8) ⑥", {1: 1, 2: 0}),
    ("renju-agreed", "renju", [LIFTED], "removing_stones", "000-A 五子棋, 1.F, 2.E", {1: 1, 2: 0}),
    ("renju-room", "renju", [{"infraction": "grave_foul"}], "grave_foul", "004 3.1 (8) ⑥", {1: 1, 2: 0}),
    ("gomoku-free", "gomoku", [LIFTED], "removing_stones", "000-B 7", {1: 1, 2: 0}),
    ("gomoku-campus", "gomoku", [LIFTED], "removing_stones", "000-B 7", {1: 2, 2: 0}),
    ("gomoku-online", "gomoku", [{"infraction": "foul"}] * 3, "foul", "house: the text counts no fouls", {1: 0, 2: 0}),
    ("friendly-xiangqi", "xiangqi", [VIOLATION] * 3, "third_violation", "000-E 4(六)", {1: 1, 2: 0}),
    (
        "friendly-xiangqi",
        "xiangqi",
        [{"infraction": "foul"}] * 3,
        "foul",
        "house: 000-E counts 违例 alone",
        {1: 0, 2: 0},
    ),
    ("friendly-wuziqi", "renju", [{"infraction": "flag"}], "flag", "000-E 3", {1: 2, 2: 0}),
    ("friendly-go", "go", [{"infraction": "flag"}], "flag", "000-E 5: 超时判负", {1: 2, 2: 0}),
    ("prediction", "prediction", [{"infraction": "taking_back"}], "taking_back", "001 第二条 4", {1: 1, 2: 0}),
    ("xiangqi-folk", "xiangqi", [VIOLATION] * 3, "violation", "house: the text knows no violations", {1: 0, 2: 0}),
    ("xiangqi-1999", "xiangqi", [VIOLATION] * 3, "third_foul", "002-X 4.1.8", {1: 1, 2: 0}),
    ("fide-2024", "chess", [{"infraction": "two_hands"}] * 2, "second_illegal_move", "Laws 7.5.5", {1: 1, 2: 0}),
    ("fide-2026", "chess", [{"infraction": "foul"}] * 4, "foul", "house: the Laws count no fouls", {1: 0, 2: 0}),
    ("fide-2026", "chess", [{"infraction": "electronic_device"}], "electronic_device", "Laws 11.3.2", {1: 1, 2: 0}),
]


def test_every_set_has_its_story() -> None:
    assert {row[0] for row in RULED} == set(names())


@pytest.mark.parametrize(
    ("regulations", "game", "rulings", "infraction", "article", "points"),
    RULED,
    ids=[f"{row[0]}-{row[3]}" for row in RULED],
)
def test_an_infraction_is_ruled_by_the_article_of_the_event(
    story: Story,
    regulations: str,
    game: str,
    rulings: list[dict[str, Any]],
    infraction: str,
    article: str,
    points: dict[int, float],
) -> None:
    opened(story, game, regulations)
    for ruling in rulings:
        story.tell(f"{T}/rulings", {"player": 2, "round": 1, "game": "T.1.1", **ruling}, "arbiter")
    last = story.get(f"{T}/rulings")["rulings"][-1]
    assert (last["infraction"], last["article"].startswith(article)) == (infraction, True), last["article"]
    table = story.points()
    assert {player: table[player] for player in (1, 2)} == points


def test_campus_wuziqi_is_played_with_swap_and_two_fifth_stones(story: Story) -> None:
    """000-A 五子棋, J: 三手交换五手两打; H: White points the forbidden move out at once."""
    opened(story, "renju", "campus-wuziqi")
    played(story, 1, "h8 a1 g8 c1")
    assert story.refused(f"{G}/moves", {"ply": 5, "moves": ["i9"]}, "board") == (409, "illegal-move")
    step(story, "black", "offer_fifth", "i9", "k12")
    step(story, "white", "choose_fifth", "i9")
    played(story, 6, "e1 i10 g1 i8")
    decided = claimed(story, "white", "forbidden_point", "i8")
    assert (decided["upheld"], "H" in decided["article"]) == (True, True)
    won(story, "1-0")


def test_campus_go_is_decided_by_the_chief_arbiter_where_nobody_scattered_the_board(story: Story) -> None:
    """000-A 围棋, 行棋 3."""
    opened(story, "go", "campus-go")
    played(story, 1, "Q16 D4")
    body = {"result": "1/2-1/2", "infraction": "scattering_the_board", "reason": "a spectator fell over the table"}
    made = story.tell(f"{G}/decision", body)
    assert story.get(f"{T}/rulings/{made['ruling']}")["article"] == "000-A 围棋, 行棋 3"
    assert story.points()[1] == 0.5


def test_campus_chess_gives_five_minutes_for_a_wrong_claim(story: Story) -> None:
    """000-A 国际象棋, 对局结束 13(2)."""
    opened(story, "chess", "campus-chess")
    played(story, 1, "e4 e5")
    assert claimed(story, "white", "threefold_repetition")["upheld"] is False
    story.until(lambda: story.ask("GET", f"{T}/rulings").json["rulings"] != [])
    (ruling,) = story.ask("GET", f"{T}/rulings").json["rulings"]
    assert (ruling["article"], ruling["effect"]["clock"]) == ("000-A 国际象棋, 对局结束 13(2)", -300)


@pytest.mark.parametrize(
    ("regulations", "ended"), [("gomoku-free", False), ("gomoku-online", True), ("gomoku-campus", True)]
)
def test_six_in_a_row_win_where_the_text_says_five_and_more(story: Story, regulations: str, ended: bool) -> None:
    """000-B 5: 五个; 000-D ㈡(1): 含五个以上."""
    opened(story, "gomoku", regulations)
    if regulations != "gomoku-online":
        step(story, "black", "guess", "odd", "3")
    played(story, 1, "h8 h9 i8 i9 j8 j9 l8 l9 m8 m9 k8")
    assert (story.get(G)["status"] == "decided") is ended


def test_network_gomoku_begins_anywhere_and_a_resignation_is_confirmed(story: Story) -> None:
    """000-D ㈠, ㈢(1): within ten seconds, else it is void."""
    opened(story, "gomoku", "gomoku-online")
    played(story, 1, "a1 a2")
    story.tell(f"{G}/claims", {"claim": "resignation", "side": "black"}, "player")
    assert story.get(G)["status"] == "playing"
    step(story, "black", "confirm_resignation", "9")
    won(story, "1-0")


@row("X21", under="friendly-xiangqi")
def test_friendly_xiangqi_is_lost_by_a_move_of_more_than_fifteen_seconds(story: Story) -> None:
    """000-E 2."""
    opened(story, "xiangqi", "friendly-xiangqi")
    moves = [{"move": "h2e2", "clock": 1}, {"move": "h9g7", "clock": 0}]
    story.tell(f"{G}/moves", {"ply": 1, "moves": moves}, "board")
    story.until(lambda: story.ask("GET", f"{T}/rulings").json["rulings"] != [])
    (ruling,) = story.ask("GET", f"{T}/rulings").json["rulings"]
    assert (ruling["infraction"], ruling["player"]) == ("flag", 2)
    assert ruling["article"].startswith("000-E 2")
    story.until(lambda: story.ask("GET", G).json["status"] == "decided")


def test_friendly_wuziqi_begins_with_a_guess_and_has_no_swap_and_no_offers(story: Story) -> None:
    """000-E 行棋顺序 1: who guesses right has Black; 判断胜负 5."""
    opened(story, "renju", "friendly-wuziqi")
    step(story, "black", "guess", "odd", "3")
    played(story, 1, "h8 a1 g8 c1 i9 e1 i10 g1 i8")
    assert claimed(story, "white", "forbidden_point", "i8")["upheld"] is True
    assert story.points()[1] == 2.0, "000-E 2"


def test_friendly_go_is_played_by_sudden_death_of_the_announced_time(story: Story) -> None:
    """000-E 5: the announcement says how long, by the article."""
    cup = {"id": "T", "name": "Cup", "game": "go", "format": "swiss", "rounds": 5, "regulations": "friendly-go"}
    time = {"periods": [{"seconds": 1800}], "flag": "at_once"}
    story.tell("/v1/tournaments", cup | {"conditions": {"time": time}})
    assert story.get(T)["conditions"]["time"]["article"] == "000-E 5"
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in (1, 2, 3, 4)]})
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1/2-1/2")
    assert story.points() == {1: 2.0, 2: 0.0, 3: 1.0, 4: 1.0}


@row("R11", under="renju-agreed")
def test_an_agreed_opening_is_played_without_a_swap(story: Story) -> None:
    """004 3.2 (1): 此方法不适用于指定开局打法."""
    opened(story, "renju", "renju-agreed")
    step(story, "black", "opening", "长星")
    played(story, 1, "h8 i9 j10")
    assert story.refused(f"{G}/steps", {"side": "white", "step": "swap", "values": []}, "board") == (
        409,
        "illegal-step",
    )
    assert story.get(G)["status"] == "playing"


@pytest.mark.parametrize(
    ("forbidden", "notation"),
    [("loses", "1-0"), ("claimed", None), ("illegal", None)],
    ids=["loses", "claimed", "illegal"],
)
def test_in_a_room_of_national_rules_nobody_swaps_and_forbidden_moves_are_as_the_room_says(
    story: Story, forbidden: str, notation: str | None
) -> None:
    """004 line 488, 490: White presses 禁手, 走禁手就输, or 禁手不能落子."""
    cup = {"id": "T", "name": "Cup", "game": "renju", "format": "swiss", "rounds": 5, "regulations": "renju-room"}
    story.tell("/v1/tournaments", cup | {"changes": {"game.renju.forbidden": forbidden}})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in (1, 2, 3, 4)]})
    story.paired([1, 2], [3, 4])
    played(story, 1, "h8 a1 g8 c1 i9 e1 i10 g1")
    if forbidden == "illegal":
        assert story.refused(f"{G}/moves", {"ply": 9, "moves": ["i8"]}, "board") == (409, "illegal-move")
    else:
        played(story, 9, "i8")
    result = story.get(G)["result"]
    assert (result and result["notation"]) == notation
