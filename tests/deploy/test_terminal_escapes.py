"""Text on a terminal: a value of a file or a server moves no cursor, clears no screen and begins no line."""

import ast
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

import deploy.cli
from deploy.cli.terminal.escapes import escaped, escaped_json, escaped_lines
from deploy.cli.terminal.verb import Grid, note, print_json, show, words
from shared.core.language.messages import Instant, say
from tests.deploy.terminals import shown_on

GOLDEN = Path(__file__).parents[1] / "golden" / "log-1.0.0"
CLEARS = "\x1b[2J\x1b[H\x1b[32magrees\x1b[0m: 40 lines of T"
HOSTILE = f"{CLEARS}\nagrees\r\t\x9b31m\u202e\u2066\u2028\u2029\ud800\U000e0001\x00\x7f"
"""A green verdict on a cleared screen, a second line, C1 controls, directional overrides, separators, a surrogate, a tag."""


def controls(text: str) -> set[str]:
    """Return the control and format characters of a text."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}


def test_escaped_value_is_one_line_without_controls():
    assert controls(escaped(HOSTILE)) == set()
    assert escaped("a\x1b[2Jb\nc\u202e") == r"a\x1b[2Jb\nc\u202e"


@pytest.mark.parametrize("name", ["李小龙", "Ångström, Zoë", "می\u200cخواهم", "a\u3000b", "\U0002ebf0"])
def test_letters_joiners_and_spaces_of_names_are_printed(name):
    assert escaped(name) == name


def test_escaped_json_has_the_same_value():
    text = json.dumps({HOSTILE: [HOSTILE, "李"]}, ensure_ascii=False)
    assert controls(escaped_json(text)) == set() and json.loads(escaped_json(text)) == json.loads(text)


def test_every_kind_of_fact_is_escaped():
    facts = (HOSTILE, (HOSTILE, say("{a}", a=HOSTILE)), say("{a}", a=(HOSTILE,)), Instant(HOSTILE, HOSTILE))
    for fact in facts:
        assert controls(words(say("{fact}", fact=fact))) == set()
    assert words(say("one\ntwo {fact}", fact="\n")) == "one\ntwo \\n"


def test_every_function_that_prints_escapes_values(capsys):
    grid = Grid(HOSTILE)
    grid.add_columns("x")
    grid.add_row(HOSTILE)
    grid.print()
    show(HOSTILE)
    show(say("{a}", a=HOSTILE))
    note(say("{a}", a=HOSTILE))
    print_json(HOSTILE)
    out, err = capsys.readouterr()
    assert controls(out + err) == {"\n"} and len(out.splitlines()) == 7


def test_no_verb_prints_in_another_way():
    """The bar of progress consists of constant text and numbers; `help` prints texts of the program."""
    allowed = {("verify.py", "print"), ("main.py", "echo"), ("verb.py", "print"), ("verb.py", "echo")}
    found = set()
    for file in Path(deploy.cli.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(node, "func", None)
            if isinstance(name, ast.Name) and name.id == "print":
                found.add((file.name, "print"))
            elif isinstance(name, ast.Attribute) and name.attr in ("echo", "secho", "write"):
                base = ast.unparse(name.value)
                if base in ("click", "sys.stdout", "sys.stderr", "sys.stdout.buffer"):
                    found.add((file.name, name.attr))
    assert found - {("verb.py", "write")} == allowed


def hostile_log(folder: Path) -> Path:
    """Write a log whose subject, actor, type and data contain commands of a terminal."""
    lines = (GOLDEN / "spring-cup.ndjson").read_bytes().splitlines()
    event = json.loads(lines[0])
    event |= {"subject": f"tournaments/{CLEARS}", "actor": HOSTILE.replace("\ud800", "")}
    log = folder / "log.ndjson"
    log.write_bytes(b"\n".join([json.dumps(event).encode(), *lines[1:]]) + b"\n")
    return log


@pytest.mark.parametrize("verb", ["verify", "replay", "diff"])
@pytest.mark.parametrize("language", ["en_GB.UTF-8", "zh_CN.UTF-8"])
def test_a_log_cannot_write_its_own_verdict(arbiter, tmp_path, monkeypatch, verb, language):
    monkeypatch.setenv("LC_ALL", language)
    log = hostile_log(tmp_path)
    more = ["--at", 5, "--to", 9] if verb == "diff" else []
    code, out, err = arbiter(verb, log, *more)
    assert code in (1, 2) and controls(out + err) <= {"\n"}
    assert not re.search(r"(?m)^agrees", out + err)
    code, out, err = arbiter(verb, log, *more, "--json")
    assert code in (1, 2) and controls(out + err) <= {"\n"}


def test_a_file_on_a_terminal_is_escaped_and_elsewhere_unchanged(tmp_path):
    content = 'name\tx\r\n{"a":"\x9b31m\u202e"}\n'
    assert escaped_lines(content) == 'name\tx\n{"a":"\\x9b31m\\u202e"}\n'
    program = "import sys; from deploy.cli.terminal.verb import write_bytes; write_bytes(sys.argv[1].encode())"
    command = [sys.executable, "-c", program, content]
    assert subprocess.run(command, capture_output=True, check=True).stdout == content.encode()
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs) as running:
        os.close(theirs)
        shown = shown_on(ours).decode()
        running.wait()
    assert controls(shown) == {"\r", "\n", "\t"} and "\\x9b31m\\u202e" in shown
