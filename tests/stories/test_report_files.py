"""Records of the file that a tournament was imported from, which no event says: kept, exported, erased."""

from shared.regulations import load
from shared.trf.comparison import differences
from shared.trf.reader import read
from tests.stories.conftest import Story, T, in_one_process

RECORDS = [
    {"line": "012 Another name"},
    {"line": "102 Nora Albrecht"},
    {"line": ""},
    {"line": "QQQ of another program"},
    {"line": "XXA    1   1.0  1.0", "after": 2},
    {"line": "GER    2 2315", "after": 9},
]


def lines(story: Story, edition: str = "16") -> list[str]:
    """Return the lines of the file as an official gets it: a national rating record is not public."""
    path = f"{T}/trf?edition={edition}"
    story.near("GET", path)
    return story.ask("GET", path, role="chief_arbiter").get_data(as_text=True).split("\n")


def test_what_a_report_file_says_and_no_event_does_is_kept_and_written_again(story: Story) -> None:
    # given a tournament whose file had more than the log has
    story.announced(players=4)
    assert story.refused(f"{T}/report-file", {"records": RECORDS}, "arbiter") == (403, "role-may-not")
    before = lines(story)
    (kept,) = story.tell(f"{T}/report-file", {"records": RECORDS})["events"]
    assert [(r["code"], r["after"]) for r in kept["data"]["records"]] == [
        ("012", 0), ("102", 0), ("", 0), ("QQQ", 0), ("XXA", 2), ("GER", 9)
    ]  # fmt: skip
    assert "Nora" not in str(kept)

    # then every file has it where it stood, but for what the log says otherwise
    for edition in ("16", "26"):
        now = lines(story, edition)
        assert now[:4] == [before[0], "102 Nora Albrecht", "", "QQQ of another program"]
        assert [line[:8].strip() for line in now[4:10]] == [
            "001    1",
            "001    2",
            "XXA    1",
            "001    3",
            "001    4",
            "GER    2",
        ]
    assert "GER    2 2315" not in story.get(f"{T}/trf").split("\n")
    assert sorted(lines(story)) == sorted([*before, *(r["line"] for r in RECORDS[1:])])

    # and what is of a person can be erased
    hash = kept["data"]["records"][1]["line"]["text"]
    assert story.ask("DELETE", f"{T}/texts/{hash}", role="organiser").status_code == 200
    story.until(lambda: not any("Nora" in line for line in lines(story)))
    assert story.get(f"{T}/audit")["verdict"] == "agrees"


@in_one_process
def test_records_that_would_make_no_file_are_refused_by_their_place(story: Story) -> None:
    story.announced(players=4)
    for wrong, why in (
        ("001    1      Somebody", "a player record (001) must contain only the number"),
        (f"001    1{'':83s}   2 w 1 x", "'x' is in a column of a round that must be blank"),
        ("XXA    9   1.0", "9 is not a player of the file; correct the number"),
        ("132 one\n132 two", "a record must be one line"),
        ("240 Q   1    1", "a bye must be F, H or Z, not 'Q'"),
    ):
        story.near("POST", f"{T}/report-file")
        answer = story.ask("POST", f"{T}/report-file", {"records": [{"line": "102 A"}, {"line": wrong}]}, "organiser")
        assert answer.status_code == 422, wrong
        ((field, said),) = answer.get_json()["errors"]["records"].items()
        assert field == "1" and why in said["line"][0], said
    assert not any(line.startswith("102") for line in lines(story))


@in_one_process
def test_records_that_name_other_starting_numbers_stand_as_comments(story: Story) -> None:
    story.announced(players=4)
    story.tell(f"{T}/report-file", {"records": [{"line": "XXA    1   1.0"}, {"line": "102 Nora"}]})
    numbers = [{"player": n, "number": 5 - n} for n in range(1, 5)]
    story.tell(f"{T}/starting-numbers", {"numbers": numbers})
    now = lines(story)
    assert "### of other starting numbers: XXA    1   1.0" in now and "102 Nora" in now


@in_one_process
def test_two_equal_penalties_of_a_round_are_one_record_and_the_file_agrees_with_itself(story: Story) -> None:
    # given a player who lost half a point twice in a round
    cup = {"id": "T", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    story.tell("/v1/tournaments", cup)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"P{n}", "rating": 2400 - n} for n in (1, 2)]})
    story.paired([1, 2])
    story.report("1-0")
    for points in (-0.5, -0.5):
        effect = {"kind": "adjust_points", "points": points}
        story.tell(f"{T}/rulings", {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": effect})
    assert story.points() == {1: 0, 2: 0}
    # then the file has them in one record, is read again, and its points are those of its results and records
    for edition in ("16", "26"):
        told = lines(story, edition)
        assert [line for line in told if line.startswith("299")] == ["299     0.0  -1.0    1     1"]
        assert differences(read("\n".join(told).encode(), "cup.trf"), load("fide-2026").points) == ()
