"""Signing records and checking them against the bare calls of the library; and durable appends with signatures against those
without."""

from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.core.terms import PAIRING
from shared.signing.service_keys import OwnKey, holds, signed, signer
from shared.wire.envelope import signed_bytes
from tests.bench.measure import Ratio, compare, compare_cpu
from tests.bench.writing import appends, fresh_keys

_TIMES = 2000
_AT_MOST = 1.5
"""How many times as long as the bare call it may take."""


def benchmarks() -> Iterator[Ratio]:
    key = OwnKey.of(PAIRING, Ed25519PrivateKey.generate())
    line = b'{"specversion":"1.0","data":{"x":"' + b"x" * 560 + b'"}}'
    sign = signer(key.private, key.public)
    record = signed([line], sign)
    unsigned, signature = signed_bytes(record)
    digest, bare = sha256(unsigned).digest(), b64decode(signature.partition(":")[2])
    public = key.private.public_key()

    def times(call: object) -> int:
        assert callable(call)
        for _ in range(_TIMES):
            call()
        return _TIMES

    yield compare_cpu(
        "sign a record",
        "records/s",
        1 / _AT_MOST,
        lambda: times(lambda: signed([line], sign)),
        lambda: times(lambda: key.private.sign(digest)),
    )
    yield compare_cpu(
        "check a record's signature",
        "records/s",
        1 / _AT_MOST,
        lambda: times(lambda: holds(record, key.public)),
        lambda: times(lambda: public.verify(bare, digest)),
    )
    name = "signed appends, 64 callers, 64 tournaments"
    yield compare(name, "commands/s", 0.7, appends(64, fresh_keys()), appends(64))
