"""A process that has imported the product and forks the programs of tests, because the import costs most of their CPU time.

A forked program is a process of its own, with its own command, environment and files, which can be signalled and waited for
like any other. `started` takes a Python of this environment with ``-m MODULE``, and its programs ``arbiter`` and ``gunicorn``;
everything else is executed as it stands. ``PROGRAMS`` is a folder for a shell's PATH, whose ``arbiter`` starts so.

A forked program does not wait for the disk (`tests.made_once`).

A command with another value of a PYTHON variable than the tests have (other than PYTHONPATH) is not forked.
The commands of `make stack`, and those of docker-compose.yml in containers, are executed as they stand.
"""

import array
import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
_IMPORTED = (
    "deploy.server.worker.worker",
    "deploy.server.distributed",
    "deploy.server.embedded",
    "deploy.server.prepare",
    "deploy.server.key_shares",
    "deploy.server.first_organiser",
    "deploy.server.gunicorn_app",
    "gunicorn.app.wsgiapp",
    # The product imports these when they are first needed.
    "alembic.config",
    "alembic.script",
    "deploy.cli.doctor.folder",
    "deploy.cli.doctor.services",
    "deploy.cli.doctor.signer_memory",
    "shared.log.worker.ledger_rebuild",
    "shared.log.worker.repair",
)
_VERBS = "deploy.cli.verbs"
_MESSAGE = 1 << 17
_SHIM = """#!{python} -SE
import array, json, os, signal, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as end:
    end.connect({address!r})
    asked = json.dumps([[{python!r}, "-m", "deploy.cli.main", *sys.argv[1:]], dict(os.environ), os.getcwd(), False])
    end.sendmsg([asked.encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", (0, 1, 2)))])
    pid = int(end.recv(64))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    code = int(end.recv(64))
sys.exit(code if code >= 0 else 128 - code)
"""


class Started:
    """A process that was forked, as far as `subprocess.Popen` is used for one: ``pid``, `poll`, `wait` and ``returncode``."""

    def __init__(self, end: socket.socket) -> None:
        self._end: socket.socket = end
        self._lock = threading.Lock()
        self.pid = int(end.recv(64))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._end], [], [], seconds)[0]:
            with self._lock:
                if self.returncode is None:
                    self.returncode = int(self._end.recv(64) or -signal.SIGKILL)
        return self.returncode


class _Forks:
    """The process that forks, started when it is first needed and ended with this one."""

    def __init__(self, root: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="arbiter-warm-"))
        self.address = str(self.folder / "socket")
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.bind(self.address)
        listening.listen(64)
        alive, self._mine = socket.socketpair()
        command = [sys.executable, "-m", "tests.warm", str(listening.fileno()), str(alive.fileno())]
        self._process = subprocess.Popen(
            command, cwd=root, pass_fds=(listening.fileno(), alive.fileno()), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, start_new_session=True,
            env=os.environ | {"LC_ALL": "C.UTF-8", "PYTHONPATH": str(root)},
        )  # fmt: skip
        listening.close()
        alive.close()
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "arbiter").write_text(_SHIM.format(python=sys.executable, address=self.address))
        (programs / "arbiter").chmod(0o755)
        self.owner = os.getpid()
        atexit.register(self._close)

    def _close(self) -> None:
        if os.getpid() == self.owner:
            self._mine.close()
            self._process.wait(10)


_LOCK = threading.Lock()
_made: dict[Path, _Forks] = {}


def _forks(root: Path = ROOT) -> _Forks:
    with _LOCK:
        if root not in _made or _made[root].owner != os.getpid():
            _made[root] = _Forks(root)
        return _made[root]


def programs() -> Path:
    """Return a folder for the front of a shell's PATH: its ``arbiter`` is started by a fork."""
    return _forks().folder / "bin"


def module_of(command: Sequence[object], environment: Mapping[str, str]) -> list[str] | None:
    """Return ``MODULE`` and its arguments if the command can be forked, else None."""
    program, *words = map(str, command)
    chosen = {name: value for name, value in environment.items() if name.startswith("PYTHON") and name != "PYTHONPATH"}
    if any(os.environ.get(name) != value for name, value in chosen.items()):
        return None
    here, name = Path(program).parent == BIN, Path(program).name
    if here and name in ("python", "python3") and words[:1] == ["-m"]:
        return words[1:]
    if here and name == "gunicorn":
        return ["gunicorn", *words]
    return ["deploy.cli.main", *words] if here and name == "arbiter" else None


def started(
    command: Sequence[object],
    *,
    env: Mapping[str, str],
    cwd: Path | str,
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    root: Path = ROOT,
) -> Started | None:
    """Fork a command in a session of its own, with these files (None: /dev/null); return None if it cannot be forked.

    ``root``: the folder of the product, with `tests.warm`.
    """
    if module_of(command, env) is None:
        return None
    end = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    end.connect(_forks(root).address)
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        asked = json.dumps([[str(word) for word in command], dict(env), str(cwd), True]).encode()
        files = array.array("i", [nothing if file is None else file for file in (stdin, stdout, stderr)])
        end.sendmsg([asked], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
        return Started(end)
    finally:
        os.close(nothing)


# ---------------------------------------------------------------- the process that forks


class _Server:
    def __init__(self, listening: int, owner: int) -> None:
        self._listening = socket.socket(fileno=listening)
        self._owner = socket.socket(fileno=owner)
        self._asking: list[socket.socket] = []
        self._running: dict[int, socket.socket] = {}

    def run(self) -> None:
        """Fork on request and send the exit code of each child, until the owner ends."""
        ended, wake = os.pipe()
        os.set_blocking(ended, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        while True:
            ready, _, _ = select.select([self._owner, self._listening, ended, *self._asking], [], [])
            if self._owner in ready:
                os._exit(0)
            if ended in ready:
                os.read(ended, 4096)
                self._reap()
            if self._listening in ready:
                self._asking.append(self._listening.accept()[0])
            for end in [one for one in self._asking if one in ready]:
                self._asking.remove(end)
                self._fork(end)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                end = self._running.pop(found[0], None)
                if end is not None:
                    with suppress(OSError):
                        end.send(str(os.waitstatus_to_exitcode(found[1])).encode())
                    end.close()

    def _fork(self, end: socket.socket) -> None:
        asked, attached, _, _ = end.recvmsg(_MESSAGE, socket.CMSG_SPACE(3 * array.array("i").itemsize))
        if not asked:
            end.close()
            return
        files = array.array("i")
        for _, _, data in attached:
            files.frombytes(data)
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for place, file in enumerate(files):
                os.dup2(file, place)
            for other in (end, self._owner, self._listening, *self._asking, *self._running.values()):
                other.close()
            os.closerange(3, 4096)
            _become(*json.loads(asked))
        for file in files:
            os.close(file)
        self._running[pid] = end
        with suppress(OSError):
            end.send(str(pid).encode())


def _become(command: list[str], environment: dict[str, str], folder: str, session: bool) -> None:
    """Be the command, as far as one can see from outside, and exit as it does."""
    code: Any = 1
    try:
        if session:
            os.setsid()
        os.chdir(folder)
        words = module_of(command, environment)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        if words is None:
            os.execvpe(command[0], command, environment)
        module, *sys.argv[1:] = words
        sys.path[0] = folder
        if module == "gunicorn":
            sys.argv[0] = command[0]
            from gunicorn.app.wsgiapp import run

            run()
        else:
            sys.modules.pop(module, None)  # runpy would warn of one that is there
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as asked:
        code = asked.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        _leave(code or 0)


def _leave(code: int) -> None:
    """End as the interpreter does: threads first, then what was registered, then what was written."""
    with suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code)


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from tests import made_once

    made_once.ignore_disk()
    for name in _IMPORTED:
        importlib.import_module(name)
    for found in pkgutil.walk_packages(importlib.import_module(_VERBS).__path__, f"{_VERBS}."):
        importlib.import_module(found.name)
    importlib.import_module("shared.regulations").load_all()  # every server checks all rulesets when it starts
    gc.collect()
    gc.freeze()
    _Server(*map(int, sys.argv[1:3])).run()


if __name__ == "__main__":
    main()
