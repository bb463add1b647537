"""Delete everything but the log, the sheets and the texts, replay, and nothing is missing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from deploy.cli.main import cli
from shared.log.port import Text
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded
from tests.stories.rebuilt import rebuild

NDJSON = "application/x-ndjson"
READS = (
    *("", "/standings", "/standings?at=20", "/standings?without=r4", "/standings/1", "/standings/3", "/crosstable"),
    *("/diff?from=12&to=24", "/rounds/1", "/rounds/2", "/rulings", "/rulings/r4", "/appeals", "/rulebook"),
    *(
        "/events?limit=500",
        "/events?player=3",
        "/proofs/7",
        "/proofs?from=5&to=20",
        "/integrity",
        "/checkpoint",
        "/audit",
    ),
)
GAMES = [f"/v1/games/T.1.{board}{what}" for board in (1, 2) for what in ("", "/sheet")]
PAGES = ("/t/T", "/t/T/crosstable", "/t/T/players/3", "/t/T/log")


@pytest.fixture
def played(story: Story) -> Story:
    """A tournament in which something of everything happened."""
    story.announced(players=5, game="chess")
    story.paired([1, 2], [3, 4], bye=5)
    story.tell("/v1/games/T.1.1/moves", {"ply": 1, "moves": ["f3", "e5", "g4", "Qh4#"]}, "board")
    story.tell("/v1/games/T.1.2/moves", {"ply": 1, "moves": ["e4", "e5", "Nf3"]}, "board")
    for _ in range(3):
        story.foul(3)
    story.annul("r2")
    story.report("*", "1/2-1/2")
    story.appeal(3, "r1")
    story.tell(f"{T}/publications", {})
    story.tell(f"{T}/byes", {"player": 1, "round": 2, "kind": "H"})
    story.tell(f"{T}/entries/4/withdrawal", {"reason": "ill"})
    story.paired()
    story.tell(f"{T}/arrivals", {"player": 5, "round": 2, "absent": True}, "arbiter")
    hash = story.get(f"{T}/events?type=arbiter.player.entered.v2")["events"][1]["event"]["data"]["name"]["text"]
    story.tell(f"{T}/texts/{hash}", role="organiser", method="DELETE")
    story.hall.settled()
    return story


@pytest.fixture
def again(played: Story, tmp_path: Path) -> Iterator[Story]:
    """The same tournament in a house that was given the three exports, the keys, and the last checkpoint to remember."""
    log = played.get(f"{T}/events", Accept=NDJSON)
    sheets = [played.get(f"/v1/games/T.1.{board}/sheet", Accept=NDJSON) for board in (1, 2)]
    texts = played.ask("GET", f"{T}/texts", role="auditor", Accept=NDJSON).text
    lines = [line.encode() for export in (*sheets, log) for line in export.split("\n")[:-1]]
    data = tmp_path / "rebuilt"
    rebuild(data, lines, [Text(**json.loads(line), tournament="T") for line in texts.split("\n")[:-1]])
    for key in ("arbiter.key", "arbiter.vkey", "token.key"):
        shutil.copy(tmp_path / key, data / key)
    shutil.copytree(tmp_path / "keys", data / "keys")
    (tmp_path / "last.note").write_text(played.get(f"{T}/checkpoint"), encoding="utf-8")
    remembered = CliRunner().invoke(
        cli, ["checkpoint", "T", "--remember", str(tmp_path / "last.note"), "--data", str(data)]
    )
    assert remembered.exit_code == 0, remembered.output
    hall = Embedded(data)
    told = Story(hall)
    told.seq = played.seq
    yield told
    hall.close()


def test_tables_games_rulings_proofs_and_pages_are_the_same_from_the_log_alone(played: Story, again: Story) -> None:
    for path in [*(f"{T}{read}" for read in READS), *GAMES]:
        first, second = played.get(path), again.get(path)
        if path.endswith("/checkpoint"):
            first, second = (said.rpartition("\n\n")[0] for said in (first, second))
        assert first == second, path
    for path in (f"{T}/standings", f"{T}", "/v1/games/T.1.2"):
        assert played.ask("GET", path).headers["ETag"] == again.ask("GET", path).headers["ETag"]
    for path in PAGES:
        assert played.get(path) == again.get(path), path
    by_hash = [
        {x["hash"]: x for x in s.ask("GET", f"{T}/texts", role="auditor").json["texts"]} for s in (played, again)
    ]
    assert by_hash[0] == by_hash[1] and len(by_hash[0]) > 5
    assert again.get(f"{T}/audit")["verdict"] == "agrees"


def test_the_tournament_goes_on_from_the_log_alone(again: Story) -> None:
    again.annul("r1")
    board = again.paired()["boards"][0]
    again.tell(f"/v1/games/{board['game']}/moves", {"ply": 1, "moves": ["e4", "e5"]}, "board")
    again.tell(f"{T}/publications", {})
    report = again.audited()
    assert (report.findings, report.unchecked) == ([], {})
    assert report.decided == report.size > 25


def test_a_repeated_key_is_known_from_its_events_even_after_a_restore(story: Story, tmp_path: Path) -> None:
    # given commands sent with a key, one of which wrote to a score sheet alone
    story.announced(game="chess")
    story.paired([1, 2], [3, 4])
    story.tell("/v1/games/T.1.1/start", role="board")
    foul = (f"{T}/rulings", {"player": 1, "round": 1, "infraction": "violation"}, "arbiter")
    moves = ("/v1/games/T.1.1/moves", {"ply": 1, "moves": ["e4", "e5"]}, "board")
    for path, *_ in (foul, moves):
        story.near("POST", path)
    first = [story.ask("POST", *said, Idempotency_Key=f"k{n}") for n, said in enumerate((foul, moves))]
    assert [answer.status_code for answer in first] == [201, 201]
    story.hall.settled()

    # and a house restored from its lines: the answers that were kept are gone
    lines = [*(line for sheet in story.hall.sheets("T").values() for line in sheet), *story.hall.lines("T")]
    rebuild(tmp_path / "restored", lines, [])
    for key in ("arbiter.key", "arbiter.vkey", "token.key"):
        shutil.copy(tmp_path / key, tmp_path / "restored" / key)
    shutil.copytree(tmp_path / "keys", tmp_path / "restored" / "keys")
    hall = Embedded(tmp_path / "restored")
    restored = Story(hall)

    # when the commands come again
    repeated = [restored.ask("POST", *said, Idempotency_Key=f"k{n}") for n, said in enumerate((foul, moves))]

    # then they get the answers that they had, and nothing is written
    end = f'"{len(hall.lines("T"))}"'
    for answer, one in zip(repeated, first, strict=True):
        assert (answer.status_code, answer.json) == (201, one.json)
        assert (answer.headers["Idempotent-Replayed"], answer.headers["ETag"]) == ("true", end)
    assert hall.lines("T") == story.hall.lines("T")
    assert hall.sheets("T") == story.hall.sheets("T")
    hall.close()
