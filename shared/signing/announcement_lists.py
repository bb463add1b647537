"""The list of what former keys of pairing's announced, as its newest key signs it: a JSON object of one line, its signature the
last member."""

from base64 import b64decode, b64encode
from collections.abc import Iterable

import msgspec

from shared.core.language.messages import say
from shared.core.trust.service_keys import ServiceKey
from shared.signing.service_keys import Sign, holds, signed
from shared.wire.envelope import split_signature

TYPE = "arbiter.announcements.listed.v1"
"""Stands in each record, so that no other record of pairing's can be taken for a list."""
KEY = b"announcements"
"""The key of its record on the topic of what pairing says to every service."""
_LEAF_BYTES = 32


class BadList(ValueError):
    """A record that lists nothing; says why."""


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    type: str
    announced: list[str]


_READ = msgspec.json.Decoder(_Said, strict=True)
_WRITE = msgspec.json.Encoder()


def list_of(leaves: Iterable[bytes], sign: Sign) -> bytes:
    """The signed list of announcements, by the leaf hashes of their first lines."""
    announced = sorted(b64encode(leaf).decode() for leaf in leaves)
    (record,) = signed([_WRITE.encode(_Said(TYPE, announced))], sign)
    return record


def read_list(record: bytes, key: ServiceKey | None) -> frozenset[bytes]:
    """The leaf hashes that a list holds which ``key`` signed. Raises `BadList`."""
    bare, _ = split_signature(record)
    try:
        said = _READ.decode(bare)
        leaves = frozenset(b64decode(leaf, validate=True) for leaf in said.announced)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise BadList(say("not a list of announcements")) from None
    if said.type != TYPE or any(len(leaf) != _LEAF_BYTES for leaf in leaves) or _WRITE.encode(said) != bare:
        raise BadList(say("not in the form in which pairing writes a list of announcements"))
    if key is None or not holds([record], key):
        raise BadList(say("the list of announcements is not signed by pairing's newest key"))
    return leaves
