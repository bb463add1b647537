"""Other versions of the pairing engines, from a folder of wheels, each in a process of its own.

pip installs the wheels into a temporary folder, without a network. The process sees nothing but that folder, the adapters and
the standard library, so that two versions never mix.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from services.pairing.rules import engine_adapters
from services.pairing.rules.engine_adapters.record import NoPairing, Pair, Record, to_json
from services.pairing.rules.engines.registry import OTHER_VERSIONS, Adapter, EngineLost, Run
from shared.core.language.messages import Message, say

_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*((a|b|rc|\.post|\.dev)[0-9]+)*", re.ASCII)
"""The versions that are searched for. A version is text of the log, and becomes part of the name of a file."""
_SERVE = Path(engine_adapters.__file__).with_name("serve.py")
_PIP = (*("install", "--isolated", "--quiet", "--quiet", "--disable-pip-version-check", "--no-input"),
        *("--no-cache-dir", "--no-deps", "--no-index", "--only-binary", ":all:", "--no-compile"))  # fmt: skip


@contextmanager
def engines_from(folder: Path | None) -> Iterator[None]:
    """Let audits use the engine versions of a folder of wheels, until the end of the context.

    Without a folder, only installed versions are used.
    """
    if folder is None:
        yield
        return
    with ExitStack() as stack:
        token = OTHER_VERSIONS.set(_Wheels(folder, stack).find)
        try:
            yield
        finally:
            OTHER_VERSIONS.reset(token)


class _Wheels:
    """The versions of a folder. Each is installed and started when a log first needs it, and ends with ``stack``."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._processes: dict[tuple[str, str], _Process | Message] = {}

    def find(self, adapter: Adapter, version: str) -> Run | Message:
        """Return the function of an adapter with this version of its package, or why it is unavailable."""
        key = (adapter.name, version)
        if key not in self._processes:
            self._processes[key] = self._start(adapter, version)
        process = self._processes[key]
        return process if isinstance(process, Message) else partial(process.pair, adapter.pair.__name__)

    def _start(self, adapter: Adapter, version: str) -> "_Process | Message":
        if not _VERSION.fullmatch(version) or not any(self._folder.glob(f"{adapter.name}-{version}-*.whl")):
            return say("{name} {version} is neither installed nor a wheel", name=adapter.name, version=version)
        packages = self._stack.enter_context(TemporaryDirectory(prefix="arbiter-engine-"))
        own = f"{adapter.name}=="
        wanted = [f"{own}{version}", *(pin for pin in adapter.pins if not pin.startswith(own))]
        command = [sys.executable, "-m", "pip", *_PIP, "--find-links", str(self._folder), "--target", packages, *wanted]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            return say("{name} {version}: {why}", name=adapter.name, version=version, why=why)
        return self._stack.enter_context(_Process(packages, adapter.pair.__module__.rpartition(".")[2]))


class _Process:
    """The process of one version."""

    def __init__(self, packages: str, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SERVE), packages, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    def pair(self, function: str, record: Record) -> list[Pair]:
        """Return the pairs of a record by a function of the adapter. Raises `NoPairing` and `EngineLost`."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"run": function, "record": to_json(record)}) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as failure:
            raise EngineLost("its process ended") from failure
        if "failed" in answer:
            raise EngineLost(answer["failed"])
        if "refused" in answer:
            raise NoPairing(*answer["refused"])
        return [cast(Pair, tuple(pair)) for pair in answer["pairs"]]

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
