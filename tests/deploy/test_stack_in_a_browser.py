"""A round of an event in a browser before the distributed system: four services, their workers, Kafka, PostgreSQL and nginx."""

from base64 import b64decode

from pypdfium2 import PdfDocument
from selenium.webdriver import Chrome

from shared.client import Client
from shared.http.identity.tokens import issue
from tests.browser.chief import Chief
from tests.browser.conftest import browser, chromium
from tests.deploy.servers import STACK
from tests.log.distributed import until

pytestmark = STACK
__all__ = ["browser", "chromium"]
PLAYERS = 6


def test_a_round_is_run_by_an_invited_arbiter_from_its_pairing_to_the_papers_of_the_next(
    stack, arbiter, browser: Chrome
):
    # given an event whose players are entered
    t, tongue = "browser", "zh-CN"
    chief = Client(stack.url, issue(stack.data, "chief_arbiter", "hou", None, 1))
    cup = {"id": t, "name": "杯 Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    chief.post("/v1/tournaments", cup)
    players = {"players": [{"name": f"Player {n}"} for n in range(1, PLAYERS + 1)]}
    chief.post(f"/v1/tournaments/{t}/entries", players)
    until(lambda: chief.get(f"/v1/tournaments/{t}").json["players"] == PLAYERS)
    where = (f"--database=pairing={stack.database('pairing')}", "--data", stack.data, "--address", stack.url)
    code, link, problem = arbiter("invite", t, "--role", "chief_arbiter", "--name", "hou", *where)
    assert code == 0, problem
    # when its chief arbiter opens the link, begins, and pairs
    office = Chief(browser, stack.url, t, tongue)
    office.logs_in(link.strip())
    office.pairs(t, 1)
    # then a foul is found in the rulebook, previewed and confirmed, and each result typed
    first = chief.get(f"/v1/tournaments/{t}/rounds/1").json["boards"][1]["white"]
    office.opens_menu(1, 2, f"ruling?player={first}")
    office.types("#q", "犯规")
    office.clicks("#infractions a[href*='infraction=foul']")
    office.previews()
    office.confirms()
    office.visits("rounds/1")
    office.types_results("1=0")
    rulings = chief.get(f"/v1/tournaments/{t}/rulings").json["rulings"]
    assert [ruling["infraction"] for ruling in rulings] == ["foul"]
    # and the next round is paired and printed
    office.pairs(t, 2)
    assert office.one("html").get_attribute("lang") == tongue
    office.clicks("a[href*='/rounds/2/papers']")
    pdf = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    said = "".join(page.get_textpage().get_text_range() for page in PdfDocument(b64decode(pdf)))
    assert [n for n in range(1, PLAYERS + 1) if f"Player {n}" not in said] == []
    assert browser.get_log("browser") == []
