"""Values of games' rules: the same game under each of them, and what comes of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.regulations import load
from shared.regulations.changes import changeable
from tests.federation import set_with
from tests.http.boards import Board, G, T, board
from tests.http.rows.answers import claim, followed, result, rulings
from tests.http.rows.five import FAR, THREE_THREE
from tests.http.rows.test_chess import LONE_KING, TO_AND_FRO
from tests.http.rows.test_go import KO
from tests.http.rows.test_prediction import predicted
from tests.rows.marks import plays

Play = Callable[[Board], Any]


def under(folder: Path, of: str, game: str, path: str, value: Any, **more: Any) -> Any:
    """A board under a set with this value: by a change of an organiser's, or a federation's own set."""
    folder.mkdir()
    if path in changeable():
        return board(folder, game, of, changes={path: value}, **more)
    return board(folder, game, regulations_file=set_with(of, {path: value}), **more)


def offered(*offers: tuple[str, str]) -> Play:
    def play(b: Board) -> Any:
        followed(b.moves("h2e2"))
        for said, side in offers:
            followed(b.call("POST", f"{G}/offers", {"offer": said, "side": side}, "player"))
        return [name for name, *_ in rulings(b)]

    return play


def ko_retaken(what: str) -> Play:
    def play(b: Board) -> Any:
        followed(b.moves(KO))
        claim(b, "illegal_move", side="black", move="D4")
        return {"turn": b.get().json["to_move"], "rulings": [kind for _, kind, _ in rulings(b)]}[what]

    return play


def status(*moves: str) -> Play:
    """The status of the answer to the last of these batches."""

    def play(b: Board) -> Any:
        ply, answer = 1, None
        for batch in moves:
            answer = b.moves(batch, ply)
            ply += len(batch.split())
        assert answer is not None
        return answer.status_code

    return play


def passed(b: Board) -> Any:
    followed(b.moves(f"h8 {FAR[0]} g8 {FAR[1]}"))
    followed(b.step("black", "offer_fifth", "f9", "o15"), b.step("white", "choose_fifth", "f9"))
    return b.moves("pass", 6).status_code


def three_three(b: Board) -> Any:
    first, second, fifth, *rest = THREE_THREE
    followed(b.moves(f"{first} {FAR[0]} {second} {FAR[1]}"))
    followed(b.step("black", "offer_fifth", fifth, "o15"), b.step("white", "choose_fifth", fifth))
    followed(b.moves(" ".join(s for pair in zip(FAR[2:], rest, strict=False) for s in pair), 6))
    return result(b)


def resigned(b: Board) -> Any:
    followed(b.moves("h8 h9"))
    claim(b, "resignation", "player", side="white")
    return result(b)


def whites_three_three(b: Board) -> Any:
    predicted(b, "a1 h8 c1 g8", "黑子43手", "白子42手")
    followed(b.moves("e1 i9 g1 i10 a15 i8", 5))
    return result(b)


def touched_before_a_claim(b: Board) -> Any:
    followed(b.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"))
    claim(b, "touch", squares=["f6"])
    body = {"claim": "threefold_repetition", "side": "black", "move": "f6g8"}
    return b.call("POST", f"{G}/claims", body, "player").status_code


def reversed_after_ten_moves(b: Board) -> Any:
    """Without readings of a clock."""
    followed(b.moves(TO_AND_FRO * 5))
    return b.call("POST", f"{G}/take-back", {"to_ply": 0, "reason": "wrong_colours"}, "arbiter").status_code


def wrongly_claimed(b: Board) -> Any:
    followed(b.moves(TO_AND_FRO))
    claim(b, "fifty_moves", "player", side="white")
    return [r["effect"].get("clock") for r in b.call("GET", f"{T}/rulings", role=None).json["rulings"]]


def flag_against_a_lone_king(b: Board) -> Any:
    followed(b.moves(LONE_KING))
    claim(b, "flag", side="black")
    return result(b)


def two_illegal_moves_against_a_lone_king(b: Board) -> Any:
    followed(b.moves(LONE_KING))
    for move in ("e1e3", "e1e4"):
        claim(b, "illegal_move", side="black", move=move)
    return result(b)


LATE_OFFER = (("draw", "black"),)
TWICE = (("draw", "white"), ("decline", "black"), ("draw", "white"))
CASES: list[tuple[str, str, str, Play, dict[Any, Any]]] = [
    # path, set, game, what is played, what comes of it by each value
    ("game.go.loses_turn", "go-campus", "go", ko_retaken("turn"), {True: "black", False: "white"}),
    ("game.go.ko_warns", "go-campus", "go", ko_retaken("rulings"), {True: ["warn"], False: []}),
    ("game.renju.pass_allowed", "renju", "renju", passed, {True: 201, False: 409}),
    ("game.renju.forbidden", "renju", "renju", three_three, {"claimed": None, "loses": "1-0"}),
    ("game.gomoku.centre_start", "gomoku-campus", "gomoku", status("h9"), {True: 409, False: 201}),
    ("game.gomoku.own_half", "gomoku-campus", "gomoku", status("h8", "h3"), {True: 409, False: 201}),
    ("game.gomoku.resignation_confirmed", "gomoku-campus", "gomoku", resigned, {10: None, 0: "0-1"}),
    ("game.prediction.both_forbidden", "campus", "prediction", whites_three_three, {True: "0-1", False: None}),
    ("game.chess.touch_ends_claim", "campus", "chess", touched_before_a_claim, {False: 201, True: 409}),
    ("game.chess.colours_until_moves", "campus", "chess", reversed_after_ten_moves, {0: 201, 10: 409}),
    ("game.chess.flag_needs", "campus", "chess", flag_against_a_lone_king, {"more_than_king": "1/2-1/2"}),
    ("game.offers.xiangqi.after_own_move", "campus", "xiangqi", offered(*LATE_OFFER),
     {True: ["irregular_draw_offer"], False: []}),
    ("game.offers.xiangqi.alternate", "campus", "xiangqi", offered(*TWICE),
     {True: ["consecutive_draw_offers"], False: []}),
    ("rulebook.findings.false_claim.clock", "fide-2026", "chess", wrongly_claimed, {120: [120], -300: [-300]}),
    ("rulebook.findings.flag.draws", "fide-2026", "chess", flag_against_a_lone_king, {True: "1/2-1/2", False: "0-1"}),
    ("rulebook.ladder.second_illegal_move.draws", "fide-2026", "chess", two_illegal_moves_against_a_lone_king,
     {True: "1/2-1/2", False: "0-1"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "regulations", "game", "play", "expected"),
    [pytest.param(*case, marks=plays(case[0], *case[4]), id=case[0]) for case in CASES],
)
def test_the_same_game_under_each_value(
    tmp_path: Path, path: str, regulations: str, game: str, play: Play, expected: dict[Any, Any]
) -> None:
    came = {}
    for value in expected:
        with under(tmp_path / str(value), regulations, game, path, value) as b:
            came[value] = play(b)
    assert came == expected


SCHEMES = [
    (one.article, name, one)
    for name in ("xiangqi-1999", "campus")
    for one in load(name).game.schemes
    if one.game == "xiangqi"
]


@pytest.mark.parametrize(
    ("article", "regulations", "first"),
    [
        pytest.param(
            article,
            name,
            scheme.periods[0].seconds if scheme.periods else scheme.byo_yomi,
            marks=[
                *(plays("game.schemes.*.periods.*.seconds", one.seconds) for one in scheme.periods),
                *(plays("game.schemes.*.periods.*.moves", one.moves) for one in scheme.periods),
                *(plays("game.schemes.*.periods.*.increment", one.increment) for one in scheme.periods),
                plays("game.schemes.*.byo_yomi", scheme.byo_yomi),
                plays("game.schemes.*.byo_yomi_periods", scheme.byo_yomi_periods),
                plays("game.schemes.*.increment", scheme.increment),
                plays("game.schemes.*.flag", scheme.flag),
            ],
            id=article,
        )
        for article, name, scheme in SCHEMES
    ],
)
def test_a_scheme_of_times_is_kept_by_the_clocks(tmp_path: Path, article: str, regulations: str, first: int) -> None:
    """002-X 6; 000-E 2."""
    for folder, reading in (("nothing", 0), ("more", first + 1)):
        (tmp_path / folder).mkdir()
        with board(tmp_path / folder, "xiangqi", regulations, conditions={"time": article}) as b:
            moved = {"ply": 1, "moves": [{"move": "h2e2", "clock": reading}]}
            (found,) = [
                event["data"]["kind"]
                for event in followed(b.call("POST", f"{G}/moves", moved))["events"]
                if event["type"].startswith("arbiter.finding.made")
            ]
            assert found == ("clock_gained" if reading else "flag")
            assert [name for name, *_ in rulings(b)] == ([] if reading else ["flag"])
