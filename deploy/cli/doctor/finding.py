"""What a look at the installation found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """``remedy`` is empty where nothing is wrong."""

    what: str
    state: str
    remedy: str = ""


def of_refusal(what: str, problem: Exception) -> Finding:
    """A refusal in one line, its remedy after the last semicolon."""
    state, _, remedy = str(problem).rpartition("; ")
    return Finding(what, state, remedy)
