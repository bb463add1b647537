"""Game files of other programs, where they lie beside the project: each is taken, and what our sheet says of it a third
program reads as it reads the file; or it is refused by its place."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.foreign.game_records import Record, all_of_pgn, longest_quiet_series, of_pgn, of_sgf, of_xiangqi
from tests.foreign.hall_of_games import HallOfGames
from tests.programs import program

CASES = Path(os.environ.get("ARBITER_CASES", Path(__file__).parents[3] / "shared" / "cases" / "files" / "games"))
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the files of others are not beside the project")
EACH, THEN = 3, int(os.environ.get("ARBITER_EVERY_GAME", "397"))
"""Of a file of many games the first of them are read, and then one of so many of the rest; 1 reads them all (6 minutes)."""
PGN, SGF, XQF = "application/x-chess-pgn", "application/x-go-sgf", "application/x-xqf"
NO_MOVE = "the file must contain a move, a position or a result"


def numbers() -> Iterator[int]:
    """Which games of a file are read."""
    yield from range(1, EACH + 1)
    yield from range(EACH + 1, 100_000, THEN)


def sent(hall: HallOfGames, file: Path, media: str) -> Iterator[tuple[int, str, TestResponse]]:
    """What is answered to each game of a file, with its number and the game that it was sent to."""
    content, last = file.read_bytes(), ""
    for number in numbers():
        game, answer = hall.send(content, media, number)
        why = "" if answer.status_code == 201 else answer.json["detail"]
        if number > 1 and (re.match(r"game \d+ does not exist", why) or (why and why == last)):
            return
        last = why
        yield number, game, answer


def kind_of(answer: TestResponse) -> str:
    """*taken*, or the reason of a refusal, which has its place."""
    if answer.status_code == 201:
        return "taken"
    assert answer.status_code in (409, 422), answer.text
    why = answer.json["detail"]
    assert "line" in answer.json or "byte" in answer.json, answer.text
    why = re.sub(r"^line \d+, column \d+: |^byte \d+: ", "", why)
    return re.sub(r"'[^']*'|\b[a-zA-Z]?\d+\b|\(.*", "…", why)[:70]


def is_true(why: str, theirs: Record | None, content: str) -> bool | None:
    """Whether the reason of a refusal is so as another program reads the game, or as the text has it; None: they do not tell."""
    if why == NO_MOVE:
        return theirs is None or not theirs.moves
    if "a move cannot resume the game" in why:
        return theirs is not None and any(passes in " ".join(theirs.moves) + " " for passes in ("B W B ", "W B W "))
    if why.endswith("moves out of turn"):
        turn = re.search(r"PL\[\s*(\w)", content)
        first = re.match(r"move 1: (\w)", why)
        if first:
            return first[1] != (turn[1].upper() if turn else "B")
        return theirs is not None and any(one[0] == other[0] for one, other in pairwise(theirs.moves))
    if "but the game must be" in why:
        said = re.findall(r'\[Variant\s+"([^"]*)"', content)
        return any(name.lower() not in ("chess", "standard", "from position") for name in said)
    if why.startswith("the moves end with"):
        end, tag = re.search(r"end with (\S+), but the tag Result in line \d+ is (\S+)", why).groups()  # type: ignore[union-attr]
        return (
            end != tag
            and f'[Result "{tag}"]' in content
            and re.search(rf"(?<!\S){re.escape(end)}(?!\S)", content) is not None
        )
    if "a pass is not a move" in why:
        return "--" in content or "Z0" in content
    if (word := re.search(r"ply \d+, (\S+): this is neither UCI nor SAN", why)) is not None:
        return word[1] in content and re.search(r"[a-h][1-8]|O-O|0-0", word[1]) is None
    return next((shows(content) for reason, shows in SHOWN.items() if reason in why), None)


def _not_utf8(content: str) -> bool:
    try:
        content.encode("latin-1").decode()
    except UnicodeDecodeError:
        return True
    return False


def _searched(pattern: str) -> Callable[[str], bool]:
    return lambda content: re.search(pattern, content, re.MULTILINE | re.DOTALL) is not None


SHOWN: dict[str, Callable[[str], bool]] = {
    "its encoding cannot be detected": _not_utf8,
    "is outside a game": _searched(r"\A\s*[^(\s]"),
    "the game that begins here does not end": lambda content: content.count("(") > content.count(")"),
    "invalid RE": lambda content: not _searched(r"RE\[\s*(?:[BW]\+|0|\?|Void|Draw|Jigo)")(content),
    "PL must be B or W": lambda content: not _searched(r"PL\[\s*[BbWw12]?[BbWw]")(content),
    "handicap stones, but AB lists": _searched(r"HA\[\s*[1-9]"),
    "PL must state the side to move": lambda content: not _searched(r"\bPL\s*\[")(content),
    "AE sets up stones after move": _searched(r";\s*[BW]\[.*AE\["),
    "'-' has no meaning at this place": _searched(r"\)\s*-"),
    "the file has a board of": _searched(r"SZ\[\s*(?!9\]|13\]|19\])\d"),
    "a comment must begin with { and end with }; one of them is missing": _searched(r"\{[^}]*\{[^}]*\}[^{]*\}"),
    "bad castling rights": _searched(r"/1NKR1B1R b Kq "),  # Black's king has left e8
    "the move has the number 1994": _searched(r"1994\.10\.10"),
}
"""What the text itself shows where a refusal has that reason."""


def judged(counts: Counter[str], answer: TestResponse, theirs: Record | None, content: bytes) -> bool:
    """Count a refusal by whether its reason is true; False for one that is not."""
    why = re.sub(r"^line \d+, column \d+: ", "", answer.json["detail"])
    found = is_true(why, theirs, content.decode("latin-1"))
    counts[
        {True: "refused, and so it is", False: "REFUSED, AND IT IS NOT SO", None: "refused, not told by another"}[found]
    ] += 1
    return found is not False


def told(counts: Counter[str]) -> None:
    for kind, count in counts.most_common():
        print(f"{count:5} {kind}")


def is_of_xiangqi(file: Path) -> bool:
    content = file.read_bytes().lower()
    return b"chinese chess" in content or b"xiangqi" in content or "cchess" in str(file) or "xiangqi" in str(file)


def test_games_of_chess_are_read_back_by_pgn_extract(tmp_path: Path) -> None:
    program("pgn-extract")
    counts, wrong = Counter[str](), []
    with HallOfGames(tmp_path, "chess", "fide-2026") as hall:
        for file in sorted(CASES.rglob("*.pgn")):
            for number, game, answer in () if is_of_xiangqi(file) else sent(hall, file, PGN):
                counts[kind_of(answer)] += 1
                theirs = of_pgn(file, number)
                if answer.status_code != 201 and ": seventy-five moves on ply" in answer.json["detail"]:
                    counts["refused, 75 moves by pgn-extract"] += 1
                    if longest_quiet_series(file, number) < 150:
                        wrong.append((file.name, number, answer.json["detail"], theirs))
                elif answer.status_code != 201 and not judged(counts, answer, theirs, file.read_bytes()):
                    wrong.append((file.name, number, answer.json["detail"], theirs))
                if theirs is None or answer.status_code != 201:
                    continue
                ours = tmp_path / "ours.pgn"
                ours.write_bytes(hall.sheet(game, PGN))
                read = of_pgn(ours)
                if read is not None and number > EACH and read.position != theirs.position:
                    counts["read back, counted otherwise by pgn-extract"] += 1
                    same = any(map(read.says, all_of_pgn(file)))
                else:
                    counts["read back"] += 1
                    same = read is not None and read.says(theirs)
                if not same:
                    wrong.append((file.name, number, theirs, read))
    told(counts)
    assert wrong == []
    assert counts["refused, not told by another"] == 0
    assert counts["taken"] > 150 and counts["read back"] > 0.9 * counts["taken"]


def test_games_of_xiangqi_are_read_back_by_cchess(tmp_path: Path) -> None:
    counts = Counter[str]()
    with HallOfGames(tmp_path, "xiangqi", "campus") as hall:
        for media, pattern in ((PGN, "*.pgn"), (XQF, "*.xqf")):
            for file in filter(is_of_xiangqi, sorted(CASES.rglob(pattern))):
                for _, game, answer in [next(sent(hall, file, media))]:
                    counts[kind_of(answer)] += 1
                    if answer.status_code == 201 and media == XQF:
                        ours = tmp_path / "ours.pgn"
                        ours.write_bytes(hall.sheet(game, PGN))
                        assert of_xiangqi(ours).moves == of_xiangqi(file).moves, file.name
                        counts["read back"] += 1
    told(counts)
    assert counts["taken"] >= 6 and counts["read back"] >= 6


def test_games_of_stones_are_read_back_by_the_module_sgf(tmp_path: Path) -> None:
    counts, wrong = Counter[str](), []
    halls = {size: HallOfGames(tmp_path / f"go{size}", "go", "go-campus", size) for size in (9, 13, 19)}
    try:
        for file in sorted(CASES.rglob("*.sgf")):
            size = re.search(rb"SZ\[\s*(\d+)", file.read_bytes())
            hall = halls.get(int(size[1]) if size else 19, halls[19])
            for number, game, answer in sent(hall, file, SGF):
                counts[kind_of(answer)] += 1
                theirs = _of_sgf(file, number)
                if answer.status_code != 201 and not judged(counts, answer, theirs, file.read_bytes()):
                    wrong.append((file.name, number, answer.json["detail"], theirs))
                if theirs is not None and answer.status_code == 201:
                    counts["read back"] += 1
                    read = of_sgf(hall.sheet(game, SGF).decode())
                    if not read.says(theirs):
                        wrong.append((file.name, number, theirs, read))
    finally:
        for hall in halls.values():
            hall.close()
    told(counts)
    assert wrong == []
    assert counts["refused, not told by another"] == 0
    assert counts["taken"] > 150 and counts["read back"] > 0.9 * counts["taken"]


def _of_sgf(file: Path, number: int) -> Record | None:
    """The game as the module sgf reads it; None where it cannot."""
    try:
        return of_sgf(file.read_bytes().decode("latin-1"), number)
    except Exception:
        return None
