"""Logs whose records are signed, made from the log format alone (no code of the services signs or checks here)."""

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any

import uuid_utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from shared.core.terms import PAIRING, SOURCES
from shared.core.trust.merkle import Frontier, leaf_hash
from tests.foreign.event import vkey

Keys = dict[str, Ed25519PrivateKey]


def service_keys() -> Keys:
    """A fresh key for each service."""
    return {source: Ed25519PrivateKey.generate() for source in SOURCES}


def public(source: str, private: Ed25519PrivateKey) -> str:
    """The verifier key that a log names."""
    return vkey(source[1:], 1, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def signature(source: str, private: Ed25519PrivateKey, record: bytes) -> str:
    """``<hash of the key>:<base64>`` over a record's bytes without it."""
    signed = b64encode(private.sign(sha256(record).digest())).decode()
    return f"{public(source, private).split('+')[1]}:{signed}"


def compact(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()


def sign_record(events: Sequence[dict[str, Any]], private: Ed25519PrivateKey) -> list[bytes]:
    """The lines of one command, the last with the signature of all."""
    lines = [compact(event) for event in events]
    made = signature(events[0]["source"], private, b"\n".join(lines))
    return [*lines[:-1], lines[-1][:-1] + f',"signature":"{made}"}}'.encode()]


def rotation(lines: Sequence[bytes], keys: Keys, *, stolen: bool = False) -> list[bytes]:
    """A signed log that goes on: pairing announces another key, and signs with it; ``stolen``: again with the one before."""
    old, new = keys[PAIRING], Ed25519PrivateKey.generate()
    tree, made = Frontier(), list(lines)
    for line in made:
        tree.append(leaf_hash(line))
    last: dict[str, Any] = next(e for e in map(json.loads, reversed(made)) if e["source"] == PAIRING)
    announced = {"type": "arbiter.key.announced.v1", "data": {"key": public(PAIRING, new), "reason": None}}
    for data, private in ((announced, old), ({}, old if stolen else new)):
        chained = {"basis": tree.size, "basisroot": b64encode(tree.root()).decode(), "id": str(uuid_utils.uuid7())}
        numbered = {"sourceseq": last["sourceseq"] + 1, "causationid": str(uuid_utils.uuid7())}
        last = {name: said for name, said in last.items() if name != "signature"} | chained | numbered | data
        made += sign_record([last], private)
        tree.append(leaf_hash(made[-1]))
    return made


def by_stranger(lines: Sequence[bytes]) -> list[bytes]:
    """A signed log that goes on with a record of a service that it does not name."""
    tree = Frontier()
    for line in lines:
        tree.append(leaf_hash(line))
    last = {name: said for name, said in json.loads(lines[-1]).items() if name != "signature"}
    own = {
        "source": "/services/other",
        "sourceseq": 1,
        "causationid": str(uuid_utils.uuid7()),
        "id": str(uuid_utils.uuid7()),
    }
    chained = {"basis": tree.size, "basisroot": b64encode(tree.root()).decode()}
    return [*lines, *sign_record([last | own | chained], Ed25519PrivateKey.generate())]


def signed_log(lines: Iterable[bytes], keys: Keys, signing: Keys | None = None) -> list[bytes]:
    """A log with its records signed, and the roots that they name made anew. ``signing``: other keys than it announces."""
    tree, roots, made = Frontier(), [b64encode(Frontier().root()).decode()], []
    events = [{name: said for name, said in json.loads(line).items() if name != "signature"} for line in lines]
    events[0]["data"]["keys"] = [public(source, key) for source, key in keys.items()]
    for (source, _), record in groupby(events, key=lambda e: (e["source"], e["causationid"])):
        for line in sign_record([e | {"basisroot": roots[e["basis"]]} for e in record], (signing or keys)[source]):
            tree.append(leaf_hash(line))
            roots.append(b64encode(tree.root()).decode())
            made.append(line)
    return made
