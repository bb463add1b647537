"""Messages in a column of a table, stored as template and facts, so that each reader chooses the language."""

import json
from typing import Any

from shared.core.language.messages import Message, MessageFact, say


def message_to_text(message: Message) -> str:
    """Return a message's template and facts as JSON, for a column of a database. `message_from` reads it again.

    Equal messages give equal texts.
    """
    return json.dumps(_plain(message), ensure_ascii=False, sort_keys=True)


def message_from(text: str) -> Message:
    """Return the message of a stored text. A plain sentence, stored by an earlier version, is returned unchanged."""
    try:
        message = _read(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError):
        return say("{text}", text=text)
    return message if isinstance(message, Message) else say("{text}", text=text)


def _plain(fact: MessageFact) -> Any:
    if isinstance(fact, Message):
        return {"say": fact.text, "facts": {name: _plain(one) for name, one in fact.facts.items()}}
    return [_plain(one) for one in fact] if isinstance(fact, tuple) else fact


def _read(value: Any) -> MessageFact:
    if isinstance(value, dict):
        return Message(value["say"], {name: _read(one) for name, one in value["facts"].items()})
    return tuple(_read(one) for one in value) if isinstance(value, list) else value
