"""Checks of announced stages: each must make sense, and must fit the stage before it."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from shared.core.language.messages import Message, say, term
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import PLAY_OFF, Conditions

LENGTHS = (3, 5, 7)
"""Allowed lengths of a best-of match, in games (000-B 4 三盘两胜, 五盘三胜, 七盘四胜; 000-E 6 三局两胜)."""


class StageFault(NamedTuple):
    """An error in an announcement: the key, the reason and the article."""

    where: str
    detail: Message
    article: str | None = None


def stage_faults(
    stages: tuple[StageRule, ...], format: str, rounds: int, conditions: Conditions
) -> Iterator[StageFault]:
    """Yield the errors of ``stages`` announced with this format, number of rounds and conditions; none without stages."""
    if not stages:
        return
    yield from _announcement_conflicts(stages[0], format, rounds, conditions)
    seen: set[str] = set()
    for n, stage in enumerate(stages):
        where = f"stages[{n}]"
        if stage.name in seen or stage.name == PLAY_OFF:
            yield StageFault(
                f"{where}.name",
                say("{name} is already the name of another part of the competition; choose another", name=stage.name),
            )
        seen.add(stage.name)
        yield from _stage_errors(stage, where)
        if stage is not stages[-1]:
            yield from _qualifier_errors(stage, where)
    if stages[-1].qualifiers:
        yield StageFault(
            f"stages[{len(stages) - 1}].qualifiers", say("the last stage must not have qualifiers"), "002-X 11.3"
        )
    for n, (before, stage) in enumerate(pairwise(stages), 1):
        yield from _sequence_errors(before, stage, f"stages[{n}]")


def _announcement_conflicts(first: StageRule, format: str, rounds: int, conditions: Conditions) -> Iterator[StageFault]:
    """Yield an error if format or rounds differ from the ``first`` stage, and for each condition that stages must set."""
    if first.format != format:
        yield StageFault(
            "stages[0].format",
            say(
                "the tournament has the format {format}, so its first stage must have it too, not {format2}",
                format=term(format),
                format2=term(first.format),
            ),
        )
    if rounds != first.rounds:
        yield StageFault(
            "rounds",
            say(
                "the tournament has {rounds} rounds, so its first stage must have them too, not {rounds2}",
                rounds=rounds,
                rounds2=first.rounds,
            ),
        )
    usual = Conditions()
    for name in ("groups", "qualifiers", "carried", "games", "best", "extra", "places"):
        if getattr(conditions, name) != getattr(usual, name):
            yield StageFault(
                f"conditions.{name}",
                say("omit this value: in a tournament with stages, set it in each stage"),
                "002-X 11",
            )


def _stage_errors(stage: StageRule, where: str) -> Iterator[StageFault]:
    free = FORMATS[stage.format].rounds_announced
    if free and stage.rounds < 1:
        yield StageFault(
            f"{where}.rounds", say("{rounds} rounds: a Swiss must have at least one", rounds=stage.rounds), "002-X 11.4"
        )
    if not free and stage.rounds:
        yield StageFault(
            f"{where}.rounds",
            say(
                "in the format {format} the number of rounds depends on the entries; leave rounds out",
                format=term(stage.format),
            ),
            "002-X 11",
        )
    if stage.best and stage.games not in LENGTHS:
        yield StageFault(
            f"{where}.games",
            say("best of {games}: a match must be the best of {lengths} games", games=stage.games, lengths=LENGTHS),
            "000-B 4",
        )


def _qualifier_errors(stage: StageRule, where: str) -> Iterator[StageFault]:
    """Yield errors of a stage that is not the last: a wrong number of qualifiers, or a format that ends a competition."""
    traits, number = FORMATS[stage.format], stage.qualifiers
    if stage.format in ("double_knockout", "match"):
        yield StageFault(
            f"{where}.format",
            say("the format {format} can only be the last stage", format=term(stage.format)),
            "002-X 11.1",
        )
    elif traits.winner_needed and (number < 2 or number & (number - 1)):
        detail = say("a knock-out stage cannot have {number} qualifiers: use 2, 4, 8, 16, …", number=number)
        yield StageFault(f"{where}.qualifiers", detail, "002-X 11.1")
    elif not traits.winner_needed and number * max(1, stage.groups) < 2:
        yield StageFault(
            f"{where}.qualifiers",
            say("{number} qualifiers: the next stage must have at least two", number=number),
            "002-X 11.3",
        )


def _sequence_errors(before: StageRule, stage: StageRule, where: str) -> Iterator[StageFault]:
    was, now = FORMATS[before.format], FORMATS[stage.format]
    if now.rounds_announced or now.finals:
        yield StageFault(
            f"{where}.format",
            say("the format {format} can only be the first stage", format=term(stage.format)),
            "002-X 11",
        )
    elif was.winner_needed and stage.format != "knockout":
        yield StageFault(
            f"{where}.format", say("after a knock-out stage, the next stage must be a knock-out too"), "002-X 11.1"
        )
    elif was.rounds_announced and not now.winner_needed:
        yield StageFault(
            f"{where}.format", say("after a Swiss stage, the next stage must be a knock-out or a match"), "002-X 11.1"
        )
    if before.format == stage.format == "knockout":
        if stage.qualifiers >= before.qualifiers > 0:
            detail = say(
                "{qualifiers} qualifiers: a knock-out must have fewer than the {qualifiers2} of the stage before it",
                qualifiers=stage.qualifiers,
                qualifiers2=before.qualifiers,
            )
            yield StageFault(f"{where}.qualifiers", detail, "002-X 11.1")
        if stage.places != before.places:
            yield StageFault(
                f"{where}.places", say("all stages of a knock-out must have the same value of places"), "002-X 11.1"
            )
    if stage.format == "match" and before.qualifiers * max(1, before.groups) != 2:
        yield StageFault(f"{where}.format", say("before the format match, two sides must qualify"), "000-B 4")
