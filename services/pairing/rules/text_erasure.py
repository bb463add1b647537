"""The erasure of a text: the log keeps its hash, and the text is deleted everywhere."""

from services.pairing.rules.commands import EraseText
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

HEX = set("0123456789abcdef")


def erase(t: Tournament, c: EraseText) -> Decision | Refusal:
    """Decide to erase a text. Refusals: ``invalid-hash``, ``text-erased``."""
    if len(c.event.hash) != 64 or not set(c.event.hash) <= HEX:
        return Refusal("invalid", "invalid-hash", say("a hash is 64 hex digits in lower case"), where="hash")
    if c.event.hash in t.erased:
        return Refusal("rule", "text-erased", say("this text is already erased"))
    return Decision((c.event,))
