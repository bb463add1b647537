"""Publication: who, when, and what it commits to."""

from dataclasses import replace
from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from services.standings.rules import RULES
from services.standings.rules.commands import PublishStandings
from services.standings.rules.published_table import canonical_json
from services.standings.rules.table.table import standings, table_answer
from services.standings.rules.tiebreaks.value import number, points_number
from shared.core.events import Decision, NewEvent, StandingsPublished
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import STANDINGS, Actor, Refusal, Role, Seq
from shared.core.values.bounds import HIGHEST
from shared.desk.rules_port import Seal
from tests.rules.standings_field import Hall

CHIEF = Actor("zhou", "chief_arbiter", "t1")
COMMAND = PublishStandings(CHIEF, ("BH", "PS"), "2026", 1, False)


def decided(t: Tournament, command: PublishStandings) -> StandingsPublished:
    decision = RULES.decide(t, command, None)
    assert isinstance(decision, Decision), decision
    (published,) = decision.events
    assert isinstance(published, StandingsPublished)
    return published


def refused(t: Tournament, command: PublishStandings) -> Refusal:
    refusal = RULES.decide(t, command, None)
    assert isinstance(refusal, Refusal)
    return refusal


@pytest.mark.parametrize("command", [COMMAND, replace(COMMAND, tiebreaks=(), rules="2024", round=0, final=False)])
def test_the_command_is_rebuilt_from_its_event(command: PublishStandings):
    t = Hall(2).round("1-2 1").t
    event = NewEvent(Seq(9), STANDINGS, 1, t.seq, "c", CHIEF.name, CHIEF.role, CHIEF.tokenid, decided(t, command), "")
    assert RULES.command_of([event], []) == command


def test_the_digest_is_that_of_the_table_without_names_at_the_basis():
    t = Hall(2).round("1-2 1").t
    signed = []

    def sign(origin: str, size: int, root: bytes) -> str:
        signed.append((origin, size, root))
        return "note"

    sealed = RULES.seal(decided(t, COMMAND), Seal(t, 5, b"root", 0, "", sign))
    assert isinstance(sealed, StandingsPublished)
    table = to_builtins(table_answer(standings(t, ("BH", "PS"), rules="2026", after_round=1))) | {"seq": 5}
    for player in table["players"]:
        player.pop("name")
    assert sealed.digest == sha256(rfc8785.dumps(table)).hexdigest()
    assert (sealed.checkpoint, signed) == ("note", [("arbiter/T", 5, b"root")])


QUARTERS = st.integers(-4000, 400_000) | st.fractions(-1000, 100_000, max_denominator=300) | st.none()
CODES = st.sampled_from(["BH", "BH/C1", "SB/C2/P", "BH:GP/M1", "KS/L+1", "DE", "aob", "Z"])


@given(
    st.integers(0, HIGHEST - 1),
    st.lists(st.tuples(st.integers(1, 9999), st.integers(0, 400), st.dictionaries(CODES, QUARTERS))),
)
def test_what_the_digest_is_over_is_the_table_in_rfc_8785_form(seq, rows):
    players = [
        {
            "id": player,
            "rank": 1,
            "points": points_number(points),
            "tb": {code: None if quarters is None else number(quarters) for code, quarters in values.items()},
        }
        for player, points, values in rows
    ]
    table = {"tournament": "Open.2026-1_a", "seq": seq, "rounds": 9, "tiebreaks": ["BH/C1", "DE"], "players": players}
    expected = rfc8785.dumps(table)
    assert canonical_json(table) == expected


@pytest.mark.parametrize("role", ["arbiter", "appeals", "player", "auditor", "board"])
def test_only_the_office_publishes(role: Role):
    assert refused(Hall(2).t, replace(COMMAND, actor=Actor("x", role))).kind == "authority"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tiebreaks": ("BX",)}, "unknown-tiebreak"),
        ({"tiebreaks": ("BH", "BH")}, "unknown-tiebreak"),
        ({"rules": "1999"}, "unknown-edition"),
        ({"round": 2}, "no-such-round"),
        ({"round": -1}, "no-such-round"),
    ],
)
def test_what_cannot_be_computed_is_not_published(change: dict[str, object], code: str):
    refusal = refused(Hall(2).round("1-2 1").t, replace(COMMAND, **change))  # type: ignore[arg-type]
    assert (refusal.kind, refusal.code) == ("invalid", code)


def test_an_unknown_tournament_has_no_table():
    assert refused(TournamentState("T"), COMMAND).code == "unknown-tournament"


def test_no_table_is_final_while_a_game_is_open():
    assert refused(Hall(2).round("1-2").t, replace(COMMAND, final=True)).code == "game-open"
    assert decided(Hall(2).round("1-2").t, COMMAND).final is False


def test_a_final_table_covers_every_round_paired():
    t = Hall(2).round("1-2 1").round("2-1 1").t
    assert refused(t, replace(COMMAND, final=True)).code == "not-the-last-round"
    assert decided(t, replace(COMMAND, final=True, round=2)).final


def test_after_the_final_table_another_may_be_published():
    hall = Hall(2).round("1-2 1")
    hall.tell(STANDINGS, decided(hall.t, replace(COMMAND, final=True)))
    assert hall.t.closed()
    assert decided(hall.t, COMMAND).round == 1
