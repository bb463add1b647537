"""Publications of team events: the table of the teams, by the tie-breaks of teams."""

from hashlib import sha256
from typing import Any

from services.standings.rules.published_table import canonical_json
from tests.stories.conftest import Story, T, in_one_process
from tests.stories.test_teams import announced, won_by_the_lower

TEAM_CODES = ["BH", "GPTS", "WIN", "FOULS"]
ADDED_BY_THE_RULESET = ("BARRED", "WARNED", "PO")
"""002-X 18.4 and 15.6, which apply whatever order was announced."""


def played(story: Story, rounds: int = 1, **event: Any) -> None:
    """Play rounds in which the player with the lower number wins."""
    announced(story, "fixed", format="swiss", **{"rounds": rounds, **event})
    for _ in range(rounds):
        won_by_the_lower(story, story.tell(f"{T}/rounds"))


def published(story: Story) -> dict[str, Any]:
    """Return the last publication in the list."""
    last: dict[str, Any] = story.get(f"{T}/publications")["publications"][-1]
    return last


@in_one_process
def test_team_publication_has_the_tie_breaks_of_the_tournament(story: Story):
    played(story)
    event = story.tell(f"{T}/publications", {})["events"][0]["data"]
    assert event["tiebreaks"] == TEAM_CODES
    in_force = story.get(T)["tiebreaks"]
    assert in_force == story.get(f"{T}/standings/teams")["tiebreaks"]
    assert [code for code in in_force if code not in ADDED_BY_THE_RULESET] == TEAM_CODES
    assert (published(story)["table"], published(story)["tiebreaks"]) == ("teams", TEAM_CODES)


@in_one_process
def test_digest_of_a_team_publication_is_that_of_the_team_table(story: Story):
    played(story, rounds=2)
    story.tell(f"{T}/publications", {"round": 1, "tiebreaks": ["WIN", "GPTS"]})
    one = published(story)
    query = f"at={one['basis']}&round=1&tiebreaks=WIN,GPTS"
    table = story.get(f"{T}/standings/teams?{query}")
    assert [row["rank"] for row in table["teams"]] == [1, 1, 3, 3]
    del table["rounds_counted"]
    for row in table["teams"]:
        del row["name"]
    assert sha256(canonical_json(table)).hexdigest() == one["digest"]


@in_one_process
def test_tie_break_of_players_is_refused_for_a_team_publication(story: Story):
    played(story)
    assert story.refused(f"{T}/publications", {"tiebreaks": ["BH", "RTNG"]}) == (422, "unknown-tiebreak")


@in_one_process
def test_final_team_table_names_the_winning_team(story: Story):
    played(story, rounds=2)
    event = story.tell(f"{T}/publications", {"final": True})["events"][0]["data"]
    assert (event["final"], event["tiebreaks"]) == (True, TEAM_CODES)
    assert story.get(f"{T}/standings/teams")["teams"][0]["id"] == 1
    assert story.refused(f"{T}/byes", {"player": 11, "round": 3, "kind": "Z"}) == (409, "tournament-closed")


@in_one_process
def test_sum_of_places_publishes_the_table_of_the_players(story: Story):
    announced(story, "members", format="swiss", rounds=1)
    won_by_the_lower(story, story.tell(f"{T}/rounds"))
    event = story.tell(f"{T}/publications", {})["events"][0]["data"]
    assert event["tiebreaks"] == ["BH", "WIN", "FOULS", "PO"]
    assert published(story)["table"] == "players"
