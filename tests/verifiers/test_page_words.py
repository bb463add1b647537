"""The page says each event in the sentence of `arbiter log --words`, and filters the log by the same mentions."""

import json
from pathlib import Path
from typing import Any

import pytest

from deploy.build import verify_page
from deploy.cli.files.log_files import replay_of
from deploy.cli.files.log_words import LogWords
from services.standings.descriptions import event_description, penalties
from services.standings.descriptions.registry import mentions, sentence
from shared.core.event_types.registry import NEWEST, OFFICIAL
from shared.core.language.messages import Message, say
from shared.core.terms import PlayerId
from shared.http.language.catalogue import CHINESE, ENGLISH, in_language
from shared.web import value_words
from tests.golden.recorded import load_tournaments
from tests.verifiers.page_tables import RELEASE
from tests.verifiers.programs import PAGE, page_answers

GOLDEN = Path(__file__).parents[1] / "golden"
STORIES = 60
"""The number of golden tournaments that are compared; the types that are missing from them come from the golden events."""


def test_catalogue_of_the_page_is_the_product_s():
    page = PAGE.read_text(encoding="utf-8")
    assert verify_page.with_catalogue(page) == page, "run `make docs`"


def test_sentence_that_the_product_does_not_have_is_refused():
    page = PAGE.read_text(encoding="utf-8").replace('m("{game} begins.")', 'm("{game} starts.")')
    with pytest.raises(LookupError, match="starts"):
        verify_page.with_catalogue(page)


def _as_written(text: str | None) -> Message:
    return say("{text}", text=text or "")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the page leaves out: titles of rule texts, the winner's colour, and full-width marks."""
    for module in (event_description, penalties):
        monkeypatch.setattr(module, "article", _as_written)
    monkeypatch.setattr(value_words, "notation_of", lambda *marks: None)
    monkeypatch.setattr(value_words, "full_width", lambda text: text)


def _call(player: PlayerId) -> Message:
    return say("player {player}", player=player)


def _logs(folder: Path) -> list[Path]:
    """Return golden logs, and a log with an event of each type that they lack."""
    made = []
    names = [*load_tournaments()]
    chosen = [*names[:STORIES], *names[-STORIES // 10 :]]
    contents = [*(load_tournaments()[name]["log.ndjson"] for name in chosen), (RELEASE / "hall.ndjson").read_bytes()]
    seen = {NEWEST[json.loads(line)["type"]] for content in contents for line in content.splitlines()}
    lines = contents[0].splitlines()
    for row in OFFICIAL:
        if row.name not in seen:
            event = json.loads((GOLDEN / f"{row.name}.json").read_bytes())
            event |= {"sourceseq": 1000 + len(lines), "subject": json.loads(lines[0])["subject"]}
            lines.append(json.dumps(event, ensure_ascii=False).encode())
    contents.append(b"\n".join(lines) + b"\n")
    for n, content in enumerate(contents):
        made.append(folder / f"{n}.ndjson")
        made[-1].write_bytes(content)
    return made


def test_page_says_and_filters_what_the_product_says(
    plain: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    logs, types = _logs(tmp_path), set()
    for log, answer in zip(logs, page_answers([[log] for log in logs], "words"), strict=True):
        read = replay_of(str(log))
        t = read.at(read.size)
        for event, found in zip(read.events, answer["words"], strict=True):
            types.add(type(event.data))
            for language, (said, _) in zip((ENGLISH, CHINESE), found["said"], strict=True):
                monkeypatch.setattr(value_words, "language", lambda language=language: language)
                assert said == in_language(sentence(t, event.data, _call), language), (log, event.seq)
            about = mentions(t, event.data)
            assert {name: set(ids) for name, ids in found["about"].items()} == {
                "players": about.players,
                "rounds": about.rounds,
                "rulings": about.rulings,
            }, (log, event.seq)
    assert types == {row.data for row in OFFICIAL}


def test_page_gives_author_and_time_as_the_command_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "hall.ndjson"
    content = (RELEASE / "hall.ndjson").read_bytes()
    log.write_bytes(content.replace(b'"conditions"', b'"time_zone":"Asia/Shanghai","conditions"', 1))
    read = replay_of(str(RELEASE / "hall.ndjson"))
    (answer,) = page_answers([[RELEASE / "hall.ndjson"]], "words")
    printed = LogWords(read.at(read.size), None)
    for event, found in zip(read.events, answer["words"], strict=True):
        printed.print(event)
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.strip() == found["said"][0][1]


def test_values_of_a_file_are_escaped(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    content = (RELEASE / "hall.ndjson").read_bytes()
    (first, *others) = content.split(b"\n")
    event: dict[str, Any] = json.loads(first)
    event["data"]["name"] = "Cup\u202e\u001b[2J{player}<b>"
    log.write_bytes(b"\n".join([json.dumps(event, ensure_ascii=False).encode(), *others]))
    (answer,) = page_answers([[log]], "words")
    said = answer["words"][0]["said"][0][0]
    assert "Cup\\u{202e}\\u{1b}[2J{player}<b>" in said


def test_malformed_event_does_not_hide_the_others(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    lines = (RELEASE / "hall.ndjson").read_bytes().splitlines()
    number = next(n for n, line in enumerate(lines) if b"round.paired" in line)
    lines[number] = lines[number].replace(b'"boards":[', b'"tables":[')
    log.write_bytes(b"\n".join(lines) + b"\n")
    (answer,) = page_answers([[log]], "words")
    assert answer["table"]["derived"] is False and len(answer["words"]) == len(lines)
    assert answer["words"][number]["said"][0][0] == "arbiter.round.paired.v1"
