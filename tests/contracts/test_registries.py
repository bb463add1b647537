"""The conformance of every row of the closed sets: whatever is declared once does all that the house does with its kind."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from flask import Flask
from markupsafe import escape
from msgspec import to_builtins

from deploy.server import embedded
from services.standings.descriptions.registry import DESCRIPTIONS, mentions
from services.standings.page_context import tiebreak_heading
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import Table, standings, update_table
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.event_types.event_type import EventType
from shared.core.event_types.registry import OFFICIAL
from shared.core.events import Effect, ResultCorrected
from shared.core.rulebook.effects import EFFECTS, EffectKind
from shared.core.state.tournament import TournamentState
from shared.core.terms import GAMES
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from shared.regulations import load, names
from shared.web.value_words import ENGLISH_INFRACTIONS, effect_words
from shared.wire.envelope import read
from tests.http.calls import calls_on
from tests.rules.standings_field import Hall, marks, step
from tests.teams import played

T = "/v1/tournaments/cup"
GOLDEN = Path(__file__).parents[1] / "golden"

# ---------------------------------------------------------------- tie-breaks

Get = Callable[[str], Any]


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Get]:
    """A round of four rated players, announced to be ranked by every tie-break that there is."""
    data = tmp_path_factory.mktemp("players")
    app = embedded.make_app(data)
    chief = calls_on(app, data, "chief_arbiter")
    cup = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    assert chief("POST", "/v1/tournaments", cup | {"tiebreaks": list(TIEBREAKS.codes)}).status_code == 201
    entries = {"players": [{"id": n, "name": f"Player {n}", "rating": 2000 - n} for n in range(1, 5)]}
    tag = chief("POST", f"{T}/entries", entries).headers["ETag"]
    assert chief("POST", f"{T}/rounds", {"initial_colour": "white"}, If_Match=tag).status_code == 201
    results = {"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2-1/2"}]}
    reported = chief("POST", f"{T}/results", results)
    assert reported.status_code == 201, reported.text
    yield lambda path: app.test_client().get(path)
    close(app)


@pytest.fixture(scope="module", params=["fixed", "members"])
def teams(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Get, Any]]:
    """Teams that meet, announced to be ranked by every tie-break of theirs; and teams of the sum of places."""
    codes = TEAM_TIEBREAKS if request.param == "fixed" else PLACE_TIEBREAKS
    announced = TEAM_TIEBREAKS.codes if request.param == "fixed" else ()
    app = played(tmp_path_factory.mktemp("teams"), kind=request.param, tiebreaks=announced)
    yield (lambda path: app.test_client().get(path)), codes
    close(app)


def summary(title: str, code: str) -> str:
    """Return how a tie-break's sum begins: its code follows unless its column has a heading in words."""
    small = f" <small>{code}</small>" if tiebreak_heading(code) == code else ""
    return f"<summary>{title}{small}: "


@pytest.mark.parametrize("code", TIEBREAKS.codes)
def test_a_tie_break_of_players_is_announced_shown_titled_and_explained(players: Get, code: str):
    table = players(f"{T}/standings").get_json()
    assert code in table["tiebreaks"]
    assert all(code in row["tb"] for row in table["players"])
    title = escape(str(TIEBREAKS.titles[code]))
    has_column = f'<abbr title="{title}">{tiebreak_heading(code)}</abbr>' in players("/t/cup/standings").text
    told_apart = any(row["tb"][code] or code in row.get("encounters", {}) for row in table["players"])
    assert has_column == told_apart, "without a column, it is zero for everybody"
    assert summary(title, code) in players("/t/cup/players/1").text
    told = {tb["name"]: tb for tb in players(f"{T}/standings/1").get_json()["tiebreaks"]}
    row = next(row for row in table["players"] if row["id"] == 1)
    assert told[code]["value"] == row["tb"][code]


def test_every_tie_break_of_teams_is_announced_shown_titled_and_explained(teams: tuple[Get, Any]):
    get, known = teams
    table = get(f"{T}/standings/teams?tiebreaks={','.join(known.codes)}").get_json()
    told = get(f"{T}/standings/teams/1?tiebreaks={','.join(known.codes)}").get_json()
    assert tuple(table["tiebreaks"]) == known.codes
    values = {tb["name"]: tb["value"] for tb in told["tiebreaks"]}
    assert values == next(row for row in table["teams"] if row["id"] == 1)["tb"]
    assert set(values) == set(known.codes)
    ranked = get(f"{T}/standings/teams").get_json()
    ranking = ranked["tiebreaks"]
    assert known is PLACE_TIEBREAKS or tuple(ranking) == known.codes
    page, team = get("/t/cup/teams").text, get("/t/cup/teams/1").text
    for code in ranking:
        title = escape(str(known.titles[code]))
        has_column = f'<abbr title="{title}">{tiebreak_heading(code)}</abbr>' in page
        differs = any(row["tb"][code] or code in (row.get("encounters") or {}) for row in ranked["teams"])
        assert has_column == (differs and code != "GPTS"), "game points have a column anyway"
        assert summary(title, code) in team


@pytest.mark.parametrize("code", TIEBREAKS.codes)
def test_tie_break_by_increments_equals_that_of_a_replay(code: str):
    for seed in range(6):
        rng = Random(seed)
        hall = Hall(6, ratings={n: 2000 - 7 * n for n in range(1, 7)})
        hall.round("1-2 1", "3-4 =", "5-6").round("3-1", "2-5 1", "6-4 0").round("1-4", "5-3 =", "2-6")
        table = standings(hall.t.fork(), (code,))
        for _ in range(20):
            step(hall, rng)
            table = update_table(table, hall.t.fork())
            assert explained(table) == explained(standings(hall.t.fork(), (code,))), "what does it depend on?"


def explained(table: Table) -> list[object]:
    return [explanation(table, row.player) for row in table.rows]


@pytest.mark.parametrize("code", [code for code in TIEBREAKS.codes if TIEBREAKS.single(code)])
def test_tie_break_that_a_result_raised_names_its_event(code: str):
    rng, hall = Random(code), Hall(6, ratings={n: 2000 - 7 * n for n in range(1, 7)})
    hall.round("1-2 1", "3-4 =", "5-6").round("3-1", "2-5 1", "6-4 0").round("1-4", "5-3 =", "2-6")
    for _ in range(40):
        before = values(hall, code)
        seq = hall.tell(GAMES, ResultCorrected(rng.choice(list(hall.t.games)), *marks(rng.choice("10="))))
        for was, now in zip(before, values(hall, code), strict=True):
            raised = None not in (was["value"], now["value"]) and now["value"] > was["value"]
            assert not raised or seq in now["events"], "which lines did it come from?"


def values(hall: Hall, code: str) -> list[Any]:
    table = standings(hall.t.fork(), (code,))
    return [to_builtins(explanation(table, player))["tiebreaks"][0] for player in hall.t.players]


# ---------------------------------------------------------------- event types


@pytest.mark.parametrize("row", [r for r in OFFICIAL if "player" in r.data.__annotations__], ids=lambda row: row.name)
def test_a_line_on_a_player_is_found_by_that_player(row: EventType[Any]):
    event = read((GOLDEN / f"{row.name}.json").read_bytes().strip(), 1)
    assert event.data.player in mentions(TournamentState("T"), event.data).players


def test_every_event_type_has_a_sentence_and_says_whom_it_mentions():
    assert set(DESCRIPTIONS) == {row.data for row in OFFICIAL}


# ---------------------------------------------------------------- infractions and effects


class CupOfRulings:
    """A paired round with a board for each of so many cases; White of board n is player 2n - 1."""

    def __init__(self, app: Flask, data: Path, regulations: str, cases: int, game: str | None = None) -> None:
        self.book = load(regulations).rulebook
        self.call = calls_on(app, data, "chief_arbiter")
        self.page = lambda: app.test_client().get("/t/cup/rulings").text
        game = game or next(iter(load(regulations).game.rules))
        cup = {"id": "cup", "name": "Cup", "game": game, "format": "swiss", "rounds": 3, "regulations": regulations}
        assert self.call("POST", "/v1/tournaments", cup).status_code == 201
        entries = {"players": [{"id": n, "name": f"Player {n}"} for n in range(1, 2 * cases + 1)]}
        tag = self.call("POST", f"{T}/entries", entries).headers["ETag"]
        boards = {"boards": [[n, n + 1] for n in range(1, 2 * cases, 2)], "reason": "a board for each case"}
        assert self.call("POST", f"{T}/rounds", boards, If_Match=tag).status_code == 201

    def bring_about(self, player: int, infraction: str) -> list[Any]:
        """What has to be sent for the infraction, and the answer to each."""
        lateness, breaks = self.book.lateness, self.book.breaks
        where, game = {"player": player, "round": 1}, f"/v1/games/cup.1.{(player + 1) // 2}"
        if infraction == "lateness":
            return [self.call("POST", f"{T}/arrivals", where | {"late": lateness.limit + 1})]
        if infraction == "absence":
            return [self.call("POST", f"{T}/arrivals", where | {"absent": True})]
        if breaks is not None and infraction == "long_break":
            return [self.call("POST", f"{game}/breaks", {"player": player, "seconds": breaks.limit + 1})]
        if breaks is not None and infraction == "leaving_the_game":
            short = {"player": player, "seconds": 1}
            return [self.call("POST", f"{game}/breaks", short) for _ in range(breaks.times + 1)]
        row = next(row for row in self.book.infractions if row.name == infraction)
        chosen: dict[str, Any] = {} if row.effect else {"effect": {"kind": "warn"}}
        needed = {fact.name: fact.least if fact.holds is None else fact.holds for fact in row.facts if fact.required}
        chosen |= {"facts": needed} if needed else {}
        return [self.call("POST", f"{T}/rulings", where | {"infraction": infraction} | chosen)]

    def rulings(self, player: int) -> list[dict[str, Any]]:
        return list(self.call("GET", f"{T}/rulings?player={player}&limit=100").json["rulings"])

    def audit(self) -> dict[str, Any]:
        return dict(self.call("GET", f"{T}/audit").json)


@pytest.fixture
def cup_of_rulings(tmp_path: Path) -> Iterator[Callable[[str, int], CupOfRulings]]:
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    yield lambda regulations, cases, game=None: CupOfRulings(app, tmp_path, regulations, cases, game)
    close(app)


@pytest.mark.parametrize(("regulations", "game"), [(name, game) for name in names() for game in load(name).game.rules])
def test_every_infraction_of_every_set_is_ruled_brings_what_is_due_and_is_shown_and_audited(
    cup_of_rulings: Callable[..., CupOfRulings], regulations: str, game: str
):
    rows = load(regulations).rulebook.infractions
    infractions = [row for row in rows if not row.games or game in row.games]
    cup = cup_of_rulings(regulations, len(infractions), game)
    ruled = [next(row for row in rows if row.name == (one.counts_as or one.name)) for one in infractions]
    for board, row in enumerate(ruled, 1):
        player = 2 * board - 1
        ladder = (rule for rule in cup.book.ladder if not rule.games or game in rule.games)
        rungs = {rule.rule: rule for rule in ladder if rule.counter == row.counter}
        for times in range(1, max((rule.count for rule in rungs.values()), default=1) + 1):
            answers = cup.bring_about(player, infractions[board - 1].name)
            assert all(answer.status_code == 201 for answer in answers), (row.name, answers[-1].json)
            rulings = cup.rulings(player)
            assert [r["infraction"] for r in rulings].count(row.name) == times, row.name
            brought = {r["infraction"] for r in rulings if r["infraction"] in rungs}
            assert brought == {name for name, rule in rungs.items() if rule.count <= times}, row.name
        first = rulings[0]
        article = load(regulations).game.flag(game) if row.name == "flag" else row.article
        assert (first["infraction"], first["article"], first["counter"]) == (row.name, article, row.counter)
        assert first["effect"]["kind"] == (row.effect or "warn") and first["standing"], row.name
    page = cup.page()
    page = unescape(page)
    assert all(f">{ENGLISH_INFRACTIONS.get(row.name, row.name.replace('_', ' '))}: " in page for row in ruled)
    audit = cup.audit()
    assert (audit["verdict"], audit["unchecked"]) == ("agrees", 0), audit


IMPOSED: dict[str, Any] = {
    "white": {"points": 0.5},
    "black": {"points": 0.5},
    "points": -0.5,
    "clock": -60,
    "rounds": [2, 3],
}
"""A value for each field of an effect."""


def test_every_effect_is_imposed_by_who_may_and_shown_and_audited(
    cup_of_rulings: Callable[[str, int], CupOfRulings],
):
    cup = cup_of_rulings("xiangqi-1999", len(EFFECTS))
    granted = {row.act: row.roles for row in cup.book.authority}
    for board, (kind, row) in enumerate(EFFECTS.items(), 1):
        where = {"player": 2 * board - 1, "round": 1}
        chosen: dict[str, Any] = {"kind": kind} | {name: IMPOSED[name] for name in row.fields}
        if row.chosen:
            body, role = where | {"infraction": "grave_misconduct", "effect": chosen}, granted[kind][0]
            for missing in row.fields:
                less = {name: value for name, value in chosen.items() if name != missing}
                assert cup.call("POST", f"{T}/rulings", body | {"effect": less}, role).status_code == 422, kind
            for other in IMPOSED.keys() - set(row.fields):
                more = chosen | {other: IMPOSED[other]}
                assert cup.call("POST", f"{T}/rulings", body | {"effect": more}, role).status_code == 422, kind
            assert cup.call("POST", f"{T}/rulings", body, "board").status_code == 403, kind
        else:
            infraction = next(one.name for one in cup.book.infractions if one.effect == kind)
            body, role = where | {"infraction": infraction}, granted["apply"][0]
        made = cup.call("POST", f"{T}/rulings", body, role)
        assert made.status_code == 201, (kind, made.json)
        (ruling,) = cup.rulings(where["player"])
        assert set(ruling["effect"]) == set(chosen), kind
        assert ruling["effect"]["kind"] == kind and ruling["effective"]
        assert str(effect_words(None, kind, "foul")) in cup.page()
    assert cup.audit()["verdict"] == "agrees"


def test_an_effect_has_a_row_whose_fields_the_event_has():
    assert set(EFFECTS) == set(get_args(EffectKind))
    assert {name for row in EFFECTS.values() for name in row.fields} == {f.name for f in fields(Effect)} - {"kind"}
