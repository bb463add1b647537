"""The one child process of a desk, for what would keep its other threads waiting."""

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from shared.desk.requests import Behind

Result = TypeVar("Result")


class ChildProcess:
    """A process that is started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """What a picklable function returns; a child that died is replaced once. Raises `Behind` where it dies again."""
        for last in (False, True):
            with self._lock:
                if self._pool is None:
                    context = multiprocessing.get_context("forkserver")
                    self._pool = ProcessPoolExecutor(1, mp_context=context)
                pool = self._pool
            try:
                return pool.submit(function, *arguments).result()
            except BrokenProcessPool:
                with self._lock:
                    self._pool = None
                if last:
                    raise Behind("the child process died while computing") from None
        raise AssertionError("unreachable")

    def end(self) -> None:
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
