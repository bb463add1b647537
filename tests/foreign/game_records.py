"""What third programs read of a game's file: pgn-extract of PGN, the module sgf of SGF, cchess of xiangqi."""

import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cchess
import sgf

from tests.programs import program

_RESULTS = {"B": "B", "W": "W", "0": "0", "D": "0", "J": "0"}
"""By its first letter what RE says: who wins, or a draw, of which jigo 和棋 is another name."""
_USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_CLOCK = re.compile(r"\[%clk\s+([0-9:]+)")


class Record(NamedTuple):
    """The moves of the main line, the result, and the readings of clocks in whole seconds, as a program tells them."""

    moves: tuple[str, ...]
    result: str
    clocks: tuple[str, ...] = ()
    position: str = ""
    """The pieces of the FEN that it begins from; empty for the usual ones."""

    def says(self, file: "Record") -> bool:
        """Whether this, of a sheet, says what a file says; one that leaves the result open may have moves that end the game."""
        open_result = file.result in ("", "*")
        return self == file or (open_result and self._replace(result="") == file._replace(result=""))


def of_pgn(file: Path, number: int = 1) -> Record | None:
    """A game of chess; None where pgn-extract finds none in the file."""
    text = _extracted(file, "--selectonly", str(number))
    return _record(text) if "[Result" in text else None


def longest_quiet_series(file: Path, number: int) -> int:
    """Plies in a row without a capture and a pawn's move (Laws 9.6.2), by the positions that pgn-extract writes."""
    longest = series = 0
    before = None
    for line in _extracted(file, "-Wepd", "--selectonly", str(number)).splitlines():
        placement = line.partition(" ")[0]
        if placement.count("/") != 7:
            continue
        board = re.sub(r"\d", lambda n: "." * int(n[0]), placement)
        now = sum(map(str.isalpha, board)), re.sub("[^pP/]", ".", board)
        series = series + 1 if now == before else 0
        before, longest = now, max(longest, series)
    return longest


@cache
def all_of_pgn(file: Path) -> tuple[Record, ...]:
    """Every game of chess that pgn-extract finds in a file, however it numbers them."""
    return tuple(map(_record, re.split(r"^(?=\[Event )", _extracted(file), flags=re.MULTILINE)[1:]))


def _extracted(file: Path, *options: str) -> str:
    """Games as pgn-extract writes them: tags, and on a line the moves with clocks and the result."""
    command = [program("pgn-extract"), "-s", "-Wuci", "-N", "-V", "--nomovenumbers", "-w", "99999", *options, file]
    ran = subprocess.run(command, capture_output=True, check=False, env=os.environ | {"LC_ALL": "C"})
    return ran.stdout.decode("latin-1")


def _record(text: str) -> Record:
    body = re.sub(r"^\[.*$", "", text, flags=re.MULTILINE)
    clocks = tuple(re.sub(r"^0+(?=.)", "", clock) for clock in _CLOCK.findall(body))
    words = re.sub(r"\{[^}]*\}", " ", body).split()
    result = words.pop() if words and words[-1] in ("1-0", "0-1", "1/2-1/2", "*") else "*"
    fen = re.search(r'^\[FEN "(\S+)', text, re.MULTILINE)
    return Record(tuple(words), result, clocks, fen[1] if fen and fen[1] != _USUAL else "")


def of_sgf(text: str, number: int = 1) -> Record:
    """A game of stones, each with its colour; clocks of BL and WL."""
    moves, clocks, result = [], [], ""
    for node in sgf.parse(text).children[number - 1].rest or ():
        for name in ("B", "W"):
            if name in node.properties:
                place = node.properties[name][0].strip()
                moves.append(name + ("" if place == "tt" else place))
        clocks += [f"{name}{int(float(node.properties[name][0]))}" for name in ("BL", "WL") if name in node.properties]
    root = sgf.parse(text).children[number - 1].root.properties
    result = _RESULTS.get(root.get("RE", [""])[0].strip()[:1].upper(), "")
    return Record(tuple(moves), result, tuple(clocks))


def of_xiangqi(file: Path) -> Record:
    """A game of xiangqi from XQF, or from PGN, of which cchess reads moves alone: what stands beside them is left out."""
    if file.suffix == ".pgn":
        text, bare = file.read_text(encoding="utf-8"), ""
        text = re.sub(r"\{[^}]*\}|^;.*$", "", text, flags=re.MULTILINE)
        while bare != text:
            bare, text = text, re.sub(r"\([^()]*\)", "", text)
        head, body = re.findall(r"^\[.*\]$", text, re.MULTILINE), re.sub(r"^\[.*\]$", "", text, flags=re.MULTILINE)
        file.write_text("\n".join([*head, "", " ".join(body.split())]), encoding="utf-8")
    game = cchess.Game.read_from(str(file))
    (line, *_) = game.dump_iccs_moves()
    return Record(tuple(str(move) for move in line), str(game.info.get("result", "")))
