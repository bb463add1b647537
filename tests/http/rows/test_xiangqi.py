"""Rows of xiangqi 中国象棋 (X): moves, ends, clocks, draws, records."""

from pathlib import Path

import pytest

from tests.http.boards import G, board
from tests.http.rows.answers import article, claim, code, followed, result, rule, rulings
from tests.http.rows.xiangqi import BEFORE_CHECKS, CHECKS, IDLE, ended, rows, told
from tests.rows.marks import plays, row

BARE_RED = (
    "h2h3 h7h0 i3i4 b7b0 i4i5 i6i5 i0i4 i5i4 h3h4 i4h4 b2i2 i9i2 a0a2 i2a2 g3g4 a2a3 e3e4 a3c3 e4e5 h4g4 e0e1 e6e5"
)
"""Red has nothing left that crosses the river."""


STALEMATE = (
    "h2h6 h9g7 b2b5 a9a7 b5e5 c9e7 h6e6 d9e8 e5e7 g9e7 d0e1 h7h3 a3a4 h3h5 e6e5 i9i8 e0d0 c6c5 a0a1 h5h1 a1a2 i8h8 a2h2 "
    "h1g1 h2h8 c5c4 h8e8 f9e8 c3c4 g7f9 i0i1 b9d8 i1g1 b7b6 e5e6 a7a8 c4c5 b6c6 c5c6 a6a5 b0c2 d8b9 c2b4 b9c7 c6c7 a8a7 "
    "a4a5 g6g5 e6e4 f9g7 g1f1 g7f9 f1f9 e9f9 e4e8 e7c5 a5a6 a7c7 e8e7 c7c8 e7e8 c8c6 b4c6 c5a7 a6a7 i6i5 e8i8 f9f8 c6e7 "
    "f8f7 e7d9 i5i4 i3i4 g5g4 g3g4"
)
"""Black has no move left, and is not in check."""


# ---------------------------------------------------------------- moves and ends


@pytest.mark.parametrize(
    ("regulations", "before", "move", "legal"),
    rows(
        "X1",
        ("", "b0a2", True),
        ("", "b0d1", False),  # 蹩马腿
        ("", "c0e2", True),
        ("b2d2 a9a8 d2d1 a8a9", "c0e2", False),  # 塞象眼
        ("c0e2 a9a8 e2g4 a8a9", "g4e6", False),  # 过河
        ("", "d0e1", True),
        ("", "d0c1", False),  # 九宫
        ("e0e1 a9a8 e1f1 a8a9", "f1g1", False),
        ("", "h2h9", True),  # 炮打隔子
        ("", "h2h7", False),
        ("", "h2h8", False),
        ("", "a0a2", True),
        ("", "a0a4", False),
        ("", "e3d3", False),
        ("e3e4 a9a8 e4e5 a8a9", "e5d5", True),
        ("e3e4 a9a8 e4e5 a8a9", "e5e4", False),
    ),
)
def test_pieces_move_as_article_2_says(tmp_path: Path, regulations: str, before: str, move: str, legal: bool) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        if before:
            followed(b.moves(before))
        answer = b.moves(move, len(before.split()) + 1)
        if legal:
            followed(answer)
        else:
            assert code(answer) == (409, "illegal-move") and "002-X 2.2, 2.3" in article(answer)


@pytest.mark.parametrize("regulations", rows("X2", ()))
def test_mate_loses(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        mate = followed(b.moves("炮二进三 炮２平５ 砲二平三 包５退１ 炮三進四"))
        ended(b, mate, "1-0", "checkmate", "002-X 3.1, 4.1.1", "000-A 2.1")


@pytest.mark.parametrize("regulations", rows("X3", ()))
def test_stalemate_loses(tmp_path: Path, regulations: str) -> None:
    """困毙."""
    with board(tmp_path, "xiangqi", regulations) as b:
        ended(b, followed(b.moves(STALEMATE)), "1-0", "stalemate", "002-X 3.2, 4.1.3", "000-A 2.3")


@pytest.mark.parametrize(
    ("regulations", "lost_by"),
    [
        pytest.param("campus", "000-A 2.2", marks=row("X4", under="campus")),
        pytest.param("xiangqi-1999", "002-X 4.1.2", marks=row("X4", under="xiangqi-1999")),
    ],
)
def test_generals_that_face_each_other_lose_by_their_own_article(
    tmp_path: Path, regulations: str, lost_by: str
) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves("h0i2 b7b3 e0e1 f9e8 e1f1"))
        assert article(b.moves("e9f9", 6)) == "002-X 2.2, 4.1.2; 000-A 2.2"
        grounds = claim(b, "illegal_move", side="white", move="e9f9")["grounds"]
        assert "the kings would face each other" in grounds and [r[2] for r in rulings(b)] == [lost_by]
        assert result(b) == "1-0"


@pytest.mark.parametrize("regulations", rows("C9", ()))
def test_an_illegal_move_that_was_made_loses(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(IDLE))
        claim(b, "illegal_move", side="black", move="b0b2")
        lost_by = {"campus": "000-A 2.5", "xiangqi-1999": "002-X 4.1.6"}[regulations]
        assert rulings(b) == [("illegal_move", "set_marks", lost_by)] and result(b) == "0-1"


@pytest.mark.parametrize(("regulations", "how"), rows("X5", ("resignation",), ("refusal",)))
def test_resignation_and_refusal_to_obey_lose(tmp_path: Path, regulations: str, how: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(IDLE))
        if how == "resignation":
            followed(b.call("POST", f"{G}/end", {"termination": "resignation", "side": "black"}))
        else:
            rule(b, 2, "refusal_to_obey")
        assert result(b) == "1-0"


# ---------------------------------------------------------------- clocks


@pytest.mark.parametrize(
    ("regulations", "moves", "last", "loser"),
    rows(
        "X6",
        ("炮二平五", "馬８進７", "black"),
        ("炮二进三 炮２平５ 砲二平三 包５退１", "炮三進四", None),
    ),
)
def test_a_clock_at_nothing_loses_though_the_move_was_made_but_not_after_mate(
    tmp_path: Path, regulations: str, moves: str, last: str, loser: str | None
) -> None:
    """002-X 4.1.4, 22.5."""
    time = {"periods": [{"seconds": 5400}], "flag": "at_once"}
    with board(tmp_path, "xiangqi", regulations, conditions={"time": time}) as b:
        followed(b.moves(moves))
        ply = len(moves.split()) + 1
        followed(b.call("POST", f"{G}/moves", {"ply": ply, "moves": [{"move": last, "clock": 0}]}))
        assert result(b) == "1-0"
        assert [name for name, *_ in rulings(b)] == (["flag"] if loser else [])


@pytest.mark.parametrize("regulations", rows("X6", ()))
def test_a_flag_loses_also_against_who_cannot_win(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(BARE_RED))
        claim(b, "flag", side="white")
        assert result(b) == "1-0"


@pytest.mark.parametrize(("regulations", "reading", "infractions"), rows("X21", (1, []), (0, ["flag"])))
def test_fifteen_seconds_a_move_are_kept_by_the_clock(
    tmp_path: Path, regulations: str, reading: int, infractions: list[str]
) -> None:
    """000-E 2: 每步15秒."""
    time = {"periods": [{"seconds": 15, "moves": 1}], "flag": "at_once"}
    with board(tmp_path, "xiangqi", regulations, conditions={"time": time}) as b:
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "h2e2", "clock": reading}]}))
        assert [name for name, *_ in rulings(b)] == infractions


@row("X21", under="xiangqi-1999")
def test_a_scheme_of_article_6_is_announced_by_its_name(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999", conditions={"time": "002-X 6.3"}) as b:
        gained = followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "h2e2", "clock": 601}]}))
        assert gained["events"][-1]["data"]["article"] == "002-X 6.3"


# ---------------------------------------------------------------- draws


@pytest.mark.parametrize("regulations", rows("X8", ()))
def test_the_arbiter_finds_that_neither_side_can_win(tmp_path: Path, regulations: str) -> None:
    """000-A 2, 和 1; 002-X 4.2.1."""
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(IDLE))
        assert claim(b, "drawn_material", "player", side="white")["state"] != "upheld" and result(b) is None
        ended(b, claim(b, "drawn_material"), "1/2-1/2", "drawn_material", "002-X 4.2.1")


@pytest.mark.parametrize("regulations", rows("X9", ()))
def test_an_offer_is_made_after_the_own_move_and_refused_by_word_or_move(tmp_path: Path, regulations: str) -> None:
    """000-A 2, 和 2; 002-X 23.1."""
    with board(tmp_path, "xiangqi", regulations) as b:
        offer = lambda said, side: followed(b.call("POST", f"{G}/offers", {"offer": said, "side": side}, "player"))  # noqa: E731
        followed(b.moves("h2e2"))
        offer("draw", "white")
        followed(b.moves("h9g7", 2))
        assert b.get().json["offer"] is None, "refused by the move"
        offer("draw", "black")
        offer("decline", "white")
        followed(b.moves("h0g2", 3))
        offer("draw", "white")
        assert rulings(b) == []
        offer("accept", "black")
        assert result(b) == "1/2-1/2"
        assert b.moves("i9h9", 4).status_code == 409, "an agreed draw is not withdrawn"


@pytest.mark.parametrize(
    ("regulations", "infraction", "article"),
    [
        pytest.param("campus", "consecutive_draw_offers", "000-A 7.7", marks=row("X9", under="campus")),
        pytest.param("xiangqi-1999", "repeated_draw_offer", "002-X 23.1, 9.1.3", marks=row("X9", under="xiangqi-1999")),
    ],
)
def test_nobody_offers_twice_in_a_row(tmp_path: Path, regulations: str, infraction: str, article: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves("h2e2"))
        for said, side in (("draw", "white"), ("decline", "black")):
            followed(b.call("POST", f"{G}/offers", {"offer": said, "side": side}, "player"))
        followed(b.moves("h9g7 h0g2", 2))
        followed(b.call("POST", f"{G}/offers", {"offer": "draw", "side": "white"}, "player"))
        assert rulings(b) == [(infraction, "foul", article)]


@pytest.mark.parametrize(
    ("regulations", "rounds"),
    [
        pytest.param(name, rounds, marks=[row("X10", under=name), plays("game.xiangqi.natural_limit_rounds", rounds)])
        for name, rounds in (("campus", 40), ("xiangqi-1999", 60))
    ],
)
def test_the_natural_limit_draws_and_one_round_less_does_not(tmp_path: Path, regulations: str, rounds: int) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        told(b, IDLE * (rounds // 2 - 1) + " a0a1 a9a8")
        assert claim(b, "natural_limit")["state"] == "denied", "the arbiter counts, and nobody is punished"
        followed(b.moves("a1a0 a8a9", 2 * rounds - 1))
        ended(b, claim(b, "natural_limit", "player", side="white"), "1/2-1/2", "natural_limit", "002-X 4.2.4")
        assert rulings(b) == []


@row("X11", under="xiangqi-1999")
@pytest.mark.parametrize(
    ("claimant", "counted", "upheld"),
    [("white", "10 rounds without a capture; of 60 own checks", False), ("black", "60 rounds without a capture", True)],
)
def test_of_the_own_checks_ten_count(tmp_path: Path, claimant: str, counted: str, upheld: bool) -> None:
    """002-X 23.3: 最多只计10着."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        told(b, BEFORE_CHECKS + CHECKS * 30)
        answer = claim(b, "natural_limit", "player", side=claimant)
        assert (answer["state"] == "upheld") is upheld and counted in answer["grounds"]


@row("X11", under="xiangqi-1999")
def test_the_arbiter_draws_by_the_limit_unasked(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        told(b, IDLE * 30)
        ended(b, claim(b, "natural_limit"), "1/2-1/2", "natural_limit")


@pytest.mark.parametrize(("regulations", "left", "flag"), rows("X12", (301, False), (300, True)))
def test_a_false_claim_of_the_limit_is_a_foul_and_five_minutes(
    tmp_path: Path, regulations: str, left: int, flag: bool
) -> None:
    """002-X 9.1.4, 23.3: 若因此而超时,即判负."""
    time = {"periods": [{"seconds": 3600}], "flag": "at_once"}
    with board(tmp_path, "xiangqi", regulations, conditions={"time": time}) as b:
        moves = [{"move": move, "clock": left} for move in IDLE.split()]
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": moves}))
        claim(b, "natural_limit", "player", side="white")
        assert [(name, kind) for name, kind, _ in rulings(b)] == [
            ("false_natural_limit", "foul"),
            ("false_natural_limit", "adjust_clock"),
            *[("flag", "set_marks")] * flag,
        ]
        assert result(b) == ("0-1" if flag else None)


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("regulations", rows("X22", ()))
def test_a_bad_sealed_move_loses_and_an_agreed_draw_stands(tmp_path: Path, regulations: str) -> None:
    """000-E 4(四), 5(二)."""
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves("炮二平五 马8进7"), b.step("white", "adjourn"))
        bad = {"side": "white", "step": "unseal", "values": ["车九平五"]}
        assert code(b.call("POST", f"{G}/steps", bad)) == (403, "role-may-not")
        followed(b.call("POST", f"{G}/steps", bad, "arbiter"))
        assert rulings(b) == [("bad_sealed_move", "set_marks", "000-E 4(四)")] and result(b) == "0-1"


@pytest.mark.parametrize(("regulations", "text"), rows("X23", ("炮二平五",), ("炮2平5",), ("砲二平五",), ("炮25",)))
def test_the_record_is_read_in_chinese_and_told_in_it(tmp_path: Path, regulations: str, text: str) -> None:
    """002-X 7.5."""
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(text))
        assert b.get().json["moves"] == ["h2e2"]
        file = b.get("/sheet?notation=chinese", Accept="application/x-chess-pgn")
        assert "1. 炮二平五" in file.text


@pytest.mark.parametrize("regulations", rows("X23", ()))
def test_a_text_that_means_two_pieces_of_a_file_is_refused_with_both(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves("b2c2 a9a8 h2h4 a8a9 h4c4 a9a8"))
        refused = b.moves("炮七平六", 7)
        assert (
            refused.status_code in (409, 422) and "c2d2" in refused.json["detail"] and "c4d4" in refused.json["detail"]
        )
        followed(b.moves("前炮平六", 7))
        assert b.get().json["moves"][-1] == "c4d4"
