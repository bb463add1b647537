"""A knock-out of chess in a browser, from the server's first invitation to the signed report, by mouse and keyboard alone.

Expected opponents, results, ranks and papers are written here by hand.
"""

import re
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from deploy.server import embedded
from tests.browser.chief import Chief, signer
from tests.browser.serving import sit_down

pytestmark = pytest.mark.xdist_group("browser")
DRAW = ()
"""Nobody wins."""
FOREIGN = ("Xiangqi", "Gomoku", "Campus")
"""Rule texts that do not apply to an event of FIDE."""
ALDER, BIRCH, CEDAR, DOGWOOD = "Anna Alder", "Boris Birch", "Clara Cedar", "Dmitri Dogwood"
ELM, FIR, GUM, HAZEL = "Elena Elm", "Felix Fir", "Greta Gum", "Hugo Hazel"
CLUBS = {
    ALDER: "Leipzig", BIRCH: "Kassel", CEDAR: "Leipzig", DOGWOOD: "Bremen",
    ELM: "Kassel", FIR: "Bremen", GUM: "Leipzig", HAZEL: "Kassel",
}  # fmt: skip


def bracket(office: Chief) -> dict[int, list[str]]:
    """Return the two sides of each match of the bracket page, by its number: seed, name, club, note, results and sum."""
    office.visits("bracket")
    boxes = office.browser.find_elements(By.CSS_SELECTOR, "li[id^='match-']")
    return {
        int((box.get_attribute("id") or "").removeprefix("match-")): [
            " ".join(row.text.split()) for row in box.find_elements(By.TAG_NAME, "tr")
        ]
        for box in boxes
    }


def decide_quarter_finals(office: Chief) -> str:
    """Play rounds 1 to 4, and return the winner of the match that a lot decides."""
    draft = office.publishes_pairing(1)
    assert "seeds 1 and 8 meet" in draft and "Leipzig" in draft
    assert office.meetings() == [{ALDER, HAZEL}, {DOGWOOD, ELM}, {BIRCH, GUM}, {CEDAR, FIR}]
    office.wins(ALDER)
    office.publishes_pairing(2)
    office.wins(ALDER, BIRCH, FIR)
    office.opens_menu(2, 3, "ruling?player=2")
    office.clicks("#infractions a[href*='infraction=electronic_device']")
    office.types("#note", "a telephone rang in the pocket")
    preview = office.previews()
    assert "FIDE Laws of Chess, art. 11.3.2" in preview and f"round 2 against {GUM}: 1 → 0" in preview
    office.confirms()
    for extra in (3, 4):
        office.publishes_pairing(extra)
        assert office.meetings() == [{DOGWOOD, ELM}], "the others wait"
        office.wins(*DRAW)
    refused = office.visits("rounds/5/pairing")
    assert "match 2" in refused and "must be decided by lot" in refused and not any(one in refused for one in FOREIGN)
    office.clicks("a[href$='/lots']")
    office.clicks("button[name=match]")
    return DOGWOOD if DOGWOOD in office.one("#drawn").text else ELM


def correct_a_result(office: Chief) -> None:
    """Correct a quarter-final whose winner is already paired: another player plays the semi-final."""
    office.opens_menu(2, 4, "correction")
    result = "1-0" if f"White {CEDAR}" in office.one("main").text else "0-1"
    office.one(f"input[name=result][value='{result}']").click()
    office.types("#reason", "the slip was read the wrong way round")
    preview = office.previews()
    assert "match 6" in preview and not any(one in preview for one in FOREIGN)
    office.confirms()
    take_back(office, "the wrong player went on")


def take_back(office: Chief, reason: str) -> None:
    """Follow the task of an outdated pairing, withdraw the pairing, and pair the round again."""
    office.visits("rounds/5")
    office.clicks("a[href$='/rounds/5/upholding']")
    assert not any(one in office.one("main").text for one in FOREIGN)
    office.clicks("main a[href$='/rounds/5/pairing']")
    office.types("#reason", reason)
    office.clicks("#form button.lead")
    office.publishes_pairing(5)


def uphold_an_appeal(office: Chief, committee: str) -> None:
    """Annul the ruling that decided a quarter-final: the player concerned plays the semi-final after all."""
    office.visits("rulings/r1")
    office.clicks("a[href$='/appeal']")
    office.one("input[name=by][value='2']").click()
    office.types("#grounds", "It rang in the gallery.")
    office.previews()
    office.confirms()
    chief = office.seat()
    office.logs_in(committee)
    office.visits("")
    office.clicks("a[href*='/appeals/']")
    case = office.one("main").text
    assert "“It rang in the gallery.”" in case and "“a telephone rang in the pocket”" in case and "art. 11.3.2" in case
    office.one("input[name=upheld][value='yes']").click()
    office.types("#grounds", "Two spectators confirm it.")
    assert f"round 2 against {GUM}: 0 → 1" in office.previews()
    office.confirms()
    sit_down(office.browser, office.address, chief)
    take_back(office, "the appeal was upheld")


def test_a_knock_out_is_played_to_its_signed_report(house: tuple[Path, str], browser: Chrome) -> None:
    data, address = house
    office = Chief(browser, address, "ko", "en")
    office.logs_in(address + embedded.first_invitation(data))
    typed = {"own_name": "Olga Organiser", "games": "2", "extra": "2"}
    office.creates("chess/fide-2026", "knockout", "Spring Cup", "Leipzig", typed, {})
    office.appoints("ada", "chief_arbiter", "Ada Brandt")
    office.appoints("panel", "appeals", "Paula Panel")
    committee = office.invites("panel", "appeals")
    office.logs_in(office.invites("ada", "chief_arbiter"))
    office.visits("entries")
    office.enters(
        "Name,Rating,Club", [f"{name},{2400 - 40 * n},{club}" for n, (name, club) in enumerate(CLUBS.items())]
    )

    drawn = decide_quarter_finals(office)
    office.publishes_pairing(5)
    assert office.meetings() == [{ALDER, drawn}, {GUM, FIR}]
    correct_a_result(office)
    assert office.meetings() == [{ALDER, drawn}, {GUM, CEDAR}], "the corrected result decides who plays"
    uphold_an_appeal(office, committee)
    assert office.meetings() == [{ALDER, drawn}, {BIRCH, CEDAR}], "the annulled ruling decided a match"
    office.wins(ALDER, CEDAR)
    office.publishes_pairing(6)
    office.wins(ALDER)
    office.publishes_pairing(7)
    assert office.meetings() == [{ALDER, CEDAR}]
    office.wins(CEDAR)
    office.publishes_pairing(8)
    office.wins(*DRAW)
    finish(office, drawn)
    report = office.visits("papers/report")
    assert (
        signer(data) in report
        and "Ada Brandt" in report
        and "Match 7" in report
        and not any(one in report for one in FOREIGN)
    )
    assert browser.get_log("browser") == []


def finish(office: Chief, drawn: str) -> None:
    """Read the bracket, the tables and their papers after the final, and publish the standings."""
    end = office.visits("rounds/8")
    assert "All rounds are played" in end and "Pair round 9" not in end and "no round" not in office.visits("")
    assert "Pairing of round" not in office.visits("office")
    lost = ELM if drawn == DOGWOOD else DOGWOOD
    dogwood, elm = (" goes on" if drawn == one else "" for one in (DOGWOOD, ELM))
    expected = {
        1: ["1 Anna Alder Leipzig goes on 1 1 2", "8 Hugo Hazel Kassel 0 0 0"],
        2: [f"4 Dmitri Dogwood Bremen{dogwood} ½ ½ ½ ½ 2", f"5 Elena Elm Kassel{elm} ½ ½ ½ ½ 2"],
        3: ["2 Boris Birch Kassel goes on ½ 1 1.5", "7 Greta Gum Leipzig ½ 0 0.5"],
        4: ["3 Clara Cedar Leipzig goes on ½ 1 1.5", "6 Felix Fir Bremen ½ 0 0.5"],
        5: ["Anna Alder Leipzig goes on 1 1 2", f"{drawn} {CLUBS[drawn]} 0 0 0"],
        6: ["Boris Birch Kassel 0 ½ 0.5", "Clara Cedar Leipzig goes on 1 ½ 1.5"],
        7: ["Anna Alder Leipzig 0 ½ 0.5", "Clara Cedar Leipzig winner 1 ½ 1.5"],
    }
    assert bracket(office) == expected
    sheet = re.sub(r"\s+", " ", office.visits("papers/bracket"))
    assert all(row in sheet for rows in expected.values() for row in rows), sheet
    office.publishes_final()
    assert office.open_checks() == set()
    office.visits("standings")
    table = [row.split() for row in office.rows("#fresh tbody tr")]
    places = {" ".join(row[1:3]): (row[0], row[3], row[-1]) for row in table}
    assert places == {
        CEDAR: ("1", "Leipzig", "4.5"), ALDER: ("2", "Leipzig", "4.5"), BIRCH: ("3", "Kassel", "2"),
        drawn: ("3", CLUBS[drawn], "2"), lost: ("5", CLUBS[lost], "2"), FIR: ("5", "Bremen", "0.5"),
        GUM: ("5", "Leipzig", "0.5"), HAZEL: ("5", "Kassel", "0"),
    }  # fmt: skip
    office.visits("")
    third, fourth = sorted((BIRCH, drawn))
    assert office.rows(".leaders li") == [f"{CEDAR} 4.5", f"{ALDER} 4.5", f"{third} 2", f"{fourth} 2"], (
        "third place is shared"
    )
    book = office.visits("papers/book")
    assert "Rating" in book and not any(empty in book for empty in ("Title", "First game began", "Planned"))
    office.visits("crosstable")
    assert re.fullmatch(
        r"1 3 Clara Cedar Leipzig 6[wb]= 6[wb]1 – – 2[wb]1 2[wb]= 1[wb]1 1[wb]= 4.5", office.rows("#fresh tbody tr")[0]
    ), "no bye while the player waited"
