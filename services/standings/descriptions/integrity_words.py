"""The integrity list in words: each kind of thing that a person should look at, and each entry as a sentence."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from shared.core.language.messages import Message, say

Entry = Mapping[str, Any]


class Kind(NamedTuple):
    """A kind of entries by its name in the list: what they are, and one of them in words."""

    name: str
    title: Message
    words: Callable[[Entry], Message]


class Told(NamedTuple):
    """A kind with its entries, each by its line."""

    name: str
    title: Message
    entries: tuple[tuple[int, Message], ...]


KINDS: tuple[Kind, ...] = (
    Kind(
        "regulations",
        say("Regulations that were changed after play had begun"),
        lambda e: say("{actor} changed {values}", actor=e["actor"], values=tuple(e["values"])),
    ),
    Kind(
        "overrides",
        say("Absolute rules that the chief arbiter waived in a pairing"),
        lambda e: say("round {round}: {actor} waived {rules}", **_of(e, "round", "actor"), rules=tuple(e["rules"])),
    ),
    Kind(
        "shared",
        say("First places that are shared, which the regulations do not allow"),
        lambda e: say("place {rank} is shared by {sides}", rank=e["rank"], sides=_sides(e)),
    ),
    Kind(
        "orphans",
        say("Events that do not count, because the pairing was withdrawn or a ruling decided the game"),
        lambda e: say("of game {game}", game=e["game"]),
    ),
    Kind(
        "beneath",
        say("Corrected results that a ruling overrides while it is in force"),
        lambda e: say("game {game}, overridden by ruling {ruling}", **_of(e, "game", "ruling")),
    ),
    Kind(
        "arrivals",
        say("Arrivals and breaks that were corrected after a later round had been paired"),
        lambda e: say("game {game}: {corrects} was corrected by {by}", **_of(e, "game", "corrects", "by")),
    ),
    Kind(
        "claims",
        say("Claims that wait for an arbiter"),
        lambda e: say("claim {claim} in game {game}", **_of(e, "claim", "game")),
    ),
    Kind(
        "findings",
        say("Findings of score sheets that nobody has answered"),
        lambda e: say("finding {finding} in game {game}", **_of(e, "finding", "game")),
    ),
    Kind(
        "contradicted",
        say("Rulings that are not in force because a score sheet contradicts them"),
        lambda e: say("ruling {ruling} on game {game}", **_of(e, "ruling", "game")),
    ),
    Kind(
        "outdated",
        say("Pairings and tables that a later event contradicts, and that were not settled"),
        lambda e: e["message"],
    ),
    Kind(
        "texts",
        say("Erasable texts that are missing but were not erased"),
        lambda e: (
            say("text {text}, event {line} of the score sheet of {game}", **_of(e, "text", "line", "game"))
            if "game" in e
            else say("text {text}", text=e["text"])
        ),
    ),
)
"""Every kind of `services.standings.rules.integrity.listing`, in the order in which the page tells them."""


def told(listed: Mapping[str, Sequence[Entry]]) -> list[Told]:
    """The kinds that have entries."""
    return [
        Told(kind.name, kind.title, tuple((entry["seq"], kind.words(entry)) for entry in listed[kind.name]))
        for kind in KINDS
        if listed[kind.name]
    ]


def _of(entry: Entry, *names: str) -> dict[str, Any]:
    return {name: entry[name] for name in names}


def _sides(entry: Entry) -> Message:
    if "teams" in entry:
        return say("the teams {teams}", teams=tuple(entry["teams"]))
    return say("the players {players}", players=tuple(entry["players"]))
