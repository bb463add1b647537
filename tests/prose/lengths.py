"""Lengths: a line of the changelog, a summary of OpenAPI, the help of a verb, a line of a service's page."""

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click

from tests.prose.findings import Finding

CHANGE = 160
SUMMARY = 60
HELP = 60
PAGE_LINE = 300
SUBJECT = 72
CHANGELOG = "CHANGELOG.md"
OPENAPI = "deploy/openapi/arbiter.json"
_CHANGE = re.compile(r"^- (.*(?:\n +\S.*)*)", re.MULTILINE)


def find_long_changes(root: Path) -> Iterator[Finding]:
    """Yield the changes that are too long, or listed twice."""
    source = (root / CHANGELOG).read_text(encoding="utf-8")
    seen: set[str] = set()
    for match in _CHANGE.finditer(source):
        change = re.sub(r"\n +", " ", match[1])
        line = source.count("\n", 0, match.start()) + 1
        if len(change) > CHANGE:
            remedy = f"write one change, in at most {CHANGE} characters"
            yield Finding(CHANGELOG, line, f"{len(change)} characters: {change[:60]}", remedy)
        if change in seen:
            yield Finding(CHANGELOG, line, f"listed twice: {change[:60]}", "remove one of them")
        seen.add(change)


def find_long_summaries(root: Path) -> Iterator[Finding]:
    """Yield the summaries of operations that are too long. OpenAPI is written from `@Operation` by `make docs`."""
    for path, item in json.loads((root / OPENAPI).read_text(encoding="utf-8"))["paths"].items():
        for method, operation in item.items():
            summary = operation.get("summary", "") if isinstance(operation, dict) else ""
            if len(summary) > SUMMARY:
                remedy = f"summary in at most {SUMMARY} characters, the rest in the description"
                yield Finding(OPENAPI, 0, f"{method.upper()} {path}: {len(summary)} characters: {summary[:60]}", remedy)


def find_long_lines(root: Path) -> Iterator[Finding]:
    """Yield the lines of the services' pages that are too long."""
    for page in sorted((root / "services").rglob("README.md")):
        for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
            if len(line) > PAGE_LINE:
                remedy = f"split the paragraph, or the cell: at most {PAGE_LINE} characters"
                name = page.relative_to(root).as_posix()
                yield Finding(name, number, f"{len(line)} characters: {line[:60]}", remedy)


def find_long_helps(root: Path) -> Iterator[Finding]:
    """Yield the verbs and their parts with a one-line help that is too long, so that `arbiter --help` would cut it."""
    for command, words in _list_commands():
        short = command.get_short_help_str(limit=10 * HELP)
        if len(short) > HELP:
            callback = inspect.unwrap(command.callback) if command.callback else None
            source = Path(inspect.getsourcefile(callback) or "").resolve() if callback else root
            line = inspect.getsourcelines(callback)[1] if callback else 0
            remedy = f"first sentence of the docstring in at most {HELP} characters"
            name = source.relative_to(root).as_posix()
            yield Finding(name, line, f"arbiter {words}: {len(short)} characters: {short[:60]}", remedy)


def _list_commands() -> Iterator[tuple[click.Command, str]]:
    cli = importlib.import_module("deploy.cli.main").cli
    context = click.Context(cli)
    for verb in filter(None, (cli.get_command(context, name) for name in cli.list_commands(context))):
        yield verb, verb.name
        if isinstance(verb, click.Group):
            yield from ((part, f"{verb.name} {name}") for name, part in verb.commands.items())
