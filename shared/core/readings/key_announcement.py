"""Announcing a service's key: its own after a change, or the lost key of another service."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.core.events import Decision, KeyAnnounced
from shared.core.language.messages import message_of, say, term
from shared.core.state.tournament import Tournament
from shared.core.terms import BOUNDED_OFFICES, Actor, Refusal, Source, TextRef
from shared.core.trust.service_keys import ANNOUNCED_BY, BadServiceKey, ServiceKey, parse_key


@dataclass(frozen=True, slots=True)
class AnnounceKey:
    """A command to announce a key. ``reason`` is required for the key of another service.

    So is ``recovery``, from offices 3 on: the signature (base64) of the recovery key that the tournament names.
    """

    actor: Actor
    key: str
    reason: TextRef | None = None
    recovery: str = ""


Vouches = Callable[[str, str, str, str], bool]
"""Returns whether a recovery key vouches: (its public key, the log's origin, the new key, the signature)."""


def announce_key(t: Tournament, c: AnnounceKey, source: Source, vouches: Vouches) -> Decision | Refusal:
    """Announce a key that counts from the next record on. The service ``source`` writes the event.

    A service announces its own key automatically, because only the signature by the previous key can vouch for it. The
    organiser announces the key of another service, and from offices 3 on ``vouches`` must accept the recovery key's signature
    on it. Refusals:
    ``bad-key``, ``unsigned-tournament``, ``key-in-force``, ``key-of-another``, ``not-its-key``, ``reason-missing``, and those
    of `_refuse_recovery`.
    """
    try:
        key = parse_key(c.key)
    except BadServiceKey as problem:
        return Refusal("invalid", "bad-key", message_of(problem), where="key")
    if not t.announced.keys:
        return Refusal(
            "rule",
            "unsigned-tournament",
            say("{id} was created without keys: its records have no signatures", id=t.id),
        )
    if t.key_of(key.source) == c.key:
        return Refusal(
            "rule", "key-in-force", say("{source} signs with this key already", source=key.source), where="key"
        )
    if any(parse_key(one.key).key == key.key for owner, keys in t.keys.items() if owner != key.source for one in keys):
        return Refusal(
            "rule",
            "key-of-another",
            say("the key was already announced for another service: create a new one"),
            where="key",
        )
    own = key.source == source
    if source not in ANNOUNCED_BY[key.source] or own != (c.actor.role == "rulebook"):
        detail = say(
            "the role {role} cannot announce a key of {source2} at {source}",
            source=source,
            source2=key.source,
            role=term(c.actor.role),
        )
        return Refusal("rule", "not-its-key", detail, where="key")
    if not own and c.reason is None:
        return Refusal(
            "invalid", "reason-missing", say("announcing the key of another service requires a reason"), where="reason"
        )
    refusal = None if own or t.offices < BOUNDED_OFFICES else _refuse_recovery(t, c, key, vouches)
    return refusal or Decision((KeyAnnounced(c.key, c.reason, c.recovery),))


def _refuse_recovery(t: Tournament, c: AnnounceKey, key: ServiceKey, vouches: Vouches) -> Refusal | None:
    """Return why the recovery key does not vouch for a lost key, or None.

    Refusals: ``no-recovery-key``, ``former-key`` (an earlier signature could bring it back), ``recovery-missing``.
    """
    recovery = t.announced.recovery
    if not recovery:
        detail = say("{id} names no recovery key, so the lost key of a service cannot be replaced", id=t.id)
        return Refusal("rule", "no-recovery-key", detail, where="key")
    if any(one.key == c.key for one in t.keys.get(key.source, ())):
        return Refusal("rule", "former-key", say("the service has had this key before: create a new one"), where="key")
    if not vouches(recovery, t.announced.origin, c.key, c.recovery):
        detail = say("the recovery key did not sign this key for {id}; `arbiter keys --recover` signs it", id=t.id)
        return Refusal("invalid", "recovery-missing", detail, where="recovery")
    return None
