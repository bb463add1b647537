"""The help of every verb, in the reader's language: one line, details, exit codes and an example that can be typed."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from deploy.cli.main import GROUPS, cli
from deploy.cli.terminal.verb import Verb, VerbGroup

SENTENCE = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,}){2,}")
"""Three English words in a row."""


def paths(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of the command and of every subcommand, as they are typed."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from paths(below, *path, name)


def command_of(path: tuple[str, ...]) -> Verb | VerbGroup:
    """Return the command of these words."""
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        below = command.get_command(click.Context(command), name)
        assert below is not None
        command = below
    assert isinstance(command, Verb | VerbGroup)
    return command


VERBS = tuple(paths(cli))
SUBCOMMANDS = tuple(path for path in VERBS if path)


def test_every_verb_is_in_one_group():
    grouped = [name for _, _, names in GROUPS for name in names]
    assert sorted([*grouped, "help"]) == cli.list_commands(click.Context(cli))


@pytest.mark.parametrize("path", SUBCOMMANDS, ids=" ".join)
def test_one_line_help_is_a_sentence_of_sixty_characters(path):
    command = command_of(path)
    line = (command.help or "").partition("\n")[0]
    assert len(line) <= 60 and re.fullmatch(r"[A-Z][^.;]*\.", line)
    assert command.get_short_help_str(60) == line


@pytest.mark.parametrize("path", SUBCOMMANDS, ids=" ".join)
def test_example_of_a_verb_is_accepted_by_its_parser(path):
    command = command_of(path)
    typed = shlex.split(command.example.partition(" > ")[0])
    assert typed[0] == "arbiter" and tuple(typed[1 : 1 + len(path)]) == path
    if isinstance(command, Verb):
        command.make_context(path[-1], typed[1 + len(path) :])


@pytest.mark.parametrize("path", SUBCOMMANDS, ids=" ".join)
def test_every_option_has_a_help(path):
    options = [param for param in command_of(path).params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_help_explains_a_verb_as_its_own_help_does(arbiter):
    assert arbiter("help", "rebuild", "ledger") == arbiter("rebuild", "ledger", "--help")
    assert arbiter("help") == arbiter("--help")


def test_help_of_an_unknown_verb_is_rejected(arbiter):
    assert arbiter("help", "verfiy") == (2, "", "arbiter: unknown command 'verfiy'; did you mean 'verify'?\n")
    assert arbiter("help", "log", "x") == (2, "", "arbiter: arbiter log has no subcommand 'x'\n")


def test_unknown_subcommand_is_rejected_with_the_nearest(arbiter):
    assert arbiter("rebuild", "peopel") == (2, "", "arbiter: unknown command 'peopel'; did you mean 'people'?\n")
    available = "calendar, ledger, people, topics"
    assert arbiter("rebuild", "xyz") == (2, "", f"arbiter: unknown command 'xyz'; available: {available}\n")


def test_help_lists_exit_codes_and_an_example(arbiter):
    _, told, _ = arbiter("help", "verify")
    assert "Exit codes:\n  0  agrees:" in told and "\n  3  incomplete:" in told
    assert "Example:\n  arbiter verify spring-cup.ndjson" in told


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
        (("invite",), "可选：organiser"),
        (("invite", "--kingly"), "没有选项 '--kingly'"),
        (("demo", "--port", "x"), "'--port' 的值无效"),
        (("invite", "cup", "--role", "king"), "'king' 不是下列之一：'organiser'"),
        (("log", "cup", "open"), "多余的参数（open）"),
        (("verify", "missing.ndjson"), "missing.ndjson: 文件或文件夹不存在"),
        (("rebuild", "peopel"), "未知命令 'peopel'；是否指 'people'？"),
        (("log", "cup", "--url"), "选项 '--url' 须带 1 个值"),
    ],
)
def test_what_was_typed_wrong_is_told_in_chinese_too(arbiter, monkeypatch: pytest.MonkeyPatch, args, told):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    code, out, err = arbiter(*args)
    assert (code, out) == (2, "") and told in err
