"""The claims of the auditors' page on what the audit proves, and what not, each tried on a forged log.

The forger is the house itself: he holds its key of checkpoints and the keys of all services, and signs whatever he alters.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.main import run
from shared.audit.keys import key_files
from shared.core.terms import SOURCES
from tests.foreign.event import forger, joined
from tests.foreign.signing import Keys, signed_log
from tests.foreign.tampering import CHECKPOINT, KEY, LOG, RECEIPT, files, house_files, written
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded

PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "auditor.md"
PROVED = (
    "No event was altered, removed or moved since any checkpoint that another party holds.",
    "Each service wrote the events that carry its name.",
    "Every decision results from its inputs.",
    "Every decision was made by a holder of the required role.",
)
UNPROVED = (
    "That reports from the playing venue are true.",
    "That an operator with all service keys did not write an entire false log from the first event, "
    "unless witnesses or receipts exist.",
    "That the log is complete after the last checkpoint.",
)
AGREES, DIFFERS = 0, 1


@dataclass(frozen=True)
class House:
    """A tournament that was played, and all the keys of the house."""

    story: Story
    keys: Keys
    folder: Path

    @property
    def lines(self) -> list[bytes]:
        return self.story.hall.lines("T")

    def made_anew(self, change: Callable[[dict[str, Any]], None], keys: Keys | None = None) -> list[bytes]:
        """The log with a change of each of its events, and every root and signature as it must be then."""
        events = [json.loads(line) for line in self.lines]
        for event in events:
            change(event)
        return signed_log([json.dumps(event).encode() for event in events], self.keys, keys)

    def verified(self, lines: list[bytes], *held: str) -> int:
        """Exit code of the audit of a log, with what somebody else holds of the genuine one."""
        genuine = house_files(self.story)
        written(genuine | {LOG: joined(lines)}, self.folder)
        options = [part for name in held for part in (HELD[name], str(self.folder / name))]
        return run(["verify", str(self.folder / LOG), *options])

    def signed_by_the_house(self, lines: list[bytes]) -> int:
        """Exit code of the audit of a log with a checkpoint that the house signs of it now."""
        written(files(lines, forger(self.story)), self.folder)
        return run(
            [
                "verify",
                str(self.folder / LOG),
                HELD[CHECKPOINT],
                str(self.folder / CHECKPOINT),
                HELD[KEY],
                str(self.folder / KEY),
            ]
        )


HELD = {CHECKPOINT: "--checkpoint", RECEIPT: "--receipt", KEY: "--key"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")
    hall = Embedded(data)
    story = Story(hall)
    story.announced(players=4)
    story.paired([1, 2], [3, 4])
    story.report("1-0", "0-1")
    for _ in range(3):
        story.foul(3)
    story.tell(f"{T}/byes", {"player": 4, "round": 2, "kind": "H"})
    keys = {source: key_files.read(data / "keys" / f"{source.rpartition('/')[2]}.key") for source in SOURCES}
    yield House(story, keys, tmp_path_factory.mktemp("files"))
    hall.close()


def exchanged(event: dict[str, Any]) -> None:
    """The first board's result, as if the other had won it."""
    data = event["data"]
    if event["type"].startswith("arbiter.result.reported.") and data["game"] == "T.1.1":
        data["white"], data["black"] = data["black"], data["white"]


def milder(event: dict[str, Any]) -> None:
    """A loss that the third foul brings is a warning."""
    if event["type"].startswith("arbiter.ruling.made.") and event["data"]["effect"]["kind"] == "set_marks":
        event["data"]["effect"] = {"kind": "warning"}


def by_a_stranger(event: dict[str, Any]) -> None:
    if event["type"].startswith("arbiter.ruling.made.") and event["role"] == "arbiter":
        event["actor"] = "passer-by"


def test_the_page_makes_these_claims() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for heading, claims in (("What the audit proves", PROVED), ("What the audit does not prove", UNPROVED)):
        (section,) = re.findall(rf"^## {heading}$(.*?)^## ", text, re.M | re.S)
        assert [claim for claim in claims if f"- {claim}" not in section] == []


def test_what_others_hold_shows_that_a_line_was_altered_dropped_or_moved(house: House) -> None:
    assert house.verified(house.lines, CHECKPOINT, RECEIPT, KEY) == AGREES
    altered = house.made_anew(exchanged)
    for held in ((CHECKPOINT, KEY), (RECEIPT, KEY)):
        assert house.verified(altered, *held) == DIFFERS
        assert house.verified(house.lines[:-1], *held) == DIFFERS


@pytest.mark.parametrize("source", SOURCES[:3])
def test_a_service_wrote_what_stands_in_its_name(house: House, source: str) -> None:
    others = house.keys | {source: next(key for of, key in house.keys.items() if of != source)}
    assert house.signed_by_the_house(house.made_anew(lambda _: None)) == AGREES
    assert house.signed_by_the_house(house.made_anew(lambda _: None, others)) == DIFFERS


def test_every_decision_follows_from_its_inputs(house: House) -> None:
    assert house.signed_by_the_house(house.made_anew(milder)) == DIFFERS


def test_every_decision_was_made_by_someone_in_office(house: House) -> None:
    assert house.signed_by_the_house(house.made_anew(by_a_stranger)) == DIFFERS


def test_that_the_hall_reported_truly_is_not_proved(house: House) -> None:
    """A result that was never played, reported by an arbiter in office: no byte can show it."""
    false = house.made_anew(exchanged)
    assert false != house.lines and house.signed_by_the_house(false) == AGREES


def test_that_last_lines_were_not_cut_off_is_not_proved_without_a_checkpoint(house: House) -> None:
    assert house.verified(house.lines[:-1]) == AGREES
