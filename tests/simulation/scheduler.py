"""Cooperative tasks in virtual time: which one runs next, and how long anything takes, comes from one random generator."""

import heapq
import queue
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

from greenlet import getcurrent, greenlet

EPOCH = 1_800_000_000.0
"""The Unix time at which every history begins."""
STEPS = 60_000
"""Switches after which a history counts as one that never ends."""

_TICK = 1e-6
"""The shortest wait, so that rounding never keeps the time where it is."""


class Killed(BaseException):
    """Raised in every task of a process that is killed."""


class Process:
    """A group of tasks that are killed or paused together, and whose network can be cut."""

    def __init__(self, name: str) -> None:
        self.name, self.dead, self.paused, self.cut = name, False, False, False
        self.tasks: list[Task] = []
        self.parked: list[Task] = []


class Task:
    """One thread of a process."""

    __slots__ = ("done", "failure", "greenlet", "process", "result", "turn", "waits")

    def __init__(self, process: Process, work: Callable[[], Any], hub: Any) -> None:
        self.process, self.done, self.turn, self.waits = process, Event(), 0, None
        self.result: Any = None
        self.failure: BaseException | None = None
        self.greenlet = greenlet(lambda: self._run(work), hub)

    def _run(self, work: Callable[[], Any]) -> None:
        try:
            self.result = work()
        except Killed as killed:
            self.failure = killed
        except BaseException as problem:
            self.failure = problem
            SCHEDULER.failed(self, problem)
        finally:
            self.process.tasks.remove(self)
            self.done.set()


class Scheduler:
    """Runs tasks one at a time. ``trace`` lists what happened, with the time and the process."""

    def __init__(self, seed: int) -> None:
        self.rng, self.now, self.steps = Random(seed), 0.0, 0
        self.trace: list[tuple[float, str, str]] = []
        self.failures: list[tuple[str, BaseException]] = []
        self._hub = getcurrent()
        self._ready: list[Task] = []
        self._timers: list[tuple[float, int, Any, int]] = []
        self._numbers = count()
        self._doomed: list[Process] = []
        self.task: Task | None = None

    # ------------------------------------------------------------ tasks

    def spawn(self, process: Process, work: Callable[[], Any]) -> Task:
        """Start a task of a process."""
        task = Task(process, work, self._hub)
        process.tasks.append(task)
        self._ready.append(task)
        return task

    def run(self, process: Process, work: Callable[[], Any]) -> Any:
        """Run a task and all others until it has returned, and return its result. Raises its exception."""
        task = self.spawn(process, work)
        self._until(task)
        if task.failure is not None:
            raise task.failure
        return task.result

    def _until(self, last: Task) -> None:
        ready, random = self._ready, self.rng.random
        while not last.done.is_set():
            while self._doomed:
                self._end(self._doomed.pop())
            if not ready:
                self._advance()
                continue
            at = int(random() * len(ready))
            task = ready[at]
            ready[at] = ready[-1]
            ready.pop()
            if task.process.paused:
                task.process.parked.append(task)
                continue
            self.steps += 1
            if self.steps > STEPS:
                raise AssertionError("the history does not end")
            self.task = task
            task.greenlet.switch()
            self.task = None

    def _advance(self) -> None:
        """Go to the next moment for which something is due."""
        at, _, due, turn = heapq.heappop(self._timers)
        self.now = max(self.now, at)
        if not isinstance(due, Task):
            due()
        elif due.turn == turn and due.waits is not None:
            self.wake(due)

    def wake(self, task: Task) -> None:
        """Let a waiting task run again."""
        if task.waits is not None:
            task.waits = None
            self._ready.append(task)

    def wait(self, timeout: float | None, waiters: Any = None) -> bool:
        """Let other tasks run until this one is woken. Return False if ``timeout`` came first.

        ``waiters``: the list from which another task wakes this one.
        """
        task = self.task
        assert task is not None, "only a task can wait"
        if task.process.dead:
            raise Killed
        token = [task]
        task.turn += 1
        task.waits = token
        if waiters is not None:
            waiters.append(token)
        if timeout is not None:
            heapq.heappush(self._timers, (self.now + max(_TICK, timeout), next(self._numbers), task, task.turn))
        self._hub.switch()
        if task.process.dead:
            raise Killed
        if waiters is None:
            return True
        if token:  # still in the list, so nobody woke it
            token.clear()
            return False
        return True

    def notify(self, waiters: deque[list[Task]], most: int = -1) -> None:
        """Wake up to ``most`` of the waiting tasks (-1: all)."""
        while waiters and most:
            token = waiters.popleft()
            if token:
                task = token.pop()
                if task.waits is token:
                    self.wake(task)
                most -= 1

    def pause(self) -> None:
        """Let another task run, if there is one."""
        task = self.task
        if task is None:
            return
        if task.process.dead:
            raise Killed
        self._ready.append(task)
        self._hub.switch()
        if task.process.dead:
            raise Killed

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call a function that does not wait, at a later time."""
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), call, 0))

    # ------------------------------------------------------------ processes

    def kill(self, process: Process) -> None:
        """Kill a process as SIGKILL does: its tasks have no effect from now on."""
        if not process.dead:
            process.dead = True
            self._doomed.append(process)
            if self.task is not None and self.task.process is process:
                raise Killed

    def resume(self, process: Process) -> None:
        """Continue a paused process."""
        process.paused = False
        self._ready += process.parked
        process.parked.clear()

    def _end(self, process: Process) -> None:
        for task in list(process.tasks):
            task.waits = None
            if task in self._ready:
                self._ready.remove(task)
            self.task = task
            if task.greenlet:
                task.greenlet.throw(Killed)
            else:  # it had not begun
                process.tasks.remove(task)
                task.done.set()
            self.task = None
        process.parked.clear()

    def close(self, processes: Iterable[Process]) -> None:
        """End all tasks that are left."""
        for process in processes:
            process.dead = True
            self._end(process)

    def failed(self, task: Task, problem: BaseException) -> None:
        """Note a task that ended by an exception."""
        self.failures.append((task.process.name, problem))

    # ------------------------------------------------------------ what happened

    def note(self, what: str, process: Process | None = None) -> None:
        """Add a line to the trace."""
        process = process or (self.task and self.task.process) or None
        self.trace.append((self.now, process.name if process else "", what))

    def digest(self) -> str:
        """Return a digest of all that happened and of every choice."""
        content = "\n".join(f"{at:.9f} {who} {what}" for at, who, what in self.trace)
        return sha256(f"{content}\n{self.steps} {self.rng.getstate()}".encode()).hexdigest()

    def lines(self) -> list[str]:
        """Return the trace as lines for readers."""
        return [f"{at:9.4f}  {who:14} {what}" for at, who, what in self.trace]


SCHEDULER: Scheduler
"""The scheduler of the history that runs now."""


def begin(seed: int) -> Scheduler:
    """Begin a history."""
    global SCHEDULER  # noqa: PLW0603  the locks that the product makes find it here
    SCHEDULER = Scheduler(seed)
    return SCHEDULER


def current() -> Scheduler:
    """Return the scheduler of the history that runs now."""
    return SCHEDULER


# ---------------------------------------------------------------- what the modules of the product see as `threading`


class Lock:
    """`threading.Lock`."""

    def __init__(self) -> None:
        self._held = False
        self._waiters: deque[Any] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        while self._held:
            if not blocking or not SCHEDULER.wait(None if timeout < 0 else timeout, self._waiters):
                return False
        self._held = True
        return True

    def release(self) -> None:
        self._held = False
        SCHEDULER.notify(self._waiters, 1)

    def locked(self) -> bool:
        return self._held

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class RLock(Lock):
    """`threading.RLock`."""

    def __init__(self) -> None:
        super().__init__()
        self.owner: Any = None
        self.depth = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self.owner is not SCHEDULER.task:
            if not super().acquire(blocking, timeout):
                return False
            self.owner = SCHEDULER.task
        self.depth += 1
        return True

    def release(self) -> None:
        self.depth -= 1
        if not self.depth:
            self.owner = None
            super().release()


class Condition:
    """`threading.Condition`."""

    def __init__(self, lock: Any = None) -> None:
        self._lock = lock or RLock()
        self._waiters: deque[Any] = deque()
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        depth, self._lock.depth = self._lock.depth, 1
        self._lock.release()
        try:
            return SCHEDULER.wait(timeout, self._waiters)
        finally:
            self._lock.acquire()
            self._lock.depth = depth

    def notify(self, n: int = 1) -> None:
        SCHEDULER.notify(self._waiters, n)

    def notify_all(self) -> None:
        SCHEDULER.notify(self._waiters)


class Event:
    """`threading.Event`."""

    def __init__(self) -> None:
        self._set = False
        self._waiters: deque[Any] = deque()

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        SCHEDULER.notify(self._waiters)

    def clear(self) -> None:
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        if not self._set:
            SCHEDULER.wait(timeout, self._waiters)
        return self._set


class Thread:
    """`threading.Thread`: a further task of the process that starts it."""

    ident: int | None = None

    def __init__(self, target: Callable[..., Any], args: tuple[Any, ...] = (), name: str = "", daemon: bool = False):
        self._target, self._args, self.name = target, args, name

    def start(self) -> None:
        assert SCHEDULER.task is not None
        self.ident = 1
        self._task = SCHEDULER.spawn(SCHEDULER.task.process, lambda: self._target(*self._args))

    def join(self, timeout: float | None = None) -> None:
        self._task.done.wait(timeout)

    def is_alive(self) -> bool:
        return not self._task.done.is_set()


class Timer(Thread):
    """`threading.Timer`."""

    def __init__(self, interval: float, function: Callable[[], Any]) -> None:
        super().__init__(self._later)
        self._interval, self._function, self._cancelled = interval, function, Event()

    def _later(self) -> None:
        if not self._cancelled.wait(self._interval):
            self._function()

    def cancel(self) -> None:
        self._cancelled.set()


class SimpleQueue:
    """`queue.SimpleQueue`."""

    def __init__(self) -> None:
        self._items: deque[Any] = deque()
        self._waiters: deque[Any] = deque()

    def put(self, item: Any) -> None:
        self._items.append(item)
        SCHEDULER.notify(self._waiters, 1)

    def empty(self) -> bool:
        return not self._items

    def get(self, timeout: float | None = None) -> Any:
        while not self._items:
            if not SCHEDULER.wait(timeout, self._waiters) and not self._items:
                raise queue.Empty
        return self._items.popleft()


THREADING = SimpleNamespace(
    Lock=Lock, RLock=RLock, Condition=Condition, Event=Event, Thread=Thread, Timer=Timer,
    get_ident=lambda: 1, current_thread=lambda: SimpleNamespace(name="task"),
)  # fmt: skip
QUEUE = SimpleNamespace(SimpleQueue=SimpleQueue, Empty=queue.Empty)
TIME = SimpleNamespace(
    time=lambda: EPOCH + SCHEDULER.now, monotonic=lambda: SCHEDULER.now, thread_time=lambda: SCHEDULER.now,
    perf_counter=lambda: SCHEDULER.now, sleep=lambda seconds: SCHEDULER.wait(seconds) and None,
)  # fmt: skip
