"""A record of a topic, before anybody looks into its lines: its key, its place, and whether it is a text."""

import re
from typing import Any

import msgspec

from shared.core.language.messages import Message, say
from shared.core.language.stored_messages import message_to_text
from shared.log.kafka import consumer
from shared.log.port import Text
from shared.log.sql.ledger_erasures import NOT_READ
from shared.log.texts import genuine

_TEXT = msgspec.json.Decoder(Text)
_NAME = re.compile(r"[A-Za-z0-9._-]{0,200}")
_SALT = re.compile(r"[\x20-\x7e]{0,200}")


def lies_right(key: bytes | None, partition: int, count: int, stream: str) -> bool:
    """Whether a record of a stream has its key, and lies in its partition."""
    name = stream.partition("/")[2]
    return key == name.encode() and consumer.partition_of(name, count) == partition


def text_of(value: bytes) -> Text | None:
    """The text that a record holds; None where it is none that every service's table can hold."""
    try:
        text = _TEXT.decode(value)
    except NOT_READ:
        return None
    if "\0" in text.text or not _NAME.fullmatch(text.tournament) or not _SALT.fullmatch(text.salt):
        return None
    return text if genuine(text) else None


def stranger(record: Any, why: Message) -> dict[str, Any]:
    """A record that is no line and no text, as a finding."""
    return _finding(record.topic, record.partition, record.offset, why)


def end_of_transaction(topic: str, partition: int, offset: int) -> dict[str, Any]:
    """An offset that no consumer is given, as a finding."""
    return _finding(topic, partition, offset, say("the end of a transaction, which no service writes"))


def _finding(topic: str, partition: int, offset: int, why: Message) -> dict[str, Any]:
    place = {"topic": topic, "partition": partition, "place": offset}
    return {**place, "kind": "stranger", "source": "", "what": message_to_text(why)}
