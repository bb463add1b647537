"""The integrity list in words: every kind that there is, and each entry as a sentence in both languages."""

from services.standings.descriptions.integrity_words import KINDS, told
from services.standings.queries import integrity
from shared.core.language.messages import say
from shared.http.language.catalogue import catalogue
from tests.played import a_desk, spring_cup

ENTRIES = {
    "regulations": ({"actor": "li", "values": ["points.win"]}, "li changed points.win"),
    "overrides": ({"round": 2, "actor": "li", "rules": ["C1", "C2"]}, "round 2: li waived C1, C2"),
    "shared": ({"rank": 1, "players": [3, 4]}, "place 1 is shared by the players 3, 4"),
    "orphans": ({"game": "cup.1.1"}, "of game cup.1.1"),
    "beneath": ({"game": "cup.1.1", "ruling": "r1"}, "game cup.1.1, overridden by ruling r1"),
    "arrivals": ({"game": "cup.1.1", "corrects": "a1", "by": "a2"}, "game cup.1.1: a1 was corrected by a2"),
    "claims": ({"claim": "c1", "game": "cup.1.1"}, "claim c1 in game cup.1.1"),
    "findings": ({"finding": "f1", "game": "cup.1.1"}, "finding f1 in game cup.1.1"),
    "contradicted": ({"ruling": "r1", "game": "cup.1.1"}, "ruling r1 on game cup.1.1"),
    "outdated": ({"message": say("the table changed")}, "the table changed"),
    "texts": ({"text": "ab12"}, "text ab12"),
}


def test_every_kind_of_the_list_is_told_and_nothing_where_there_is_nothing(tmp_path):
    desk = a_desk(tmp_path)
    cup = spring_cup(desk)
    listed = integrity(desk, desk.view(cup.id).tournament)
    assert {kind.name for kind in KINDS} == listed.keys() == ENTRIES.keys()
    assert told(listed) == []
    desk.close()


def test_each_entry_is_a_sentence_by_its_line():
    listed = {name: [entry | {"seq": 7}] for name, (entry, _) in ENTRIES.items()}
    for kind in told(listed):
        ((seq, words),) = kind.entries
        assert (seq, str(words)) == (7, ENTRIES[kind.name][1])
        assert kind.name == "outdated" or catalogue("zh-CN").gettext(words.text) != words.text


def test_teams_that_share_a_place_are_told_as_teams():
    (shared,) = told({name: [] for name in ENTRIES} | {"shared": [{"seq": 9, "rank": 1, "teams": [1, 2]}]})
    assert str(shared.entries[0][1]) == "place 1 is shared by the teams 1, 2"
