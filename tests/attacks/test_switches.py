"""The two switches of a log, its editions of offices and of decisions: a house that holds every key turns none of them back."""

from copy import deepcopy

import msgspec
import pytest

from shared.wire.envelope import read
from shared.wire.regulations import digest
from tests.attacks.forger import Forgery
from tests.attacks.logs import log_of
from tests.stories.conftest import Story, T

pytestmark = pytest.mark.xdist_group("forgeries")


@pytest.fixture(scope="module")
def changed():
    """A log whose regulations were adopted twice."""

    def tell(story: Story) -> None:
        story.announced(game="chess")
        story.paired([1, 2], [3, 4])
        other = {"regulations": "fide-2024", "reason": "the federation's"}
        story.tell(f"{T}/regulations", other)

    return log_of(tell)


def test_the_log_is_of_the_newest_edition_of_both(changed):
    report = Forgery(changed).report()
    assert (report.verdict, report.offices, report.decisions) == ("agrees", 3, 3), report.findings
    assert report.exit_code(strict=True) == 0


def test_an_edition_of_decisions_does_not_go_back(changed):
    forgery = Forgery(changed)
    adopted = [line for line in forgery.lines if line["type"].startswith("arbiter.regulations.adopted.")]
    assert len(adopted) == 2
    adopted[1]["data"]["regulations"]["decisions"] = 1
    report = forgery.report()
    seq = forgery.lines.index(adopted[1]) + 1
    assert report.verdict == "differs"
    assert (seq, "the decision edition must never decrease, but changes from 3 to 1") in [
        (f.last, str(f.why)) for f in report.findings
    ]


def test_an_edition_of_offices_does_not_go_back_by_a_second_announcement(changed):
    forgery = Forgery(changed)
    again = deepcopy(forgery.lines[0])
    again["data"]["offices"] = 1
    forgery.lines.append(again)
    report = forgery.report()
    assert report.verdict == "differs" and report.offices == 3
    assert any(
        "the edition of the role rules must never decrease, but changes from 3 to 1" in str(f.why)
        for f in report.findings
    ), report.findings


@pytest.mark.parametrize("switch", ["offices", "decisions"])
def test_a_house_that_writes_an_older_edition_from_the_first_line_is_told_and_refused_by_who_is_strict(changed, switch):
    forgery = Forgery(changed)
    if switch == "offices":
        forgery.lines[0]["data"]["offices"] = 1
    else:
        for line in forgery.lines:
            if line["type"].startswith("arbiter.regulations.adopted."):
                line["data"]["regulations"]["decisions"] = 1
    report = forgery.report()
    said = {"offices": "edition 1 of the role rules", "decisions": "decision edition 1:"}[switch]
    assert any(str(remark).startswith(said) for remark in report.remarks), report.remarks
    assert report.exit_code(strict=True) == 1


@pytest.mark.parametrize("offices", [1, 3])
def test_a_time_that_goes_back_is_a_finding_since_offices_count_and_was_a_remark_before(changed, offices):
    forgery = Forgery(changed)
    forgery.lines[0]["data"]["offices"] = offices
    late = forgery.lines[-1]
    assert late["type"].startswith("arbiter.regulations.adopted.")
    for one in forgery.command(late):
        one["time"] = "2020-01-01T00:00:00.000000Z"
    report = forgery.report()
    found = [str(f.why) for f in report.findings if "before that of its last event" in str(f.why)]
    told = [str(remark) for remark in report.remarks if "is before that of the event before it" in str(remark)]
    if offices == 3:
        assert report.verdict == "differs" and told == []
        assert found == ["the time 2020-01-01T00:00:00.000000Z of /services/pairing is before that of its last event"]
    else:
        assert found == [] and len(told) == 1


EARLIER = "4584c97f787a081a3bba402ae6da17204269552905bc4e4da54aeb21ff30f5c7"
"""An edition of fide-2024 that was shipped before today's (`shared/regulations/shipped.txt`)."""


@pytest.mark.parametrize("declared", [{}, {"points.win": 2}, {"points.loss": 0, "points.win": 2}])
def test_who_names_an_earlier_edition_and_any_change_has_not_adopted_whatever_he_likes(changed, declared):
    forgery = Forgery(changed)
    adopted = [line for line in forgery.lines if line["type"].startswith("arbiter.regulations.adopted.")][1]
    said = adopted["data"]["regulations"]
    assert said["name"] == "fide-2024"
    said |= {"digest": EARLIER, "changes": declared, "points": said["points"] | {"draw": 2}}
    seq = forgery.lines.index(adopted) + 1
    found = [str(f.why) for f in forgery.report().findings if f.last == seq]
    assert any("points.draw" in why and "neither of fide-2024 nor declared changes" in why for why in found), found


@pytest.mark.parametrize("name", ["Li.Wei", "li wei\u200b", " li", "ﬁ", "a  b", "e\u0301va", "a\u00a0b"])
def test_an_actor_who_is_named_otherwise_than_handles_are_is_another_and_is_found(changed, name):
    """He would hold an office beside one who looks like him: also where he announced, and so holds it by his token."""
    forgery = Forgery(changed)
    announcer = forgery.lines[0]["actor"]
    mine = [line for line in forgery.lines if line["actor"] == announcer]
    for line in mine:
        line["actor"] = name
    report = forgery.report()
    seqs = {forgery.lines.index(line) + 1 for line in mine}
    assert {f.last for f in report.findings if "is not a valid login name" in str(f.why)} == seqs


def test_a_house_that_announces_no_keys_signs_nothing_and_its_log_is_incomplete(changed):
    forgery = Forgery(changed)
    forgery.lines[0]["data"]["keys"] = []
    report = forgery.report()
    assert (report.verdict, report.exit_code(strict=False)) == ("incomplete", 3), report.findings
    assert {str(why) for why in report.lacking} == {"signature missing"}
    # and where offices did not count yet that was never promised
    forgery.lines[0]["data"]["offices"] = 1
    assert not forgery.report().lacking


def of_its_own(forgery: Forgery, name: str, **values: object) -> int:
    """The last adoption in the forgery is of a set of the house's own, with the digest of its values; its line."""
    adopted = [line for line in forgery.lines if line["type"].startswith("arbiter.regulations.adopted.")][-1]
    said = adopted["data"]["regulations"]
    said |= {"name": name, "changes": {}, **values}
    said["digest"] = digest(read(msgspec.json.encode(adopted), 1).data.regulations)
    return forgery.lines.index(adopted) + 1


@pytest.mark.parametrize("edition", [0, 4, 99])
def test_an_edition_of_decisions_that_nobody_knows_is_found_in_a_set_of_ones_own_too(changed, edition):
    forgery = Forgery(changed)
    seq = of_its_own(forgery, "Bergen 2026", decisions=edition)
    found = [(f.last, str(f.why)) for f in forgery.report().findings]
    assert (seq, f"decision edition {edition} is unknown to this version of Arbiter") in found


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("\u0441ampus", "mixes alphabets"),
        ("Fide-2024", "looks like fide-2024"),
        ("Bergen 2026", None),
        ("\u5317\u4eac 2026", None),
    ],
)
def test_a_set_of_ones_own_that_looks_like_a_shipped_one_is_told(changed, name, alike):
    forgery = Forgery(changed)
    of_its_own(forgery, name)
    report = forgery.report()
    told = [str(why) for why in report.remarks if "organiser's own" in str(why)]
    assert report.verdict == "agrees"
    assert [alike in one for one in told] == [True] if alike else told == []
