"""The README's examples, run as they stand there, and its links."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.cli.main import run
from deploy.server import settings
from deploy.server.embedded import make_app
from shared.http.app import close
from tests.programs import program

ROOT = Path(__file__).parents[2]
README, CHINESE = ROOT / "README.md", ROOT / "README.zh-CN.md"
PAGES = (README, CHINESE)
END = "-- end of block --"
FIRST_SCREEN = README.read_text(encoding="utf-8").partition("```bash\n")[2].partition("```")[0].splitlines()


def blocks(page: Path, kinds: str) -> list[tuple[str, str]]:
    """The blocks of these kinds in a page: kind, content."""
    return re.findall(rf"^```({kinds})\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def session(page: Path) -> list[tuple[str, str]]:
    """Each example with the output it promises; "" where it promises none."""
    shown = blocks(page, "sh|text")
    promised = [*shown[1:], ("sh", "")]
    return [
        (script, after if kind == "text" else "")
        for (block, script), (kind, after) in zip(shown, promised, strict=True)
        if block == "sh"
    ]


def pattern(promised: str) -> re.Pattern[str]:
    """An output with … for what is left out of a line; a line that is only … stands for any lines."""
    lines = [r"(?s:.*?)" if line == "…" else re.escape(line).replace("…", ".*") for line in promised.split("\n")]
    return re.compile("\n".join(lines).strip())


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def bare_path() -> str:
    """This process's path without the environment that the tests run in."""
    own = Path(sys.executable).parent
    return os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != own)


@pytest.fixture(scope="module", params=PAGES, ids=lambda page: page.name)
def page(request: pytest.FixtureRequest) -> Path:
    """The page in each language."""
    return request.param


@pytest.fixture(scope="module")
def outputs(page: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each example printed, all of them in one shell, beside a ``.venv`` that is not on its path."""
    program("curl")
    folder, port = tmp_path_factory.mktemp("readme"), free_port()
    (folder / ".venv").symlink_to(sys.prefix)
    body = "\n".join(f"{script}echo; echo '{END}'" for script, _ in session(page)).replace("8000", str(port))
    script = f"set -eu\ntrap 'kill $(jobs -p); wait' EXIT\n{body}\n"
    # Output into files: the server that the examples start would keep a pipe open.
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        environment = {**os.environ, "PATH": bare_path(), "LC_ALL": "C.UTF-8"}
        ran = subprocess.run(
            ["bash", "-c", script], cwd=folder, stdout=out, stderr=err, env=environment, timeout=120, check=False
        )
    printed = (folder / "out").read_text(encoding="utf-8")
    assert ran.returncode == 0, (folder / "err").read_text(encoding="utf-8") + printed
    return printed.replace(f":{port}", ":8000").split(END)


@pytest.mark.parametrize("n", range(len(session(README))))
def test_an_example_prints_what_the_readme_says(outputs, page, n):
    script, promised = session(page)[n]
    shown = outputs[n].strip()
    assert pattern(promised).fullmatch(shown) or not promised, f"{script}\nprinted\n{shown}"


def test_the_first_screen_needs_no_path_and_its_first_command_plays_and_serves_the_sample():
    first, *others = FIRST_SCREEN
    assert first == "make run" and len(others) == 2
    assert all(command.startswith(".venv/bin/arbiter ") for command in others)
    # Under `make test` a make of its own says where it works, unless told not to.
    command = ["make", "--dry-run", "--no-print-directory", "run"]
    dry = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert dry.stdout.splitlines()[-1] == "exec .venv/bin/arbiter demo --serve"


def test_the_first_screen_plays_the_sample_and_its_audit_agrees(tmp_path):
    (tmp_path / ".venv").symlink_to(sys.prefix)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    script = "set -e\n" + "\n".join(FIRST_SCREEN[1:])
    ran = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "agrees: 45 lines of spring-cup" in ran.stdout and " 0 differ, 0 were not decided again" in ran.stdout


def test_the_page_still_shows_what_the_picture_shows(tmp_path):
    """The picture's description names each ruling that is crossed out, and why; `make picture` takes it anew."""
    (described,) = re.findall(r"!\[(.*?)\]\(deploy/docs/rulings.png\)", README.read_text(encoding="utf-8"))
    assert run(["demo", "--data", str(tmp_path)]) == 0
    app = make_app(tmp_path)
    page = app.test_client().get("/t/spring-cup/rulings").get_data(as_text=True)
    close(app)
    rows = dict(re.findall(r'<tr id="(r\d+)" class="(?:stands|fell)">(.*?)</tr>', page, re.S))
    fallen = re.findall(r'<tr id="(r\d+)" class="fell">', page)
    assert list(rows) == ["r2", "r3", "r4", "r5", "r6"] and fallen == ["r4", "r6"]
    assert fallen == re.findall(r"(r\d+), is crossed out", described)
    for said, ruling, shown in (
        ("annulled by r9", "r4", "by r9 "),
        ("fell with r4, which it rests on", "r6", "with r4, which"),
    ):
        assert said in described and shown in rows[ruling]
    assert "foul" in rows["r4"] and "third foul" in rows["r6"]
    picture = ROOT / "deploy" / "docs" / "rulings.png"
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size < 150_000


@pytest.mark.parametrize("file", ["README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_leads_to_a_file(file):
    targets = re.findall(r"\]\(([^)#]+)", (ROOT / file).read_text(encoding="utf-8"))
    lost = [t for t in targets if not t.startswith("http") and not (ROOT / t).exists()]
    assert lost == []


def test_every_setting_that_the_readme_names_is_one():
    named = set(re.findall(r"ARBITER_[A-Z_]+", README.read_text(encoding="utf-8")))
    composed = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    known = set(re.findall(r"ARBITER_[A-Z_]+", (settings.__doc__ or "") + composed))
    assert len(named) == 26 and named <= known


TYPED = re.compile(r'("(?:name|person|note|reason)": )"[^"]*"')
"""What people type in the examples: each page has it in its own language."""


def commands(page: Path) -> list[str]:
    """The commands of a page, without what people type and the language that is asked for."""
    scripts = (script for _, script in blocks(page, "sh|bash|python"))
    return [TYPED.sub(r"\1…", script).replace(' -H "Accept-Language: zh-CN"', "") for script in scripts]


def outline(page: Path) -> list[str]:
    """What a page consists of: headings by level, pictures, rows of tables by what is code in their first cell, blocks."""
    text = page.read_text(encoding="utf-8")
    lines = re.findall(
        r"^(#+) |^(!)\[|^(```\w+)|^\| *([^|]*)\|", re.sub(r"(```python\n).*?^```", r"\1", text, flags=re.M | re.S), re.M
    )
    return [
        heading or picture or block or " ".join(re.findall("`[^`]+`", cell)) for heading, picture, block, cell in lines
    ]


def test_the_page_in_chinese_has_what_the_page_in_english_has():
    assert commands(CHINESE) == commands(README)
    assert outline(CHINESE) == outline(README)
    links = [
        set(re.findall(r"\]\(([^)]+)", page.read_text(encoding="utf-8"))) - {p.name for p in PAGES} for page in PAGES
    ]
    assert links[0] == links[1]


def test_each_page_names_the_other_first():
    for page, other in (PAGES, PAGES[::-1]):
        assert f"]({other.name})" in "".join(page.read_text(encoding="utf-8").splitlines(keepends=True)[:4])
