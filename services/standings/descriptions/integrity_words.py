"""The integrity list in words: each kind of issue that a person should review, and each entry as a sentence."""

from typing import Any, NamedTuple

from msgspec import UNSET

from services.standings.descriptions.words import filled
from services.standings.rules.integrity import IntegrityList, LostTextAnswer, SharedPlaceAnswer
from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.readings.settlement import describe
from shared.core.state.tournament import Tournament


class Told(NamedTuple):
    """A kind with its entries, each by the sequence number of its event."""

    name: str
    title: Message
    entries: tuple[tuple[int, Message], ...]


KINDS: dict[str, tuple[Message, Message | None]] = {
    "regulations": (say("Regulations that were changed after play had begun"), say("{actor} changed {values}")),
    "overrides": (
        say("Absolute rules that the chief arbiter waived in a pairing"),
        say("round {round}: {actor} waived {rules}"),
    ),
    "shared": (
        say("First places that are shared, which the regulations do not allow"),
        say("place {rank} is shared by {sides}"),
    ),
    "orphans": (
        say("Events that do not count, because the pairing was withdrawn or a ruling decided the game"),
        say("of game {game}"),
    ),
    "beneath": (
        say("Corrected results that a ruling overrides while it is in force"),
        say("game {game}, overridden by ruling {ruling}"),
    ),
    "arrivals": (
        say("Arrivals and breaks that were corrected after a later round had been paired"),
        say("game {game}: {corrects} was corrected by {by}"),
    ),
    "claims": (say("Claims that wait for an arbiter"), say("claim {claim} in game {game}")),
    "findings": (
        say("Findings of score sheets that nobody has answered"),
        say("finding {finding} in game {game}"),
    ),
    "contradicted": (
        say("Rulings that are not in force because a score sheet contradicts them"),
        say("ruling {ruling} on game {game}"),
    ),
    "outdated": (say("Pairings and tables that a later event contradicts, and that were not settled"), None),
    "texts": (say("Erasable texts that are missing but were not erased"), say("text {text}")),
}
"""By its name in `IntegrityList`, the title and the sentence of each kind (None: `describe`), in the order of the page."""
_ON_A_SHEET = say("text {text}, event {line} of the score sheet of {game}")


def told(t: Tournament, listed: IntegrityList) -> list[Told]:
    """Return the kinds that have entries."""
    kinds = ((name, title, sentence, getattr(listed, name)) for name, (title, sentence) in KINDS.items())
    return [
        Told(name, title, tuple((_seq(one), _words(t, sentence, one)) for one in entries))
        for name, title, sentence, entries in kinds
        if entries
    ]


def _seq(entry: Any) -> int:
    seq: int = entry.because if isinstance(entry, OutdatedBasis) else entry.seq
    return seq


def _words(t: Tournament, sentence: Message | None, entry: Any) -> Message:
    if sentence is None:
        return describe(t, entry)
    if isinstance(entry, LostTextAnswer) and entry.game is not UNSET:
        sentence = _ON_A_SHEET
    return filled(sentence, lambda name: _sides(entry) if name == "sides" else _fact(entry, name))


def _fact(entry: Any, name: str) -> MessageFact:
    value: Any = getattr(entry, name)
    return value if isinstance(value, str | int) else tuple(value)


def _sides(place: SharedPlaceAnswer) -> Message:
    if place.teams is not UNSET:
        return say("the teams {teams}", teams=tuple(place.teams))
    return say("the players {players}", players=tuple(place.players or ()))
