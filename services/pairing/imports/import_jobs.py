"""The progress of an import, and the port through which pairing starts imports.

The work needs the rules of other services, so it is done outside pairing.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol

from shared.core.language.messages import Message, say
from shared.core.terms import Actor
from shared.http.problems import unavailable

ImportState = Literal["running", "done", "refused", "stopped"]
"""``refused``: the API refused a step. ``stopped``: no answer, an expired token or time limit, or the server's end."""


_STEPS: tuple[tuple[str, Message], ...] = (
    ("announce", say("create the tournament")),
    ("entries", say("register players")),
    ("teams", say("register teams")),
    ("forbidden", say("forbid pairs")),
    ("virtual points", say("give virtual points")),
    ("withdrawal", say("withdraw players")),
    ("line-up", say("hand in line-ups")),
    ("bye", say("grant byes")),
    ("round", say("pair round {number}")),
    ("results", say("report the results of round {number}")),
    ("records", say("keep records of the file")),
    ("ruling", say("make ruling {number}")),
)
"""The beginning of a step's name, and the step in words. ``number``: the last word of the name."""


def step_words(step: str) -> Message:
    """Return a step of an import in words. An unknown step has its name."""
    words = next((words for name, words in _STEPS if step.startswith(name)), say("{text}", text=step))
    return replace(words, facts={**words.facts, "number": step.rpartition(" ")[2]})


class SentReport(NamedTuple):
    """A report file as it was sent. Options that follow from the file are None; ``regulations``: name of a ruleset."""

    content: bytes
    name: str
    id: str | None
    encoding: str | None
    tiebreaks: str | None
    regulations: str | None = None
    game: str | None = None


class Caller(NamedTuple):
    """The identity that an import acts with. ``token`` is used for calls only: it is neither logged nor stored."""

    actor: Actor
    token: str
    language: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The progress of an import. ``step``: the last call.

    ``players``, ``rounds``: their numbers in the file. ``rounds_done``: the number of rounds that were sent completely.
    """

    id: str
    tournament: str
    file: str
    state: ImportState
    players: int
    rounds: int
    rounds_done: int
    step: str
    remarks: tuple[Message, ...]
    problem: Message | None


class ImportJobs(Protocol):
    """The imports of a server. Each runs in parallel with the requests, as a client of the public API."""

    def start(self, caller: Caller, sent: SentReport, key: str | None) -> ImportReport:
        """Check a file and start its import, or return the import that a request with the same ``key`` started.

        Raises `Problem`: 422 for a file that cannot be imported or a ``key`` that was used for another file, 409 while another
        import of the caller runs, 503 while too many imports or checks run or if this server cannot import.
        """
        ...

    def report(self, actor: Actor, id: str) -> ImportReport | None:
        """Return an import of this actor, or None if it is unknown here."""
        ...


class NoImports:
    """The imports of a server that cannot call the API of all services."""

    def start(self, caller: Caller, sent: SentReport, key: str | None) -> ImportReport:
        """Raise `Problem` 503."""
        raise unavailable(
            "imports-unavailable",
            say(
                "this server cannot import files: use `arbiter import`, or ask the operator to set "
                "ARBITER_API_URL and ARBITER_WORKERS=1 for pairing"
            ),
            60,
        )

    def report(self, actor: Actor, id: str) -> ImportReport | None:
        """Return None, since this server does not import."""
        return None
