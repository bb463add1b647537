"""Texts beside the log: the log holds a salted hash, and this is where salt and hash are made."""

import secrets
from dataclasses import dataclass, field
from hashlib import sha256

from shared.core.terms import TextRef
from shared.log.port import Text


def text_hash(salt: str, text: str) -> str:
    """Hex SHA-256 of the salt's bytes, a NUL and the text in UTF-8."""
    return sha256(salt.encode() + b"\x00" + text.encode()).hexdigest()


def salted(text: str, tournament: str) -> Text:
    """A text under a new random salt (128 bits), ready to be stored."""
    salt = secrets.token_hex(16)
    return Text(text_hash(salt, text), salt, text, tournament)


def genuine(text: Text) -> bool:
    """Whether a stored or imported text is the one that its hash names."""
    return text_hash(text.salt, text.text) == text.hash


@dataclass(slots=True)
class Texts:
    """The texts of one command while it is completed."""

    tournament: str
    all: list[Text] = field(default_factory=list)

    def required(self, text: str) -> TextRef:
        """Return the reference of a text that its schema requires. Raises ValueError if it is empty."""
        ref = self.ref(text)
        if ref is None:
            raise ValueError("the schema of a required text takes an empty one")
        return ref

    def ref(self, text: str | None) -> TextRef | None:
        """The reference that stands in the command for a text; None for none (or an empty one)."""
        if not text:
            return None
        new = salted(text, self.tournament)
        self.all.append(new)
        return TextRef(new.hash)
