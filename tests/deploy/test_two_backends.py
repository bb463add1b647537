"""What the README plays, on SQLite and on Kafka with PostgreSQL: the same logs, score sheets and tables.

Played are both tournaments of `make run` and the commands of the README: fouls, a third foul's loss, annulments, appeals,
moves, a claim, a publication. Only what `_ABOUT_EVENTS` and `_IN_DATA` name may differ.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from deploy.cli.demo.demo_event import CALLERS, load_running, play_running
from deploy.cli.demo.demo_story import Story, load_sample
from deploy.server.embedded import make_app
from shared.client import Answer, Client
from shared.core.terms import Role
from shared.http.app import close
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from tests.deploy.careful_caller import wait_for_services
from tests.deploy.servers import STACK
from tests.log.distributed import until

pytestmark = STACK
README = Path(__file__).parents[2] / "README.md"
TOURNAMENTS = {"spring-cup": 45, "autumn-open": 36, "open": 13}
"""Each with the number of its events."""
_ABOUT_EVENTS = {"id", "time", "tokenid", "basisroot", "signature"}
"""Random values, times, hashes and signatures. An event has them on both or on neither."""
_IN_DATA = {
    "keys": lambda keys: [key.partition("+")[0] for key in keys],
    "recovery": lambda key: key.partition("+")[0],
    "lodged": lambda time: time[:2],
    "checkpoint": lambda note: note.splitlines()[:2],
}
"""Member of the data → what is compared of it: the names of keys, the century of a time, the log and the size signed."""
_LOTS = 20260321
"""The README lets the server draw; here both draw the same."""
_COMMAND = re.compile(r"""say "\$(CHIEF|APPEALS)" \$T(\S*)(?: -H 'If-Match: ("\d+")')? -d '(.*?)'""")
_REPEATED = re.compile(r"for \w+ in (.*?); do (say .*?); done")
_ROLES: dict[str, Role] = {"CHIEF": "chief_arbiter", "APPEALS": "appeals"}


class Caller(Client):
    """A client that waits after each command until ``settled`` (a tournament's id) returns."""

    settled: Callable[[str], None]

    def post(self, path: str, body: Any = None, *, if_match: str | None = None, key: str | None = None) -> Answer:
        answer = super().post(path, body, if_match=if_match, key=key)
        place = re.match(r"/v1/(?:tournaments|games)/([a-z-]+)", path)
        self.settled(place[1] if place else body["id"])
        return answer


class Archive(NamedTuple):
    """A tournament as it can be downloaded, and the report of its audit."""

    files: dict[str, str]
    audit: dict[str, Any]


Archives = dict[str, Archive]


def play(callers: Mapping[Role, Client]) -> None:
    """Play the three tournaments."""
    Story(callers, load_sample()).play()
    play_running(callers, load_running())
    for role, path, seen, body in readme_commands():
        lots = {"seed": _LOTS} if path.endswith("/rounds") else {}
        callers[role].post(f"/v1/tournaments{path}", json.loads(body) | lots, if_match=seen or None)


def readme_commands() -> Iterator[tuple[Role, str, str, str]]:
    """Yield the README's commands as role, path, ``If-Match`` and body."""
    text = _REPEATED.sub(lambda loop: "\n".join([loop[2]] * len(loop[1].split())), README.read_text(encoding="utf-8"))
    for name, path, seen, body in _COMMAND.findall(text):
        yield _ROLES[name], path, seen, body


def archives(callers: Mapping[Role, Client]) -> Archives:
    """Download each tournament."""
    chief, found = callers["chief_arbiter"], {}
    for t in TOURNAMENTS:
        packed = zipfile.ZipFile(io.BytesIO(chief.get(f"/v1/tournaments/{t}/archive").content))
        files = {name: packed.read(name).decode() for name in packed.namelist()}
        found[t] = Archive(files, chief.get(f"/v1/tournaments/{t}/audit").json)
    return found


def seq(caller: Client, path: str) -> int:
    return int(caller.get(path).json["seq"])


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Archives, list[int]]]:
    """The archives of one process on one SQLite file, and the size of the tournament's log after each command."""
    folder, sizes = tmp_path_factory.mktemp("embedded"), []
    app = make_app(folder, Limits(rate=0, reads=0))
    reader = Client("http://localhost", transport=httpx.WSGITransport(app))
    callers: dict[Role, Client] = {}
    for name, role in CALLERS:
        caller = Caller("http://localhost", issue(folder, role, name, None, 1), transport=httpx.WSGITransport(app))
        caller.settled = lambda t: sizes.append(seq(reader, f"/v1/tournaments/{t}"))
        callers[role] = caller
    play(callers)
    yield archives(callers), sizes
    close(app)


@pytest.fixture(scope="module")
def distributed(stack, embedded: tuple[Archives, list[int]]) -> Archives:
    """The archives of four services with Kafka and PostgreSQL. Each command waits until all have read the one before."""
    sheets, sizes = embedded[0]["autumn-open"].files["sheets.ndjson"], iter(embedded[1])
    reader = Client(stack.url)

    def settled(t: str) -> None:
        wait_for_services(reader, t, next(sizes))

    callers: dict[Role, Client] = {}
    for name, role in CALLERS:
        caller = Caller(stack.url, issue(stack.data, role, name, None, 1))
        caller.settled = settled
        callers[role] = caller
    play(callers)
    assert next(sizes, None) is None
    found: Archives = {}

    def complete() -> bool:
        found.update(archives(callers))
        return len(found["autumn-open"].files["sheets.ndjson"].splitlines()) == len(sheets.splitlines())

    until(complete)
    return found


def compared(archive: Archive, name: str) -> list[dict[str, Any]]:
    """Return the events of a log with texts in place of their hashes, and commands and causes by their positions."""
    texts = {row["hash"]: row["text"] for row in map(json.loads, archive.files["texts.ndjson"].splitlines())}
    events = [json.loads(line, object_hook=lambda o: _with_text(o, texts)) for line in archive.files[name].splitlines()]
    places: dict[str, int] = {}
    for n, event in enumerate(events, 1):
        event["causationid"] = places.setdefault(event["causationid"], n)
        places[event["id"]] = n
        data = event["data"]
        data.update({key: _IN_DATA[key](data[key]) for key in _IN_DATA.keys() & data.keys()})
        event.update(dict.fromkeys(_ABOUT_EVENTS & event.keys()))
    return events


def _with_text(found: dict[str, Any], texts: Mapping[str, str]) -> Any:
    return texts[found["text"]] if found.keys() == {"text"} else found


# ------------------------------------------------------------------ the tests


def test_the_readme_has_its_seven_commands():
    assert [path for _, path, _, _ in readme_commands()] == [
        "", "/open/entries", "/open/rounds", *["/open/rulings"] * 3, "/open/rulings/r2/annulment",
    ]  # fmt: skip


@pytest.mark.parametrize("t", TOURNAMENTS)
def test_the_logs_of_both_backends_are_equal(embedded, distributed, t):
    ours, theirs = (compared(archive, "log.ndjson") for archive in (embedded[0][t], distributed[t]))
    assert len(ours) == len(theirs) == TOURNAMENTS[t]
    for seq, (one, other) in enumerate(zip(ours, theirs, strict=True), 1):
        assert one == other, f"event {seq}"


def test_the_score_sheets_of_both_backends_are_equal(embedded, distributed):
    ours, theirs = (compared(all["autumn-open"], "sheets.ndjson") for all in (embedded[0], distributed))
    assert ours == theirs and len(ours) == 23


@pytest.mark.parametrize("t", TOURNAMENTS)
def test_the_tables_of_both_backends_are_equal(embedded, distributed, t):
    ours, theirs = embedded[0][t].files, distributed[t].files
    for name in ("standings.json", "standings.csv", "crosstable.json", "crosstable.csv", "tournament.trf26"):
        assert ours[name] == theirs[name], name
    assert json.loads(ours["standings.json"])["seq"] == TOURNAMENTS[t]


@pytest.mark.parametrize("t", TOURNAMENTS)
def test_the_audits_of_both_backends_agree(embedded, distributed, t):
    for audit in (embedded[0][t].audit, distributed[t].audit):
        assert (audit["verdict"], audit["unchecked"], audit["incomplete"]) == ("agrees", 0, {})
        assert audit["checked"] == TOURNAMENTS[t]
