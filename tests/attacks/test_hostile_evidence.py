"""Files that are given to ``arbiter verify`` in bad faith: each is answered in one line, within seconds and little memory."""

import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.files.whole_lines import WholeLines
from deploy.cli.main import run

HALL = Path(__file__).parents[1] / "golden" / "log-1.0.0"
LOG = (HALL / "hall.ndjson").read_bytes()
TEXTS = (HALL / "hall.texts.ndjson").read_bytes()


def verify(folder: Path, capsys: pytest.CaptureFixture[str], log: bytes, *options: object) -> tuple[int, str, str]:
    """Run the command on a log and return its exit code and output."""
    (folder / "log.ndjson").write_bytes(log)
    code = run(["verify", str(folder / "log.ndjson"), *map(str, options)])
    return code, *capsys.readouterr()


BAD_TEXTS = {
    "a number": b"1",
    "a list": b"[]",
    "null": b"null",
    "a hash that is a number": b'{"hash":1,"salt":"a","text":"b"}',
    "a text that is a list": b'{"hash":"1","salt":"a","text":["b"]}',
    "a salt that is null": b'{"hash":"1","salt":null,"text":"b"}',
    "a member is missing": b'{"hash":"1","salt":"a"}',
    "a tournament that is a number": b'{"hash":"1","salt":"a","text":"b","tournament":1}',
    "a lone surrogate": b'{"hash":"1","salt":"a","text":"\\ud800"}',
    "bytes that are not UTF-8": b'{"hash":"1","salt":"a","text":"\xff"}',
    "deep brackets": b"[" * 200_000,
    "deep brackets in a member": b'{"hash":"1","salt":"a","text":"b","x":' + b"[" * 200_000,
    "a long number": b'{"hash":1' + b"0" * 100_000 + b"}",
    "a byte order mark": b"\xef\xbb\xbf" + TEXTS.splitlines()[0],
    "an empty line": b"\n" + TEXTS.splitlines()[0],
    "a NUL": b"\0",
}


@pytest.mark.parametrize("verb", ["verify", "replay", "diff"])
@pytest.mark.parametrize("line", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_malformed_texts_are_one_line_and_exit_2(tmp_path, capsys, verb, line):
    texts = tmp_path / "texts.ndjson"
    texts.write_bytes(line + b"\n")
    log = HALL / "hall.ndjson"
    at = ["--at", "8", "--to", "9"] if verb == "diff" else []
    code = run([verb, str(log), *at, "--texts", str(texts)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "") and len(err.splitlines()) == 1, err
    assert "texts.ndjson:1: not an exported text" in err and "internal error" not in err


def test_exported_texts_without_last_line_end_are_read(tmp_path, capsys):
    texts = tmp_path / "texts.ndjson"
    texts.write_bytes(TEXTS.removesuffix(b"\n"))
    assert verify(tmp_path, capsys, LOG, "--texts", texts)[0] in (0, 3)


NOT_LOGS = {
    "line ends": b"\n" * 1000,
    "texts": TEXTS,
    "score sheets": (HALL / "hall.sheets.ndjson").read_bytes(),
    "a part of a line": LOG.splitlines()[0],
    "JSON": b'{"a":1}\n[]\n"tournaments/"\n',
    "an event of another kind": b'{"specversion":"1.0","subject":"orders/1","x":"tournaments/"}\n',
    "another specversion": b'{"specversion":"0.3","subject":"tournaments/x"}\n',
}


@pytest.mark.parametrize("content", NOT_LOGS.values(), ids=NOT_LOGS)
def test_file_without_event_of_a_tournament_is_not_a_log(tmp_path, capsys, content):
    code, out, err = verify(tmp_path, capsys, content)
    assert (code, out) == (2, "") and "not a log: no line is a CloudEvent of a tournament" in err


def test_log_whose_first_lines_are_damaged_is_a_log_that_differs(tmp_path, capsys):
    code, out, _ = verify(tmp_path, capsys, b"x" + LOG)
    assert code == 1 and out.startswith("differs: ")


@pytest.mark.parametrize("rest", [b"\n" * (1 << 24), b"x\n" * (1 << 23)], ids=["LF", "x"])
def test_small_archive_of_many_lines_costs_little_time_and_memory(tmp_path, capsys, monkeypatch, rest):
    """Its review took 81 seconds and 3.1 GB."""
    content, read = io.BytesIO(), 0
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.ndjson", (LOG.splitlines(keepends=True)[0] + rest)[: 1 << 24])
    file = tmp_path / "event.zip"
    file.write_bytes(content.getvalue())
    split = WholeLines.__getitem__

    def counted(lines: WholeLines, index: Any) -> Any:
        nonlocal read
        read += 1
        return split(lines, index)

    monkeypatch.setattr(WholeLines, "__getitem__", counted)
    began = time.process_time()
    code = run(["verify", str(file), "--json"])
    assert (code, json.loads(capsys.readouterr().out)["verdict"]) == (1, "differs")
    assert len(content.getvalue()) < 20_000 and read < 10 and time.process_time() - began < 5


def test_whole_lines_are_those_that_end():
    lines = WholeLines(b"a\n\nb\nrest")
    assert (list(lines), len(lines), lines[-1], lines[1:], lines.cut) == ([b"a", b"", b"b"], 3, b"b", [b"", b"b"], True)
    assert list(WholeLines(b"")) == [] and not WholeLines(b"").cut and not WholeLines(b"a\n").cut
