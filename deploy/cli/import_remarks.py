"""What ``arbiter import`` tells of a file on its way: what it does not take, and how it is taken."""

from collections.abc import Iterable

from shared.core.messages import Message, say


def size_of(tournament: str, players: int, rounds: int) -> Message:
    return say("{chosen}: {count} players, {rounds} rounds", chosen=tournament, count=players, rounds=rounds)


def not_accelerated(file: str) -> Message:
    return say("{file}: a table says who meets; its virtual points are kept, and pair nothing", file=file)


def of_its_date(file: str, regulations: str) -> Message:
    return say(
        "{file}: by {regulations}, with the Dutch rules of 2017, in force until 2026-01-31 (C.04.3)",
        file=file,
        regulations=regulations,
    )


def no_day(file: str, code: str, said: str) -> Message:
    return say("{file}: record {code}, {said}, is no day that is taken", file=file, code=code, said=repr(said))


def no_time(file: str, said: str) -> Message:
    return say("{file}: record 222, {said}, is no time control that is taken", file=file, said=repr(said))


def no_matches(file: str, line: int) -> Message:
    return say("{file}:{line}: its games are no matches of its teams; players only", file=file, line=line)


def other_match_points(file: str, regulations: str) -> Message:
    return say(
        "{file}: its match points (362) are not those of {regulations}, which hold", file=file, regulations=regulations
    )


def nobody_kept_apart(file: str) -> Message:
    return say("{file}: a table says who meets; nobody is kept apart", file=file)


def set_aside(step: str, problem: Message, rules: Iterable[str]) -> Message:
    return say(
        "{step}: {problem}; paired as played, setting aside {names}", step=step, problem=problem, names=tuple(rules)
    )
