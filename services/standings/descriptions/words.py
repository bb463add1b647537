"""The parts of sentences and pages: time controls, stages, and texts written with an event."""

from collections.abc import Callable, Sequence
from string import Formatter

from shared.core.events import Data
from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.vocabulary import FORMATS, display_name, duration
from shared.core.rulebook.books import citation
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import TournamentState
from shared.core.terms import Period, TextRef, TimeControl
from shared.web.value_words import infraction as infraction_of


def article(text: str | None) -> Message:
    """Return an article with its book's name, or the text as written if it names no article."""
    return citation(text or "").message


def infraction(t: TournamentState, name: str) -> Message:
    """Return an infraction as the ruleset in force calls it in the reader's language."""
    return infraction_of(t.regulations, name)


def control(time: TimeControl) -> Message:
    """Return a time control in words: "40 moves in 90 min, then all moves in 15 min; 30 s added with each move"."""
    parts = []
    if time.clocks_after:
        parts.append(say("clocks after {time}", time=duration(time.clocks_after)))
    if time.periods:
        parts.append(_periods(time))
    if time.increment:
        parts.append(say("{seconds} s added with each move", seconds=time.increment))
    if time.byo_yomi:
        parts.append(
            say("{count} byo-yomi periods of {seconds} s per move", count=time.byo_yomi_periods, seconds=time.byo_yomi)
            if time.byo_yomi_periods > 1
            else say("{seconds} s a move", seconds=time.byo_yomi)
        )
    return semicolons(parts)


def _periods(time: TimeControl) -> Message:
    periods = [*map(_period, time.periods)]
    words = chained(periods, lambda first, rest: say("{first}, then {rest}", first=first, rest=rest))
    return say("{periods}, again and again", periods=words) if time.periods[-1].moves else words


def _period(period: Period) -> Message:
    time = duration(period.seconds)
    if period.moves:
        words = say("{moves} moves in {time}", moves=period.moves, time=time)
    else:
        words = say("all moves in {time}", time=time)
    if not period.increment:
        return words
    return say("{period}, {seconds} s added with each", period=words, seconds=period.increment)


def stage(rule: StageRule) -> Message:
    """Return a stage in words: "final: knockout, best of 7, 1 extra game; all moves in 15 min"."""
    parts = [display_name(FORMATS, rule.format)]
    if rule.rounds:
        parts.append(number_of(rule.rounds, say("{number} round"), say("{number} rounds")))
    if rule.groups:
        parts.append(number_of(rule.groups, say("{number} group"), say("{number} groups")))
    if rule.best:
        parts.append(say("best of {games}", games=rule.games))
    elif rule.games > 1:
        parts.append(number_of(rule.games, say("{number} game"), say("{number} games")))
    if rule.extra:
        parts.append(number_of(rule.extra, say("{number} extra game"), say("{number} extra games")))
    if rule.qualifiers:
        parts.append(say("{number} go on", number=rule.qualifiers))
    said = say("{stage}: {what}", stage=stage_name(rule.name), what=commas(parts))
    return semicolons([said, control(rule.time)]) if rule.time else said


STAGES = {
    "": say("{name}", name=""),
    "preliminary": say("preliminary"),
    "groups": say("groups"),
    "final": say("final"),
    "semi-final": say("semi-final"),
    "quarter-final": say("quarter-final"),
    "finals": say("finals"),
    "play_off": say("play-off"),
}


def stage_name(name: str) -> Message:
    """Return the name of a stage: the one in its announcement, or in the bracket."""
    last = name.removeprefix("last ")
    if last != name and last.isdecimal():
        return say("last {sides}", sides=last)
    return display_name(STAGES, name)


def commas(parts: Sequence[Message]) -> Message:
    """Return the clauses joined by commas."""
    return chained(parts, lambda first, rest: say("{first}, {rest}", first=first, rest=rest))


def semicolons(parts: Sequence[Message]) -> Message:
    """Return the clauses joined by semicolons."""
    return chained(parts, lambda first, rest: say("{first}; {rest}", first=first, rest=rest))


def chained(parts: Sequence[Message], link: Callable[[Message, Message], Message]) -> Message:
    """Return parts as one message: ``link`` puts each before the rest. Without parts the message is empty."""
    *before, words = parts or (say("{name}", name=""),)
    for one in reversed(before):
        words = link(one, words)
    return words


def texts(data: Data) -> tuple[TextRef, ...]:
    """Return the texts written with an event: reasons, notes and grounds, but not names."""
    fields = ("reason", "note", "grounds")
    return tuple(ref for name in fields if isinstance(ref := getattr(data, name, None), TextRef))


def filled(sentence: Message, fact: Callable[[str], MessageFact]) -> Message:
    """Return a sentence with the fact of each placeholder that has none, by name."""
    names = {name for _, name, _, _ in Formatter().parse(sentence.text) if name}
    return Message(sentence.text, {name: fact(name) for name in names - set(sentence.facts)} | dict(sentence.facts))


def number_of(number: int, one: Message, many: Message) -> Message:
    """Return a number of things in words: 1 board, 3 boards."""
    return Message((one if number == 1 else many).text, {"number": number})
