"""A ruling as its page and its notice explain it: author, time, game, opponent, and annulments with their reasons."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.core.events import RulingMade
from shared.core.state.entities import Annulment, Game, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, RulingId, TextRef
from shared.desk.desk import Desk
from shared.web.particulars import names_of


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A ruling or an annulment.

    ``called``: the name of the person who decided, None if unknown. ``reasons``: texts of an annulment. Each text is None if
    the reader may not see it or it was erased.
    """

    entry: Ruling | Annulment
    called: str | None
    reasons: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """A ruling or an annulment, its game with the names of its players, and the annulments of it that are in force.

    ``opponent``: the other player of the game, None if nobody is accused or the accused does not play in it. ``lapsed_with``:
    the rulings that it depends on and that are no longer in force.
    """

    own: DecisionRecord
    game: Game | None
    names: Mapping[PlayerId, str]
    opponent: PlayerId | None
    annulments: tuple[DecisionRecord, ...]
    lapsed_with: tuple[RulingId, ...]


def ruling_record(desk: Desk, t: Tournament, id: RulingId, base: RulingMade, *, reads_texts: bool) -> RulingRecord:
    """Return the record of a ruling, or of an annulment at the end of whose chain the ruling ``base`` is."""
    game = None if base.game is None else t.games[base.game]
    seated = () if game is None else (game.white, game.black)
    others = [player for player in seated if player != base.player]
    own = t.annulments.get(id) or t.rulings[id]
    return RulingRecord(
        _decision(desk, t, own, reads_texts),
        game,
        names_of(desk, t, seated),
        others[0] if len(others) == 1 else None,
        tuple(_decision(desk, t, t.annulments[one], reads_texts) for one in t.annulments_in_force(id)),
        t.lapsed_with(id),
    )


def _decision(desk: Desk, t: Tournament, entry: Ruling | Annulment, reads_texts: bool) -> DecisionRecord:
    official = t.officials.get(entry.actor)
    called = None if official is None else _text(desk, official.person)
    reason = entry.event.reason if isinstance(entry, Annulment) else None
    return DecisionRecord(entry, called, () if reason is None else (_text(desk, reason) if reads_texts else None,))


def _text(desk: Desk, ref: TextRef | None) -> str | None:
    return None if ref is None else desk.called([ref.text]).get(ref.text)
