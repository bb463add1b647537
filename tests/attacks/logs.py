"""Logs that hold every type of event, played over HTTP, with the keys of the house that wrote them."""

import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

from deploy.cli.client import clients
from deploy.cli.demo.demo_story import Story as Demo
from deploy.cli.demo.demo_story import load_sample
from deploy.server import embedded_desk
from deploy.server.keys.house_signer import HouseSigner
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys import key_files
from shared.signing.service_keys import ServiceKeys
from tests.contracts.test_event_types import STORIES
from tests.golden.play import CALLERS, NDJSON
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded


@dataclass(frozen=True)
class Log:
    """A tournament's lines and its games' score sheets, and who signs for the house."""

    tournament: str
    lines: tuple[bytes, ...]
    sheets: dict[str, tuple[bytes, ...]]
    signer: Signer
    keys: ServiceKeys


@cache
def played() -> tuple[Log, ...]:
    """All of them, once for each process, with the same lots each time: what passes by chance is the same each time."""
    lots = random.Random(7)
    with mock.patch("shared.http.commands.write_routes.secrets.randbits", lots.getrandbits):
        return (*_demo(), *_stories())


def of_the_office(story: Story) -> None:
    """What the stories leave out: officials who go, a pairing taken back, a text erased, corrections, offers, a crossing."""
    story.announced(game="chess")
    story.tell(f"{T}/officials", {"name": "Board 9", "role": "arbiter"})
    story.tell(f"{T}/officials/Board 9/dismissal", {"reason": "left early"})
    story.tell(f"{T}/check-in", {"came": [1, 2]})
    story.tell(f"{T}/starting-numbers", {})
    story.paired([1, 2], [3, 4])
    story.tell(f"{T}/rounds/1/withdrawal", {"reason": "the hall was not ready"})
    story.paired()
    game = story.get(f"{T}/rounds/1")["boards"][0]["game"]
    story.tell(f"/v1/games/{game}/moves", {"ply": 1, "moves": ["e4", "e5"]}, "board")
    story.tell(f"/v1/games/{game}/offers", {"offer": "draw", "side": "white"}, "board")
    story.report("*", "1-0")
    corrected = {"round": 1, "results": [{"board": 2, "result": "1/2-1/2"}], "reason": "misread slip"}
    story.tell(f"{T}/corrections", corrected)
    story.tell(f"{T}/crossings/3", {"note": "seen and discussed"})
    texts = story.ask("GET", f"{T}/texts", role="organiser").json["texts"]
    (name,) = (text["hash"] for text in texts if text["text"] == "选手 4")
    story.tell(f"{T}/texts/{name}", method="DELETE", role="organiser")


def log_of(tell: Callable[[Story], object]) -> Log:
    """The log of one story, told in a house of its own."""
    with tempfile.TemporaryDirectory() as data:
        house = Embedded(Path(data))
        try:
            tell(Story(house))
            sheets = {game: tuple(lines) for game, lines in house.sheets("T").items()}
            return Log(
                "T", tuple(house.lines("T")), sheets, _signer(Path(data)), embedded_desk.service_keys(Path(data))
            )
        finally:
            house.close()


def _stories() -> Iterator[Log]:
    return map(log_of, (of_the_office, *STORIES))


def _demo() -> Iterator[Log]:
    with tempfile.TemporaryDirectory() as data, clients(Path(data), CALLERS) as callers:
        Demo(callers, load_sample()).play()
        log = callers["organiser"].get("/v1/tournaments/spring-cup/events", accept=NDJSON).content
        yield Log(
            "spring-cup", tuple(log.splitlines()), {}, _signer(Path(data)), embedded_desk.service_keys(Path(data))
        )


def _signer(data: Path) -> Signer:
    """The house's key without its memory: whoever holds the key is bound by none."""
    return Signer(HouseSigner(data).verifier.name, key_files.read(data / "arbiter.key"))
