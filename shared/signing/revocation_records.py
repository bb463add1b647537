"""Revocations as pairing signs and publishes them: a JSON object of one line, its signature the last member."""

from collections.abc import Sequence
from dataclasses import asdict

import msgspec

from shared.core.language.messages import say
from shared.core.trust.service_keys import ServiceKey
from shared.core.trust.token_revocations import Revocation
from shared.signing.service_keys import Sign, holds, signed
from shared.wire.envelope import split_signature

TYPE = "arbiter.token.revoked.v1"
"""Stands in each record, so that no other record of pairing's can be taken for a revocation."""


class BadRevocation(ValueError):
    """A record that revokes nothing; says why."""


class _Said(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    type: str
    at: int
    by: str
    jti: str | None = None
    name: str | None = None
    tournament: str | None = None


_READ = msgspec.json.Decoder(_Said, strict=True)
_WRITE = msgspec.json.Encoder()


def record_of(revocation: Revocation, sign: Sign) -> bytes:
    """The signed record of a revocation."""
    (record,) = signed([_WRITE.encode(_Said(TYPE, **asdict(revocation)))], sign)
    return record


def read_record(record: bytes) -> Revocation:
    """What a record revokes, whoever signed it. Raises `BadRevocation` for one that is not written as `record_of` does."""
    bare, signature = split_signature(record)
    try:
        said = _READ.decode(bare)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRevocation(say("not a revocation of tokens")) from None
    revocation = Revocation(said.at, said.by, said.jti, said.name, said.tournament)
    if said.type != TYPE or not signature or _WRITE.encode(said) != bare:
        raise BadRevocation(say("not in the form in which pairing writes a revocation of tokens"))
    if why := revocation.invalid_reason():
        raise BadRevocation(say("not a valid revocation of tokens: {why}", why=why))
    return revocation


def believed(key: bytes | None, record: bytes, signers: Sequence[ServiceKey]) -> Revocation:
    """What a record under a key of its topic revokes, signed by one of pairing's keys. Raises `BadRevocation`."""
    revocation = read_record(record)
    if key != revocation.key.encode():
        raise BadRevocation(say("the record key of the revocation must be that of the revoked token or name"))
    if not signed_by(record, signers):
        raise BadRevocation(say("the revocation is not signed by pairing's key"))
    return revocation


def signed_by(record: bytes, signers: Sequence[ServiceKey]) -> bool:
    """Whether one of these keys signed the record."""
    return any(holds([record], key) for key in signers)
