"""Problem codes that operations share: the conditions under which an operation can report each of them."""

from collections.abc import Callable, Iterator, Mapping

from services.standings.reference.description import Described

_Condition = Callable[[Described], bool]


def _writes_events(one: Described) -> bool:
    return any(row.name == "If-Match" for row in one.parameters)


def _requires_role(one: Described) -> bool:
    return bool(one.roles or one.grants)


def _takes_json(one: Described) -> bool:
    return bool(one.body)


def _has_query(one: Described) -> bool:
    return any(row.place == "query" for row in one.parameters)


def _reads_log(one: Described) -> bool:
    return any((row.name, row.place) in (("after", "query"), ("at", "query")) for row in one.parameters)


def _always(_: Described) -> bool:
    return True


_SHARED: Mapping[str, _Condition] = {
    "bad-fields": _takes_json,
    "bad-idempotency-key": lambda one: one.takes_key,
    "bad-if-match": _writes_events,
    "bad-json": _takes_json,
    "bad-query": _has_query,
    "behind": lambda one: _writes_events(one) or _reads_log(one),
    "beyond-the-end": _reads_log,
    "command-too-large": _writes_events,
    "crash": _always,
    "idempotency-key-reused": lambda one: one.takes_key,
    "if-match-required": lambda one: one.needs_match,
    "json-expected": _takes_json,
    "log-away": _always,
    "log-full": _writes_events,
    "object-expected": _takes_json,
    "office-not-held": _requires_role,
    "official-dismissed": _requires_role,
    "outcome-unknown": _writes_events,
    "role-may-not": _requires_role,
    "stale": _writes_events,
    "token-expired": lambda one: one.takes_token,
    "token-malformed": lambda one: one.takes_token,
    "token-missing": lambda one: one.requires_token,
    "token-revoked": lambda one: one.takes_token,
    "token-scope": _requires_role,
    "too-many-requests": _always,
}


def operations_with(code: str, operations: Mapping[str, Described]) -> Iterator[Described]:
    """Yield the operations that can report a code: their own codes, and those that operations share."""
    shared = _SHARED.get(code)
    for one in operations.values():
        if any(code in codes for codes in one.codes.values()) or (shared is not None and shared(one)):
            yield one
