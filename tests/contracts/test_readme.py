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

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCKS = re.findall(r"^```(sh|text)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)
END = "-- end of block --"
FIRST_SCREEN = README.read_text(encoding="utf-8").partition("```bash\n")[2].partition("```")[0].splitlines()


def session() -> list[tuple[str, str]]:
    """Each example with the output it promises; "" where it promises none."""
    promised = [*BLOCKS[1:], ("sh", "")]
    return [
        (script, after if kind == "text" else "")
        for (block, script), (kind, after) in zip(BLOCKS, promised, strict=True)
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


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each example printed, all of them in one shell, beside a ``.venv`` that is not on its path."""
    folder, port = tmp_path_factory.mktemp("readme"), free_port()
    (folder / ".venv").symlink_to(sys.prefix)
    body = "\n".join(f"{script}echo; echo '{END}'" for script, _ in session()).replace("8000", str(port))
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


@pytest.mark.parametrize("n", range(len(session())))
def test_an_example_prints_what_the_readme_says(outputs, n):
    script, promised = session()[n]
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


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_leads_to_a_file(file):
    targets = re.findall(r"\]\(([^)#]+)", (ROOT / file).read_text(encoding="utf-8"))
    lost = [t for t in targets if not t.startswith("http") and not (ROOT / t).exists()]
    assert lost == []


def test_every_setting_that_the_readme_names_is_one():
    named = set(re.findall(r"ARBITER_[A-Z_]+", README.read_text(encoding="utf-8")))
    known = set(re.findall(r"ARBITER_[A-Z_]+", settings.__doc__ or ""))
    assert len(named) == 19 and named <= known
