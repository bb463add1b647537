"""Xiangqi files of other programs, XQF of every version, DhtmlXQ, WXF: taken whole, or refused by place."""

import os
from collections import Counter
from pathlib import Path

import pytest

from services.games.files import dhtmlxq, wxf, xqf
from services.games.files.game_record import GameRecord, UnreadableRecord
from services.games.rules.boards.port.position import IllegalMove, LegalMove
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.position import XiangqiPosition

POINTS = "00 10 20 30 40 50 60 70 80 12 72 03 23 43 63 83 09 19 29 39 49 59 69 79 89 17 77 06 26 46 66 86"
CASES = Path(__file__).parents[3] / "shared" / "cases" / "files" / "games"
CASES = Path(os.environ.get("ARBITER_CASES", CASES))


def played(record: GameRecord) -> list[str]:
    """The moves as the sheets keep them; the last says why where one is illegal."""
    position, moves = XiangqiPosition(*fen.read(record.position)), []
    for one in record.moves:
        move = position.play(one.move)
        if isinstance(move, IllegalMove):
            return [*moves, f"{one.spot}: {move.reason}"]
        moves.append(move.move)
    return moves


def xqf_file(
    version: int, moves: list[tuple[int, int]], remark: str = "", head: tuple[int, int, int, int] = (7, 33, 90, 201)
) -> bytes:
    """A file with one remark on its first move, with the keys of a version from 11 on."""
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
    name = "李来群".encode("gb18030")
    content[304 : 305 + len(name)] = bytes((len(name),)) + name
    parts = [content[8 + n] | (content[12 + n] & content[3]) for n in range(4)]
    mask = b"[(C) Copyright Mr. Dong Shiwei.]"
    text = remark.encode("gb18030")
    tree = bytearray()
    for n, (one, two) in enumerate([(0, 0), *moves]):
        follows, remarked = n < len(moves), n == 1 and bool(text)
        tag = (0xF0 if not secret else 0x80) * follows | (0x20 if secret and remarked else 0)
        tree += bytes((one + 24 + of_origin & 255, two + 32 + of_end & 255, tag, 0))
        if not secret or remarked:
            length = len(text) if remarked else 0
            tree += (length + ((total * 256 + place) % 32000 + 767 if secret else 0)).to_bytes(4, "little")
            tree += text if remarked else b""
    stream = [mask[n % 32] & parts[n % 4] if secret else 0 for n in range(len(tree))]
    return bytes(content) + bytes(one + key & 255 for one, key in zip(tree, stream, strict=True))


@pytest.mark.parametrize("version", [10, 11, 12, 18])
def test_xqf_of_each_kind_of_key_is_read_whole(version: int) -> None:
    record = xqf.read(xqf_file(version, [(72, 42), (79, 67)], "当头炮"))
    assert (record.position, played(record)) == (fen.START, ["h2e2", "h9g7"])
    assert record.facts["red"] == "李来群"
    assert record.remarks == ((1, "当头炮"),)


XQF_REFUSED = [
    (b"XQ", "byte 0"),
    (b"PK" + bytes(1100), "byte 0"),
    (xqf_file(19, []), "byte 2"),
    (xqf_file(10, [(72, 42)])[:-3], "byte 1037"),
    (xqf_file(10, [(72, 42)]) + b"x", "byte 1040"),
    (xqf_file(10, [(95, 42)]), "byte 1032"),
]


@pytest.mark.parametrize(("content", "where"), XQF_REFUSED)
def test_xqf_that_cannot_be_read_is_refused_by_its_byte(content: bytes, where: str) -> None:
    with pytest.raises(UnreadableRecord) as refused:
        xqf.read(content)
    assert str(refused.value.spot) == where


BINIT = "0919293949596979891777062646668600102030405060708012720323436383"


def ubb(**tags: str) -> str:
    return "\n".join(["[DhtmlXQ]", *(f"[DhtmlXQ_{n}]{v}[/DhtmlXQ_{n}]" for n, v in tags.items()), "[/DhtmlXQ]"])


def test_dhtmlxq_is_read_with_its_remarks_and_variations_named() -> None:
    text = ubb(
        title="甲 胜 乙", red="甲", binit=BINIT, movelist="77477062", comment1="好棋", move_0_1_1="1242", result="红胜"
    )
    record = dhtmlxq.read(text)
    assert (record.position, played(record)) == (fen.START, ["h2e2", "h9g7"])
    assert record.facts == {"title": "甲 胜 乙", "red": "甲", "result": "红胜"}
    assert (record.remarks, record.variations) == (((1, "好棋"),), 1)


def test_dhtmlxq_of_black_to_move_begins_with_black() -> None:
    assert dhtmlxq.read(ubb(binit=BINIT, movelist="7062")).position == fen.START.replace(" w ", " b ")


UBB_REFUSED = [
    (ubb(movelist="774"), "line 2, column 22", "four digits"),
    (ubb(movelist="77x7"), "line 2, column 21", "four digits"),
    (ubb(movelist="7797"), "line 2, column 19", "no point"),
    (ubb(title="x"), "line 1, column 1", "movelist"),
    (ubb(movelist="7747") + "\nmore", "line 4, column 1", "more stands in no DhtmlXQ tag"),
    (ubb(binit="99" * 32, movelist="7747"), "line 2, column 16", "there are 0 K"),
    (ubb(binit="09" * 32, movelist="7747"), "line 2, column 16", "two pieces stand on a0"),
    (ubb(movelist="") + ubb(movelist=""), "line 4, column 19", "stands twice"),
]


@pytest.mark.parametrize(("text", "where", "why"), UBB_REFUSED)
def test_dhtmlxq_that_cannot_be_read_is_refused_by_line_and_column(text: str, where: str, why: str) -> None:
    with pytest.raises(UnreadableRecord) as refused:
        dhtmlxq.read(text)
    assert (str(refused.value.spot), why in str(refused.value.why)) == (where, True)


def test_wxf_is_read_with_its_head_and_remarks() -> None:
    text = "FORMAT  WXF\nRED  Hu Ronghua\nRESULT 1-0\nSTART{\n1. C2.5 h8+7 {screen horse}\n2. H2+3\n}END\n"
    record = wxf.read(text)
    assert played(record) == ["h2e2", "h9g7", "h0g2"]
    assert (record.facts["RED"], record.remarks) == ("Hu Ronghua", ((2, "screen horse"),))


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
]


@pytest.mark.parametrize(("text", "where"), WXF_REFUSED)
def test_wxf_that_cannot_be_read_is_refused_by_line_and_column(text: str, where: str) -> None:
    with pytest.raises(UnreadableRecord) as refused:
        wxf.read(text)
    assert str(refused.value.spot) == where


@pytest.mark.skipif(not CASES.is_dir(), reason="the files of other programs are not at hand")
def test_the_xqf_files_of_other_programs_are_taken_or_refused_by_their_byte() -> None:
    counts: Counter[str] = Counter()
    for file in sorted(CASES.rglob("*.[xX][qQ][fF]")):
        record = xqf.read(file.read_bytes())
        moves = played(record)
        counts["illegal" if moves and " " in moves[-1] else "taken" if moves else "no move"] += 1
    print(dict(counts))
    assert counts["taken"] >= 3
