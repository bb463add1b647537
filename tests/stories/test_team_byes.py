"""Absent members of teams: no half-point byes, and boards that the opponents win by forfeit."""

from tests.stories.conftest import Story, T, in_one_process
from tests.stories.test_teams import announced, rows, seats


@in_one_process
def test_half_point_bye_is_refused_for_a_member_of_a_team(story: Story):
    announced(story, "fixed", teams=2, format="swiss", rounds=2)
    assert story.refused(f"{T}/byes", {"player": 12, "round": 1, "kind": "H"}) == (409, "bye-of-a-member")
    assert story.get(f"{T}/byes")["byes"] == []
    assert len(story.tell(f"{T}/rounds")["boards"]) == 2


@in_one_process
def test_absent_member_forfeits_the_board(story: Story):
    announced(story, "fixed", teams=2, format="swiss", rounds=1)
    story.tell(f"{T}/byes", {"player": 12, "round": 1, "kind": "Z"})
    story.tell(f"{T}/rounds")
    paired = story.get(f"{T}/rounds/1")
    assert [sorted(seat) for seat in seats(paired)] == [[11, 21]]
    assert paired["byes"] == [{"player": 22, "kind": "F"}, {"player": 12, "kind": "Z"}]
    (match,) = paired["matches"]
    assert (match["boards"], [b["board"] for b in paired["boards"]]) == ([1, 2], [1]), "board 2 is won by forfeit"
    story.report("1/2-1/2")
    assert rows(story) == [(2, 1, 2, 1.5), (1, 2, 0, 0.5)]


@in_one_process
def test_sum_of_places_allows_half_point_byes(story: Story):
    announced(story, "members", format="swiss", rounds=2)
    story.tell(f"{T}/byes", {"player": 12, "round": 1, "kind": "H"})
    assert story.get(f"{T}/byes")["byes"][0]["kind"] == "H"
