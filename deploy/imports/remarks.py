"""Remarks on a report file: its differences, the values that an import ignores, and points that tables lack."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from deploy.imports.file_event import FileEvent
from shared.core.language.messages import Message, say
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.terms import TeamConditions
from shared.trf.comparison import not_understood, points_made
from shared.trf.export_lines import STATED_REGULATIONS
from shared.trf.model.differences import Difference
from shared.trf.model.model import TrfFile
from shared.trf.model.personal import not_taken, says_day_of_birth
from shared.trf.model.points import points_text
from shared.trf.records import SYSTEMS
from shared.trf.rounds import byes
from shared.trf.teams.team_records import team_rounds, totals

MOST_TOLD = 20
"""Fields of players, and differences, that are listed one by one; `arbiter check` lists all of these."""


def on_differences(trf: TrfFile, found: Sequence[Difference]) -> Iterator[Message]:
    """Yield how the file contradicts its own results, and the remarks of `on_records`."""
    for difference in found[:MOST_TOLD]:
        yield _at_its_place(trf, difference)
    if len(found) > MOST_TOLD:
        more = say(
            "{count} more points and ranks differ from the results; `arbiter check` lists them",
            count=len(found) - MOST_TOLD,
        )
        yield say("{file}: {more}", file=trf.file, more=more)
    yield from on_records(trf)


def on_records(trf: TrfFile) -> Iterator[Message]:
    """Yield the words of known records that are not used, records that contradict each other, and unknown records."""
    yield from (_at_its_place(trf, one) for one in trf.settings.remarks[:MOST_TOLD])
    kept = not_understood(trf)
    if kept is not None:
        yield say("{file}: {kept}", file=trf.file, kept=kept)


def on_regulations(trf: TrfFile, taken: Regulations) -> Iterator[Message]:
    """Yield a remark if the file's last comment on regulations names other ones than those ``taken``."""
    stated = [record for record in trf.records if record.text.startswith(STATED_REGULATIONS)]
    title = stated[-1].text.removeprefix(STATED_REGULATIONS).strip() if stated else taken.title
    if title != taken.title:
        detail = say("the file states the ruleset {stated}; {taken} is used instead", stated=title, taken=taken.title)
        yield _at_its_place(trf, Difference(stated[-1].line, len(STATED_REGULATIONS) + 1, detail))


def on_format(trf: TrfFile, taken: Format) -> Iterator[Message]:
    """Yield a remark if the file names a format (192, 092) other than a Swiss, but is taken as a Swiss."""
    named = (r for r in trf.records if r.text[:3] in ("092", "192") and r.text[4:].strip())
    record = max(named, key=lambda r: r.text[:3], default=None)  # a code of FIDE's list is more precise than words
    words = "" if record is None else record.text[4:].strip()
    swiss = "swiss" in words.lower() or SYSTEMS.get(words.upper()) == "swiss"
    if record is not None and taken == "swiss" and not swiss:
        detail = say(
            "the format {words} is imported as a Swiss: games and results are those of the file, "
            "tie-breaks those of a Swiss",
            words=repr(words),
        )
        yield _at_its_place(trf, Difference(record.line, 5, detail))


def _at_its_place(trf: TrfFile, one: Difference) -> Message:
    return say("{file}:{line}:{column}: {detail}", file=trf.file, line=one.line, column=one.column, detail=one.detail)


def of_half_points(trf: TrfFile, teams: TeamConditions | None) -> Iterator[Message]:
    """Yield a remark on the half-point byes of an event of teams, which `Hall.bye_kinds` makes zero-point byes."""
    count = sum(kind == "H" for _, _, kind in byes(trf))
    if teams is not None and count:
        words = say("half-point byes of members of teams are imported as zero-point byes: {count}", count=count)
        yield say("{file}: {words}", file=trf.file, words=words)


def of_persons(trf: TrfFile) -> Iterator[Message]:
    """Yield a remark for each value of a player that is not imported, up to `MOST_TOLD`, and for each missing name.

    Dates of birth without day and month get one remark together.
    """
    fields = (
        say("{file}:{line}:{column}: {what} {text} is not valid and was not imported; correct the "
"file and import it again, or correct the entry", file=trf.file, line=player.line, column=one.column,
            what=one.what, text=repr(one.text))
        for player in trf.players
        for one in not_taken(player)
    )  # fmt: skip
    yield from islice(fields, MOST_TOLD)
    more = sum(1 for _ in fields)
    if more:
        yield say("{file}: {count} more values of players are not imported", file=trf.file, count=more)
    for player in trf.players:
        if not player.name:
            called = f"No. {player.id}"
            yield say(
                "{file}:{line}:15: the name is missing; the player is imported as {called}",
                file=trf.file,
                line=player.line,
                called=called,
            )
    days = sum(map(says_day_of_birth, trf.players))
    if days:
        yield say("{file}: birth dates imported without day and month: {count}", file=trf.file, count=days)


def size_of(tournament: str, players: int, rounds: int) -> Message:
    return say("{chosen}: {count} players, {rounds} rounds", chosen=tournament, count=players, rounds=rounds)


def on_event(trf: TrfFile, event: FileEvent) -> Iterator[Message]:
    """Yield the remarks on the ruleset that the file states."""
    yield from (say("{file}: {remark}", file=trf.file, remark=remark) for remark in event.remarks)


def on_points_of_players(trf: TrfFile, points: Points, table: Mapping[int, int]) -> Iterator[Message]:
    """Yield each player with points of a record 299 that the ``table``, in half-points by starting number, does not count."""
    named = () if trf.settings.teams else {player for given in trf.settings.abnormal for player in given.of}
    made = points_made(trf, points, trf.rounds_recorded) if named else {}
    differing = [player for player in sorted(named) if player in table and table[player] != made[player]]
    silent = replace(trf, settings=replace(trf.settings, abnormal=()))
    without = points_made(silent, points, trf.rounds_recorded) if differing else {}
    for player in differing:
        told = say(
            "{file}: player {player} has {table} points in Arbiter's table, but {made} by the file",
            file=trf.file,
            player=player,
            table=points_text(table[player]),
            made=points_text(made[player]),
        )
        without_299 = say("{difference}: points of record 299 are not imported", difference=told)
        yield without_299 if table[player] == without[player] else told


def on_points_of_teams(
    trf: TrfFile, points: Points, rows: Sequence[Mapping[str, Any]], *, given: bool
) -> Iterator[Message]:
    """Yield each team whose points in the file differ from the ``rows`` of the table, with ``points`` and ``game_points``.

    ``given``: True if the file has records that give points without a game.
    """
    table = {row["id"]: (int(2 * row["points"]), int(2 * row["game_points"])) for row in rows}
    rounds = team_rounds(trf, points)
    made = {} if rounds is None else totals(trf, rounds)
    for team, own in sorted(made.items()):
        if team in table and table[team] != own:
            told = say(
                "{file}: team {team} has {match} match points and {game} game points in Arbiter's table, "
                "but {match2} and {game2} by the file",
                file=trf.file,
                team=team,
                match=points_text(table[team][0]),
                game=points_text(table[team][1]),
                match2=points_text(own.match_points),
                game2=points_text(own.game_points),
            )
            without = say(
                "{difference}: the file has points without a game (records 240, 299, 320 or 330), which "
                "are not imported",
                difference=told,
            )
            yield without if given else told
