"""A log in sentences on the command line, read from a file without a server, and the sentences of a difference."""

import json
import re
from pathlib import Path

import pytest

from tests.played import a_desk, spring_cup


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the files of the log and of the texts of a small tournament."""
    folder = tmp_path_factory.mktemp("cup")
    desk = a_desk(folder)
    spring_cup(desk)
    log, texts = folder / "cup.ndjson", folder / "texts.ndjson"
    log.write_bytes(b"".join(row.line + b"\n" for row in desk.lines("tournaments/cup", 0, 100)))
    exported = ({"hash": x.hash, "salt": x.salt, "text": x.text} for x in desk.log.tournament_texts("cup"))
    texts.write_text("".join(json.dumps(x) + "\n" for x in exported))
    desk.close()
    return log, texts


def seqs(out: str) -> list[int]:
    return [int(seq) for seq in re.findall(r"^ *(\d+)  \S", out, re.MULTILINE)]


def test_log_in_words_has_sentence_author_and_text(arbiter, monkeypatch: pytest.MonkeyPatch, cup):
    log, texts = cup
    code, out, err = arbiter("log", log, "--words", "--texts", texts)
    assert (code, err, seqs(out)) == (0, "", list(range(1, 21)))
    annulled = (
        r"   17  Ruling r2 is annulled by r5 \(.*\)\.\n       “by accident”\n       board, appeals committee · \d{4}-"
    )
    assert re.search(annulled, out), out
    assert "foul of José Núñez in round 1" in out
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    out = arbiter("log", log, "--words", "--ruling", "r5")[1]
    assert re.search(r"   17  判罚 r2 .*撤销.*\n       board，仲裁委员会 · \d{4}-", out), out


@pytest.mark.parametrize(
    ("filters", "events"),
    [
        (("--ruling", "r2"), [13, 15, 17]),
        (("--actor", "Board"), [17]),
        (("--player", 5, "--round", 1), [10]),
        (("--round", 3), []),
    ],
)
def test_events_in_words_are_filtered(arbiter, cup, filters, events):
    code, out, err = arbiter("log", cup[0], "--words", *filters)
    assert (code, seqs(out)) == (0, events)
    assert (err == "No event matches.\n") == (not events) and "José" not in out


def test_file_is_preferred_to_a_tournament(arbiter, monkeypatch: pytest.MonkeyPatch, tmp_path, cup):
    (tmp_path / "cup").write_bytes(cup[0].read_bytes())
    monkeypatch.chdir(tmp_path)
    assert seqs(arbiter("log", "cup", "--words", "--player", 4, "--ruling", "r1")[1]) == [12, 15]
    assert arbiter("log", "cup", "--actor", "board")[1] == cup[0].read_text().splitlines(keepends=True)[16]
    assert "ruling r9 does not exist" in arbiter("log", "cup", "--words", "--ruling", "r9")[2]


def test_difference_lists_changed_rows_with_their_cause(arbiter, cup):
    log, texts = cup
    out = arbiter("diff", log, "--at", 16, "--to", 17, "--texts", texts)[1]
    assert re.search(r"^ *4  José Núñez .* 17$", out, re.MULTILINE), out
    assert re.search(r"^ +17  Ruling r2 is annulled by r5 ", out, re.MULTILINE), out
    assert "same after both events" in arbiter("diff", log, "--at", 18, "--to", 18)[1]
