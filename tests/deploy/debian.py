"""Debian's file systems, made by debootstrap: the base of the container images, and the fresh machines of `make fresh`."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
_CERTIFICATES = "usr/local/share/ca-certificates"


def make_root(root: Path, suite: str, packages: Iterable[str] = ()) -> None:
    """Make the smallest Debian and ``packages`` in the folder ``root``, in 1 to 4 minutes; needs root and debootstrap."""
    shutil.rmtree(root, ignore_errors=True)
    include = [f"--include={','.join(packages)}"] if packages else []
    command = ["debootstrap", "--variant=minbase", *include, suite, str(root), MIRROR]
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_environment(), check=False
    )
    if ran.returncode != 0:
        shutil.rmtree(root, ignore_errors=True)
        raise RuntimeError(f"{' '.join(command)}: exit {ran.returncode}\n{ran.stdout[-3000:]}")
    # If a proxy of this machine decrypts TLS, its certificate is trusted in the root too.
    (root / _CERTIFICATES).mkdir(parents=True, exist_ok=True)
    for file in Path("/", _CERTIFICATES).glob("*.crt"):
        shutil.copy(file, root / _CERTIFICATES)
    if "ca-certificates" in packages:
        subprocess.run(
            ["chroot", str(root), "update-ca-certificates"], env=_environment(), capture_output=True, check=True
        )
    shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
