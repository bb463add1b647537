"""The published table: the players' or the teams'. A digest commits to it, and a signed checkpoint to the log."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import msgspec

from services.standings.rules.table import table as player_table
from services.standings.rules.table.table import standings, table_answer
from services.standings.rules.teams import table as team_table
from services.standings.rules.teams.table import team_standings, team_table_answer
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.core.events import Data, StandingsPublished
from shared.core.rounds.matches import teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import Seq
from shared.desk.rules_port import Seal

_FIELD = "standings field"
_ENCODE = msgspec.json.Encoder(order="sorted").encode


def publishes_teams(t: Tournament, basis: Seq | None = None) -> bool:
    """Return whether teams meet and their table is published: from decision edition 3 on, before it that of the players.

    ``basis``: the event after which the table was published (default: the last).
    """
    rules = t.regulations if basis is None else t.regulations_at(basis)
    return rules.decisions >= 3 and teams_meet(t)


def published_tiebreaks(t: Tournament) -> tuple[str, ...]:
    """Return the tournament's own tie-breaks for the table that it publishes."""
    return team_table.default_tiebreaks(t) if publishes_teams(t) else player_table.default_tiebreaks(t)


def published_codes(t: Tournament) -> TieBreaks[Any]:
    """Return all tie-breaks that can rank the published table."""
    return team_table.tiebreaks_of(t) if publishes_teams(t) else TIEBREAKS


def digest(t: Tournament, p: StandingsPublished, basis: int, memory: dict[str, Any] | None = None) -> str:
    """Return the SHA-256 (hex) of the table's JSON without names, in RFC 8785 form. Its ``seq`` is the basis.

    ``memory`` keeps the field of a table of players for the next publication, which usually has one more round.
    """
    if publishes_teams(t, Seq(basis)):
        of_teams = team_standings(t, p.tiebreaks, rules=p.rules, after_round=p.round)
        return _digest(msgspec.to_builtins(team_table_answer(of_teams)), basis)
    before = None if memory is None else memory.get(_FIELD)
    if memory is not None:
        t = t.fork()
    made = standings(t, p.tiebreaks, rules=p.rules, after_round=p.round, before=before)
    if memory is not None:
        memory[_FIELD] = made.field
    return _digest(msgspec.to_builtins(table_answer(made)), basis)


def _digest(table: dict[str, Any], basis: int) -> str:
    table["seq"] = basis
    for row in _rows(table):
        del row["name"]
    return sha256(canonical_json(table)).hexdigest()


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table["teams"] if "teams" in table else table["players"]
    return rows


def canonical_json(table: dict[str, Any]) -> bytes:
    """Return the bytes of a table in RFC 8785 form. The table must not contain names.

    Its keys are ASCII and its numbers are integers or have at most four decimals. msgspec writes these according to the
    RFC, except integral floats, which are converted first.
    """
    for row in _rows(table):
        for name, value in row["tb"].items():
            if isinstance(value, float) and value.is_integer():
                row["tb"][name] = int(value)
    return _ENCODE(table)


def seal(data: Data, with_: Seal) -> Data:
    """Return published standings with the digest of their table and a signed checkpoint. Return other data unchanged.

    ``with_``: the state that the command was decided on, and the signer.
    """
    if not isinstance(data, StandingsPublished):
        return data
    saw = with_.tournament
    assert isinstance(saw, Tournament), "only an announced tournament is published"
    return replace(
        data,
        digest=digest(saw, data, with_.basis, with_.memory),
        checkpoint=with_.sign(saw.origin, with_.basis, with_.root),
    )
