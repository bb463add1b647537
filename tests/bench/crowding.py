"""An official's commands while 100 strangers ask for the dearest answers, against the same commands while nobody asks.

Each stranger has an address of its own, so that no allowance of one address ends the crowd. Half of them send a false token.
"""

import itertools
import multiprocessing
import os
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event, Semaphore
from pathlib import Path
from statistics import median, quantiles

from deploy.server import embedded_desk
from shared.http.identity.tokens import ensure_keys, issue
from tests.attacks.serving import serving
from tests.attacks.strangers import ask
from tests.bench.dearest_inputs import QUESTIONS, Question
from tests.bench.measure import Ratio
from tests.great_hall import ROUNDS, great_hall

STRANGERS, TURNS, PLAYERS, COMMANDS, WARM = 100, 3, 999, 60, 5
"""Numbers for a turn. ``WARM`` commands before the measured ones fill the server's memory."""
TIMES, SECONDS = 10, 0.25
"""The 99th of a hundred commands takes at most 10 times as long as without strangers, and at most 0.25 s."""
_NICE = 19
"""Strangers have machines of their own, so they take no processor time from the server here."""
_CROWDED_SECONDS = 3.0
"""The crowd's time before the first measured command. It is longer than a wait for a turn."""
_READ = (
    "/t/{t}",
    "/t/{t}/standings",
    "/t/{t}/standings?at={seq}",
    "/t/{t}/crosstable",
    "/t/{t}/timeline",
    "/t/{t}/prizes",
    "/t/{t}/log",
    "/t/{t}/audit",
    "/t/{t}/integrity",
    "/t/{t}/rounds/7/papers",
    "/t/{t}/rounds/7/papers/slips",
    "/t/{t}/papers/crosstable",
    "/t/{t}/papers/report",
    "/v1/tournaments/{t}/standings?without=r1",
    "/v1/tournaments/{t}/crosstable",
    "/v1/tournaments/{t}/trf",
    "/v1/tournaments/{t}/events",
    "/v1/tournaments/{t}/audit",
    "/v1/tournaments/{t}/archive",
)
Sent = tuple[str, str, Question | None]
"""Method, path and body of a request."""
Address = tuple[str, int]


def benchmarks() -> list[Ratio]:
    questions = [question() for question in QUESTIONS.values()]
    with tempfile.TemporaryDirectory(prefix="arbiter-crowding-") as name:
        data = Path(name)
        ensure_keys(data)
        desk = embedded_desk.open_desk(data)
        for turn in range(TURNS):
            great_hall(desk, f"great{turn}", PLAYERS).foul(5, 1)
        desk.close()
        with serving(data) as address:
            return [crowded(address, data, questions)]


def crowded(address: Address, data: Path, questions: list[Question]) -> Ratio:
    """Measure each turn in a tournament of its own."""
    official = {"Authorization": f"Bearer {issue(data, 'chief_arbiter', 'zhou.min')}"}
    ours, bounds = list[float](), list[float]()
    for turn in range(TURNS):
        t = f"great{turn}"
        boards = iter(range(1, PLAYERS // 2 + 1, 3))
        _commands(address, t, official, itertools.islice(boards, WARM))
        quiet = _p99(_commands(address, t, official, itertools.islice(boards, COMMANDS)))
        with crowd(address, requests(t, questions)):
            time.sleep(_CROWDED_SECONDS)
            ours.append(_p99(_commands(address, t, official, itertools.islice(boards, COMMANDS))))
        bounds.append(min(TIMES * quiet, SECONDS))
    turns = tuple(bound / crowded for bound, crowded in zip(bounds, ours, strict=True))
    return Ratio(f"p99 of commands among {STRANGERS} strangers", median(ours), median(bounds), "s, bound", 1, turns)


def requests(t: str, questions: list[Question]) -> list[Sent]:
    """Return what strangers ask of a tournament and of the judge, in a fixed random order."""
    asked: list[Sent] = [("GET", path.format(t=t, seq=900), None) for path in _READ]
    asked += [("POST", "/v1/judge", question) for question in questions]
    random.Random(1).shuffle(asked)
    return asked


def _commands(address: Address, t: str, official: dict[str, str], boards: Iterator[int]) -> list[float]:
    """Return the seconds of each command of an official, who reads the table after it. Nothing may be refused."""
    seconds = []
    for board in boards:
        body = {"round": ROUNDS, "results": [{"board": board, "result": "1-0"}]}
        status, _, content, took = ask(address, "POST", f"/v1/tournaments/{t}/results", body, **official)
        assert status == 201, content
        seconds.append(took)
        status, _, content, _ = ask(address, "GET", f"/v1/tournaments/{t}/standings", **official)
        assert status == 200, content
    return seconds


def _p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100, method="inclusive")[98]


@contextmanager
def crowd(address: Address, sent: list[Sent]) -> Iterator[None]:
    """Let strangers ask, each again as soon as it is answered, in a process of their own."""
    context = multiprocessing.get_context("spawn")
    over, asked = context.Event(), context.Semaphore(0)
    process = context.Process(target=_strangers, args=(address, sent, over, asked))
    process.start()
    for _ in range(STRANGERS):
        asked.acquire()
    try:
        yield
    finally:
        over.set()
        process.join()


def _strangers(address: Address, sent: list[Sent], over: Event, asked: Semaphore) -> None:
    os.nice(_NICE)

    def stranger(n: int) -> None:
        source, headers = f"127.1.0.{n + 1}", {"Authorization": "Bearer false"} if n % 2 else {}
        first = n % len(sent)
        for method, path, body in itertools.cycle((*sent[first:], *sent[:first])):
            asked.release()
            ask(address, method, path, body, source, **headers)
            if over.is_set():
                return

    for one in [threading.Thread(target=stranger, args=(n,)) for n in range(STRANGERS)]:
        one.start()
