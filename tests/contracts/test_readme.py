"""The README's examples, run as they stand there, and its links."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.server import settings

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCKS = re.findall(r"^```(sh|text)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)
END = "-- end of block --"


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


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each example printed, all of them in one shell and in an empty folder."""
    folder, port = tmp_path_factory.mktemp("readme"), free_port()
    body = "\n".join(f"{script}echo; echo '{END}'" for script, _ in session()).replace("8000", str(port))
    script = f"set -eu\ntrap 'kill $(jobs -p); wait' EXIT\n{body}\n"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # Output into files: the server that the examples start would keep a pipe open.
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}
        ran = subprocess.run(
            ["bash", "-c", script], cwd=folder, stdout=out, stderr=err, env=environment, timeout=120, check=False
        )
    told = (folder / "out").read_text(encoding="utf-8")
    assert ran.returncode == 0, (folder / "err").read_text(encoding="utf-8") + told
    return told.split(END)


@pytest.mark.parametrize("n", range(len(session())))
def test_an_example_prints_what_the_readme_says(outputs, n):
    script, promised = session()[n]
    shown = outputs[n].strip()
    assert pattern(promised).fullmatch(shown) or not promised, f"{script}\nprinted\n{shown}"


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_leads_to_a_file(file):
    targets = re.findall(r"\]\(([^)#]+)", (ROOT / file).read_text(encoding="utf-8"))
    lost = [t for t in targets if not t.startswith("http") and not (ROOT / t).exists()]
    assert lost == []


def test_every_setting_that_the_readme_names_is_one():
    named = set(re.findall(r"ARBITER_[A-Z_]+", README.read_text(encoding="utf-8")))
    known = set(re.findall(r"ARBITER_[A-Z_]+", settings.__doc__ or ""))
    assert len(named) == 8 and named <= known
