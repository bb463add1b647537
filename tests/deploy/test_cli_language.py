"""The language of the command line: what rules and problems say, as gettext chooses it; what programs read stays as it is."""

import json
from pathlib import Path

import pytest

from deploy.cli.main import run
from deploy.cli.terminal import verb as language
from deploy.failure import Failure
from shared.core.language.messages import say
from shared.http.language.catalogue import CHINESE, ENGLISH

ALL = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@pytest.mark.parametrize(
    ("environ", "chosen"),
    [
        ({}, ENGLISH),
        ({"LANG": "zh_CN.UTF-8"}, CHINESE),
        ({"LANG": "zh"}, CHINESE),
        ({"LANG": "zh_TW.UTF-8@stroke"}, CHINESE),
        ({"LANG": "en_GB.UTF-8"}, ENGLISH),
        ({"LANG": "nb_NO.UTF-8"}, ENGLISH),
        ({"LANG": "C.UTF-8"}, ENGLISH),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, ENGLISH),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, CHINESE),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_GB.UTF-8"}, CHINESE),
        ({"LC_ALL": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, ENGLISH),
        ({"LANGUAGE": "zh_CN:en", "LANG": "en_GB.UTF-8"}, CHINESE),
        ({"LANGUAGE": "de:en:zh", "LANG": "zh_CN.UTF-8"}, ENGLISH),
        ({"LANGUAGE": "zh_CN", "LANG": "C.UTF-8"}, ENGLISH),
        ({"LANGUAGE": "zh_CN", "LC_ALL": "POSIX"}, ENGLISH),
        ({"LANGUAGE": "../../x:\x00", "LANG": "en_GB"}, ENGLISH),
    ],
)
def test_the_language_is_chosen_as_gettext_chooses_it(environ, chosen):
    assert language.chosen(environ) == chosen


@pytest.fixture
def chinese(monkeypatch):
    for name in ALL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")


def test_a_refusal_of_the_rules_is_read_in_chinese(chinese, capsys, monkeypatch):
    monkeypatch.setattr("deploy.cli.main.cli.main", refuse)
    assert run(["pair"]) == 1
    assert capsys.readouterr().err == "arbiter: e2e4 是合法着法\n"


def refuse(*args, **options):
    raise Failure(say("{move} is legal", move="e2e4"), 1)


QUESTION = {"game": "chess", "ask": "no-such", "id": 1}


def test_json_is_the_same_in_every_language(chinese, tmp_path, capsys, monkeypatch):
    asked = tmp_path / "questions.jsonl"
    asked.write_text(json.dumps(QUESTION) + "\n")
    assert run(["judge", str(asked)]) == 0
    told = capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C")
    assert run(["judge", str(asked)]) == 0
    assert capsys.readouterr().out == told and "Unknown question" in told


def test_a_server_is_asked_in_the_language_that_is_read(chinese, monkeypatch):
    assert language.accepted() == {"Accept-Language": "zh-CN"}
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert language.accepted() == {}


def test_what_a_server_refuses_is_told_in_chinese(chinese, tmp_path, capsys):
    assert run(["log", "nowhere", "--data", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("arbiter: ") and told.count("\n") == 1


LOG = sorted((Path(__file__).parents[1] / "golden" / "log-1.0.0").glob("*.ndjson"))[0]


def test_what_the_audit_finds_is_told_in_chinese(chinese, tmp_path, capsys):
    lines = LOG.read_bytes().splitlines(keepends=True)
    forged = tmp_path / "forged.ndjson"
    forged.write_bytes(b"".join(lines[:3] + lines[4:]))
    assert run(["verify", str(forged)]) == 1
    told = capsys.readouterr().out
    assert "依据根值不是前" in told and "basisroot" not in told
    assert run(["verify", str(forged), "--json"]) == 1
    assert "its basisroot is not the root hash of" in capsys.readouterr().out


def test_doctor_is_read_in_chinese(chinese, tmp_path, capsys):
    assert run(["doctor", "--data", str(tmp_path / "none")]) == 1
    told = capsys.readouterr().out
    assert "数据文件夹: " not in told and f"数据文件夹：{tmp_path / 'none'} 不存在" in told
