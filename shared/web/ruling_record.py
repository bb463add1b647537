"""A ruling as its page and its notice explain it: author, time, game, opponent, annulments with reasons, and its history."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.core.events import RulingMade
from shared.core.language.messages import Message, say
from shared.core.state.appeals import Appeal, AppealDecision
from shared.core.state.entities import Annulment, Game, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, RulingId, TextRef
from shared.desk.desk import Desk
from shared.web.names import called_in
from shared.web.particulars import names_of
from shared.web.result_words import marks
from shared.web.texts import text_of
from shared.web.value_words import effect, infraction

Step = Ruling | Annulment | Appeal | AppealDecision


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A ruling, an annulment, an appeal or its decision.

    ``called``: the name of its author, None if unknown. ``reasons``: its note, reason or grounds, but not the note of a ruling
    if the record is for a notice. Each text is None if the reader may not see it or it was erased.
    """

    entry: Step
    called: str | None
    reasons: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseStep:
    """A step in the history of a case, in words, with its ``article`` (None: an appeal)."""

    what: Message
    article: str | None
    record: DecisionRecord


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """A ruling or an annulment, its game with the names of its players, and the annulments of it that are in force.

    ``result``: that of the game now, empty while it is open. ``opponent``: the other player of the game, None if nobody is
    accused or the accused does not play in it. ``lapsed_with``: the rulings that it depends on and that are no longer in force.
    """

    own: DecisionRecord
    game: Game | None
    result: str
    names: Mapping[PlayerId, str]
    opponent: PlayerId | None
    annulments: tuple[DecisionRecord, ...]
    lapsed_with: tuple[RulingId, ...]


def ruling_record(desk: Desk, t: Tournament, id: RulingId, base: RulingMade, *, reads_texts: bool) -> RulingRecord:
    """Return the record of a ruling, or of an annulment at the end of whose chain the ruling ``base`` is."""
    game = None if base.game is None else t.games[base.game]
    setting = None if game is None else t.setting(game)
    seated = () if game is None else (game.white, game.black)
    others = [player for player in seated if player != base.player]
    own = t.annulments.get(id) or t.rulings[id]
    annulments = [t.annulments[one] for one in t.annulments_in_force(id)]
    return RulingRecord(
        _decision(desk, t, own, own.event.reason if isinstance(own, Annulment) else None, reads_texts),
        game,
        "" if setting is None else marks(setting.white, setting.black),
        names_of(desk, t, seated),
        others[0] if len(others) == 1 else None,
        tuple(_decision(desk, t, a, a.event.reason, reads_texts) for a in annulments),
        t.lapsed_with(id),
    )


def case_history(desk: Desk, t: Tournament, ruling: RulingId, *, reads_texts: bool) -> tuple[CaseStep, ...]:
    """Return the steps of a ruling's case, in the log's order.

    These are the ruling, the rulings that it depends on, their annulments, the appeals against all of them, and the decisions
    of these appeals. ``reads_texts``: whether the reader may see the notes, reasons and grounds.
    """
    case = _rulings_of_case(t, ruling)
    appeals = [appeal for appeal in t.appeals.values() if appeal.event.ruling in case]
    names = names_of(desk, t, {appeal.event.by for appeal in appeals})
    steps: list[Step] = [*(t.annulments.get(id) or t.rulings[id] for id in case), *appeals]
    steps += [appeal.decision for appeal in appeals if appeal.decision is not None]
    return tuple(
        CaseStep(
            _step_words(t, one, names),
            None if isinstance(one, Appeal) else one.event.article,
            _decision(desk, t, one, _text_of(one), reads_texts),
        )
        for one in sorted(steps, key=lambda one: one.seq)
    )


def _rulings_of_case(t: Tournament, ruling: RulingId) -> dict[RulingId, None]:
    """Return a ruling, those that it depends on, and the annulments of them and of those annulments."""
    case, waiting = dict[RulingId, None](), [ruling]
    while waiting:
        one = waiting.pop()
        case[one] = None
        waiting += t.rulings[one].event.because
    for id, annulment in t.annulments.items():
        if annulment.event.annuls in case:
            case[id] = None
    return case


def _step_words(t: Tournament, one: Step, names: Mapping[PlayerId, str]) -> Message:
    if isinstance(one, Ruling):
        return say(
            "ruling {ruling} in round {round}: {infraction}; {effect}",
            ruling=one.event.ruling,
            round=one.event.round,
            infraction=infraction(t.regulations, one.event.infraction),
            effect=effect(t, one.event),
        )
    if isinstance(one, Annulment):
        facts = {"ruling": one.event.ruling, "annulled": one.event.annuls}
        if one.event.retracted:
            return say("ruling {ruling} retracts {annulled} as an error", **facts)
        return say("ruling {ruling} annuls {annulled}", **facts)
    if isinstance(one, Appeal):
        return say(
            "appeal {appeal} of {player} against {ruling}",
            appeal=one.event.appeal,
            player=called_in(names, one.event.by),
            ruling=one.event.ruling,
        )
    if one.event.upheld:
        return say("appeal {appeal} is upheld", appeal=one.event.appeal)
    return say("appeal {appeal} is rejected", appeal=one.event.appeal)


def _text_of(one: Step) -> TextRef | None:
    """Return the text of a step. An annulment by an appeal does not repeat the grounds of the decision."""
    if isinstance(one, Ruling):
        return one.event.note
    if isinstance(one, Annulment):
        return None if one.event.appeal is not None else one.event.reason
    return one.event.grounds


def _decision(desk: Desk, t: Tournament, entry: Step, text: TextRef | None, reads_texts: bool) -> DecisionRecord:
    official = t.officials.get(entry.actor)
    called = None if official is None else text_of(desk, official.person)
    return DecisionRecord(entry, called, () if text is None else (text_of(desk, text) if reads_texts else None,))
