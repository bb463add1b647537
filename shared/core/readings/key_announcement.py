"""Announcing a service's key: its own after a change, or the lost key of another service."""

from dataclasses import dataclass

from shared.core.events import Decision, KeyAnnounced
from shared.core.language.messages import message_of, say, term
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, Refusal, Source, TextRef
from shared.core.trust.service_keys import ANNOUNCED_BY, BadServiceKey, parse_key


@dataclass(frozen=True, slots=True)
class AnnounceKey:
    """A command to announce a key. ``reason`` is required for the key of another service."""

    actor: Actor
    key: str
    reason: TextRef | None = None


def announce_key(t: Tournament, c: AnnounceKey, source: Source) -> Decision | Refusal:
    """Announce a key that counts from the next record on. The service ``source`` writes the event.

    A service announces its own key automatically, because only the signature by the previous key can vouch for it. The
    organiser announces the key of another service. Refusals: ``bad-key``, ``unsigned-tournament``, ``key-in-force``,
    ``key-of-another``, ``not-its-key``, ``reason-missing``.
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
        return Refusal("rule", "key-of-another", say("another service has had this key"), where="key")
    own = key.source == source
    if source not in ANNOUNCED_BY[key.source] or own != (c.actor.role == "rulebook"):
        detail = say(
            "{source} does not announce a key of {source2} for the role {role}",
            source=source,
            source2=key.source,
            role=term(c.actor.role),
        )
        return Refusal("rule", "not-its-key", detail, where="key")
    if not own and c.reason is None:
        return Refusal("invalid", "reason-missing", say("the key of another service is given a reason"), where="reason")
    return Decision((KeyAnnounced(c.key, c.reason),))
