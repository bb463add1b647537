"""A wrong entry, corrected before and after its round was paired."""

from tests.stories.conftest import Story, T


def test_a_wrong_entry_is_corrected_and_what_was_paired_stays(story: Story) -> None:
    # given four players, of whom the last was entered with another's rating, club and year of birth
    story.announced(players=4)
    wrong = {"id": 9, "name": "李那", "rating": 1200, "club": "上海", "birth_year": 1998, "sex": "m"}
    (entered,) = story.tell(f"{T}/entries", {"players": [wrong]})["events"]
    story.tell(f"{T}/byes", {"player": 9, "round": 1, "kind": "H"})
    story.paired([1, 2], [3, 4])

    # when the entry is corrected
    path = f"{T}/entries/9/correction"
    assert story.refused(path, {"rating": 2200, "reason": "x"}, "arbiter") == (403, "role-may-not")
    right = {"name": "李娜", "rating": 2200, "title": "WGM", "club": None, "federation": "CHN", "sex": "f"}
    right |= {"birth_year": 1989, "fide_id": "8600123", "reason": "her federation's list"}
    told = story.tell(path, right)

    # then the entry says so, in the table, in its sentence and in the report file; the pairing is as it was
    (event,) = told["events"]
    assert event["data"]["changed"] == [name for name in right if name != "reason"]
    rows = {row["id"]: row for row in story.get(f"{T}/standings")["players"]}
    assert rows[9]["name"] == "李娜"
    assert [(b["white"], b["black"]) for b in story.get(f"{T}/rounds/1")["boards"]] == [(1, 2), (3, 4)]
    trf = story.ask("GET", f"{T}/trf").get_data(as_text=True)
    assert "李娜" in trf and "2200" in trf and "李那" not in trf

    # and says nothing twice
    assert story.refused(path, {"rating": 2200, "reason": "x"}) == (409, "nothing-corrected")
    assert story.refused(path, {"name": "李娜", "reason": "x"}) == (409, "nothing-corrected")

    # and the identity across tournaments is stated separately
    identity = f"{T}/entries/9/identity"
    story.tell(identity, {"national_id": "CXA-77", "public_history": True, "reason": "her licence"})
    assert story.refused(identity, {"public_history": True}) == (409, "nothing-corrected")
    assert story.refused(f"{T}/entries/1/identity", {"national_id": "X1"}) == (422, "national-id-without-federation")
    (event,) = story.tell(identity, {"public_history": False, "reason": "asked by the player"})["events"]
    assert event["data"]["public_history"] is False and event["data"]["national_id"] is not None

    # the wrong name can be erased
    hash = entered["data"]["name"]["text"]
    assert story.ask("DELETE", f"{T}/texts/{hash}", role="organiser").status_code == 200
    assert story.get(f"{T}/audit")["verdict"] == "agrees"
