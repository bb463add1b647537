"""Live streams hold no thread: a thousand are one sender's, and who reads too slowly is dropped and comes back."""

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from shared.client import Client
from shared.http.identity import tokens
from tests.attacks.serving import serving
from tests.attacks.strangers import ask
from tests.deploy.viewers import SECONDS, Viewer, Viewers, may_open

HALL = 1000
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
T = "/v1/tournaments/T"


class House:
    """A server, and its organiser."""

    def __init__(self, data: Path, address: tuple[str, int]) -> None:
        self.data, self.address = data, address
        self.bearer = f"Bearer {tokens.issue(data, 'organiser', 'li.wei')}"

    def write(self, path: str, body: object) -> int:
        """Send a command; the tournament's new line."""
        status, headers, content, _ = ask(self.address, "POST", path, body, Authorization=self.bearer)
        assert status == 201, content
        return int(headers["ETag"].strip('"'))

    def number(self, name: str) -> float:
        """One of the numbers for Prometheus."""
        content = ask(self.address, "GET", "/metrics")[2].decode()
        return next(float(line.split()[1]) for line in content.splitlines() if line.startswith(f"{name} "))

    def threads(self) -> int:
        """How many threads all processes of the server have."""
        number = 0
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # one that has ended
                if str(self.data).encode() in (process / "cmdline").read_bytes():
                    number += len([*(process / "task").iterdir()])
        return number


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    data = tmp_path_factory.mktemp("hall")
    tokens.ensure_keys(data)
    may_open(2 * HALL)
    with serving(data, ARBITER_SEND_SECONDS="1", ARBITER_HEARTBEAT="3600") as address:
        house = House(data, address)
        house.write("/v1/tournaments", CUP)
        yield house


def test_a_thousand_streams_hold_no_thread_and_all_see_a_change(house):
    seq = house.write(f"{T}/entries", {"players": [{"name": "x"}]})
    with Viewers(Viewer(house.address, f"/t/T/changes?after={seq}") for _ in range(HALL)) as hall:
        hall.read_until(lambda viewer: b"retry: " in viewer.read)
        assert {viewer.status for viewer in hall.all} == {200}
        assert house.number("arbiter_http_streams") == HALL
        before = house.threads()
        changes = [house.write(f"{T}/entries", {"players": [{"name": f"x{n}"}]}) for n in range(5)]
        hall.read_until(lambda viewer: changes[-1] in viewer.ids)
        assert all(seq < id and set(viewer.ids) <= set(changes) for viewer in hall.all for id in viewer.ids)
        # Commands ran in threads of the pool, which has 64 and those that wait; streams in none.
        assert house.threads() - before < 32
    end = time.monotonic() + SECONDS
    while house.number("arbiter_http_streams"):
        assert time.monotonic() < end


def test_who_reads_too_slowly_is_dropped_and_comes_back_without_a_gap(house):
    # given a log that is longer than what waits for a reader, and one who reads nothing of it
    seq = house.write(f"{T}/entries", {"players": [{"name": f"y{n}"} for n in range(500)]})
    slow = Viewer(house.address, f"{T}/events", buffer=2048)
    end = time.monotonic() + SECONDS
    # when the time to read it is over, then it is dropped
    while not house.number("arbiter_http_streams_dropped_total"):
        assert time.monotonic() < end
    while not slow.ended:
        slow.take()
    assert 0 < len(slow.ids) < seq
    # and it gets the rest when it asks after the last that it read, as it comes
    back = Viewer(house.address, f"{T}/events", Last_Event_ID=str(slow.ids[-1]))
    with Viewers([back]) as one:
        one.read_until(lambda viewer: seq in viewer.ids)
        last = house.write(f"{T}/entries", {"players": [{"name": "z"}]})
        one.read_until(lambda viewer: last in viewer.ids)
    assert slow.ids + back.ids == list(range(1, last + 1))


@pytest.fixture(scope="module")
def game(house):
    """A game that is to begin, the address that its moves are fed to, and its arbiter's token."""
    chief = f"Bearer {tokens.issue(house.data, 'chief_arbiter', 'he.jing')}"

    def write(path: str, body: object, **headers: str) -> None:
        status, _, content, _ = ask(house.address, "POST", path, body, Authorization=chief, **headers)
        assert status == 201, content

    write("/v1/tournaments", CUP | {"id": "S"})
    write("/v1/tournaments/S/entries", {"players": [{"name": "x"}, {"name": "y"}]})
    seen = ask(house.address, "GET", "/v1/tournaments/S")[1]["ETag"]
    write("/v1/tournaments/S/rounds", {}, If_Match=seen)
    return lambda ply, *moves: write("/v1/games/S.1.1/moves", {"ply": ply, "moves": list(moves)})


def test_moves_come_as_they_are_written_and_who_was_cut_off_goes_on_after_the_last(house, game):
    sheet = "/v1/games/S.1.1/sheet"
    game(1, "炮二平五")
    first = Viewer(house.address, sheet)
    with Viewers([first]) as one:
        one.read_until(lambda viewer: 1 in viewer.ids)
        game(2, "马8进7")
        game(3, "马二进三")
        one.read_until(lambda viewer: 3 in viewer.ids)
    assert first.ids == [1, 2, 3]
    back = Viewer(house.address, sheet, Last_Event_ID="2")
    with Viewers([back]) as one:
        game(4, "车9平8")
        one.read_until(lambda viewer: 4 in viewer.ids)
    assert back.ids == [3, 4]
    lines = ask(house.address, "GET", sheet, Accept="application/x-ndjson")[2].splitlines()
    told = [part[6:] for part in (first.read + back.read).split(b"\n") if part.startswith(b"data: ")]
    assert told == [*lines[:3], *lines[2:]]
    events = [part[7:].decode() for part in first.read.split(b"\n") if part.startswith(b"event: ")]
    assert events == [json.loads(line)["type"] for line in lines[:3]]
    assert Viewer(house.address, sheet, Last_Event_ID="9").first_status() == 404
    for accept in ("application/json", "text/event-stream"):
        assert ask(house.address, "GET", sheet, Accept=accept, **{"Last-Event-ID": "nw.,"})[0] == 422
    with Client("http://{}:{}".format(*house.address)) as reader:
        followed = reader.follow_sheet("S.1.1", after=3)
        assert next(followed).seq == 4
        game(5, "兵七进一")
        assert next(followed).event["data"]["ply"] == 5
        started = reader.follow("S", query="type=arbiter.game.started.v2")
        assert next(started).event["data"]["game"] == "S.1.1"


def test_who_waits_for_a_line_holds_no_thread_and_is_answered_when_it_is_there(house):
    # given more who wait for the next line than there are threads
    seq = house.write(f"{T}/entries", {"players": [{"name": "first"}]})
    with Viewers(Viewer(house.address, f"{T}?after={seq + 1}") for _ in range(100)) as hall:
        last = house.write(f"{T}/entries", {"players": [{"name": "second"}]})
        hall.read_until(lambda viewer: viewer.ended)
    # then each has it, or was told to come again where the second was over before all had asked
    answers = [viewer.read for viewer in hall.all]
    assert {viewer.status for viewer in hall.all} <= {200, 503}
    assert any(b'"seq":%d' % last in answer for answer in answers)


def test_a_line_that_does_not_come_is_waited_for_and_then_said_to_be_missing(house):
    status, headers, content, seconds = ask(house.address, "GET", f"{T}?after=100000")
    assert (status, headers["Retry-After"]) == (503, "1") and b"problem:behind" in content
    assert seconds >= 0.9
