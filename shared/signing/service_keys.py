"""The keys that a process signs records with, their signatures, and the keys of the installation that it announces."""

import hmac
import time
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from nacl.bindings import crypto_sign, crypto_sign_BYTES, crypto_sign_open, crypto_sign_seed_keypair
from nacl.exceptions import BadSignatureError

from shared.core.language.messages import Message, MessageFact, say
from shared.core.state.tournament import TournamentState
from shared.core.terms import SOURCES, Source, service_of
from shared.core.trust.recovery import parse_recovery_key
from shared.core.trust.service_keys import ServiceKey, keys_by_source
from shared.wire.envelope import signed_bytes, with_signature

_LOOK_SECONDS = 1.0
"""How often it is asked whether there are other keys."""


Sign = Callable[[bytes], str]
"""Returns the signature of a record's bytes as a line holds it: Ed25519 over their SHA-256."""


def signer(private: Ed25519PrivateKey, public: ServiceKey) -> Sign:
    """Return the function that signs with one key. The bytes are those of `envelope.signed_bytes`."""
    name, (_, secret) = public.hash, crypto_sign_seed_keypair(private.private_bytes_raw())

    def sign(record: bytes) -> str:
        signature = crypto_sign(sha256(record).digest(), secret)[:crypto_sign_BYTES]
        return f"{name}:{b2a_base64(signature, newline=False).decode()}"

    return sign


def signed(lines: Sequence[bytes], sign: Sign) -> list[bytes]:
    """Return a record's lines, the last with the signature of all."""
    record = lines[0] if len(lines) == 1 else b"\n".join(lines)
    return [*lines[:-1], with_signature(lines[-1], sign(record))]


def holds(lines: Sequence[bytes], key: ServiceKey) -> bool:
    """Return whether the record has a signature, and it is by this key."""
    return is_by(*signed_bytes(lines), key)


def is_by(record: bytes, signature: str, key: ServiceKey) -> bool:
    """Return whether a signature, as a line holds it, is by this key over a record's bytes without it."""
    keyhash, _, encoded = signature.partition(":")
    if keyhash != key.hash:
        return False
    try:
        crypto_sign_open(a2b_base64(encoded) + sha256(record).digest(), key.key)
    except BadSignatureError:
        return False
    return True


def _secret(private: bytes) -> bytes:
    """Return the key of `ServiceKeys.keyed_digest` that a private key gives."""
    return sha256(b"arbiter kept answers\0" + private).digest()


_NO_SECRET = _secret(b"")


@dataclass(frozen=True, slots=True)
class OwnKey:
    """A private key of a service, and its public one."""

    private: Ed25519PrivateKey
    public: ServiceKey

    @classmethod
    def of(cls, source: Source, private: Ed25519PrivateKey) -> "OwnKey":
        return cls(private, ServiceKey(source, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)))


Keys = tuple[Mapping[Source, Sequence[OwnKey]], Sequence[str]]
"""Of each service of this process its private keys, newest first; and the public ones of the others."""


class ServiceKeys:
    """The signing keys of a process.

    ``own``: for each service of this process its private keys, newest first. ``public``: the newest public key of every
    service of the installation, and its recovery key. Without keys, tournaments are announced without them, and those that
    have keys accept no commands. ``changed`` returns the keys again if they have changed, else None. It is called now and
    then, and if a key is lacking.
    """

    def __init__(
        self,
        own: Mapping[Source, Sequence[OwnKey]] | None = None,
        public: Sequence[str] = (),
        changed: Callable[[], Keys | None] = lambda: None,
    ) -> None:
        self._changed, self._due = changed, 0.0
        self._take(own or {}, public)

    def _take(self, own: Mapping[Source, Sequence[OwnKey]], public: Sequence[str]) -> None:
        self._own = {source: tuple(keys) for source, keys in own.items()}
        self._signers = {
            str(key.public): signer(key.private, key.public) for keys in self._own.values() for key in keys
        }
        self._secrets = {
            source: _secret(keys[-1].private.private_bytes_raw()) for source, keys in self._own.items() if keys
        }
        self._newest = {source: str(keys[0].public) for source, keys in self._own.items() if keys}
        self._recovery = next((key for key in public if parse_recovery_key(key) is not None), "")
        known = keys_by_source(tuple(public)) | self._newest
        self._announced = tuple(known[source] for source in SOURCES) if len(known) == len(SOURCES) else ()

    def _look(self, *, now: bool = False) -> None:
        if not now and time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _LOOK_SECONDS
        found = self._changed()
        if found is not None:
            self._take(*found)

    @property
    def announced(self) -> tuple[str, ...]:
        """What a new announcement says, in the order of the services; empty where a key of one is not known."""
        self._look()
        return self._announced

    @property
    def recovery(self) -> str:
        """Return the recovery key that a new announcement names, or an empty text without one."""
        self._look()
        return self._recovery

    def own(self, source: Source) -> tuple[ServiceKey, ...]:
        """The public keys of a service of this process, newest first."""
        self._look()
        return tuple(key.public for key in self._own.get(source, ()))

    def keyed_digest(self, source: Source, content: bytes) -> str:
        """HMAC-SHA-256 (hex) by a service's oldest private key: who has the digest and not the key cannot try contents out."""
        return hmac.digest(self._secrets.get(source, _NO_SECRET), content, "sha256").hex()

    def signer(self, key: str) -> Sign | None:
        """What signs with the private key of this public one; None where that is not here."""
        return self._signers.get(key)

    def newest_in_force(self, t: TournamentState, source: Source) -> bool:
        """Whether a service signs in a tournament by the newest key that it has: nothing is lacking, nothing to be announced."""
        if time.monotonic() >= self._due:
            self._look()
        keys = t.keys.get(source)
        return keys is not None and keys[-1].key == self._newest.get(source)

    def why_not(self, t: TournamentState, source: Source) -> Message | None:
        """Why nothing can be signed for a service in a tournament; None where it can, or where nothing is signed."""
        if t.announced is None or not t.announced.keys:
            return None
        key = t.key_of(source)
        self._look(now=key not in self._signers)
        if key in self._signers:
            return None
        service = service_of(source)
        have: tuple[MessageFact, ...] = tuple(map(str, self.own(source)))
        return say(
            "{service} must sign with {key} in {tournament}, but this server has {have}: restore "
            "keys/{service}.key, or ask the organiser to announce the new key with a reason",
            service=service,
            key=str(key) if key else say("no key"),
            tournament=t.id,
            have=have or say("none"),
        )

    def rotation(self, t: TournamentState, source: Source) -> str | None:
        """The newer key that a service has than the one in force, which it still has too; None where there is none."""
        newest = self._newest.get(source)
        if newest is None or t.announced is None or not t.announced.keys:
            return None
        in_force = t.key_of(source)
        return newest if newest != in_force and in_force in self._signers else None


NO_KEYS = ServiceKeys()
