"""The integrity list in words: every kind that there is, and each entry as a sentence in both languages."""

import pytest

from services.standings.audit.audit_pages import KINDS, told
from services.standings.queries import integrity
from services.standings.rules import integrity as rules
from services.standings.rules.integrity import IntegrityList, SharedPlaceAnswer
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.http.language.catalogue import catalogue
from tests.played import a_desk, spring_cup

ENTRIES = {
    "regulations": (rules.ChangedRegulationsAnswer(7, "li", "arbiter", None, ["points.win"]), "li changed points.win"),
    "overrides": (rules.OverrideAnswer(7, 2, "li", ("C1", "C2"), None), "round 2: li waived C1, C2"),
    "shared": (SharedPlaceAnswer(7, 1, [3, 4]), "rank 1 is shared by the players 3, 4"),
    "orphans": (rules.OrphanAnswer(7, "cup.1.1"), "of game cup.1.1"),
    "beneath": (rules.BeneathAnswer(7, "cup.1.1", "r1"), "game cup.1.1, overridden by ruling r1"),
    "arrivals": (rules.LateCorrectionAnswer(7, "cup.1.1", "a1", "a2"), "game cup.1.1: a1 was corrected by a2"),
    "claims": (rules.WaitingClaimAnswer(7, "c1", "cup.1.1"), "claim c1 in game cup.1.1 waits for an arbiter"),
    "findings": (rules.OpenFindingAnswer(7, "f1", "cup.1.1"), "finding f1 in game cup.1.1 is open"),
    "contradicted": (
        rules.ContradictedAnswer(7, "r1", "cup.1.1", None, {}),
        "ruling r1 on game cup.1.1 is not in force",
    ),
    "outdated": (
        OutdatedBasis("publication", 0, 2, 0, (), (), (), 7, "002-X"),
        "the table after round 2 was published before event 7 changed it",
    ),
    "texts": (rules.LostTextAnswer(7, text="ab12"), "text ab12"),
}
NOTHING = IntegrityList(**dict.fromkeys(ENTRIES, ()))


@pytest.fixture
def t(tmp_path):
    desk = a_desk(tmp_path)
    yield desk, desk.view(spring_cup(desk).id).tournament
    desk.close()


def test_every_kind_of_the_list_is_told_and_nothing_where_there_is_nothing(t):
    assert KINDS.keys() == ENTRIES.keys() == {*IntegrityList._fields}
    assert told(t[1], integrity(*t)) == []


def test_each_entry_is_a_sentence_by_its_line(t):
    listed = IntegrityList(**{name: [entry] for name, (entry, _) in ENTRIES.items()})
    for kind in told(t[1], listed):
        ((seq, words),) = kind.entries
        assert (seq, str(words)) == (7, ENTRIES[kind.name][1])
        assert catalogue("zh-CN").gettext(words.text) != words.text


@pytest.mark.parametrize(
    ("kind", "entry", "sentence"),
    [
        ("shared", SharedPlaceAnswer(9, 1, teams=[1, 2]), "rank 1 is shared by the teams 1, 2"),
        (
            "texts",
            rules.LostTextAnswer(9, game="cup.1.1", line=4, text="ab12"),
            "text ab12, which event 4 of the score sheet of cup.1.1 refers to",
        ),
    ],
)
def test_teams_and_texts_of_score_sheets_have_sentences_of_their_own(t, kind, entry, sentence):
    (one,) = told(t[1], NOTHING._replace(**{kind: [entry]}))
    assert str(one.entries[0][1]) == sentence
