"""Xiangqi files of other programs, XQF of every version, DhtmlXQ, WXF: taken whole, or refused by place."""

import os
from collections import Counter
from pathlib import Path

import pytest

from services.games.files import dhtmlxq, wxf, xqf
from services.games.files.game_file import BytePlace, GameFile, Spot, Unreadable
from services.games.files.record_file import NESTED_AT_MOST, Branch, items
from services.games.rules.boards.port.position import IllegalMove, LegalMove
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from shared.core.language.charset import ENCODINGS

POINTS = "00 10 20 30 40 50 60 70 80 12 72 03 23 43 63 83 09 19 29 39 49 59 69 79 89 17 77 06 26 46 66 86"
CASES = Path(__file__).parents[3] / "shared" / "cases" / "files" / "games"
CASES = Path(os.environ.get("ARBITER_CASES", CASES))


def begins(file: GameFile) -> str:
    return fen.START if file.setup is None else file.setup.value


def tags(file: GameFile) -> dict[str, str]:
    return dict(file.annotations.get("tags", ()))  # type: ignore[call-overload]


def played(file: GameFile) -> list[str]:
    """The moves as the sheets keep them; the last says why where one is illegal."""
    position, moves = XiangqiPosition(*fen.read(begins(file))), []
    for one in file.moves:
        move = position.play(one.move)
        if isinstance(move, IllegalMove):
            return [*moves, f"{one.spot}: {move.reason}"]
        moves.append(move.move)
    return moves


def xqf_file(
    version: int,
    moves: list[tuple[int, int]],
    remark: str = "",
    head: tuple[int, int, int, int] = (7, 33, 90, 201),
    variation: tuple[int, int] | None = None,
    result: int = 0,
) -> bytes:
    """A file with one remark on its first move, with the keys of a version from 11 on; ``variation``: a move beside its last."""
    secret = version > 10
    total, place, origin, end = head if secret else (0, 0, 0, 0)
    of_place = (place * place * 54 + 221) * place & 255
    of_origin = (origin * origin * 54 + 221) * of_place & 255
    of_end = (end * end * 54 + 221) * of_origin & 255
    content = bytearray(1024)
    content[:4] = b"XQ" + bytes((version, 0x5A if secret else 0))
    content[8:16] = bytes((1, 2, 3, 4, total, place, origin, end)) if secret else bytes(8)
    men = [int(one) + of_place & 255 for one in POINTS.split()]
    if version >= 12:
        men = [men[(n + of_place + 1) % 32] for n in range(32)]
    content[16:48] = bytes(men)
    content[51] = result
    name = "李来群".encode("gb18030")
    content[304 : 305 + len(name)] = bytes((len(name),)) + name
    parts = [content[8 + n] | (content[12 + n] & content[3]) for n in range(4)]
    mask = b"[(C) Copyright Mr. Dong Shiwei.]"
    text = remark.encode("gb18030")
    tree = bytearray()
    for n, (one, two) in enumerate([(0, 0), *moves, *([variation] if variation else [])]):
        follows, remarked, varied = n < len(moves), n == 1 and bool(text), bool(variation) and n == len(moves)
        tag = (0xF0 if not secret else 0x80) * follows | (0x20 if secret and remarked else 0)
        tag |= (0x0F if not secret else 0x40) * varied
        tree += bytes((one + 24 + of_origin & 255, two + 32 + of_end & 255, tag, 0))
        if not secret or remarked:
            length = len(text) if remarked else 0
            tree += (length + ((total * 256 + place) % 32000 + 767 if secret else 0)).to_bytes(4, "little")
            tree += text if remarked else b""
    stream = [mask[n % 32] & parts[n % 4] if secret else 0 for n in range(len(tree))]
    return bytes(content) + bytes(one + key & 255 for one, key in zip(tree, stream, strict=True))


@pytest.mark.parametrize("version", [10, 11, 12, 18])
def test_xqf_of_each_kind_of_key_is_read_whole(version: int) -> None:
    file = xqf.read(xqf_file(version, [(72, 42), (79, 67)], "当头炮", variation=(19, 27), result=1))
    assert (file.setup, played(file)) == (None, ["h2e2", "h9g7"])
    assert tags(file) == {"Red": "李来群"}
    assert file.annotations["plies"] == {"1": ["{当头炮}"], "2": ["( 1... B9-C7 )"]}
    assert file.result is not None and file.result.winner == "white"


def test_a_name_that_its_room_cuts_ends_before_the_cut_and_another_byte_that_is_no_chinese_is_refused() -> None:
    content = bytearray(xqf_file(10, [(72, 42)]))
    content[304:320] = bytes((15,)) + ("李来群" * 3).encode("gb18030")[:15]
    assert tags(xqf.read(bytes(content)))["Red"] == "李来群李来群李"
    content[306] = 0xFF
    with pytest.raises(Unreadable) as refused:
        xqf.read(bytes(content))
    assert refused.value.spot == BytePlace(305)
    assert tags(xqf.read(bytes(content), ENCODINGS["cp1251"]))["Red"].startswith("А")


def test_variations_of_one_move_stand_beside_it_and_those_within_one_within_it() -> None:
    main = Branch(1, BytePlace(0), ["h2e2", "h9g7"])
    second = Branch(2, BytePlace(0), ["H9-I7", "H0-G2"], {3: "a } b"})
    second.variations[3] = [Branch(3, BytePlace(0), ["B0-C2"])]
    main.variations[2] = [second, Branch(2, BytePlace(0), ["B9-C7"])]
    beside = items(main, second=False)
    assert beside == {"2": ["( 1... H9-I7 2. H0-G2 ;a } b\n ( 2. B0-C2 ) )", "( 1... B9-C7 )"]}


def test_variations_nest_only_so_deep() -> None:
    main = last = Branch(1, BytePlace(0), ["h2e2"])
    for _ in range(NESTED_AT_MOST + 1):
        last.variations[1] = [Branch(1, BytePlace(7), ["B0-C2"])]
        last = last.variations[1][0]
    with pytest.raises(Unreadable) as refused:
        items(main, second=False)
    assert refused.value.spot == BytePlace(7)


XQF_REFUSED = [
    (b"XQ", 0),
    (b"PK" + bytes(1100), 0),
    (xqf_file(19, []), 2),
    (xqf_file(10, [(72, 42)])[:-3], 1037),
    (xqf_file(10, [(72, 42)]) + b"x", 1040),
    (xqf_file(10, [(95, 42)]), 1032),
    (xqf_file(10, [(72, 42)], result=9), 51),
    (xqf_file(10, [], variation=(72, 42)), 1024),
]


@pytest.mark.parametrize(("content", "where"), XQF_REFUSED)
def test_xqf_that_cannot_be_read_is_refused_by_its_byte(content: bytes, where: int) -> None:
    with pytest.raises(Unreadable) as refused:
        xqf.read(content)
    assert refused.value.spot == BytePlace(where)


BINIT = "0919293949596979891777062646668600102030405060708012720323436383"


def ubb(**tags: str) -> str:
    return "\n".join(["[DhtmlXQ]", *(f"[DhtmlXQ_{n}]{v}[/DhtmlXQ_{n}]" for n, v in tags.items()), "[/DhtmlXQ]"])


def place(refused: Unreadable) -> str:
    assert isinstance(refused.spot, Spot)
    return f"line {refused.spot.line}, column {refused.spot.column}"


def test_dhtmlxq_is_read_with_its_variations_and_comments_at_their_moves() -> None:
    text = ubb(
        title="甲 胜 乙",
        red="甲",
        date="2021-12-05",
        hits="4141",
        binit=BINIT,
        movelist="77477062",
        comment0="第3局",
        comment1="好棋||稳",
        move_1_2_2="1022",
        move_0_2_1="10228979",
        comment1_3="出车",
        result="红胜",
    )
    file = dhtmlxq.read(text)
    assert (file.setup, played(file)) == (None, ["h2e2", "h9g7"])
    assert tags(file) == {"Title": "甲 胜 乙", "Red": "甲", "Date": "2021.12.05", "DhtmlXQ_hits": "4141"}
    assert file.annotations["plies"] == {
        "0": ["{第3局}"],
        "1": ["{好棋\n稳}"],
        "2": ["( 1... B9-C7 2. I0-H0 {出车} )", "( 1... B9-C7 )"],
    }
    assert file.result is not None and file.result.winner == "white"


def test_dhtmlxq_of_black_to_move_begins_with_black() -> None:
    assert begins(dhtmlxq.read(ubb(binit=BINIT, movelist="7062"))) == fen.START.replace(" w ", " b ")


def test_dhtmlxq_with_a_fen_begins_from_it() -> None:
    assert begins(dhtmlxq.read(ubb(fen="3k5/9/9/9/9/9/9/4R4/9/4K4 w", movelist="4746"))).startswith("3k5")
    assert dhtmlxq.read(ubb(fen=fen.START, binit=BINIT, movelist="7747")).setup is None


UBB_REFUSED = [
    (ubb(movelist="774"), "line 2, column 22", "four digits"),
    (ubb(movelist="77x7"), "line 2, column 21", "four digits"),
    (ubb(movelist="7797"), "line 2, column 19", "not a point"),
    (ubb(title="x"), "line 1, column 1", "movelist"),
    (ubb(movelist="7747") + "\nmore", "line 4, column 1", "more is outside every DhtmlXQ tag"),
    (ubb(binit="99" * 32, movelist="7747"), "line 2, column 16", "the position has 0 K"),
    (ubb(binit="09" * 32, movelist="7747"), "line 2, column 16", "two pieces are on a0"),
    (ubb(movelist="") + ubb(movelist=""), "line 4, column 19", "appears twice"),
    (ubb(movelist="7747", move_0_2_1="1022"), "line 3, column 21", "variation 0 has no move at ply 2"),
    (ubb(movelist="7747", move_3_1_4="1022"), "line 3, column 21", "variation 3 has no move at ply 1"),
    (ubb(movelist="7747", move_0_1_1=""), "line 3, column 21", "a variation has no move"),
    (ubb(movelist="7747", move_0_1_1="1022", move_0_1_01="1022"), "line 4, column 22", "variation 1 appears twice"),
    (ubb(movelist="7747", comment2="x"), "line 3, column 19", "variation 0 has no move at ply 2"),
    (ubb(movelist="7747", result="红赢"), "line 3, column 17", "the result must be one of"),
    (ubb(movelist="7747", fen="9/9"), "line 3, column 14", "rank"),
    (ubb(movelist="7747", binit=BINIT, fen="3k5/9/9/9/9/9/9/4R4/9/4K4 w"), "line 4, column 14", "two positions"),
]


@pytest.mark.parametrize(("text", "where", "why"), UBB_REFUSED)
def test_dhtmlxq_that_cannot_be_read_is_refused_by_line_and_column(text: str, where: str, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        dhtmlxq.read(text)
    assert (place(refused.value), why in str(refused.value.why)) == (where, True)


def test_wxf_is_read_with_its_head_and_remarks() -> None:
    text = "FORMAT  WXF\nRED  Hu Ronghua\nECCO C30\nRESULT 1-0\nSTART{\n1. C2.5 h8+7 {screen horse}\n2. H2+3\n}END\n"
    file = wxf.read(text)
    assert played(file) == ["h2e2", "h9g7", "h0g2"]
    assert tags(file) == {"Red": "Hu Ronghua", "WXF_ECCO": "C30"}
    assert file.annotations["plies"] == {"2": ["{screen horse}"]}
    assert file.result is not None and file.result.winner == "white"


def test_wxf_of_black_to_move_counts_from_its_first_number() -> None:
    text = "FEN 3k5/9/9/9/9/3R5/9/9/9/5K3 b\nSTART{\n7. ... K4=5\n8. R6=5\n}END"
    assert played(wxf.read(text)) == ["d9e9", "d4e4"]


WXF_MOVES = [
    ("3k5/9/9/9/9/4C4/9/4C4/9/5K3 w", "C+.4", "e4f4"),
    ("3k5/9/9/9/9/4C4/9/4C4/9/5K3 w", "-C=4", "e2f2"),
    ("3k5/9/9/9/9/3R5/9/9/9/5K3 b", "K4=5", "d9e9"),
    ("3k5/9/9/9/9/9/4P4/9/4A4/5K3 w", "A5-6", "e1d0"),
    (fen.START, "E3+5", "g0e2"),
]


@pytest.mark.parametrize(("position", "text", "move"), WXF_MOVES)
def test_a_move_of_wxf_is_read_as_chinese_has_it(position: str, text: str, move: str) -> None:
    assert XiangqiPosition(*fen.read(position)).play(text) == LegalMove(move)


@pytest.mark.parametrize("text", ["C2?5", "C2.0", "X2.5", "C2+", "+C2.5"])
def test_what_is_no_move_of_wxf_is_refused(text: str) -> None:
    assert isinstance(XiangqiPosition().play(text), IllegalMove)


WXF_REFUSED = [
    ("RED Hu\nnonsense\nSTART{ C2.5 }END", "line 2, column 1"),
    ("START{ C2.5", "line 1, column 1"),
    ("START{ C2.5 }END trailing", "line 1, column 18"),
    ("RED a\nRED b\nSTART{ C2.5 }END", "line 2, column 1"),
    ("FORMAT PGN\nSTART{ C2.5 }END", "line 1, column 1"),
    ("1. C2.5 H8+7 3. H2+3", "line 1, column 14"),
    ("1. C2.5 1-0 H8+7", "line 1, column 13"),
    ("RESULT 0-1\nSTART{ C2.5 1-0 }END", "line 2, column 13"),
]


@pytest.mark.parametrize(("text", "where"), WXF_REFUSED)
def test_wxf_that_cannot_be_read_is_refused_by_line_and_column(text: str, where: str) -> None:
    with pytest.raises(Unreadable) as refused:
        wxf.read(text)
    assert place(refused.value) == where


@pytest.mark.skipif(not CASES.is_dir(), reason="the files of other programs are not at hand")
def test_the_xqf_files_of_other_programs_are_taken_or_refused_by_their_byte() -> None:
    counts: Counter[str] = Counter()
    for file in sorted(CASES.rglob("*.[xX][qQ][fF]")):
        moves = played(xqf.read(file.read_bytes()))
        counts["illegal" if moves and " " in moves[-1] else "taken" if moves else "no move"] += 1
    print(dict(counts))
    assert counts["taken"] >= 3
