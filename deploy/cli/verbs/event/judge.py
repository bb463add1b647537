"""``arbiter judge``: questions on positions and games in, verdicts out, a line each."""

import json
from typing import Any

import click

from deploy.cli.files.files import read_bytes
from deploy.cli.terminal.verb import Verb, print_json
from deploy.failure import Failure
from services.games.rules.judge.registry import answer
from shared.core.language.messages import message_of, say
from shared.regulations import names


@click.command(
    cls=Verb,
    exits={0: say("Every question has an answer, or an error in its place.")},
    example="arbiter judge questions.jsonl",
)
@click.argument("file", default="-", metavar="[FILE.jsonl]")
@click.option("--regulations", metavar="NAME", help="Ruleset for questions that do not name one.")
def judge(file: str, regulations: str | None) -> int:
    """Ask for a ruling on a position or game.

    Questions are JSON objects, one per line. Answers are printed in the same order. A question without an answer gets an
    error in its place. Only a line that is not a JSON object, or an unknown ruleset, ends the command (exit code 2).
    """
    if regulations is not None and regulations not in names():
        raise Failure(
            say(
                "--regulations: unknown ruleset {regulations}; available: {names}",
                names=tuple(names()),
                regulations=repr(regulations),
            )
        )
    given = {} if regulations is None else {"regulations": regulations}
    name = "standard input" if file == "-" else file
    for number, line in enumerate(read_bytes(file).split(b"\n"), 1):
        if line.strip():
            print_json(answer(given | _question(line, f"{name}:{number}")))
    return 0


def _question(line: bytes, place: str) -> dict[str, Any]:
    try:
        question = json.loads(line.decode("utf-8"), parse_constant=_no_number)
        json.dumps(question, ensure_ascii=False).encode()  # a lone surrogate is not text and cannot be printed
    except (ValueError, RecursionError) as problem:
        raise Failure(say("{place}: not JSON: {problem}", place=place, problem=message_of(problem))) from None
    if not isinstance(question, dict):
        raise Failure(say("{place}: a question must be a JSON object", place=place))
    return question


def _no_number(written: str) -> Any:
    raise ValueError(f"{written} is not a JSON number")
