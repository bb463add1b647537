"""Tables for people: as wide as they are in a pipe, folded on a terminal that is too narrow, and nothing of a text lost."""

import json
import os
import pty
import subprocess
import sys
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ

import pytest
from wcwidth import wcswidth

from tests.deploy.terminals import shown_on

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
    return seen_on_a_terminal(columns, *args).replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()


def seen_on_a_terminal(columns: int, *args: object, kind: str = "xterm") -> str:
    """All that the command sends to a terminal so wide, of this kind (``TERM``)."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    with subprocess.Popen(
        [ARBITER, *map(str, args)], stdout=theirs, env=environment | {"LC_ALL": "C.UTF-8", "TERM": kind}
    ):
        os.close(theirs)
        return shown_on(ours).decode()


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
    assert code == 0 and out.splitlines() == ["The standings are the same after both events."]


def test_a_terminal_that_knows_no_escapes_is_sent_none(file):
    assert "\x1b" in seen_on_a_terminal(80, "standings", file)
    assert "\x1b" not in seen_on_a_terminal(80, "standings", file, kind="dumb")


@pytest.mark.parametrize("name", ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"])
def test_a_name_keeps_the_joiners_that_it_is_spelled_with(arbiter, tmp_path, name):
    """Of Persian and of Sinhala; marks that turn the direction of a line are none."""
    file = tmp_path / "names.trf"
    file.write_text(PLAYER.format(n=1, name=name) + PLAYER.format(n=2, name="A\u202eB") + "XXR 3\n", encoding="utf-8")
    code, out, _ = arbiter("standings", file)
    assert code == 0 and name in out and "A\\u202eB" in out


def said_in(encoding: str, *args: object) -> tuple[int, bytes]:
    """Exit code and output of the command where standard output is in this encoding."""
    done = subprocess.run(
        [ARBITER, *map(str, args)], stdout=subprocess.PIPE, env=os.environ | {"PYTHONIOENCODING": encoding}, check=False
    )
    return done.returncode, done.stdout


def test_letters_that_the_encoding_of_the_terminal_lacks_are_escaped(file):
    code, out = said_in("latin-1", "standings", file)
    assert code == 0 and CHINESE.encode("ascii", "backslashreplace") in out


def test_json_is_in_utf8_wherever_it_is_written(file):
    """A JSON text is UTF-8 (RFC 8259, 8.1), whatever the terminal speaks."""
    code, out = said_in("latin-1", "standings", "--json", file)
    assert code == 0 and CHINESE in {player["name"] for player in json.loads(out)["players"]}
