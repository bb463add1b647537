"""Public keys of services as a log contains them, and which service may announce which key.

A key is written as a C2SP verifier key, ``name+hash+base64(0x01||key)`` (c2sp.org/signed-note). Its name is the source of
the service's events without its leading slash. Standard library only.
"""

from dataclasses import dataclass
from functools import lru_cache

from shared.core.language.messages import Message, message_of, say
from shared.core.terms import GAMES, PAIRING, PENALTIES, SOURCES, STANDINGS, Source
from shared.core.trust.verifier_key import KEY_BYTES, VerifierKey, read_base64

_SOURCE_OF: dict[str, Source] = {source[1:]: source for source in SOURCES}

ANNOUNCED_BY: dict[Source, tuple[Source, ...]] = {
    PAIRING: (PAIRING, STANDINGS),
    GAMES: (GAMES, PAIRING),
    PENALTIES: (PENALTIES, PAIRING),
    STANDINGS: (STANDINGS, PAIRING),
}
"""The services that may announce each service's key: itself, and another service in case its own key is lost."""


class BadServiceKey(ValueError):
    """A text that is not a service's public key, with the reason."""


@dataclass(frozen=True, slots=True)
class ServiceKey:
    """An Ed25519 public key (32 bytes) of the service that writes as ``source``."""

    source: Source
    key: bytes

    @property
    def hash(self) -> str:
        """Return the key ID in eight hex digits."""
        return _hash_of(self)

    @property
    def _written(self) -> VerifierKey:
        return VerifierKey(self.source[1:], self.key)

    def __str__(self) -> str:
        return str(self._written)


@lru_cache(maxsize=4096)
def _hash_of(key: ServiceKey) -> str:
    return key._written.keyhash.hex()


@lru_cache(maxsize=4096)
def parse_key(text: str) -> ServiceKey:
    """Read a service's public key. Raises `BadServiceKey`."""
    name, _, rest = text.partition("+")
    keyhash, _, encoded = rest.partition("+")
    if name not in _SOURCE_OF:
        raise BadServiceKey(
            say("the service must be one of {source_of}, not {name}", name=repr(name[:40]), source_of=tuple(_SOURCE_OF))
        )
    try:
        blob = read_base64(encoded)
    except ValueError as problem:
        raise BadServiceKey(say("the key of {name} is {problem}", name=name, problem=str(problem))) from None
    if blob[:1] != bytes((VerifierKey.algorithm,)) or len(blob) != 1 + KEY_BYTES:
        raise BadServiceKey(say("the key of {name} is not an Ed25519 key", name=name))
    key = ServiceKey(_SOURCE_OF[name], blob[1:])
    if str(key) != text:
        raise BadServiceKey(
            say(
                "the key of {name} does not match its hash {keyhash}, or is not in the required form",
                name=name,
                keyhash=repr(keyhash[:16]),
            )
        )
    return key


def keys_by_source(texts: tuple[str, ...]) -> dict[Source, str]:
    """Return an announcement's keys by source, without those that cannot be read."""
    by_source: dict[Source, str] = {}
    for text in texts:
        try:
            by_source.setdefault(parse_key(text).source, text)
        except BadServiceKey:
            continue
    return by_source


def key_set_error(texts: tuple[str, ...]) -> Message | None:
    """Return why these are not the keys of all four services, one each, or None if they are."""
    try:
        keys = [parse_key(text) for text in texts]
    except BadServiceKey as problem:
        return message_of(problem)
    if tuple(key.source for key in keys) != SOURCES:
        return say(
            "a new tournament must list one key of each service, in the order pairing, games, penalties, standings"
        )
    if len({key.key for key in keys}) < len(keys):
        return say("two services have the same key: its holder could write in the name of both")
    return None
