"""Fouls, what rests on them, and what falls with them."""

from typing import Any

from tests.rows.marks import row
from tests.stories.conftest import Story, T


def three_fouls(story: Story) -> Any:
    """Round 1 is 1-2, 3-4; player 2 commits his third foul in it."""
    story.announced()
    story.paired([1, 2], [3, 4])
    story.foul(2)
    story.foul(2)
    return story.foul(2)


def test_a_third_foul_loses_the_game_and_an_appeal_gives_it_back(story: Story) -> None:
    # given a third foul, which brought the loss of the game
    third = three_fouls(story)
    assert (third["ruling"], third["brought"]) == ("r3", ["r4"])
    assert third["events"][-1]["role"] == "rulebook"
    assert story.points() == {1: 1.0, 2: 0.0, 3: 0.0, 4: 0.0}

    # when the player appeals against the second foul and is right
    appeal = story.appeal(2, "r2")
    assert story.refused(f"{T}/appeals/{appeal}/decision", {"upheld": True}) == (403, "role-may-not")
    upheld = story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals")

    # then the foul is annulled, the loss falls with it, and the game is open again
    assert [e["type"] for e in upheld["events"]] == ["arbiter.appeal.decided.v1", "arbiter.ruling.annulled.v2"]
    assert story.standing() == ["r1", "r3", "r7"]
    assert story.points() == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    assert story.get("/v1/games/T.1.1")["status"] == "paired"
    story.report("1/2-1/2")
    assert story.points()[2] == 0.5


def test_an_appeal_that_is_dismissed_changes_nothing(story: Story) -> None:
    three_fouls(story)
    appeal = story.appeal(2, "r1")
    before = story.points()
    story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": False, "grounds": "seen by two arbiters"}, "appeals")
    assert story.points() == before
    assert story.get(f"{T}/appeals")["appeals"][0]["upheld"] is False


def test_an_appeal_is_the_concerned_players_own_once_and_decided_by_another(story: Story) -> None:
    # given three fouls of player 2, and a stranger who appeals first
    three_fouls(story)
    lodging = {"ruling": "r4", "grounds": "unfair"}
    assert story.refused(f"{T}/appeals", lodging | {"by": 3}, "player", name="3") == (403, "not-concerned")
    assert story.refused(f"{T}/appeals", lodging | {"by": 3}, "arbiter") == (409, "not-concerned")
    assert story.refused(f"{T}/appeals", lodging | {"by": 2}, "player", name="3") == (403, "another-players")

    # then his own is not blocked; an official lodges it for him, and it is the only one
    appeal = story.tell(f"{T}/appeals", lodging | {"by": 2}, "deputy_chief_arbiter")["appeal"]
    assert story.refused(f"{T}/appeals", lodging | {"by": 2}, "player", name="2") == (409, "appealed-before")

    # and whoever called one of the fouls that it rests on does not decide it in another office
    decision = f"{T}/appeals/{appeal}/decision"
    story.appointed("arbiter", "appeals")
    assert story.refused(decision, {"upheld": False}, "appeals", name="arbiter") == (403, "own-decision")
    story.tell(decision, {"upheld": False}, "appeals")
    assert story.refused(f"{T}/appeals", lodging | {"by": 2}, "player", name="2") == (409, "appealed-before")


def test_an_appeal_against_an_annulment_is_open_to_whose_win_fell_with_it(story: Story) -> None:
    three_fouls(story)
    annulment = story.annul("r2")["ruling"]
    lodging = {"ruling": annulment, "by": 3, "grounds": "I had won"}
    assert story.refused(f"{T}/appeals", lodging, "player", name="3") == (403, "not-concerned")
    appeal = story.appeal(1, annulment)
    assert story.refused(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals") == (403, "own-decision")
    story.appointed("another", "appeals")
    story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals", name="another")
    assert "r4" in story.standing() and story.points()[1] == 1.0


def test_an_annulled_annulment_restores_the_ruling_and_what_rested_on_it(story: Story) -> None:
    three_fouls(story)
    annulment = story.annul("r1")["ruling"]
    assert story.points()[1] == 0.0
    again = story.annul(annulment)
    assert "r4" in story.standing() and annulment not in story.standing()
    assert story.points()[1] == 1.0
    assert again["brought"] == [], "the loss stands again by itself"


def test_of_four_fouls_the_third_is_annulled_and_the_loss_is_made_again_on_the_others(story: Story) -> None:
    # given four fouls, of which the third brought the loss
    three_fouls(story)
    story.foul(2)

    # when the third is annulled, what would be is shown before, and then is
    preview = story.ask("POST", f"{T}/rulings/r3/annulment?preview=true", {"reason": "x"}, "appeals").get_json()
    made = story.annul("r3")
    loss = made["events"][-1]["data"]

    # then the game is lost by another ruling that rests on the other three
    assert [e["data"]["because"] for e in preview["events"][1:]] == [["r1", "r2", "r5"]]
    assert (made["brought"], loss["because"], loss["infraction"]) == (
        [loss["ruling"]],
        ["r1", "r2", "r5"],
        "third_foul",
    )
    assert story.points()[1] == 1.0
    assert story.points(f"?without={loss['ruling']}")[1] == 0.0
    before = story.seq - 2
    assert story.points(f"?at={before}")[1] == 1.0


def test_a_slip_is_retracted_until_the_next_round_is_paired(story: Story) -> None:
    # given a third foul that was called at the wrong board
    three_fouls(story)
    slip = f"{T}/rulings/r3/retraction"
    assert story.refused(slip, {"reason": "not mine"}, "organiser") == (403, "not-the-maker")

    # when who called it retracts it, then the loss falls with it, and the right player is called
    story.tell(slip, {"reason": "it was board 2"}, "arbiter")
    assert (story.standing(), story.points()[1]) == (["r1", "r2", "r5"], 0.0)
    story.foul(4)

    # and the same act may be ruled again: it was no pardon
    assert story.foul(2)["brought"] == ["r8"]
    assert story.points()[1] == 1.0

    # once the next round is paired the committee is left
    story.report("*", "1-0")
    story.paired([1, 3], [2, 4])
    late = {"reason": "board 2 after all"}
    assert story.refused(f"{T}/rulings/r6/retraction", late, "arbiter") == (409, "round-paired")
    assert story.refused(f"{T}/rulings/r6/retraction", late) == (409, "round-paired")
    story.annul("r6")
    assert "r6" not in story.standing()


def test_a_retracted_expulsion_lets_the_player_return(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1-0")
    expulsion = {"player": 3, "round": 1, "infraction": "grave_misconduct", "effect": {"kind": "expel"}}
    ruling = story.tell(f"{T}/rulings", expulsion, "organiser")["ruling"]
    story.until(lambda: "arbiter.player.withdrew" in str(story.ask("GET", f"{T}/events?limit=200").json))
    story.hall.settled()
    story.seq = len(story.hall.lines("T"))
    story.tell(f"{T}/rulings/{ruling}/retraction", {"reason": "it was player 4"}, "organiser")
    story.until(lambda: "arbiter.player.returned" in str(story.ask("GET", f"{T}/events?limit=200").json))
    story.hall.settled()
    story.seq = len(story.hall.lines("T"))
    boards = story.tell(f"{T}/rounds", {"boards": [[1, 3], [2, 4]], "reason": "by lot"})["boards"]
    assert {3} <= {seat["black"] for seat in boards}


def test_a_slip_is_none_any_more_once_a_table_with_it_is_published(story: Story) -> None:
    three_fouls(story)
    story.tell(f"{T}/publications", {})
    reason = {"reason": "it was board 2"}
    assert story.refused(f"{T}/rulings/r3/retraction", reason, "arbiter") == (409, "table-published")
    assert story.refused(f"{T}/rulings/r4/retraction", reason) == (409, "rulebook-decided")


@row("C12", under="campus")
def test_late_and_absent_both_and_one_only_in_time(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    # 15 minutes are not yet too late; one second more is
    assert story.tell(f"{T}/arrivals", {"player": 1, "round": 1, "late": 900}, "arbiter")["brought"] == []
    story.tell(f"{T}/arrivals", {"player": 3, "round": 1, "late": 901}, "arbiter")
    assert story.points() == {1: 0.0, 2: 0.0, 3: 0.0, 4: 1.0}
    # and if the other does not come at all, both forfeit
    story.tell(f"{T}/arrivals", {"player": 4, "round": 1, "absent": True}, "arbiter")
    assert story.points() == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    assert story.get("/v1/games/T.1.2")["result"]["white"] == {"points": 0.0, "played": False, "counted": True}


def test_a_correction_waits_beneath_a_ruling_until_that_falls(story: Story) -> None:
    three_fouls(story)
    body = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "as the players signed"}
    corrected = story.tell(f"{T}/corrections", body, "arbiter")
    assert corrected["results"][0]["beneath"] == "r4"
    assert story.points()[2] == 0.0
    assert story.integrity() == {"beneath": [{"seq": story.seq, "game": "T.1.1", "ruling": "r4"}]}
    story.annul("r1")
    assert story.points()[2] == 1.0
    assert story.integrity() == {}


def test_a_dismissed_official_decides_nothing_more_and_reads_no_texts(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.tell(f"{T}/officials", {"name": "arbiter", "role": "arbiter"})
    story.tell(f"{T}/rulings", {"player": 2, "round": 1, "infraction": "foul", "note": "he hummed"}, "arbiter")
    story.near("GET", "/t/T/rulings")
    assert "he hummed" in story.ask("GET", "/t/T/rulings", role="auditor").text
    story.tell(f"{T}/officials/arbiter/dismissal", {"reason": "bet on board 1"})
    foul = {"player": 2, "round": 1, "infraction": "foul"}
    result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    assert story.refused(f"{T}/rulings", foul, "arbiter") == (403, "official-dismissed")
    assert story.refused(f"{T}/results", result, "arbiter") == (403, "official-dismissed")
    story.tell(f"{T}/officials/auditor/dismissal", {"reason": "bet on board 2"})
    story.near("GET", f"{T}/texts")
    texts = story.ask("GET", f"{T}/texts", role="auditor")
    assert (texts.status_code, texts.json["type"]) == (403, "urn:arbiter:problem:official-dismissed")
    assert story.ask("GET", f"{T}/texts", role="chief_arbiter").status_code == 200
    assert "he hummed" not in story.ask("GET", "/t/T/rulings", role="auditor").text
    assert "he hummed" in story.ask("GET", "/t/T/rulings", role="chief_arbiter").text
