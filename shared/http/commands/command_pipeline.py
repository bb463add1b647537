"""The path of a command from request to answer, the same for the routes of all services."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from http import HTTPStatus
from string import Formatter
from typing import Any
from urllib.parse import quote

import msgspec
import uuid_utils
from flask import Response, g, request
from msgspec import UNSET

from shared.core.event_types.evolve import fork_after
from shared.core.event_types.registry import NAMES
from shared.core.events import Decision, Event
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import permit_any
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.readings.settlement import basis_from_data, basis_to_data, describe, may_have_bases, newly_open
from shared.core.readings.token_boards import restrict_to_boards
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, Refusal, Source
from shared.core.trust.merkle import short_digest
from shared.desk.computations.child_process import Exhausted
from shared.desk.desk import Behind, Desk, DeskError, Receipt, Request, Stopped
from shared.desk.requests import KeyReused, OutcomeUnknown, Stale, TooLarge, unknown_official
from shared.desk.signer_port import NotSigned
from shared.http.answers import OutdatedBasisAnswer, PreviewedAnswer, PreviewedEvent, WrittenAnswer
from shared.http.language.language import words
from shared.http.operations import Operation
from shared.http.problems import Problem, key_reused, log_full, outcome_unknown, refused, unavailable
from shared.http.requests import auth
from shared.http.requests.app_context import current_context, current_operation
from shared.http.requests.request_parts import (
    applied,
    content,
    etag,
    flag,
    idempotency_key,
    if_match,
    query_of_command,
    wants_events,
    without_events,
)
from shared.log.port import LogFull
from shared.log.texts import Texts
from shared.wire.event_data import InvalidEvent

Make = Callable[[Actor, Texts], Any]
SIGNED_SECONDS = 30
"""``Retry-After`` in seconds after a signature was refused, because somebody must repair the log first."""
_BUSY_SECONDS = 2
"""``Retry-After`` in seconds of a service that accepts no commands now."""
_SHORT = 64 * 1024
"""Bytes of a body that may be read before its sender's authority is checked."""
_AGAIN_SECONDS = 30
"""``Retry-After`` in seconds after an engine took too long for a round. The next attempt takes as long, unless the machine was
busy."""


def new_id() -> str:
    """Return an ID for a record that the caller did not name.

    A repeated request with the same ``Authorization``, path and idempotency key gets the same ID.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return uuid_utils.uuid7().hex
    name = f"{request.headers.get('Authorization', '')}\x00{request.path}\x00{key}"
    return sha256(name.encode()).hexdigest()[:32]


def run(
    desk: Desk,
    source: Source,
    t: str,
    make: Make,
    *,
    answer: Callable[[Sequence[Event]], WrittenAnswer] | None = None,
) -> Response:
    """Identify the caller, build the command, submit it, and answer with the written events.

    ``make(actor, texts)`` builds the command. ``answer(events)`` returns the members that only this route's answer has. The
    route declares the status and whether ``If-Match`` is required. Raises `Problem` for any other outcome.
    """
    declared = current_operation()
    actor = auth.require(t)
    texts = Texts(t)
    with_events = wants_events()
    key = idempotency_key(request, actor)
    seen = if_match(request, declared.match)
    _require_act(desk, t, actor, key)
    command = make(actor, texts)
    sent = Request(
        key=key,
        body=desk.keys.keyed_digest(source, query_of_command() + b"\x00" + content()),
        if_match=seen,
        texts=tuple(texts.all),
        answer=(lambda events: {}) if answer is None else (lambda events: msgspec.to_builtins(answer(events))),
    )
    receipt = submitted(desk, source, t, command, sent)
    body = with_sentences(receipt.body, desk.folds.get(t).tournament)
    return _answered(t, receipt._replace(body=body if with_events else without_events(body)), declared)


def _require_act(desk: Desk, t: str, actor: Actor, key: str | None) -> None:
    """Check before the body is read that the log permits an act of this route. Raises `Problem` 403.

    Without this check, a caller without any permission could send megabytes to be validated. The command handler decides if
    unread events may change the roles. It also decides on a short request with a key, which may repeat a request that was
    permitted when it was first sent.
    """
    acts = current_operation().acts
    if not acts or (key is not None and (request.content_length or _SHORT) < _SHORT):
        return
    permit = permit_any(*acts)
    with desk.folds.changed:  # without a copy of the state, and without asking the log for newer events
        seen = desk.folds.get(t).tournament
        if not seen.seq or permit(seen, actor) is None:
            return
    view = desk.view(t)
    refusal = None if view is None else permit(view.state, actor)
    if refusal is not None and unknown_official(refusal, desk.caught_up()) is None:
        raise refused(refusal)


def submitted(desk: Desk, source: Source, t: str, command: Any, sent: Request) -> Receipt:
    """Return the command handler's receipt for a command. Raises `Problem` if it is refused or cannot be accepted now."""
    traced = sent._replace(boards=auth.boards(), traceparent=g.get("traceparent"))
    receipt: Receipt = _outcome(t, lambda: desk.submit(source, t, command, traced))
    return receipt


def preview(desk: Desk, source: Source, t: str, make: Make) -> Response:
    """Return the events that a command would write, without writing them.

    The status is 200, and each event has ``type``, ``role`` and ``data``. The header fields of a command are validated as
    usual, but have no effect.
    """
    actor = auth.require(t)
    idempotency_key(request, actor)
    if_match(request, required=False)
    _require_act(desk, t, actor, None)
    command = make(actor, Texts(t))
    decision = previewed(desk, source, t, command)
    would = [(actor.role, data) for data in decision.events] + [("rulebook", data) for data in decision.brought]
    answer = PreviewedAnswer(
        preview=True,
        events=[PreviewedEvent(NAMES[type(data)], role, data) for role, data in would],
        lines=[PreviewedEvent(NAMES[type(data)], actor.role, data) for data in decision.lines] or UNSET,
        outdated=_foreseen(desk.folds.get(t).tournament, source, decision) or UNSET,
    )
    return Response(msgspec.json.encode(answer), 200, mimetype="application/json")


def _foreseen(t: TournamentState, source: Source, decision: Decision) -> list[OutdatedBasisAnswer]:
    """Return the bases that would be outdated."""
    if not may_have_bases(t):
        return []
    after = fork_after(t, source, (*decision.events, *decision.brought))
    return outdated(after, newly_open(t, after))


def previewed(desk: Desk, source: Source, t: str, command: Any) -> Decision:
    """Return the decision on a command without writing anything. Raises `Problem` like `submitted`."""
    state = desk.folds.get(t).tournament
    decision: Decision = _outcome(t, lambda: restrict_to_boards(auth.boards(), state, desk.preview(source, t, command)))
    return decision


def wants_preview() -> bool:
    """Return whether ``?preview=true`` is set. Raises `Problem` 400 for a value other than ``true`` and ``false``."""
    return flag("preview")


def _answered(t: str, receipt: Receipt, declared: Operation) -> Response:
    g.causation = receipt.command
    response = Response(receipt.body, declared.status if receipt.status == HTTPStatus.CREATED else receipt.status)
    response.mimetype = "application/json"
    if response.status_code == HTTPStatus.CREATED:
        known = {**(request.view_args or {}), "t": t, "command": receipt.command}
        response.headers["Location"] = location(declared.makes or COMMAND, receipt.body, **known)
    response.headers["Cache-Control"] = "no-store"
    if receipt.seq is not None:
        response.headers["ETag"] = etag(receipt.seq)
        if receipt.root is not None:
            response.headers["Arbiter-Checkpoint"] = short_digest(receipt.seq, receipt.root)
    if receipt.repeated:
        response.headers["Idempotent-Replayed"] = "true"
    return applied(request, response)


def _outcome(t: str, act: Callable[[], Any]) -> Any:
    """Call the command handler by ``act`` and return its outcome. Raises `Problem` for a refusal and for an error."""
    why = current_context().health.refuses()
    if why is not None:
        raise unavailable("not-ready", why, _BUSY_SECONDS)
    try:
        outcome = act()
    except Stale as problem:
        raise Problem(
            412,
            "stale",
            say("The tournament has changed since you read it"),
            message_of(problem),
            headers={"ETag": etag(problem.seq)},
            seq=problem.seq,
        ) from None
    except KeyReused:
        raise key_reused() from None
    except TooLarge as problem:
        raise Problem(413, "command-too-large", say("The command is too large"), message_of(problem)) from None
    except Stopped as problem:
        raise unavailable("tournament-stopped", message_of(problem), 30) from None
    except Exhausted as problem:
        by_hand = say("{problem}; pair by hand, or ask again", problem=message_of(problem))
        raise unavailable("pairing-too-large", by_hand, _AGAIN_SECONDS) from None
    except Behind as problem:
        raise unavailable("behind", message_of(problem)) from None
    except NotSigned as problem:
        raise unavailable("checkpoint-refused", message_of(problem), SIGNED_SECONDS) from None
    except OutcomeUnknown as problem:
        raise outcome_unknown(t, problem.command) from None
    except DeskError as problem:
        raise unavailable("not-taken", message_of(problem)) from None
    except LogFull as problem:
        raise log_full(message_of(problem)) from None
    except InvalidEvent as problem:
        raise Problem(
            422, "bad-event", say("The new events are not valid"), say("see errors"), errors=problem.errors
        ) from None
    if isinstance(outcome, Refusal):
        raise refused(outcome)
    return outcome


COMMAND = "/v1/tournaments/{t}/commands/{command}"
"""The address of all consequences of a command, for a result without an address of its own."""


def location(makes: str, body: bytes, **known: str) -> str:
    """Return the address of a created object, by the template that its route declares (`Operation.makes`, else `COMMAND`).

    Each name in the template is in ``known``, which includes ``t`` and ``command``, or is a member of the answer. If its value
    is null, no such object was created, and the address is that of the command.
    """
    names = [name for _, name, _, _ in Formatter().parse(makes) if name]
    members: dict[str, Any] = {} if set(names) <= set(known) else msgspec.json.decode(body)
    values = {name: known.get(name, members.get(name)) for name in names}
    if not names or None in values.values():
        return COMMAND.format(**known)
    return makes.format_map({name: quote(str(value), safe="") for name, value in values.items()})


MEMBER = b'"outdated":'


def outdated(t: TournamentState, bases: Iterable[OutdatedBasis]) -> list[OutdatedBasisAnswer]:
    """Return outdated bases as answers contain them, each with a sentence in the reader's language."""
    if not isinstance(t, Tournament):
        return []
    told = [basis_to_data(t, basis) | {"message": words(describe(t, basis))} for basis in bases]
    return msgspec.convert(told, list[OutdatedBasisAnswer])


def with_sentences(body: bytes, t: TournamentState) -> bytes:
    """Return a command's answer with a sentence for each outdated basis in it, or unchanged if it has none."""
    if MEMBER not in body or not isinstance(t, Tournament):
        return body
    answer = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    if "outdated" not in answer:
        return body
    bases = msgspec.json.decode(answer["outdated"])
    told = [basis | {"message": words(describe(t, basis_from_data(basis)))} for basis in bases]
    return msgspec.json.encode({**answer, "outdated": told})
