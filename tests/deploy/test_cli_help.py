"""The help of every verb, in the language of whoever asks."""

import re
from collections.abc import Iterator

import click
import pytest

from deploy.cli.main import cli

SENTENCE = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,}){2,}")
"""Three English words in a row."""


def paths(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """The command and all below it, as they are typed."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from paths(below, *path, name)


VERBS = tuple(paths(cli))


@pytest.mark.parametrize("path", VERBS, ids=" ".join)
def test_every_verb_helps_in_chinese_where_the_locale_does(arbiter, monkeypatch: pytest.MonkeyPatch, path):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    code, out, err = arbiter(*path, "--help")
    assert (code, err) == (0, "") and "用法" in out and "显示此说明后退出" in out
    assert [said for said in SENTENCE.findall(out) if not said.startswith("arbiter ")] == []
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    code, out, err = arbiter(*path, "--help")
    assert (code, err) == (0, "") and "Usage:" in out and not re.search(r"[\u3400-\u9fff]", out), "and else in English"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("invite",), "缺少参数"),
        (("invite", "--kingly"), "没有选项 '--kingly'"),
        (("demo", "--port", "x"), "'--port' 的值无效"),
        (("invite", "cup", "--role", "king"), "'king' 不是下列之一：'organiser'"),
        (("log", "cup", "open"), "多余的参数（open）"),
        (("log", "cup", "--url"), "选项 '--url' 须带 1 个值"),
    ],
)
def test_what_was_typed_wrong_is_told_in_chinese_too(arbiter, monkeypatch: pytest.MonkeyPatch, args, told):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    code, out, err = arbiter(*args)
    assert (code, out) == (2, "") and told in err
