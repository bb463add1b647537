"""The client of a running server, as the command line uses it."""

from collections.abc import Iterator
from contextlib import contextmanager

from deploy.cli.terminal.output import accepted
from deploy.failure import Failure
from shared.client import Client, ClientError, Problem
from shared.core.language.messages import message_of, say

NDJSON = "application/x-ndjson"
PATIENCE = 60.0
"""Seconds through which a server that went away is called again."""
_REFUSALS = (403, 404, 409, 412, 422)


@contextmanager
def remote(url: str, token: str | None, patience: float = PATIENCE) -> Iterator[Client]:
    """The server at ``url``; ``token`` None reads what needs none. Raises `Failure` for an address that is none."""
    try:
        made = Client(url, token, patience=patience, headers=accepted())
    except ValueError as problem:
        raise Failure(message_of(problem)) from None
    with made, calling():
        yield made


@contextmanager
def calling() -> Iterator[None]:
    """Where calls are made: one without a good answer ends the command."""
    try:
        yield
    except ClientError as error:
        raise failure_of(error) from None


def failure_of(error: ClientError, step: str = "") -> Failure:
    """Why a call (the ``step`` that it was) ends the command: exit code 1 for a refusal of a command, else 2."""
    refused = isinstance(error, Problem) and error.key is not None and error.status in _REFUSALS
    return Failure(
        say("{step}: {error}", step=step, error=message_of(error)) if step else message_of(error), 1 if refused else 2
    )
