"""Entries, pairings, byes, regulations, texts and the final table: what an office does."""

import json
from hashlib import sha256

import rfc8785

from tests.stories.conftest import Story, T


def test_an_unplayed_round_is_taken_back_and_paired_again(story: Story) -> None:
    # given a round that nobody has played in
    story.announced()
    story.paired([1, 2], [3, 4])
    assert story.refused(f"{T}/rounds/1/withdrawal", {"reason": "x"}, "organiser") == (403, "role-may-not")

    # when it is taken back and paired again
    story.tell(f"{T}/rounds/1/withdrawal", {"reason": "the draw was not public"})
    assert story.refused(f"{T}/rounds/2/withdrawal") == (404, "unknown-round")
    again = story.paired([1, 3], [2, 4])

    # then the games are others, those of the first pairing are withdrawn, and a result goes to the new one
    assert [b["game"] for b in again["boards"]] == ["T.2.1", "T.2.2"]
    assert story.get("/v1/games/T.1.1")["status"] == "withdrawn"
    story.report("1-0", "1/2-1/2")
    assert story.points() == {1: 1.0, 2: 0.5, 3: 0.0, 4: 0.5}
    assert story.refused(f"{T}/rounds/1/withdrawal") == (409, "round-begun")


def test_a_late_entry_a_withdrawal_and_byes_over_three_rounds(story: Story) -> None:
    # given five players, of whom one has a half-point bye in round 1
    story.announced(players=5)
    story.tell(f"{T}/starting-numbers", {})
    story.tell(f"{T}/byes", {"player": 3, "round": 1, "kind": "H"})
    assert story.paired()["byes"] == []
    story.report("1-0", "1-0")
    assert story.points()[3] == 0.5

    # when one comes late and one leaves
    late = story.tell(f"{T}/entries", {"players": [{"name": "迟到者", "rating": 1500}]})["players"][0]["id"]
    story.tell(f"{T}/entries/2/withdrawal", {"reason": "ill"})
    second = story.paired()
    seated = {p for b in second["boards"] for p in (b["white"], b["black"])} | {s["player"] for s in second["byes"]}
    story.report(*["1/2-1/2"] * len(second["boards"]), round=2)

    # then the engine seats who is there, and nobody meets twice
    assert seated == {1, 3, 4, 5, late}
    assert [s["kind"] for s in second["byes"]] == ["U"]
    third = story.paired()
    met = [frozenset((b["white"], b["black"])) for n in (1, 2, 3) for b in story.get(f"{T}/rounds/{n}")["boards"]]
    assert len(set(met)) == len(met) and third["round"] == 3
    assert story.refused(f"{T}/entries/2/withdrawal") == (409, "player-left")
    assert story.refused(f"{T}/byes", {"player": 1, "round": 3, "kind": "H"}) == (409, "round-paired")


def test_a_rule_set_aside_by_the_chief_arbiter_is_listed(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1-0")
    again = {"boards": [[2, 1], [4, 3]], "reason": "only these four are here"}
    assert story.refused(f"{T}/rounds", again) == (409, "absolute-rule")
    assert story.refused(f"{T}/rounds", again | {"overrides": ["rematch"]}, "organiser") == (403, "role-may-not")
    made = story.tell(f"{T}/rounds", again | {"overrides": ["rematch"]})
    reason = made["events"][0]["data"]["reason"]["text"]
    listed = {"seq": story.seq, "round": 2, "actor": "chief_arbiter", "rules": ["rematch"], "reason": reason}
    assert story.integrity() == {"overrides": [listed]}


def test_regulations_changed_after_play_began_are_seen_in_the_integrity_list(story: Story) -> None:
    # given regulations changed before the first pairing: nobody was wronged
    story.announced()
    story.tell(f"{T}/regulations", {"regulations": "xiangqi-1999", "reason": "the organiser had named the wrong ones"})
    story.paired([1, 2], [3, 4])
    assert story.integrity() == {}

    # when they are changed back while round 1 is played
    changed = story.tell(f"{T}/regulations", {"regulations": "campus", "reason": "the players asked for it"})
    same = story.tell(f"{T}/regulations", {"regulations": "campus", "reason": "once more"})

    # then the list names the line, who did it, and the values that are others now
    (listed,) = story.integrity()["regulations"]
    assert (listed["seq"], listed["actor"]) == (story.seq - len(same["events"]), "chief_arbiter")
    assert {"name", "ranking.tiebreaks", "rulebook.infractions"} <= set(listed["values"])
    assert "points.win" not in listed["values"]
    assert listed["reason"] == changed["events"][0]["data"]["reason"]["text"]


def test_an_erased_name_is_gone_from_every_service_and_every_decision_still_follows(story: Story) -> None:
    # given a player whose name was shown
    story.announced()
    story.paired([1, 2], [3, 4])
    shown = story.get(f"{T}/standings")["players"]
    assert shown[0]["name"] == "选手 1"
    entered = story.get(f"{T}/events?type=arbiter.player.entered.v2")["events"][0]["event"]
    hash = entered["data"]["name"]["text"]

    # when it is erased
    before = story.hall.lines("T")
    assert story.refused(f"{T}/texts/{hash}", role="chief_arbiter", method="DELETE") == (403, "role-may-not")
    story.tell(f"{T}/texts/{hash}", role="organiser", method="DELETE")

    # then no service tells it, the lines before stand as they were, and it cannot be erased again
    story.hall.settled()
    assert story.hall.lines("T")[: len(before)] == before
    assert story.get(f"{T}/standings")["players"][0]["name"] is None
    texts = story.ask("GET", f"{T}/texts", role="auditor").json["texts"]
    assert hash not in {text["hash"] for text in texts} and len(texts) == 4
    assert "选手 1" not in story.get("/t/T")
    assert story.refused(f"{T}/texts/{hash}", role="organiser", method="DELETE") == (409, "text-erased")


def test_a_final_table_closes_the_event_and_only_rulings_follow(story: Story) -> None:
    # given a played round, and a game that is open
    story.announced(rounds=1)
    story.paired([1, 2], [3, 4])
    story.report("1-0")
    assert story.refused(f"{T}/publications", {"final": True}) == (409, "game-open")
    story.report("*", "0-1")

    # when the final table is published
    made = story.tell(f"{T}/publications", {"final": True})["events"][0]

    # then its digest is that of the table that everybody can read at its basis
    named = ",".join(made["data"]["tiebreaks"])
    table = story.get(f"{T}/standings?at={made['basis']}&tiebreaks={named}")
    rows = [{k: v for k, v in row.items() if k != "name"} for row in table["players"]]
    assert table.pop("rounds_counted") == table["rounds"]
    digest = sha256(rfc8785.dumps(table | {"players": rows})).hexdigest()
    assert (made["data"]["digest"], made["data"]["final"]) == (digest, True)
    assert made["data"]["checkpoint"].startswith(f"arbiter/T\n{made['basis']}\n")

    # and the office is closed, while rulings, appeals and publications go on
    closed = (409, "tournament-closed")
    assert story.refused(f"{T}/entries", {"players": [{"name": "x"}]}) == closed
    assert story.refused(f"{T}/rounds", {}) == closed
    late = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "x"}
    assert story.refused(f"{T}/corrections", late, "arbiter") == closed
    assert json.dumps(story.points())
    for _ in range(3):
        story.foul(1)
    assert story.points()[1] == 0.0
    story.tell(f"{T}/publications", {"final": True})


def test_what_touched_the_integrity_of_pairings_stands_in_the_report_file_with_what_undid_it(story: Story) -> None:
    def comments() -> list[str]:
        return [
            line[4:] for line in story.get(f"{T}/trf").splitlines() if line.startswith("### ") and " @ Round " in line
        ]

    # given rounds paired by hand, of which one is taken back, and a rule set aside
    story.announced()
    story.paired([1, 2], [3, 4])
    first = story.seq
    story.tell(f"{T}/rounds/1/withdrawal", {"reason": "the draw was not public"})
    undone = story.seq
    story.paired([1, 3], [2, 4])
    second = story.seq
    story.report("1-0", "1-0")
    again = {"boards": [[3, 1], [4, 2]], "reason": "only these four are here", "overrides": ["rematch"]}
    story.tell(f"{T}/rounds", again)
    third = story.seq

    # when a result of the round before is corrected, and the regulations are changed
    correction = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "the slip was misread"}
    story.tell(f"{T}/corrections", correction)
    corrected = story.seq
    story.tell(f"{T}/regulations", {"regulations": "xiangqi-1999", "reason": "the organiser asked for it"})

    # then the file says each, with its line and the state before it
    told = comments()
    assert told[:5] == [
        f"MPA @ Round 1: boards set by hand (line {first}; before it: line {first - 1})",
        f"Undo @ Round 1: pairing of line {first} withdrawn (line {undone}; before it: line {undone - 1})",
        f"MPA @ Round 1: boards set by hand (line {second}; before it: line {second - 1})",
        f"MPA @ Round 2: boards set by hand; set aside: rematch (line {third}; before it: line {third - 1})",
        f"Correction @ Round 1: board 1 corrected after round 2 was paired (line {corrected}; before it: line {corrected - 1})",
    ]
    assert told[5].startswith("Configuration @ Round 2: changed ") and len(told) == 6
    assert story.points(f"?at={corrected - 1}") != story.points(f"?at={corrected}")
