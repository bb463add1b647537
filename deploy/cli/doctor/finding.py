"""A finding of the diagnosis of an installation."""

from dataclasses import dataclass

from shared.core.language.messages import Message, message_of, say


@dataclass(frozen=True, slots=True)
class Finding:
    """``remedy`` is None where nothing is wrong."""

    what: Message
    state: Message
    remedy: Message | None = None


def of_refusal(what: Message, problem: Exception) -> Finding:
    """A refusal, whose remedy stands after what is wrong."""
    said = message_of(problem)
    state, remedy = said.facts.get("first"), said.facts.get("second")
    if isinstance(state, Message) and isinstance(remedy, Message):
        return Finding(what, state, remedy)
    return Finding(what, said, say("correct the setting in the message"))
