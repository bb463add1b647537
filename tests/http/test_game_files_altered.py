"""Game files with something altered at random: each is taken whole and told again alike, or refused by place, and leaves nothing.

The same files come every time. What random alterations have found is in `test_files_once_misread`.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.foreign.hall_of_games import HallOfGames
from tests.http.test_rif_files import file as rif_file
from tests.rules.test_xiangqi_files import BINIT, ubb, xqf_file

EACH = 50
PGN, SGF, XQF, UBB, WXF, RIF = (
    "application/x-chess-pgn", "application/x-go-sgf", "application/x-xqf", "text/x-dhtmlxq", "text/x-wxf", "application/x-rif",
)  # fmt: skip
CHESS = """[Event "Open"]
[Note "two  spaces \\"quoted\\" \\\\"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20"]
[SetUp "1"]

{before} 20... O-O-O $1 {c} (20... O-O-O?? {d} (20... Kd8 21. O-O)) 21. O-O {[%clk 1:00:00]} ; rest
%of a program
21... Kb8!? 1/2-1/2
"""
XIANGQI = """[Game "Chinese Chess"]
[RedTeam "广东"]
[Result "1-0"]

1. 炮二平五 馬８進７ {好}
2. 马二进三 ( 2. 兵七进一 卒７进１ {变} ) 车９平８ $1 1-0
"""
GO = """(;GM[1]SZ[19]CA[UTF-8]HA[2]AB[dd][pp]PL[W]KM[0.50]C[one][two \\] three];W[qf]WL[9.5]OW[2];B[cc]
(;W[aa]N[z];B[])(;W[bb](;B[cd])(;B[dc])))"""
FIVES = """(;GM[4]SZ[15]PB[x]PC[hall]RE[B+]
;B[hh]BL[30];W[aa]C[a remark on this move]
;B[ih]N[name](;W[ba];B[jh]C[and more])(;W[oo]C[one other way]))"""
GAME_WXF = "FORMAT\tWXF\nEVENT\t全国赛\nRESULT\t1-0\n\nSTART{\n1. C2.5  H8+7 {good\nmove} 2. H2+3 R9.8 1-0\n}END\n"
GAME_UBB = ubb(
    title="某某", binit=BINIT, movelist="774770627967", move_0_2_1="10228979", comment0="前言||二", comment1_2="变", result="红胜"
)  # fmt: skip
KINDS = {
    "pgn of chess": ("chess", "fide-2026", PGN, PGN, CHESS.encode()),
    "pgn of xiangqi": ("xiangqi", "campus", PGN, PGN, XIANGQI.encode()),
    "sgf of Go": ("go", "go-campus", SGF, SGF, GO.encode()),
    "sgf of five in a row": ("gomoku", "gomoku-free", SGF, SGF, FIVES.encode()),
    "xqf": ("xiangqi", "campus", XQF, PGN, xqf_file(18, [(72, 42), (79, 67)], "当头炮", variation=(19, 27), result=1)),
    "dhtmlxq": ("xiangqi", "campus", UBB, PGN, GAME_UBB.encode()),
    "wxf": ("xiangqi", "campus", WXF, PGN, GAME_WXF.encode()),
    "rif": ("gomoku", "gomoku-free", RIF, SGF, rif_file("0.5").encode()),
}
PUT_IN = (
    b"{", b"}", b"(", b")", b"[", b"]", b";", b"\\", b'"', b"$256", b"*", b"1-0", b"9" * 30, b"-1", b"\0", b"\x1a", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8", b"\xc2\xa0", b"\x85", b"\xc4\xe3", b"--", b"PL[W]", b"HA[9]",
    b"C[]", b"[%clk 9:99:99]", b"1...", b"e4e4", b"&#0;", b"<x y='z'/>", b"||", b"C2.5", b"START{", b"}END", "１".encode(),
)  # fmt: skip
LINE = re.compile(rb"(?<=\n)")
WORD = re.compile(rb"(\s+|(?=[;()\[]))")


def altered(chance: random.Random, content: bytes) -> bytes:
    """The content with one to three things otherwise."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        content = chance.choice(ALTERATIONS)(chance, content or b" ")
    return content


def _byte(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes((chance.randrange(256),)) + content[at + 1 :]


def _end(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def _gap(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + content[at + chance.randrange(1, 20) :]


def _put_in(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + chance.choice(PUT_IN) + content[at:]


def _twice_or_never(parts: re.Pattern[bytes]) -> Callable[[random.Random, bytes], bytes]:
    def alter(chance: random.Random, content: bytes) -> bytes:
        found = [part for part in parts.split(content) if part]
        at = chance.randrange(len(found))
        found[at : at + 1] = [found[at]] * chance.choice((0, 2))
        return b"".join(found)

    return alter


def _number(chance: random.Random, content: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", content))
    if not numbers:
        return content
    one = chance.choice(numbers)
    return content[: one.start()] + chance.choice((b"0", b"-1", b"9" * 30, b"1e9", "²".encode())) + content[one.end() :]


ALTERATIONS = (_byte, _end, _gap, _put_in, _put_in, _twice_or_never(LINE), _twice_or_never(WORD), _number)


@pytest.mark.parametrize("kind", KINDS)
def test_an_altered_file_is_taken_whole_or_refused_by_its_place(tmp_path: Path, kind: str) -> None:
    game, regulations, media, written_as, content = KINDS[kind]
    chance, taken = random.Random(kind), 0
    with HallOfGames(tmp_path, game, regulations, boards=EACH) as hall:
        for n in range(EACH):
            file = altered(chance, content) if n else content
            at, answer = hall.send(file, media, None)
            if answer.status_code != 201:
                assert n and refused_by_place(answer.json, file), (file, answer.text)
                assert hall.see(at)["status"] == "paired"
                continue
            taken += 1
            sheet = hall.sheet(at, written_as)
            assert hall.again(at, sheet, written_as).status_code == 200, file
            assert hall.again(at, file, media).status_code == 200, file
            other, same = hall.send(sheet, written_as, None)
            assert same.status_code == 201, (file, sheet, same.text)
            one, two = hall.see(at), hall.see(other)
            assert all(one[name] == two[name] for name in ("moves", "clocks", "start")), file
    assert taken > 3


def refused_by_place(problem: dict[str, object], file: bytes) -> bool:
    """Whether a refusal has its place, in the file; what is not in it at all has none."""
    lines = len(re.split(rb"\r\n|\r|\n", file))
    where = problem.get("line", problem.get("byte"))
    if where is None:
        return str(problem["detail"]) in ("the file must contain a move, a position or a result", "it contains no game")
    return isinstance(where, int) and 0 <= where <= (lines if "line" in problem else len(file))
