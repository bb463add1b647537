"""The context of the pages of a tournament: the log position that they show, its names, and the address of each event."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from flask import Response, request

from services.standings import queries
from services.standings.descriptions.words import stage_name, texts
from services.standings.rules.table.table import Table
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.events import AppealDecided, AppealLodged, Data, RulingAnnulled, RulingMade
from shared.core.language.messages import Message, say
from shared.core.readings.authority import permit
from shared.core.readings.colours import Colours, colours_of, seat_colour
from shared.core.readings.player_acts import own_entry
from shared.core.readings.vocabulary import BYES, column_heading, key_words, record_name, seat_name
from shared.core.rounds.matches import members_of, teams_meet
from shared.core.rounds.rounds_to_come import is_another_round_due, open_boards, planned_rounds
from shared.core.rounds.stages import has_bracket, stage_of, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import PLAY_OFF_CODE
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import STANDINGS, GameId, PlayerId, Side
from shared.core.trust.merkle import short_digest
from shared.desk.desk import Desk, View
from shared.http.language.language import words
from shared.http.reads import paging, tournament_query
from shared.http.requests import auth
from shared.web.names import isolated
from shared.web.page import Layout, kept_query, link
from shared.web.particulars import particulars_of, units_of
from shared.web.result_words import marks
from shared.web.texts import may_read_case_texts, may_read_texts

SIDES: tuple[Side, Side] = ("white", "black")
_CASE_EVENTS = (RulingMade, RulingAnnulled, AppealLodged, AppealDecided)
_HEADINGS = {
    "BH": say("BH"),
    "SB": say("SB"),
    "PS": say("PS"),
    "BARRED": say("Barred"),
    "WARNED": say("Warned"),
    "FOULS": say("Fouls"),
    "WIN": say("Wins"),
    "WIN:GP": say("Games won"),
    PLAY_OFF_CODE: say("Play-off"),
}
"""The headings of tie-breaks whose code is a word, here or in Chinese; the code is the heading of the others, such as BH/C1."""
SEXES = {"m": say("man"), "f": say("woman")}
LAYOUT = Layout(STANDINGS, Path(__file__).parent / "templates")


@dataclass(frozen=True)
class PageContext:
    """A tournament as one page shows it, out of ``desk``; ``last`` is the log's length now.

    ``reads_texts``: whether the reader may see all erasable texts, ``reads_cases``: those of rulings and appeals.
    """

    desk: Desk
    view: View
    names: Mapping[str, str]
    last: int
    reads_texts: bool
    reads_cases: bool

    @property
    def state(self) -> TournamentState:
        return self.view.state

    @property
    def tournament(self) -> Tournament:
        return self.view.tournament

    def table(self) -> Table | None:
        """The table; None before there are regulations."""
        return None if self.state.regulations is None else queries.kept_tables().table(self.view)

    @property
    def has_bracket(self) -> bool:
        """Return whether the competition, or a stage of it, is a knock-out."""
        return self.state.regulations is not None and has_bracket(self.tournament)

    @property
    def teams_meet(self) -> bool:
        """Return whether the sides of matches are teams."""
        return self.state.regulations is not None and teams_meet(self.tournament)

    @property
    def planned(self) -> int:
        """Return the number of rounds of the competition, or 0 if it is unknown."""
        return 0 if self.state.regulations is None else planned_rounds(self.tournament)

    @property
    def next_round(self) -> int | None:
        """Return the next round to pair, or None after the last one."""
        over = self.state.regulations is not None and is_another_round_due(self.tournament) is False
        return None if over else self.state.rounds_paired() + 1

    def may(self, act: str) -> bool:
        """Whether who looks at the tournament as it is now may do an act of its office; nobody may after its end."""
        who = auth.visitor_of(self.state.id)
        if who is None or kept_query() or self.state.closed() or who.boards is not None:
            return False
        return permit(self.state, who.actor, act) is None

    @property
    def visiting_player(self) -> PlayerId | None:
        """Return the player that the reader is logged in as, or None."""
        who = auth.visitor_of(self.state.id)
        return None if who is None else own_entry(self.state, who.actor)

    def name(self, player: PlayerId) -> str | None:
        entry = self.state.players.get(player)
        return None if entry is None else self.names.get(entry.name.text)

    def number(self, player: PlayerId) -> int:
        """Return the number that stands for a player on pages, papers and in files: the starting number.

        It is the one of the start list and of report files, and the one typed in manual pairings. Entry IDs are in addresses.
        """
        entry = self.state.players.get(player)
        return player if entry is None else entry.starting_number

    def call(self, player: PlayerId) -> str:
        """Return the name of a player, or the number if the name is hidden or was erased."""
        name = self.name(player)
        return words(say("player {player}", player=self.number(player))) if name is None else isolated(name)

    def team(self, team: int) -> str | None:
        """Return the name of a team, or None if it was erased."""
        return self.names.get(self.state.teams[team].name.text)

    def unit(self, player: PlayerId) -> str | None:
        """Return the team or club of a player, or None without one, and if it is hidden or erased."""
        return self._units.get(player)

    @cached_property
    def sexes(self) -> Mapping[PlayerId, Message | None]:
        """Return every player's sex in a word, or an empty mapping unless the reader sees players of both sexes."""
        said = particulars_of(self.desk, self.state)
        both = {"m", "f"} <= {one.sex for one in said.values()}
        return {player: SEXES.get(one.sex or "") for player, one in said.items()} if both else {}

    @cached_property
    def groups(self) -> Mapping[PlayerId, int]:
        """Return the group of each player in the first stage, or an empty mapping unless the event begins in groups."""
        begun = stages_begun(self.tournament) if self.state.regulations is not None else ()
        if not begun or len(begun[0].groups) < 2:
            return {}
        sides = {side: n for n, group in enumerate(begun[0].groups, 1) for side in group}
        return {p: sides[side] for side in sides for p in members_of(self.tournament, side)}

    @cached_property
    def _units(self) -> Mapping[PlayerId, str | None]:
        return units_of(self.desk, self.state, self.state.players)

    def marks(self, game: GameId) -> str:
        """The result of a game as people write it: + : − by forfeit; empty where it has none."""
        setting = self.tournament.setting(self.state.games[game])
        return "" if setting is None else marks(setting.white, setting.black)

    @cached_property
    def colours(self) -> Colours:
        """The colours of a round's table; boards may differ, once a guess or a mistake has changed theirs."""
        return colours_of(self.state)

    def side(self, player: PlayerId, game: GameId) -> Message:
        """Return what a player's side of a game is called: the colour that is held now, or what is still to settle it."""
        one = self.state.games[game]
        return seat_name(colours_of(self.state, one), "white" if one.white == player else "black")

    def side_initial(self, player: PlayerId, round: int, side: Side) -> str:
        """Return the initial of the colour that a player held in a game, for a cross table: r of Red; 红 of 红方.

        Return a colon until the colour is settled, so that the number and the result stay apart.
        """
        colour = self._other_colours.get((player, round), side)
        return ":" if colour is None else words(record_name(self.colours, colour))[0].lower()

    def is_played_by_some(self, round: int) -> bool:
        """Return whether players without a game only wait in a round, or are out: in a bracket, and between teams."""
        return self.teams_meet or FORMATS[stage_of(self.tournament, round).format].winner_needed

    @cached_property
    def _other_colours(self) -> dict[tuple[PlayerId, int], Side | None]:
        """The colours that differ from the pairing's, None until they are settled. A record by columns has none."""
        if self.colours.by in ("swap", "prediction"):
            return {}
        held: dict[tuple[PlayerId, int], Side | None] = {}
        for game in self.state.games_in_force():
            if game.settled is None and self.colours.by is None:
                continue
            colours = colours_of(self.state, game)
            for seat in SIDES:
                held[game.player(seat), game.round] = seat_colour(seat, colours)
        return held

    def texts_of(self, data: Data) -> list[str | None]:
        """Return the texts of an event. Each is None if the reader may not see it or it was erased."""
        refs, readable = texts(data), self.reads_cases if isinstance(data, _CASE_EVENTS) else self.reads_texts
        rows = self.desk.texts({ref.text for ref in refs}) if readable and refs else {}
        return [rows[ref.text].text if ref.text in rows else None for ref in refs]

    def after(self, rounds: int) -> Message:
        """Return when a table of that many rounds was made: after its last round, or during it if boards are open."""
        if rounds == self.state.rounds_paired() and open_boards(self.state):
            return say("during round {n}", n=rounds)
        return say("after round {n}", n=rounds)

    def render(self, template: str, **context: Any) -> Response:
        return LAYOUT.page(
            template,
            t=self.state,
            page=self,
            line=line_address,
            headings={side: column_heading(self.colours, side) for side in SIDES},
            entry_keys={side: key_words(self.colours, side) for side in SIDES},
            sides={side: record_name(self.colours, side) for side in SIDES},
            digest=short_digest(self.view.seq, self.view.root),
            column=tiebreak_heading,
            bye_names=BYES,
            stage_name=stage_name,
            **{"titles": TIEBREAKS.titles, "meanings": TIEBREAKS.meanings, "desk": None} | context,
        )


def tiebreak_heading(code: str) -> str:
    """Return the heading of a tie-break's column."""
    return words(_HEADINGS[code]) if code in _HEADINGS else code


def page_context(desk: Desk, t: str) -> PageContext:
    """The tournament as this request asks for it. Raises `Problem` as `tournament_query.view` does."""
    view = tournament_query.view(desk, t)
    now = desk.view(t) or view
    return PageContext(
        desk, view, queries.names(desk, view.state), now.seq, may_read_texts(now.state), may_read_case_texts(now.state)
    )


def line_address(seq: int) -> str:
    """The address of a line within the page of the log that holds it."""
    first = (seq - 1) // paging.LIMIT * paging.LIMIT
    cursor = {"cursor": paging.cursor(first)} if first else {}
    return link("log_page", t=(request.view_args or {})["t"], **cursor) + f"#l{seq}"
