"""Acts that no command carries: whether the caller may, by the log."""

from shared.core.language.messages import message_of
from shared.core.readings.authority import Permit, permit_any
from shared.core.terms import Actor
from shared.desk.desk import Desk, View
from shared.desk.unknown_official import unknown_official
from shared.http.problems import refused, unavailable
from shared.http.reads import tournament_query


def permitted(desk: Desk, t: str, actor: Actor, act: str) -> View:
    """The tournament that the request asks for, in which the caller may do this act now.

    Raises `Problem`: 403, or 503 where the log may know better who holds an office; those of `tournament_query.view`.
    """
    require_permit(desk, t, actor, permit_any(act))
    return tournament_query.view(desk, t)


def require_permit(desk: Desk, t: str, actor: Actor, permit: Permit) -> None:
    """Raises `Problem`: 403 where the log does not permit it now, 503 where the log may know better who holds an office."""
    current, now = desk.caught_up(), tournament_query.view_at(desk, t)
    refusal = permit(now.state, actor)
    if (unread := unknown_official(refusal, current)) is not None:
        raise unavailable("behind", message_of(unread))
    if refusal is not None:
        raise refused(refusal)
