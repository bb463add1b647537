"""An annulment on 2,000 screens: from the moment it is sent until each live stream has it, against a bound.

The 99th of a hundred counts, over all screens and annulments of a turn. The bounds are those of a venue whose screens change
while the chief arbiter is still looking at them: 250 ms embedded, 500 ms through Kafka and PostgreSQL.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

from shared.client import Client
from shared.http.identity.tokens import issue
from tests.bench.http_write import running
from tests.bench.measure import Ratio
from tests.deploy.viewers import Viewer, Viewers, may_open
from tests.stack.process import free_port
from tests.stack.stack import Stack, missing

SCREENS, ADDRESSES = 2_000, 8
"""Screens, and the addresses that they have: one address may have three quarters of a server's streams."""
TURNS, EACH, WARM = 3, 20, 5
EMBEDDED, DISTRIBUTED = 0.25, 0.5
_RULED, _ANNULLED = b"\nevent: arbiter.ruling.made.", b"\nevent: arbiter.ruling.annulled."


class Screen(Viewer):
    """A stream, and when it had the last annulment."""

    at = 0.0

    def take(self) -> None:
        super().take()
        if _ANNULLED in self.read and self.read.endswith(b"\n\n"):
            self.at = time.perf_counter()


def opened(address: tuple[str, int], path: str) -> Iterator[Screen]:
    """Open the screens one after the other: a server lets strangers wait who ask for a stream all at once."""
    for n in range(SCREENS):
        screen = Screen(address, path, source=f"127.0.0.{2 + n % ADDRESSES}")
        while b"\nretry: " not in screen.read:
            screen.take()
            assert not screen.ended, screen.read[-300:]
        yield screen


def annulments(url: str, data: Path) -> Iterator[list[float]]:
    """For each turn, the seconds from sending an annulment until a screen had it, over screens and annulments."""
    t, players = "screens", 2 * (WARM + TURNS * EACH)
    chief, appeals = (Client(url, issue(data, role, "bench")) for role in ("chief_arbiter", "appeals"))
    cup = {"id": t, "name": "Screens", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    chief.post("/v1/tournaments", cup)
    at = f"/v1/tournaments/{t}"
    chief.post(f"{at}/officials", {"name": "bench", "role": "appeals"})
    chief.post(f"{at}/entries", {"players": [{"name": f"P{n}", "rating": 2500 - n} for n in range(players)]})
    chief.post(f"{at}/rounds", {}, if_match=chief.get(at).etag)
    numbers, address = count(1), urlsplit(url)
    path = f"{at}/events?after={chief.get(at).json['seq']}"
    with Viewers(opened((address.hostname or "", address.port or 80), path)) as hall:

        def annul() -> Iterator[float]:
            foul = {"player": next(numbers), "round": 1, "infraction": "foul"}
            ruling = chief.post(f"{at}/rulings", foul).json["ruling"]
            hall.read_until(lambda screen: _RULED in screen.read)
            for screen in hall.all:
                screen.read = b""
            sent = threading.Thread(target=appeals.post, args=(f"{at}/rulings/{ruling}/annulment", {"reason": "b"}))
            start = time.perf_counter()
            sent.start()
            hall.read_until(lambda screen: screen.at > start)
            sent.join()
            yield from (screen.at - start for screen in hall.all)

        for _ in range(WARM):
            list(annul())
        for _ in range(TURNS):
            yield [seconds for _ in range(EACH) for seconds in annul()]


def measured(name: str, bound: float, url: str, data: Path) -> Ratio:
    turns = [quantiles(seconds, n=100)[98] for seconds in annulments(url, data)]
    ratios = tuple(bound / seconds for seconds in turns)
    return Ratio(f"annulment on {SCREENS:,} screens, p99, {name}", median(turns), bound, "s, bound", 1, ratios)


def benchmarks() -> Iterator[Ratio]:
    may_open(2 * SCREENS)
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        port, data = free_port(), Path(folder) / "data"
        serve = [str(Path(sys.executable).parent / "arbiter"), "serve", "--data", str(data), "--port", str(port)]
        with running(serve, folder, port):
            yield measured("embedded", EMBEDDED, f"http://127.0.0.1:{port}", data)
    if lacking := missing():
        print(f"NOT MEASURED HERE, screens of the distributed system: {'; '.join(lacking)}", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        Path(folder).chmod(0o711)
        with Stack(Path(folder)) as stack:
            yield measured("Kafka, PostgreSQL", DISTRIBUTED, stack.url, stack.data)
