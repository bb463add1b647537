"""A child process for computations that would block a server's other threads, one computation after the other."""

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
from typing import TYPE_CHECKING, Any, TypeVar

from shared.core.language.messages import say
from shared.desk.requests import Behind

if TYPE_CHECKING:
    from structlog.stdlib import BoundLogger

_CLOCK_PER_CPU_SECOND = 1.5
"""Wall-clock seconds allowed per CPU second. A caller waits for the answer, behind a gateway with a timeout of 120 s."""


class TimeLimit:
    """A limit of ``seconds`` CPU seconds for the following computation of a process, and 1.5 times as many by the clock.

    If the system cannot report the CPU time of a process, the limit is ``seconds`` by the clock.
    """

    def __init__(self, seconds: float, process: BaseProcess | None) -> None:
        self._clock = None if process is None or process.pid is None else _processor_clock(process.pid)
        self._end = time.monotonic() + seconds * (1 if self._clock is None else _CLOCK_PER_CPU_SECOND)
        self._before = self._used()
        self._seconds = seconds + self._before

    def left(self) -> float:
        """Return the minimum number of seconds that the computation may continue, or 0 if its time is over."""
        clock_left = self._end - time.monotonic()
        if self._clock is None:
            return max(0.0, clock_left)
        return max(0.0, min(clock_left, self._seconds - self._used()))

    def delayed(self) -> bool:
        """Return whether the computation has used less CPU time than it may, so that its delay has another cause.

        The machine was busy, or the process waited.
        """
        return self._clock is not None and self._used() < self._seconds

    def charge(self) -> None:
        """Add the CPU seconds of the computation so far to the `children_time` of this thread."""
        _USED.seconds = children_time() + max(0.0, self._used() - self._before)

    def _used(self) -> float:
        """Return the CPU seconds used so far, or 0 if the process has ended or the system cannot report them."""
        try:
            return 0.0 if self._clock is None else time.clock_gettime(self._clock)
        except OSError:
            return 0.0


def _processor_clock(process: int) -> int | None:
    """Return the CPU clock of a process (clock_getcpuclockid, which Python lacks), or None on other systems than Linux."""
    return (~process << 3) | 2 if sys.platform == "linux" else None


Result = TypeVar("Result")
_USED = threading.local()


def children_time() -> float:
    """Return the CPU seconds that child processes have used for this thread, in the manner of `time.thread_time`."""
    seconds: float = getattr(_USED, "seconds", 0.0)
    return seconds


def _log() -> "BoundLogger":
    """Return the logger of child processes. Only a server has them, but many commands import this module."""
    import structlog

    logger: BoundLogger = structlog.get_logger("child process")
    return logger


_ENDING_SECONDS = 1.0
"""Maximum time in seconds for a process to exit after it closed its pipe."""


class Exhausted(Behind):
    """A computation took more time or memory than its child process may use."""


class Delayed(Exhausted):
    """A computation was ended by the clock before it had used its CPU seconds. It may succeed if repeated."""


class _Kind(Enum):
    """The kinds of messages from the child."""

    VALUE = 0
    ANSWERED = 1
    FAILED = 2


class _Died(Exception):
    """The child ended without an answer. ``process`` is its PID. ``exit_code`` is negative for the signal that ended it."""

    def __init__(self, process: int, exit_code: int) -> None:
        super().__init__(process, exit_code)
        self.process, self.exit_code = process, exit_code

    @property
    def cause(self) -> str:
        return f"exit {self.exit_code}" if self.exit_code >= 0 else signal.Signals(-self.exit_code).name


class ChildProcess:
    """A process that is started when it is first needed.

    A computation has ``seconds`` CPU seconds (None: unlimited), and 1.5 times as many by the clock. The process may map
    ``memory`` bytes (None: unlimited) and yields to other processes with ``nice``.
    """

    def __init__(self, *, seconds: float | None = None, memory: int | None = None, nice: int = 0) -> None:
        self._seconds, self._memory, self._nice = seconds, memory, nice
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self._turn = threading.Lock()
        self._ended = False

    def run(
        self, function: Callable[..., Result], *arguments: Any, callback: Callable[[Any], None] | None = None
    ) -> Result:
        """Run a picklable function and return its result, or raise its exception. A dead child is replaced once.

        With a ``callback``, the function gets one as its last argument. Its values are passed on to ``callback`` here.
        In a child process, which cannot have children, the function runs in place.

        Raises `Exhausted` if it took too much (`Delayed` if the clock ended it), and `Behind` if no child can be started, if it
        dies again, or if the service ends.
        """
        if multiprocessing.current_process().daemon:
            return function(*arguments, *(() if callback is None else (callback,)))
        with self._turn:
            try:
                return self._answer(function, arguments, callback)
            except _Died as death:
                if not self._ended:
                    _log().warning("a child process died", process=death.process, cause=death.cause)
            try:
                return self._answer(function, arguments, callback)
            except _Died as death:
                _log().error("a child process died again", process=death.process, cause=death.cause)
                why = say(
                    "the process {process} died while computing this ({cause})",
                    process=death.process,
                    cause=death.cause,
                )
                raise Behind(why) from None

    def _answer(
        self, function: Callable[..., Result], arguments: tuple[Any, ...], callback: Callable[[Any], None] | None
    ) -> Result:
        pipe = self._pipe or self._start()
        limit = None if self._seconds is None else TimeLimit(self._seconds, self._process)
        try:
            pipe.send((function, arguments, callback is not None))
            while True:
                left = None if limit is None else limit.left()
                if left == 0 or not wait([pipe], left):
                    if limit is not None and limit.left():
                        continue
                    cause = Delayed if limit is not None and limit.delayed() else Exhausted
                    if limit is not None:
                        limit.charge()
                    self._kill()
                    raise cause(say("the computation took more than {seconds} s", seconds=f"{self._seconds:g}"))
                kind, outcome = pipe.recv()
                if kind is not _Kind.VALUE:
                    break
                assert callback is not None, "only a function with a callback sends values"
                callback(outcome)
        except (EOFError, ConnectionError):
            raise self._death() from None
        if limit is not None:
            limit.charge()
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
            own_end, child_end = context.Pipe()
            process = context.Process(target=_work, args=(child_end, self._memory, self._nice), daemon=True)
            process.start()
        except OSError as problem:
            _log().error("no child process could be started", error=str(problem))
            raise Behind(say("a process for this could not be started: {problem}", problem=str(problem))) from None
        child_end.close()
        self._process, self._pipe = process, own_end
        return own_end

    def _death(self) -> _Died:
        """Return how the child with the closed pipe ended."""
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
        """End the process without waiting for its result, but until it has exited, so that a server forked later has no child."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()
            process.join()


def _work(pipe: "Connection[Any, Any]", memory: int | None, nice: int) -> None:
    """Call the functions that the parent sends through the ``pipe`` and send their results, until the parent closes it.

    This runs in the child process. ``memory``: maximum bytes (None: unlimited). The parent handles Ctrl-C.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(nice)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    while True:
        try:
            function, arguments, has_callback = pipe.recv()
            callbacks = (partial(_send_value, pipe),) if has_callback else ()
            outcome = _Kind.ANSWERED, function(*arguments, *callbacks)
        except EOFError:
            return
        except Exception as problem:
            outcome = _Kind.FAILED, problem
        try:
            pipe.send(outcome)
        except (AttributeError, TypeError, MemoryError) as problem:
            pipe.send((_Kind.FAILED, problem))


def _send_value(pipe: "Connection[Any, Any]", what: Any) -> None:
    pipe.send((_Kind.VALUE, what))
