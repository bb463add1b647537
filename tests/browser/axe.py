"""axe-core, the field's own checker of pages for people who see, hear or move otherwise: by npm, pinned, kept in a cache."""

import subprocess
import tarfile
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome

from tests.programs import program

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
_KEPT = Path.home() / ".cache" / "arbiter-axe" / f"axe-{VERSION}.min.js"


@cache
def script() -> str:
    """The checker's source. Raises CalledProcessError where npm cannot fetch it, AssertionError where it is another."""
    if not _KEPT.exists():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program("npm"), "pack", f"axe-core@{VERSION}"], cwd=folder, check=True, capture_output=True)
            (packed,) = Path(folder).glob("*.tgz")
            with tarfile.open(packed) as archive:
                member = archive.extractfile("package/axe.min.js")
                assert member is not None
                content = member.read()
        _KEPT.parent.mkdir(parents=True, exist_ok=True)
        _KEPT.write_bytes(content)
    content = _KEPT.read_bytes()
    assert sha256(content).hexdigest() == SHA256, f"{_KEPT} is not axe-core {VERSION}"
    return content.decode()


def faults(browser: Chrome, *rules: str) -> list[str]:
    """What axe finds on the page that is open, by these rules or by all: each rule with the first place that breaks it."""
    if not browser.execute_script("return typeof axe === 'object'"):
        browser.execute_script(script())
    found: Any = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run({resultTypes: ['violations'], ...(arguments[0].length ? {runOnly: arguments[0]} : {})})"
        ".then((r) => done(r.violations.map((v) => [v.id, v.nodes[0].html, v.nodes[0].failureSummary])));",
        rules,
    )
    return [" | ".join(one) for one in found]
