"""What can be printed of a tournament: its papers, a row for each, and what each shows."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from services.standings.descriptions.words import infraction, stage
from services.standings.page_context import PageContext
from services.standings.papers.blank_papers import blank_score_sheet, board_cards, place_cards
from services.standings.papers.result_book import book, timetable
from services.standings.papers.round_robin_grid import grid_paper, grids
from services.standings.rounds.boards import BoardRow, RoundRows
from services.standings.rulebook.role_pages import OfficeRow, offices_of
from services.standings.rules.crosstable import crosstable
from services.standings.rules.encounters import add_encounters, shown_tiebreaks
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.explanation import crosstable as teams_crosstable
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.tables.bracket_view import BracketPart, bracket_parts
from services.standings.tables.table_routes import team_table
from shared.audit.checkpoints.checkpoint import parse
from shared.audit.checkpoints.note import BadCheckpoint
from shared.core.language.messages import Message, message_of, say
from shared.core.readings.scoring import RoundScore
from shared.core.terms import PlayerId, Role
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.web.name_order import name_key
from shared.web.value_words import effect

SLIPS_A_PAGE = 4
ROUNDS_ABREAST = 21
"""Rounds of a cross table that an A4 sheet has room for; what is beyond stands in a further table."""
UPRIGHT_ROUNDS = 9
UPRIGHT_TIEBREAKS = 7
"""So many columns fit a sheet that stands upright; a table with more lies on its side."""
ROUND_PAPERS: dict[str, Message] = {
    "boards": say("Pairings by board"),
    "names": say("Pairings by name"),
    "slips": say("Result slips"),
    "score-sheets": say("Score sheets"),
}
"""The papers of a round, each of them also a document of its own."""
ROUND_JOB = ("boards", "names", "slips")
"""Those that one document of a round holds, in this order."""
OFFICES: tuple[Role, ...] = ("organiser", "chief_arbiter", "deputy_chief_arbiter", "arbiter", "appeals")
"""Those that a report names, and SIGNING signs it."""
SIGNING: tuple[Role, ...] = ("chief_arbiter", "organiser")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of a tournament: its ``title``, whether there is anything to print yet, and what its template is given."""

    title: Message
    ready: Callable[[PageContext], bool]
    context: Callable[[Desk, PageContext], dict[str, Any]]


def check_in(_: Desk, page: PageContext) -> dict[str, Any]:
    """Everybody who has not left, from A to Z, with team or club."""
    t = page.state
    present = [p for p in t.players.values() if p.left_after is None]
    rows = [(p, page.name(p.player), page.unit(p.player)) for p in present]
    return {"people": sorted(rows, key=lambda row: name_key(row[1] or ""))}


def standings(_: Desk, page: PageContext) -> dict[str, Any]:
    """The table, and that of teams where there are some."""
    table = page.table()
    assert table is not None, "a paper that is ready"
    players = add_encounters(table, page.names)
    teams = add_team_encounters(team_table(page.view), page.names) if page.state.teams else None
    used = bool(page.sexes) + bool(page.groups)
    shown = shown_tiebreaks(players.tiebreaks, players.players)
    team_shown = shown_tiebreaks(teams.tiebreaks, teams.teams) if teams else []
    return {
        "table": players,
        "shown": shown,
        "teams": teams,
        "team_shown": team_shown,
        "team_titles": tiebreaks_of(page.tournament).titles if teams else {},
        "signing": _signing(page),
        "table_lies": used + max(len(shown), len(team_shown)) > UPRIGHT_TIEBREAKS,
    }


def crossed(_: Desk, page: PageContext) -> dict[str, Any]:
    """The cross table, in as many parts as its rounds need, and that of teams where they meet."""
    table = page.table()
    assert table is not None, "a paper that is ready"
    whole = crosstable(table, page.names)
    spans = [(n, min(n + ROUNDS_ABREAST, table.rounds)) for n in range(0, max(table.rounds, 1), ROUNDS_ABREAST)]
    teams = teams_crosstable(team_table(page.view), page.names).teams if page.state.teams else []
    met = [team for team in teams if team.matches]
    lies = table.rounds > UPRIGHT_ROUNDS
    return {
        "crossed": whole, "spans": spans, "crossed_lies": lies, "teams_crossed": met, "signing": _signing(page),
    }  # fmt: skip


def report(desk: Desk, page: PageContext) -> dict[str, Any]:
    """Everything that is kept of an event: its officials, tables, rulings in force, byes and forfeits, its checkpoint."""
    t = page.state
    offices = [row for row in offices_of(t, page.names) if row.role in OFFICES]
    return {
        **standings(desk, page),
        **crossed(desk, page),
        "bracket_parts": _bracket(page),
        "offices": offices,
        "in_force": [_in_force(page, ruling) for ruling in t.rulings_with_effect()],
        "unplayed": _unplayed(page),
        "stage": stage,
        **_checkpoint(desk, page),
    }


def _signing(page: PageContext) -> list[tuple[Role, list[OfficeRow]]]:
    held = offices_of(page.state, page.names)
    return [(role, [row for row in held if row.role == role]) for role in SIGNING]


def result_book(desk: Desk, page: PageContext) -> dict[str, Any]:
    """Return what the report has, and the players, rounds, grids and times of the event."""
    return {**report(desk, page), **book(desk, page), "grids": grids(page)}


def _in_force(page: PageContext, ruling: Any) -> dict[str, Any]:
    event = ruling.event
    return {
        "id": event.ruling,
        "round": event.round,
        "board": None if event.game is None else page.state.games[event.game].board,
        "player": event.player,
        "infraction": infraction(page.state, event.infraction),
        "effect": effect(page.state, event),
        "article": event.article,
    }


def _unplayed(page: PageContext) -> list[tuple[RoundScore, PlayerId]]:
    """Return the byes of players, and the forfeits once each, by round and name."""
    table = page.table()
    assert table is not None, "a paper that is ready"
    found = [
        (r, player)
        for player, score in table.field.scores.items()
        for r in score.rounds
        if r.kind == "bye" or (r.kind == "forfeit" and r.side == "white")
    ]
    return sorted(found, key=lambda row: (row[0].round, row[0].kind, name_key(page.name(row[1]) or "")))


def _checkpoint(desk: Desk, page: PageContext) -> dict[str, Any]:
    """Whose log it is, and the keys that signed its root; no key where the signer refuses."""
    try:
        signed = parse(signed_checkpoint(desk, page.view))
    except (NotSigned, BadCheckpoint) as refused:
        return {"origin": page.state.origin, "keys": [], "unsigned": message_of(refused)}
    keys = [f"{one.name}+{one.keyhash.hex()}" for one in signed.signatures]
    return {"origin": signed.origin, "keys": keys, "unsigned": None}


def _adopted(page: PageContext) -> bool:
    return page.state.regulations is not None


def _anybody(page: PageContext) -> bool:
    return page.state.regulations is not None and bool(page.state.players)


def _bracket(page: PageContext) -> list[BracketPart]:
    return bracket_parts(page.tournament) if page.has_bracket else []


def _a_round(page: PageContext) -> bool:
    return _anybody(page) and page.state.rounds_paired() > 0


EVENT_PAPERS: dict[str, Paper] = {
    "check-in": Paper(say("Check-in list"), _anybody, check_in),
    "standings": Paper(say("Standings"), _anybody, standings),
    "crosstable": Paper(say("Cross table"), _a_round, crossed),
    "bracket": Paper(
        say("Bracket"), lambda page: bool(_bracket(page)), lambda _, page: {"bracket_parts": _bracket(page)}
    ),
    "grid": Paper(say("Round robin table"), lambda page: bool(grids(page)), grid_paper),
    "timetable": Paper(say("Timetable of the rounds"), _adopted, timetable),
    "place-cards": Paper(say("Place cards"), _anybody, place_cards),
    "board-cards": Paper(say("Board cards"), _anybody, board_cards),
    "score-sheet": Paper(say("Blank score sheet"), _adopted, blank_score_sheet),
    "report": Paper(say("Final report"), _a_round, report),
    "book": Paper(say("Result book"), _a_round, result_book),
}
"""The papers of the whole event."""


def slip_results(page: PageContext, board: BoardRow) -> list[Message]:
    """Return the results that a slip offers: the winner by its colour, by its player's number until that is settled."""
    if board.colours.black is not None:
        return [one.words for one in board.results if one.played]
    first, second = (say("No. {n} wins", n=page.number(seat.player)) for seat in (board.white, board.black))
    return [first, say("draw"), second]


def slip_pages(rows: RoundRows) -> list[tuple[BoardRow, ...]]:
    """The slips page by page, so that the four piles that a cut makes lie in the order of boards, one after another."""
    pages = -(-len(rows.boards) // SLIPS_A_PAGE)
    piles = [rows.boards[n : n + pages] for n in range(0, len(rows.boards), pages)] if pages else []
    return [tuple(slip for slip in page if slip is not None) for page in zip_longest(*piles)]
