"""The page derives the tables of golden and random logs, and finds a table that differs from its log."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.core.event_types.registry import OFFICIAL
from tests.verifiers.event import files, pack, unpack
from tests.verifiers.page_tables import compare, golden_logs, tiebreak_log
from tests.verifiers.programs import PAGE, page_answers, write

EVENTS = 40


def test_page_derives_the_table_of_every_golden_log(tmp_path):
    compared = compare([*golden_logs()], tmp_path)
    assert compared.differences == []
    assert compared.counts["equal"] >= 200 and compared.counts["published"] >= 60
    assert {name for name in compared.counts if name.startswith("not")} == {
        "not derived: format",
        "not derived: stages",
        "not derived: teams",
    }


def test_page_derives_tables_by_all_tiebreaks(tmp_path):
    compared = compare([tiebreak_log(n) for n in range(1, EVENTS + 1)], tmp_path)
    assert compared.differences == [] and compared.counts["equal"] == EVENTS


def test_page_knows_every_event_type_of_a_log():
    script = PAGE.read_text(encoding="utf-8")
    known = dict(re.findall(r"\b([a-z-]+\.[a-z-]+) (\d)\b", script[script.index("const EVENTS") :].split(".split")[0]))
    assert known == {row.name.removeprefix("arbiter.")[:-3]: row.name[-1] for row in OFFICIAL}


def _table(case: dict[str, bytes], folder: Path) -> dict[str, Any]:
    (answer,) = page_answers([write(case, folder)])
    return answer


def _swap(table: Any) -> None:
    first, second = table["players"][:2]
    first["rank"], second["rank"] = second["rank"], first["rank"]


def _add_point(table: Any) -> None:
    table["players"][0]["points"] += 0.5


def _add_tiebreak(table: Any) -> None:
    table["players"][1]["tb"]["BH"] += 1


def _drop(table: Any) -> None:
    del table["players"][1]


def _double(table: Any) -> None:
    table["players"].append(table["players"][0])


def _forget_code(table: Any) -> None:
    table["tiebreaks"].remove("BH")


EDITS: dict[str, tuple[Callable[[Any], None], tuple[str, ...]]] = {
    "equal": (lambda table: None, ()),
    "ranks exchanged": (_swap, ("row", "rank")),
    "half a point more": (_add_point, ("row", "points")),
    "another tie-break": (_add_tiebreak, ("row", "BH")),
    "a row is missing": (_drop, ("absentRow",)),
    "a row twice": (_double, ("extra",)),
    "a column that is not listed": (_forget_code, ("BH",)),
    "another tournament": (lambda table: table.update(tournament="other"), ("notable",)),
}


@pytest.mark.parametrize("given", ["archive", "file"])
def test_difference_in_a_stated_table_is_named_by_row(given: str, tmp_path: Path) -> None:
    held, cases = unpack(files()["event.zip"]), []
    for name, (edit, _) in EDITS.items():
        table = json.loads(held["standings.json"])
        edit(table)
        content = json.dumps(table).encode()
        case = {one: files()[one] for one in ("log.ndjson", "sheets.ndjson")} | {"table.json": content}
        cases.append(
            write(case if given == "file" else {"event.zip": pack(held | {"standings.json": content})}, tmp_path / name)
        )
    for (name, (_, said)), answer in zip(EDITS.items(), page_answers(cases), strict=True):
        if said:
            found = json.dumps(answer["said"])
            assert answer["verdict"] == "differs" and all(one in found for one in said), (name, answer)
        else:
            assert (answer["verdict"], answer["counts"]["stated"]) == ("agrees", 1), answer


def _lines_of(name: str) -> list[bytes]:
    return next(log.content for log in golden_logs() if log.name == name).splitlines()


def test_published_table_that_does_not_follow_is_named_by_its_line(tmp_path):
    lines = _lines_of("swiss")
    number = next(n for n, line in enumerate(lines, 1) if b"standings.published" in line)
    digest = json.loads(lines[number - 1])["data"]["digest"].encode()
    lines[number - 1] = lines[number - 1].replace(digest, digest[::-1])
    answer = _table({"log.ndjson": b"\n".join(lines) + b"\n"}, tmp_path)
    assert ["published", number, number] in [said[:3] for said in answer["said"]], answer["said"]


def test_changed_result_changes_the_derived_table(tmp_path):
    lines = _lines_of("dutch")
    number = next(n for n, line in enumerate(lines) if b"result.reported" in line)
    event = json.loads(lines[number])
    event["data"]["white"], event["data"]["black"] = event["data"]["black"], event["data"]["white"]
    lines[number] = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
    answer = _table({"log.ndjson": b"\n".join(lines) + b"\n"}, tmp_path)
    assert "published" in [said[0] for said in answer["said"]], "the published tables count the real result"


UNKNOWN = (
    (b'"type":"arbiter.result.reported.v1"', b'"type":"arbiter.result.reported.v9"', "event"),
    (b'"type":"arbiter.result.reported.v1"', b'"type":"arbiter.result.guessed.v1"', "event"),
    (b'"tiebreaks":[],"conditions"', b'"tiebreaks":["XYZ"],"conditions"', "code"),
    (b'"tiebreaks":[],"conditions"', b'"tiebreaks":["BH/C0x"],"conditions"', "code"),
    (b'"tiebreaks":[],"conditions"', b'"tiebreaks":["toString"],"conditions"', "code"),
    (b'"decisions":2', b'"decisions":9', "edition"),
    (b'"rules":"2026"', b'"rules":"2031"', "c07"),
    (b'"format":"swiss"', b'"format":"knockout"', "format"),
    (b'"points":{"win":2', b'"marks":{"win":2', "malformed"),
)


def test_table_is_not_guessed(tmp_path: Path) -> None:
    content = b"\n".join(_lines_of("swiss")) + b"\n"
    assert all(old in content for old, _, _ in UNKNOWN)
    logs = [{"log.ndjson": content.replace(old, new)} for old, new, _ in UNKNOWN]
    answers = page_answers([write(log, tmp_path / str(n)) for n, log in enumerate(logs)])
    assert [answer["table"].get("reason") for answer in answers] == [reason for _, _, reason in UNKNOWN]
