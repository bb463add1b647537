"""A stranger's first steps on a fresh Debian with git, make and python3-venv only: `make fresh`.

Makes a Debian by debootstrap. In a chroot, an ordinary user clones the commit, runs `make run` until it serves its links,
stops it with Ctrl-C, runs it again with its packages on the disk, and runs `make test`. With ``--tools``, `make test-tools`
follows, and then `make test-all` with CI=true, in which no test may be skipped. Prints exit code, seconds and megabytes of
each step. Needs root and debootstrap.
"""

import argparse
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.deploy.debian import make_root

ROOT = Path(__file__).parents[2]
PACKAGES = ("ca-certificates", "git", "make", "python3-venv")
"""What the machine has; git recommends the first."""
HOME = "home/stranger"
_USER = 1000
_LINKS = (
    r"annul",
    r"re-evaluated and match",
    r"Spectator: http",
    r"Chief arbiter: http",
    r"Appeals committee: http",
    r"Player \d+: http",
)
"""What `make run` prints before it waits."""
_STYLE = re.compile(r"\x1b\[\d*m")
_WAITS = "Press Ctrl-C to stop."
_STOPPED = (0, 2, 130)
"""Exit codes of a program stopped by Ctrl-C; make's is 2."""
_PASSED = re.compile(r"(?i)^(https?_proxy|no_proxy|pip_(index_url|extra_index_url|trusted_host|cert|default_timeout))$")
"""How this machine reaches the package registries: the only variables that the fresh machine gets from it."""
_DOWNLOAD = """
.venv/bin/pip download -q --no-deps --require-hashes -r requirements.lock -d ../wheels
.venv/bin/pip download -q -d ../wheels wheel 'setuptools>=80'
"""
_AGAIN = "rm -rf .venv; export PIP_NO_INDEX=1 PIP_FIND_LINKS=$HOME/wheels; exec make run"
"""As with a warm package cache, which a proxy that forbids caching never gives."""
# A PID namespace: whatever a step leaves running ends with it.
_ENTER = """
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --rbind /sys "$1/sys"
mount --bind "$2" "$1/home/stranger/.cache/pip"
root="$1" user="$3"
shift 3
exec chroot --userspec="$user" "$root" env -i "$@"
"""


class Step(NamedTuple):
    """What was done, its exit code, seconds, seconds of CPU and the megabytes that it added to the disk."""

    what: str
    code: int
    seconds: float
    cpu: float
    megabytes: int
    holds: bool


class Machine:
    """A fresh Debian in ``cache``. The pristine one and pip's cache are kept between runs."""

    def __init__(self, cache: Path, suite: str) -> None:
        self.steps: list[Step] = []
        self._pristine, self.root = cache / suite, cache / f"machine-{suite}"
        self._pip, self.logs = cache / f"pip-{suite}", cache / f"logs-{suite}"

    def install(self) -> None:
        """Make the machine and its user."""
        begun = time.monotonic()
        what = "Debian with " + ", ".join(PACKAGES)
        if not (self._pristine / "etc/debian_version").exists():
            making = self._pristine.with_name(f"making-{self._pristine.name}")
            make_root(making, self._pristine.name, PACKAGES)
            making.rename(self._pristine)
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", str(self._pristine), str(self.root)], check=True)
        adduser = ["useradd", "--create-home", "--uid", str(_USER), "--shell", "/bin/bash", Path(HOME).name]
        subprocess.run(["chroot", str(self.root), *adduser], check=True)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        (self.root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")  # Debian's installer writes it
        for folder in (self._pip, self.root / HOME / ".cache/pip"):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (self._pip, self.root / HOME / ".cache", self.root / HOME / ".cache/pip"):
            os.chown(folder, _USER, _USER)
        shutil.rmtree(self.logs, ignore_errors=True)
        self.logs.mkdir()
        self.steps.append(Step(what, 0, time.monotonic() - begun, 0, self.megabytes(), True))

    def megabytes(self) -> int:
        """Return the size of the machine's disk."""
        return _megabytes(self.root)

    def command(self, script: str, *, root: bool = False, **variables: str) -> list[str]:
        """Return the command that runs a shell script in the clone, as the user or as root."""
        home, user = ("/root", "0:0") if root else (f"/{HOME}", f"{_USER}:{_USER}")
        inherited = {name: value for name, value in os.environ.items() if _PASSED.match(name)}
        set_ = (
            {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "TERM": "xterm"}
            | inherited
            | variables
        )
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", _ENTER, "sh"]
        shell = ["sh", "-ec", f"cd /{HOME}; test ! -d arbiter || cd arbiter\n{script}"]
        return [*enter, str(self.root), str(self._pip), user, *(f"{k}={v}" for k, v in set_.items()), *shell]

    def run(self, what: str, script: str, *, root: bool = False, **variables: str) -> list[str]:
        """Run a step to its end; return the lines that it printed."""
        print(f"--- {what}", flush=True)
        begun, cpu, before, lines = time.monotonic(), _cpu(), self.megabytes(), []
        command = self.command(script, root=root, **variables)
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as ran:
            for line in ran.stdout or ():
                print(line, end="", flush=True)
                lines.append(line.rstrip("\n"))
        self._log(what, "\n".join(lines))
        seconds, code = time.monotonic() - begun, ran.returncode
        self.steps.append(Step(what, code, seconds, _cpu() - cpu, self.megabytes() - before, code == 0))
        return lines

    def serve(self, what: str, script: str) -> None:
        """Run a step in a terminal until it waits, read one of its pages, and stop it with Ctrl-C."""
        print(f"--- {what}", flush=True)
        begun, cpu, before = time.monotonic(), _cpu(), self.megabytes()
        child, terminal = pty.fork()
        if child == 0:
            command = self.command(script)
            os.execvp(command[0], command)
        text = ""
        try:
            for part in _parts(terminal):
                print(part, end="", flush=True)
                text += part
                if _WAITS in text:
                    break
            seconds = time.monotonic() - begun
            lacking = [said for said in (*_LINKS, re.escape(_WAITS)) if not re.search(said, text)]
            lacking += _unreadable(text)
            megabytes, stopping = self.megabytes() - before, time.monotonic()
            os.write(terminal, b"\x03")
            text += "".join(_parts(terminal))
        except BaseException:
            os.kill(child, signal.SIGKILL)  # which ends its PID namespace
            raise
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self._log(what, text)
        print("".join(f"not printed: {said}\n" for said in lacking), end="")
        to_links = Step(f"{what}, to its links", 0 if not lacking else 1, seconds, _cpu() - cpu, megabytes, not lacking)
        self.steps += [to_links, Step("Ctrl-C", code, time.monotonic() - stopping, 0, 0, code in _STOPPED)]

    def _log(self, what: str, text: str) -> None:
        (self.logs / (re.sub(r"\W+", "-", what) + ".log")).write_text(text)


def _cpu() -> float:
    """Return the seconds of CPU of all that this process started and that has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _megabytes(folder: Path) -> int:
    # Files that vanish meanwhile make du fail; its sum is printed all the same.
    ran = subprocess.run(["du", "-sxm", str(folder)], capture_output=True, text=True, check=False)
    return int(ran.stdout.split()[0])


def _unreadable(printed: str) -> list[str]:
    """Return what is wrong with the spectator's page."""
    page = re.search(r"Spectator: (http\S+)", printed)
    try:
        if page:
            urllib.request.urlopen(page[1], timeout=60).close()
    except OSError as error:
        return [f"{page[1]}: {error}"]
    return []


def _parts(terminal: int) -> Iterator[str]:
    """Yield what a terminal shows until its program ends."""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux reports the end
            return
        if not part:
            return
        yield _STYLE.sub("", part.decode(errors="replace")).replace("\r\n", "\n")


def bundle(machine: Machine) -> None:
    """Put the commit that is checked out where the stranger clones from."""
    branch = _git("rev-parse", "--abbrev-ref", "HEAD")
    if _git("status", "--porcelain"):
        print("Changes that are not committed are not tested here.")
    file = machine.root / "srv/arbiter.bundle"
    _git("bundle", "create", "--quiet", str(file), "HEAD", *([] if branch == "HEAD" else [branch]))


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def table(steps: Sequence[Step]) -> str:
    """Return the steps as a table."""
    rows = [("step", "exit", "seconds", "CPU", "MB", "")]
    for s in steps:
        figures = (f"{s.seconds:.0f}", f"{s.cpu:.0f}", str(s.megabytes))
        rows.append((s.what, str(s.code), *figures, "" if s.holds else "FAILED"))
    width = max(len(row[0]) for row in rows)
    return "\n".join(f"{w:{width}}  {c:>4}  {s:>7}  {u:>5}  {m:>5}  {x}".rstrip() for w, c, s, u, m, x in rows)


def main() -> int:
    """Run the steps; 0 if each of them succeeds."""
    parser = argparse.ArgumentParser(prog="make fresh", description=__doc__.split("\n")[0])
    parser.add_argument("--cache", type=Path, default=Path("/var/tmp/arbiter-fresh"), help="roots and pip's cache")
    parser.add_argument("--suite", default="bookworm", help="release of Debian")
    parser.add_argument("--only", default="", help="test files and folders (default: make test)")
    parser.add_argument(
        "--tools", action="store_true", help="then install the missing programs and run what was skipped"
    )
    chosen = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("debootstrap", path=os.environ["PATH"] + ":/usr/sbin") is None:
        print("run this as root, with debootstrap installed: apt-get install debootstrap", file=sys.stderr)
        return 2
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    chosen.cache.mkdir(parents=True, exist_ok=True)
    machine = Machine(chosen.cache, chosen.suite)
    machine.install()
    bundle(machine)
    machine.run("git clone", "git -c init.defaultBranch=main clone --quiet /srv/arbiter.bundle arbiter")
    machine.serve("make run", "exec make run")
    machine.run("download its packages", _DOWNLOAD)
    machine.serve("make run again, packages downloaded", _AGAIN)
    tests = f"make setup && .venv/bin/pytest -n 3 --dist loadgroup {chosen.only}" if chosen.only else "make test"
    lines = machine.run(tests, tests)
    if not chosen.only and not any("make test-tools" in line for line in lines[-3:]):
        print("The last lines of make test do not say how to install the missing programs.")
        machine.steps.append(Step("last lines of make test", 1, 0, 0, 0, False))
    if chosen.tools:
        machine.run("make test-tools", "make test-tools", root=True)
        every = tests if chosen.only else "make test-all"
        machine.run(f"{every}, with CI=true", every, CI="true")
    print(table(machine.steps))
    return 0 if all(step.holds for step in machine.steps) else 1


if __name__ == "__main__":
    sys.exit(main())
