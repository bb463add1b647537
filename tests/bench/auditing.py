"""A pairing while strangers ask for audits, against the same pairing while nobody does, on one real server."""

import multiprocessing
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event, Semaphore
from pathlib import Path

from shared.http.identity.tokens import ensure_keys, issue
from tests.attacks.serving import serving
from tests.attacks.strangers import ask
from tests.bench.measure import Ratio, of_turns

PLAYERS, ROUNDS, STRANGERS = 300, 16, 20
_SLOWED = 0.25
"""A pairing takes 0.1 s alone, and then shares two cores with the process that audits and the requests of the strangers."""
_NICE = 19
"""Strangers have machines of their own: what asking costs them is taken from nobody here."""


def benchmarks() -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        ensure_keys(data)
        token = {"Authorization": f"Bearer {issue(data, 'organiser', 'bench')}"}
        chief = {"Authorization": f"Bearer {issue(data, 'chief_arbiter', 'bench')}"}
        with serving(data, ARBITER_RATE="0", ARBITER_READS="0") as address:
            return [_pairings(address, token, chief)]


def _pairings(address: tuple[str, int], token: dict[str, str], chief: dict[str, str]) -> Ratio:
    def write(path: str, body: object, **headers: str) -> float:
        status, _, content, seconds = ask(address, "POST", f"/v1/tournaments{path}", body, **headers)
        assert status == 201, content
        return seconds

    def paired(number: int) -> float:
        """Rounds a second of one pairing; its results are reported after it."""
        etag = ask(address, "GET", "/v1/tournaments/B")[1]["ETag"]
        seconds = write("/B/rounds", {}, **chief, If_Match=etag)
        results = [{"board": n, "result": ("1-0", "0-1", "1/2-1/2")[n % 3]} for n in range(1, PLAYERS // 2 + 1)]
        write("/B/results", {"round": number, "results": results}, **chief)
        return 1 / seconds

    cup = {"id": "B", "name": "Bench", "game": "xiangqi", "format": "swiss", "rounds": ROUNDS + 2}
    write("", cup | {"regulations": "campus"}, **token)
    write("/B/officials", {"name": "bench", "role": "chief_arbiter"}, **token)
    write("/B/entries", {"players": [{"name": f"p{n}"} for n in range(PLAYERS)]}, **token)
    paired(1)  # the first starts the child
    turns = []
    for number in range(2, ROUNDS + 2, 2):
        alone = paired(number)
        with storm(address, "/v1/tournaments/B/audit"):
            turns.append((paired(number + 1), alone))
    return of_turns(f"a pairing while {STRANGERS} ask for audits", "pairings/s", _SLOWED, turns)


@contextmanager
def storm(address: tuple[str, int], path: str, number: int = STRANGERS) -> Iterator[None]:
    """So many strangers, each asking again as soon as it is answered, in a process of their own."""
    context = multiprocessing.get_context("spawn")
    over, asked = context.Event(), context.Semaphore(0)
    strangers = context.Process(target=_strangers, args=(address, path, number, over, asked))
    strangers.start()
    for _ in range(number):
        asked.acquire()
    try:
        yield
    finally:
        over.set()
        strangers.join()


def _strangers(address: tuple[str, int], path: str, number: int, over: Event, asked: Semaphore) -> None:
    os.nice(_NICE)

    def stranger() -> None:
        asked.release()
        while not over.is_set():
            ask(address, "GET", path)

    for one in [threading.Thread(target=stranger) for _ in range(number)]:
        one.start()
