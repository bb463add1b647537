"""The commands of the page "verify this yourself", run as they stand there, against the server that shows them."""

import html
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from tests.browser.serving import served
from tests.foreign.build import GO
from tests.programs import program
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded

pytestmark = GO
ENDS = (0, 0, 0, 0, 0)
"""Exit codes. The copy of a guest agrees without the texts, and says so."""


def test_the_five_commands_do_what_the_page_says(event: Story, verifier: Path, tmp_path: Path) -> None:
    program("curl")
    tools = os.pathsep.join((str(Path(sys.executable).parent), str(verifier.parent), os.environ["PATH"]))
    hall = event.hall
    assert isinstance(hall, Embedded)
    with served(hall.app) as address:
        with urlopen(f"{address}/t/T/verify") as answer:
            page = answer.read().decode()
        commands = [html.unescape(one) for one in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page)]
        assert [command.split()[0] for command in commands] == ["curl", "arbiter", "arbiter", "verify-go", "arbiter"]
        for command, code in zip(commands, ENDS, strict=True):
            ran = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env=os.environ | {"PATH": tools},
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == code, (command, ran)
            assert "differs" not in ran.stdout and "FAULT" not in ran.stdout, ran
    digest = re.search(r'<code id="printed">(.*?)</code>', page)
    assert digest is not None and f"--digest {digest[1]}" in commands[2]
    assert event.ask("GET", f"{T}/checkpoint").text == html.unescape(
        re.findall(r'<pre id="checkpoint"[^>]*>(.*?)</pre>', page, re.DOTALL)[0]
    )


def test_the_page_that_verifies_is_saved_and_not_opened_here(event: Story) -> None:
    answer = event.ask("GET", "/verify.html")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="verify.html"'
    assert answer.data == (Path(__file__).parents[2] / "deploy" / "docs" / "verify.html").read_bytes()
