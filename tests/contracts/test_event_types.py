"""Every row of the event types, from end to end: what is declared once is read, folded, described, written and audited."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deploy.server.rules import RULES
from shared.core import events as ev
from shared.core.event_types.event_type import EventType
from shared.core.event_types.evolve import evolve
from shared.core.event_types.registry import EVENT_TYPES, OFFICIAL, SHEETS, WRITERS
from shared.core.state.tournament import TournamentState
from shared.core.terms import GAMES, PAIRING, SOURCES
from shared.wire.envelope import read
from shared.wire.event_data import encode_data
from tests.stories import (
    test_acceleration,
    test_arrivals,
    test_breaks_and_times,
    test_broadcast,
    test_checkpoints,
    test_details,
    test_entry_correction,
    test_facts_checked,
    test_formats,
    test_games_claims,
    test_games_colours,
    test_games_kinds,
    test_keys,
    test_leaving,
    test_outdated_bases,
    test_report_files,
    test_statements,
    test_teams,
    test_venue_notice,
)
from tests.stories.conftest import Story
from tests.stories.hall import Embedded
from tests.yaml_files import ASYNCAPI, document

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


STORIES: tuple[Callable[[Story], None], ...] = (
    test_formats.test_a_campus_swiss,
    test_formats.test_a_match_of_three_that_stays_drawn,
    test_acceleration.test_who_has_virtual_points_meets_each_other_and_has_no_more_points_in_the_table,
    test_teams.test_substitutes_never_reverse_the_order,
    test_leaving.test_who_returns_plays_again_and_what_was_forfeited_stays_so,
    test_entry_correction.test_a_wrong_entry_is_corrected_and_what_was_paired_stays,
    test_arrivals.test_a_forfeit_by_an_arrival_in_the_wrong_row_lapses_with_its_correction,
    test_arrivals.test_a_break_noted_wrongly_is_corrected_or_void_and_those_after_it_are_counted_anew,
    test_breaks_and_times.test_where_no_article_measures_breaks_they_are_noted_alone,
    test_games_claims.test_an_accusation_waits_for_an_arbiter_and_a_final_table_waits_for_it,
    test_games_claims.test_a_touch_stated_anew_takes_the_foul_away_and_moves_taken_back_what_was_found_on_them,
    test_facts_checked.test_a_gap_in_the_record_is_no_foul_with_less_than_three_minutes_on_the_sheet,
    test_games_colours.test_a_game_begun_with_reversed_colours_is_played_on_and_won_by_who_has_whites_pieces,
    test_games_colours.test_every_page_follows_a_swap_and_its_taking_back,
    test_games_kinds.test_a_file_from_an_electronic_board_is_a_batch_like_any_other,
    test_report_files.test_what_a_report_file_says_and_no_event_does_is_kept_and_written_again,
    test_checkpoints.test_a_log_that_does_not_continue_what_was_signed_is_signed_again_after_a_restart_that_stands_in_it,
    test_outdated_bases.test_an_upheld_final_is_opened_by_another_change,
    test_keys.test_a_lost_key_is_announced_by_another_service_with_its_reason,
    test_broadcast.test_broadcast_has_fide_ids_that_are_public_and_not_erased,
    test_details.test_prepared_tournament_is_hidden_from_strangers_until_it_is_listed,
    test_details.test_corrected_details_are_shown_everywhere_and_the_log_keeps_the_earlier_ones,
    test_statements.test_statements_that_differ_leave_the_game_open_until_one_gives_way,
    test_statements.test_call_of_an_arbiter_is_open_until_an_arbiter_answers,
    test_venue_notice.test_venue_notice_is_shown_to_everybody_until_another_one_replaces_it,
)
"""Stories over HTTP that write the types which the golden logs were too early for."""


def stem(name: str) -> str:
    """A type's name without its version."""
    return name.rpartition(".v")[0]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The types, without versions, of all that was written over HTTP: in the golden logs, which are audited for ever, and in
    the stories, each audited here."""
    logs = [f for f in GOLDEN.glob("log-*/*.ndjson") if not f.name.endswith("texts.ndjson")]
    names = {json.loads(line)["type"] for log in logs for line in log.read_bytes().splitlines()}
    for tell in STORIES:
        house = Embedded(tmp_path_factory.mktemp("house"))
        try:
            story = Story(house)
            tell(story)
            report = story.audited()
            assert (report.findings, report.unchecked, report.decided) == ([], {}, report.size), tell.__name__
            lines = [*house.lines("T"), *(line for sheet in house.sheets("T").values() for line in sheet)]
        finally:
            house.close()
        names |= {json.loads(line)["type"] for line in lines}
    return {stem(name) for name in names}


by_event_type = pytest.mark.parametrize("row", EVENT_TYPES, ids=lambda row: row.name)


def golden(name: str) -> bytes:
    return (GOLDEN / f"{name}.json").read_bytes().removesuffix(b"\n")


def test_no_event_class_lacks_its_row():
    # By name: a dataclass with slots is a second class, beside the one that was written.
    classes = {one.__name__ for one in (*ev.Official.__subclasses__(), *ev.SheetLine.__subclasses__())}
    assert classes == {row.data.__name__ for row in EVENT_TYPES}, "a row in shared/core/event_types for each of them"


@by_event_type
def test_an_event_type_has_its_writers_and_one_fold(row: EventType[Any]):
    assert set(row.writers) <= set(SOURCES) and WRITERS[row.data] == row.writers
    event = read(golden(row.name), 1)
    if issubclass(row.data, ev.SheetLine):
        assert row in SHEETS and row.writer == GAMES and row.evolve is None
        games = RULES[GAMES]
        games.evolve_sheet(games.new_sheet("T.1.1"), event)
    else:
        assert row in OFFICIAL and row.evolve is not None, f"{row.name} lacks its fold"
        state = TournamentState("T")
        evolve(state, event)
        assert state.seq == 1


@by_event_type
def test_every_version_of_an_event_type_reads_back_as_the_newest(row: EventType[Any]):
    for name in (row.name, *row.older_versions()):
        assert (GOLDEN / f"{name}.json").exists(), f"{name} lacks its golden file"
        assert isinstance(read(golden(name), 1).data, row.data)
    assert golden(row.name).endswith(b',"data":' + encode_data(read(golden(row.name), 1).data) + b"}")


@by_event_type
def test_asyncapi_names_every_version_of_an_event_type_and_its_writer(row: EventType[Any]):
    schemas = document(ASYNCAPI)["components"]["schemas"]
    lines = schemas["OfficialEvent" if row in OFFICIAL else "SheetEvent"]["oneOf"]
    writers = {line["properties"]["type"]["const"]: line["properties"]["source"]["enum"] for line in lines}
    said = {name: writers.get(name) for name in (row.name, *row.older_versions())}
    assert said == {name: list(row.writers) for name in said}, "run `make docs`"
    assert row.data.__name__ in schemas


@by_event_type
def test_an_event_type_is_written_over_http_and_audited(row: EventType[Any], written: set[str]):
    assert stem(row.name) in written, f"no golden log holds {row.name}, and none of STORIES writes it"


def test_a_type_whose_lifts_do_not_reach_its_version_is_refused():
    row = EventType("arbiter.bye.granted.v2", ev.ByeGranted, PAIRING)
    with pytest.raises(ValueError, match=r"arbiter\.bye\.granted\.v2 needs an upcaster for each older version"):
        row.older_versions()
