"""Signed tokens (JWT, EdDSA) that prove a name, a role and, if narrowed, a tournament; the keys that sign them.

The server's private key is ``DIR/token.key``; public keys lie in ``DIR/token-keys/<kid>.pem``,
two at most, so that one can be replaced while tokens of the other are still about.
Services read the public keys only.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import jwt
import uuid_utils
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shared import structured_log
from shared.audit.checkpoints.house_name import BadName, house_name
from shared.audit.keys import key_files
from shared.audit.keys.key_files import BadKeys
from shared.core.language.handles import InvalidLoginName, login_name, new_login_name
from shared.core.language.messages import Message, message_of, say
from shared.core.readings.token_boards import NARROWED_ROLE, Boards, boards_of
from shared.core.terms import ROLES, Actor, Role
from shared.core.trust.token_revocations import Revoked, is_token_id
from shared.http.problems import Problem
from shared.log.port import LogUnavailable

LEEWAY_SECONDS = 60
"""How far two clocks may differ."""
KEYS_AT_MOST = 2
LONGEST_SECONDS = 3650 * 86_400
"""How long a token may be good."""
LOOK_SECONDS = 1.0
"""How often the folder of keys is looked at."""
_ALGORITHM = "EdDSA"
_REQUIRED = ["iss", "aud", "sub", "role", "iat", "exp", "jti"]
AUDIENCE = "arbiter"
"""Whom tokens are for: the services, whichever house runs them; the house is the issuer."""
_REMEMBERED = 1024
_LONGEST = 4096
_DAY = 86_400
_FRESH_NANOSECONDS = 1_000_000_000  # the coarsest time of a file system: two changes may share a time
_UNSETTLED = -1


@dataclass(frozen=True, slots=True)
class Identity:
    """What a token proves. ``tournament`` None: all; ``expires`` and ``issued`` in Unix seconds; ``boards``: those of the
    tournament that an arbiter's token is narrowed to."""

    actor: Actor
    tournament: str | None
    expires: int
    issued: int = 0
    boards: Boards | None = None


# ---------------------------------------------------------------- keys


def ensure_keys(directory: Path) -> None:
    """Make the server's key pair where there is none. Safe where two processes start at once."""
    key_files.make(directory / "token.key")
    _publish(directory)


def rotate(directory: Path) -> None:
    """A new private key; tokens of the one before stay good, those of older ones do not."""
    former = _kid(_private(directory).public_key())
    folder = directory / "token-keys"
    for path in folder.glob("*.pem"):
        if path.stem != former:
            path.unlink()
    key_files.make(directory / "token.key", replace=True)
    _publish(directory)


def issue(
    directory: Path, role: Role, name: str, tournament: str | None = None, days: float = 7, *, now: float | None = None,
    boards: Boards | None = None, id: str | None = None,
) -> str:  # fmt: skip
    """Return a signed token of this house for the login name that ``name`` is. ``id``: its ID, by default a new one.

    Raises ValueError for values that no token may contain, `BadKeys` without a usable key.
    """
    if role not in ROLES:
        raise ValueError(f"{role!r} is no role; roles are {', '.join(ROLES)}")
    try:
        name = new_login_name(name)
    except InvalidLoginName as problem:
        raise ValueError(f"the name {name!r}: {problem}") from None
    private = _private(directory)
    issued = int(time.time() if now is None else now)
    claims: dict[str, Any] = {"sub": name, "role": role, "iat": issued, "exp": issued + int(days * _DAY)}
    claims |= {"jti": id or str(uuid_utils.uuid7()), "iss": house_name(directory), "aud": AUDIENCE}
    if tournament is not None:
        claims["tournament"] = tournament
    if boards is not None:
        if role != NARROWED_ROLE or tournament is None:
            raise ValueError("only an arbiter's token of one tournament is narrowed to boards")
        claims["boards"] = list(boards)
    return jwt.encode(claims, private, algorithm=_ALGORITHM, headers={"kid": _kid(private.public_key())})


def _private(directory: Path) -> Ed25519PrivateKey:
    return key_files.read(directory / "token.key")


def _publish(directory: Path) -> None:
    public = _private(directory).public_key()
    path = directory / "token-keys" / f"{_kid(public)}.pem"
    if not path.exists():
        pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        key_files.publish(path, pem)


def _kid(public: Ed25519PublicKey) -> str:
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:16]


# ---------------------------------------------------------------- verification


class Keyring:
    """The public keys that count, looked at once a second; verified tokens are remembered.

    A token of a key that is not known is a reason to look at once, so that a new key counts from its first token on;
    a key that was taken away counts for up to a second more. ``clock`` is monotonic, in seconds; ``revocations`` are looked
    at as often. Raises `BadKeys`, and `port.LogUnavailable` where those cannot be read.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], float] = time.monotonic, revocations: Revoked | None = None
    ) -> None:
        self._folder, self._clock = folder, clock
        self._revocations = revocations or Revoked()
        self._revocations.refresh()
        try:
            self._issuer = house_name(folder.parent)
        except BadName as problem:
            raise BadKeys(message_of(problem)) from None
        self._lock = threading.Lock()
        self._changed = _UNSETTLED
        self._known: OrderedDict[bytes, Identity] = OrderedDict()
        self._keys = self._read()
        self._next_look = clock() + LOOK_SECONDS

    def _read(self) -> dict[str, Ed25519PublicKey]:
        """Raises `BadKeys` where the folder holds more than two keys, or what is no key."""
        stamp = self._stamp()
        # Another change may still bear the same time: a fresh stamp settles nothing.
        settled = abs(time.time_ns() - stamp) > _FRESH_NANOSECONDS
        self._changed = stamp if settled else _UNSETTLED
        keys = {path.stem: _public(path) for path in sorted(self._folder.glob("*.pem"))}
        if len(keys) > KEYS_AT_MOST:
            held = say("{folder} holds {count} keys", folder=str(self._folder), count=len(keys))
            raise BadKeys(say("{held}; at most {most} may be in force at the same time", held=held, most=KEYS_AT_MOST))
        return keys

    def _stamp(self) -> int:
        return self._folder.stat().st_mtime_ns if self._folder.exists() else 0

    def _look(self) -> None:
        """Read again what has changed; keys that cannot be used, and a database that is away, leave what was known."""
        with self._lock:
            self._next_look = self._clock() + LOOK_SECONDS
            try:
                self._revocations.refresh()
            except LogUnavailable as problem:
                structured_log.logger().error("revocations-unread", why=str(problem))
            if self._stamp() == self._changed:
                return
            try:
                keys = self._read()
            except BadKeys as problem:
                structured_log.logger().error("bad-keys", why=str(problem))
                return
            if keys.keys() != self._keys.keys():
                self._keys = keys
                self._known.clear()

    def identify(self, token: str) -> Identity:
        """What a token proves. Raises `Problem` 401 saying what is wrong with it."""
        if self._clock() >= self._next_look:
            self._look()
        digest = sha256(token.encode("utf-8", "replace")).digest()
        known = self._known.get(digest)
        if known is not None and known.expires > time.time():
            return self._unrevoked(known)
        kid = _kid_of(token)
        if kid not in self._keys:
            self._look()
        keys = self._keys
        if kid not in keys:
            raise bad_token(
                "token-key-unknown", say("the token was signed with a key that this server does not accept")
            )
        identity = _verified(token, keys[kid], self._issuer)
        with self._lock:
            if self._keys is keys:
                self._known[digest] = identity
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._unrevoked(identity)

    def _unrevoked(self, identity: Identity) -> Identity:
        """Raises `Problem` 401 for one that was taken back."""
        who = identity.actor
        if self._revocations.covers(who.tokenid, who.name, identity.tournament, identity.issued):
            raise bad_token("token-revoked", say("the token was revoked"))
        return identity


def _public(path: Path) -> Ed25519PublicKey:
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except (ValueError, OSError) as problem:
        raise BadKeys(
            say("{path} is not a public key: {problem}", path=str(path), problem=message_of(problem))
        ) from None
    if not isinstance(key, Ed25519PublicKey):
        raise BadKeys(say("{path} is not an Ed25519 key", path=str(path)))
    return key


def _kid_of(token: str) -> str:
    """The id of the key that a token says it was signed with; nothing for one that does not say."""
    if len(token) > _LONGEST:
        raise bad_token("token-malformed", say("the token is too long"))
    try:
        kid = jwt.get_unverified_header(token).get("kid")
    except jwt.InvalidTokenError:
        raise bad_token("token-malformed", say("the value is not a token")) from None
    return kid if isinstance(kid, str) else ""


def _verified(token: str, key: Ed25519PublicKey, issuer: str) -> Identity:
    try:
        claims = jwt.decode(
            token, key, algorithms=[_ALGORITHM], leeway=LEEWAY_SECONDS, options={"require": _REQUIRED},
            audience=AUDIENCE, issuer=issuer,
        )  # fmt: skip
    except jwt.ExpiredSignatureError:
        raise bad_token("token-expired", say("the token has expired")) from None
    except jwt.ImmatureSignatureError:
        raise bad_token(
            "token-from-the-future",
            say("the token's time of issue is in the future: the clock of the issuer or of this server is wrong"),
        ) from None
    except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError):
        raise bad_token("token-signature", say("the token's signature is invalid")) from None
    except jwt.InvalidAudienceError:
        raise bad_token("token-audience", say("the token is not for Arbiter")) from None
    except jwt.InvalidIssuerError:
        raise bad_token("token-issuer", say("the token was issued by another operator")) from None
    except jwt.MissingRequiredClaimError as problem:
        raise bad_token("token-incomplete", message_of(problem)) from None
    except jwt.InvalidTokenError:
        raise bad_token("token-malformed", say("the value is not a token")) from None
    return _identity(claims)


def _identity(claims: dict[str, Any]) -> Identity:
    name, role, scope = claims["sub"], claims["role"], claims.get("tournament")
    if not isinstance(name, str) or not name or role not in ROLES or not isinstance(scope, str | None):
        raise bad_token("token-incomplete", say("the token must contain a name and a known role"))
    try:
        name = login_name(name)
    except InvalidLoginName as problem:
        why = say("the name in the token is invalid: {problem}", problem=message_of(problem))
        raise bad_token("token-incomplete", why) from None
    if not isinstance(claims["jti"], str) or not is_token_id(claims["jti"]):
        raise bad_token("token-incomplete", say("the token's ID is not a UUID"))
    issued, expires = int(claims["iat"]), int(claims["exp"])
    if expires - issued > LONGEST_SECONDS:
        raise bad_token(
            "token-too-long",
            say(
                "a token must expire at most {longest_days} days after it was issued",
                longest_days=LONGEST_SECONDS // _DAY,
            ),
        )
    boards = boards_of(claims["boards"]) if "boards" in claims else None
    if "boards" in claims and (boards is None or role != NARROWED_ROLE or scope is None):
        raise bad_token("token-incomplete", say("the token limits boards, but is not for an arbiter in one tournament"))
    return Identity(Actor(name, cast(Role, role), claims["jti"]), scope, expires + LEEWAY_SECONDS, issued, boards)


def bad_token(code: str, detail: Message) -> Problem:
    """401 with a challenge (RFC 6750, 3)."""
    challenge = f'Bearer realm="arbiter", error="invalid_token", error_description="{detail}"'
    return Problem(401, code, say("Invalid token"), detail, headers={"WWW-Authenticate": challenge})
