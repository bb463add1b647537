"""Tables for people: as wide as they are in a pipe, folded on a terminal that is too narrow, and nothing of a text lost."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ

import pytest
from wcwidth import wcswidth

ARBITER = Path(sys.executable).parent / "arbiter"
PLAYER = "001 {n:>4}      {name:<33} 2000                             0.0    {n}\n"
CHINESE = "\u674e\u6587\u8f69\u7684\u8c61\u68cb\u961f"


@pytest.fixture
def file(tmp_path):
    """A report file with a name of all 33 columns and one in Chinese."""
    names = ("Wolfeschlegelsteinhausenbergerdor", "Bruun, Ole of a Long Long Street", CHINESE)
    text = "012 A Club\n" + "".join(PLAYER.format(n=n, name=name) for n, name in enumerate(names, 1)) + "XXR 3\n"
    path = tmp_path / "names.trf"
    path.write_text(text, encoding="utf-8")
    return path


def on_a_terminal(columns: int, *args: object) -> list[str]:
    """Lines that the command prints on a terminal so wide, without what makes them bold."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    with subprocess.Popen([ARBITER, *map(str, args)], stdout=theirs, env=environment | {"LC_ALL": "C.UTF-8"}):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # which the end of a terminal is
            while piece := os.read(ours, 1 << 16):
                shown += piece
        os.close(ours)
    return shown.decode().replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()


def test_in_a_pipe_a_row_is_a_line(arbiter, file):
    code, out, _ = arbiter("standings", file, "--tiebreaks", "BH,SB,DE,WIN,BWG,BPG,ARO,TPR,PTP,PS,KS,AOB")
    head, line, *rows = out.splitlines()[1:]
    assert code == 0 and len(rows) == 3 and {*line} == {"-", " "}
    assert {wcswidth(row) for row in (head, *rows)} == {len(line)}


def test_on_a_narrow_terminal_names_are_folded_and_numbers_are_whole(file):
    lines = on_a_terminal(75, "standings", file, "--tiebreaks", "BH,SB,DE,WIN")
    assert max(map(wcswidth, lines[1:])) <= 75 and len(lines) > 6
    start = lines[2].split("  ")
    name = slice(len("  ".join(start[:2])) + 2, len("  ".join(start[:3])))
    shown = "".join(line[name].strip() for line in lines[3:])
    assert "Wolfeschlegelsteinhausenbergerdor" in shown and "Bruun,OleofaLongLongStreet" in shown.replace(" ", "")
    assert CHINESE in "".join(lines)


def test_a_wide_terminal_folds_nothing(file):
    assert len(on_a_terminal(150, "standings", file)) == 6


def test_a_terminal_narrower_than_the_numbers_still_shows_them_all(file):
    lines = on_a_terminal(20, "standings", file, "--tiebreaks", "BH,SB,DE,WIN")
    assert all(code in lines[1] for code in ("BH", "SB", "DE", "WIN"))


def test_a_table_of_texts_fits_its_terminal():
    lines = on_a_terminal(100, "regulations", "show", "fide-2026")
    assert max(map(wcswidth, lines)) <= 100
    assert any("C.04.3" in line for line in lines)


def test_a_table_without_a_row_is_its_head(arbiter, tmp_path):
    log = Path(__file__).parents[1] / "golden" / "log-1.0.0" / "hall.ndjson"
    code, out, _ = arbiter("diff", log, "--at", "3", "--to", "3")
    assert code == 0 and len(out.splitlines()) == 3
