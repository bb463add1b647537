"""A child process for what would keep a server's other threads waiting, one computation after the other."""

import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from enum import Enum
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

import structlog

from shared.core.language.messages import say
from shared.desk.requests import Behind

_BY_THE_CLOCK = 1.5
"""How many seconds one of a processor may take: somebody waits for the answer, behind a gateway that waits for 120."""


class TimeLimit:
    """``seconds`` of a processor for what a process computes from now on, and one and a half times as many by the clock;
    where a system does not tell what a process has used, as many by the clock."""

    def __init__(self, seconds: float, process: BaseProcess | None) -> None:
        self._clock = None if process is None or process.pid is None else _processor_clock(process.pid)
        self._end = time.monotonic() + seconds * (1 if self._clock is None else _BY_THE_CLOCK)
        self._seconds = seconds + self._used()

    def left(self) -> float:
        """For how many seconds the computation may go on at least; 0 where it is over."""
        by_the_clock = self._end - time.monotonic()
        if self._clock is None:
            return max(0.0, by_the_clock)
        return max(0.0, min(by_the_clock, self._seconds - self._used()))

    def delayed(self) -> bool:
        """True if the processor's seconds are not used up: the machine was busy, or the process waited."""
        return self._clock is not None and self._used() < self._seconds

    def _used(self) -> float:
        """0 of a process that is gone."""
        try:
            return 0.0 if self._clock is None else time.clock_gettime(self._clock)
        except OSError:
            return 0.0


def _processor_clock(process: int) -> int | None:
    """The clock of a process's time (clock_getcpuclockid, which Python lacks); None on another system than Linux."""
    return (~process << 3) | 2 if sys.platform == "linux" else None


Result = TypeVar("Result")

_log = structlog.get_logger("child process")
_ENDING_SECONDS = 1.0
"""In which a process that closed its pipe is gone, with its exit code."""


class Exhausted(Behind):
    """A computation took more time or memory than its child process has."""


class Delayed(Exhausted):
    """A computation was ended by the clock before it had used its seconds of the processor: it may succeed if repeated."""


class _Kind(Enum):
    """What the child sends."""

    TOLD = 0
    ANSWERED = 1
    FAILED = 2


class _Died(Exception):
    """The child ended without an answer: ``process`` is its number, ``exit_code`` below 0 the signal that ended it."""

    def __init__(self, process: int, exit_code: int) -> None:
        super().__init__(process, exit_code)
        self.process, self.exit_code = process, exit_code

    @property
    def cause(self) -> str:
        return f"exit {self.exit_code}" if self.exit_code >= 0 else signal.Signals(-self.exit_code).name


class ChildProcess:
    """A process that is started when it is first needed.

    A computation has ``seconds`` of a processor (None: all it takes), which by the clock are half as many again at most; the
    process may map ``memory`` bytes (None: no bound) and gives way to others by ``nice``.
    """

    def __init__(self, *, seconds: float | None = None, memory: int | None = None, nice: int = 0) -> None:
        self._seconds, self._memory, self._nice = seconds, memory, nice
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self._turn = threading.Lock()
        self._ended = False

    def run(
        self, function: Callable[..., Result], *arguments: Any, tell: Callable[[Any], None] | None = None
    ) -> Result:
        """What a picklable function returns, or raises; a child that died is replaced once. Where ``tell`` is given, the
        function takes one of its own as its last argument: what it tells by it is told here.

        Raises `Exhausted` where it took too much (`Delayed` where the clock ended it), `Behind` where no child can be
        started, where it dies again, and where the service ends.
        """
        with self._turn:
            try:
                return self._answer(function, arguments, tell)
            except _Died as death:
                if not self._ended:
                    _log.warning("a child process died", process=death.process, cause=death.cause)
            try:
                return self._answer(function, arguments, tell)
            except _Died as death:
                _log.error("a child process died again", process=death.process, cause=death.cause)
                why = say(
                    "the process {process} died while computing this ({cause})",
                    process=death.process,
                    cause=death.cause,
                )
                raise Behind(why) from None

    def _answer(
        self, function: Callable[..., Result], arguments: tuple[Any, ...], tell: Callable[[Any], None] | None
    ) -> Result:
        pipe = self._pipe or self._start()
        limit = None if self._seconds is None else TimeLimit(self._seconds, self._process)
        try:
            pipe.send((function, arguments, tell is not None))
            while True:
                if not wait([pipe], None if limit is None else limit.left()):
                    if limit is not None and limit.left():
                        continue
                    cause = Delayed if limit is not None and limit.delayed() else Exhausted
                    self._kill()
                    raise cause(say("the computation took more than {seconds} s", seconds=f"{self._seconds:g}"))
                kind, outcome = pipe.recv()
                if kind is not _Kind.TOLD:
                    break
                assert tell is not None, "nothing is told by who was not asked to"
                tell(outcome)
        except (EOFError, ConnectionError):
            raise self._death() from None
        if isinstance(outcome, MemoryError):
            self._kill()
            raise Exhausted(
                say("the computation took more than {memory} MiB of memory", memory=(self._memory or 0) >> 20)
            )
        if kind is _Kind.FAILED:
            raise outcome
        result: Result = outcome
        return result

    def _start(self) -> "Connection[Any, Any]":
        if self._ended:
            raise Behind(say("the service is ending"))
        # Spawned: a fork server belongs to the process that was forked before it served.
        context = multiprocessing.get_context("spawn")
        try:
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, self._memory, self._nice), daemon=True)
            process.start()
        except OSError as problem:
            _log.error("no child process could be started", error=str(problem))
            raise Behind(say("no process could be started for this: {problem}", problem=str(problem))) from None
        there.close()
        self._process, self._pipe = process, here
        return here

    def _death(self) -> _Died:
        """How the child ended, whose pipe is closed."""
        process = self._process
        if process is None:  # ended from outside meanwhile
            return _Died(0, 0)
        process.join(_ENDING_SECONDS)
        death = _Died(process.pid or 0, process.exitcode or 0)
        self._kill()
        return death

    def _kill(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None and pipe is not None:
            process.kill()
            process.join()
            pipe.close()

    def end(self) -> None:
        """End the process; what it computes is not waited for, but that it is gone: a server forked after this has no child."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()
            process.join()


def _work(pipe: "Connection[Any, Any]", memory: int | None, nice: int) -> None:
    """The child: answers until the other end is closed. Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(nice)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    while True:
        try:
            function, arguments, tells = pipe.recv()
            tell = (partial(_tell, pipe),) if tells else ()
            outcome = _Kind.ANSWERED, function(*arguments, *tell)
        except EOFError:
            return
        except Exception as problem:
            outcome = _Kind.FAILED, problem
        try:
            pipe.send(outcome)
        except (AttributeError, TypeError, MemoryError) as problem:
            pipe.send((_Kind.FAILED, problem))


def _tell(pipe: "Connection[Any, Any]", what: Any) -> None:
    pipe.send((_Kind.TOLD, what))
