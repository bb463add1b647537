"""The commands of the READMEs and of the pages they link to, run as written, and their links."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from deploy.cli.main import run
from deploy.server import settings
from deploy.server.embedded import make_app
from shared.http.app import close
from tests import warm
from tests.programs import program

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "deploy" / "docs"
README, CHINESE = ROOT / "README.md", ROOT / "README.zh-CN.md"
END = "-- end of block --"
SESSION = ("federation", "referee", "regulations", "auditor", "operator")
"""Pages whose commands are one session, in this order."""
SESSIONS = {  # the README in Chinese promises the same outputs, which another test compares
    "README": (README,),
    "pages": tuple(DOCS / f"{name}.md" for name in SESSION),
    "pages in Chinese": tuple(DOCS / f"{name}.zh-CN.md" for name in SESSION),
}
TRANSLATED = (
    *SESSION,
    *(
        "README",
        "compared",
        "contradictions",
        "fide",
        "glossary",
        "logging-in",
        "report-files",
        "second-opinion",
        "second-reader",
    ),
    *("verifiable", "what-nobody-can-check"),
)
"""Pages that a federation's office, a referee or an auditor reads."""
PAIRS = [(README, CHINESE), *((DOCS / f"{name}.md", DOCS / f"{name}.zh-CN.md") for name in TRANSLATED)]
"""Pages in English and in Chinese."""
ENGLISH_ONLY = ("backup", "clicks", "dependencies", "install", "performance", "scale", "topics")
"""Pages for operators and contributors."""


def blocks(page: Path, kinds: str) -> list[tuple[str, str]]:
    """The blocks of these kinds in a page: kind, content."""
    return re.findall(rf"^```({kinds})\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def session(pages: tuple[Path, ...]) -> list[tuple[str, str]]:
    """Each example with the output it promises; "" where it promises none."""
    shown = [block for page in pages for block in blocks(page, "sh|text")]
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


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> list[str]:
    """Return the output of each example of a session, run in one shell, with a ``.venv`` that is not on its path.

    The commands of the README are executed. Those of the other pages are forked, because they start often.
    """
    program("curl")
    folder, port = tmp_path_factory.mktemp("readme"), free_port()
    if request.param == "README":
        (folder / ".venv").symlink_to(sys.prefix)
    else:
        (folder / ".venv").mkdir()
        (folder / ".venv" / "bin").symlink_to(warm.programs())
    body = "\n".join(f"{script}echo; echo '{END}'" for script, _ in session(SESSIONS[request.param]))
    script = f"set -eu\ntrap 'kill $(jobs -p) || true; wait' EXIT\n{body.replace('8000', str(port))}\n"
    # Output into files: the server that the examples start would keep a pipe open.
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        environment = {**os.environ, "PATH": bare_path(), "LC_ALL": "C.UTF-8"}
        ran = subprocess.Popen(
            ["bash", "-c", script], cwd=folder, stdout=out, stderr=err, env=environment, start_new_session=True
        )
        try:
            ran.wait(600)
        finally:
            # A session that takes too long leaves no server behind: a forked one ends when its command is asked to.
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(ran.pid, signal.SIGTERM)
                ran.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(ran.pid, signal.SIGKILL)
    printed = (folder / "out").read_text(encoding="utf-8")
    assert ran.returncode == 0, (folder / "err").read_text(encoding="utf-8") + printed
    return printed.replace(f":{port}", ":8000").split(END)


@pytest.mark.parametrize(
    ("outputs", "n"),
    [
        pytest.param(name, n, marks=pytest.mark.xdist_group(name))
        for name, pages in SESSIONS.items()
        for n in range(len(session(pages)))
    ],
    indirect=["outputs"],
    scope="module",  # or each example would run its session again
)
def test_an_example_prints_what_the_page_says(outputs, n, request):
    script, promised = session(SESSIONS[request.node.callspec.params["outputs"]])[n]
    shown = outputs[n].strip()
    assert pattern(promised).fullmatch(shown) or not promised, f"{script}\nprinted\n{shown}"


def test_the_first_block_clones_runs_tests_and_composes():
    """The other tests run every block but this one: its commands take long, or never return."""
    for page in (README, CHINESE):
        ((_, first),) = blocks(page, "bash")
        assert first.splitlines() == [
            "git clone REPOSITORY arbiter && cd arbiter",
            "make run",
            "make test",
            "docker compose up",
        ]


def test_make_run_serves_the_sample():
    # Under `make test` a make of its own says where it works, unless told not to.
    command = ["make", "--dry-run", "--no-print-directory", "run"]
    dry = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "exec .venv/bin/arbiter demo --serve" in dry.stdout


@pytest.mark.parametrize("page", [README, CHINESE], ids=lambda page: page.name)
def test_a_readme_has_at_most_250_lines(page):
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 250


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
        ("lapsed because it depends on r4, no longer in force", "r6", "because it depends on r4, no longer in force"),
    ):
        assert said in described and shown in rows[ruling]
    assert "foul" in rows["r4"] and "third foul" in rows["r6"]
    for name in ("rulings.png", "rulings.zh-CN.png"):
        picture = ROOT / "deploy" / "docs" / name
        assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size < 150_000


@pytest.mark.parametrize(
    "file",
    [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(ROOT / ".github").rglob("*.md")],
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_every_link_leads_to_a_file(file):
    targets = re.findall(r"\]\(([^)#]+)", file.read_text(encoding="utf-8"))
    lost = [t for t in targets if not t.startswith("http") and not (file.parent / t).exists()]
    assert lost == []


@pytest.mark.parametrize("language", ["", ".zh-CN"])
def test_the_index_lists_every_page(language):
    index = (DOCS / f"README{language}.md").read_text(encoding="utf-8")
    pages = {page.name for page in DOCS.glob("*.md") if ".zh-CN" not in page.name} - {"README.md"}
    listed = {name.replace(".zh-CN", "") for name in re.findall(r"\b([\w.-]+\.md)\b", index)}
    assert pages <= listed


@pytest.mark.parametrize("page", ["operator.md", "operator.zh-CN.md"])
def test_operators_page_names_every_setting(page):
    named = set(re.findall(r"ARBITER_[A-Z_]+", (DOCS / page).read_text(encoding="utf-8")))
    composed = set(re.findall(r"ARBITER_[A-Z_]+", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    known = set(re.findall(r"``(ARBITER_[A-Z_]+)", settings.__doc__ or ""))
    command_line = {"ARBITER_TOKEN", "ARBITER_DATABASES", "ARBITER_WHEELS"}
    assert known | command_line <= named <= known | command_line | composed


TYPED = re.compile(r'("(?:name|person|note|reason)": )"[^"]*"')
"""What people type in the examples: each page has it in its own language."""


def commands(page: Path) -> list[str]:
    """The commands of a page, without what people type and the language that is asked for."""
    scripts = (script for _, script in blocks(page, "sh|bash|python"))
    return [TYPED.sub(r"\1…", script).replace(' -H "Accept-Language: zh-CN"', "") for script in scripts]


def outline(page: Path) -> list[str]:
    """The headings by level, pictures, rows of tables by the code in their first cell, items of lists and blocks of a page."""
    text = page.read_text(encoding="utf-8")
    lines = re.findall(
        r"^(#+) |^(!)\[|^(```\w+)|^(-) |^\| *([^|]*)\|",
        re.sub(r"(```python\n).*?^```", r"\1", text, flags=re.M | re.S),
        re.M,
    )
    return [
        heading or picture or block or item or " ".join(re.findall("`[^`]+`", cell))
        for heading, picture, block, item, cell in lines
    ]


def links(page: Path) -> set[str]:
    """The addresses that a page links to, those of pages in Chinese as those in English, without places within a page."""
    found = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    return {address.replace(".zh-CN", "") for address in found}


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=lambda page: page.name)
def test_the_page_in_chinese_has_what_the_page_in_english_has(english, chinese):
    assert commands(chinese) == commands(english)
    if english == README:
        assert [promised for _, promised in session((chinese,))] == [promised for _, promised in session((english,))]
    assert outline(chinese) == outline(english)
    assert links(chinese) == links(english)


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=lambda page: page.name)
def test_each_page_names_the_other_first(english, chinese):
    for page, other in ((english, chinese), (chinese, english)):
        assert f"]({other.name})" in "".join(page.read_text(encoding="utf-8").splitlines(keepends=True)[:4])


def test_every_page_has_a_chinese_version_unless_it_is_for_operators_or_contributors():
    english = {page.name.removesuffix(".md") for page in DOCS.glob("*.md") if not page.name.endswith(".zh-CN.md")}
    assert english == {*TRANSLATED, *ENGLISH_ONLY}


def test_the_chinese_list_of_pages_marks_those_in_english():
    listed = (DOCS / "README.zh-CN.md").read_text(encoding="utf-8")
    marked = {name for name, mark in re.findall(r"\]\(([a-z-]+)\.md\)(（英文）)?", listed) if mark}
    assert marked == {*ENGLISH_ONLY}
