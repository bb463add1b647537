"""Holding a process to a share of one core, as on a machine of its own, and the processor time that it has used."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

_V1, _V2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
_PERIOD = 100_000
"""Microseconds in which the share is counted: the kernel's default."""
_NAME = "arbiter-bench"
_TICKS = os.sysconf("SC_CLK_TCK")
_INTERPRETER, _SYSTEM = 11, 12
"""Positions of a process's own ticks in /proc/PID/stat, after its name."""


class _Group(NamedTuple):
    """The folder of groups of processes, and the file and content that limit one."""

    root: Path
    file: str
    limit: str


def _group(share: float) -> _Group | None:
    quota = round(share * _PERIOD)
    if (_V1 / "cpu.cfs_quota_us").exists() and os.access(_V1, os.W_OK):
        return _Group(_V1, "cpu.cfs_quota_us", str(quota))
    controllers = _V2 / "cgroup.subtree_control"
    if controllers.exists() and "cpu" in controllers.read_text().split() and os.access(_V2, os.W_OK):
        return _Group(_V2, "cpu.max", f"{quota} {_PERIOD}")
    return None


def missing() -> str | None:
    """Return what this machine lacks to limit a process, or None."""
    if _group(1) is not None or shutil.which("cpulimit"):
        return None
    return (
        "the processor time of a process cannot be limited here: run as root on a machine whose cgroup controller `cpu` is "
        "writable (/sys/fs/cgroup), or install cpulimit (Debian: cpulimit)"
    )


@contextmanager
def held(pids: Iterable[int], share: float) -> Iterator[None]:
    """Hold each of these processes, with all that it starts, to this share of one core."""
    group, folders, limiters = _group(share), list[Path](), list[subprocess.Popen[bytes]]()
    try:
        for pid in pids:
            if group is None:
                command = ["cpulimit", "--pid", str(pid), "--limit", str(round(100 * share)), "--include-children"]
                limiters.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                continue
            folder = group.root / f"{_NAME}-{pid}"
            folder.mkdir()
            folders.append(folder)
            (folder / group.file).write_text(group.limit)
            (folder / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        for limiter in limiters:
            limiter.terminate()
            limiter.wait()
        for folder in folders:
            for pid in (folder / "cgroup.procs").read_text().split():
                with suppress(OSError):  # it may have ended meanwhile
                    (folder.parent / "cgroup.procs").write_text(pid)
            folder.rmdir()


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time that these processes have used, in seconds."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[_INTERPRETER]) + int(fields[_SYSTEM])
    return ticks / _TICKS
