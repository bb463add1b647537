"""A game's page in either hall: what people see of it follows what was told, and nothing erased is told."""

from tests.stories.conftest import Story, T
from tests.stories.test_games_claims import claimed
from tests.stories.test_games_kinds import PGN, G, opened, played, step

PAGE = "/games/T.1.1"


def test_the_page_of_a_game_follows_it_from_the_pairing_to_the_result(story: Story) -> None:
    # given a round that is paired
    opened(story, "xiangqi")
    assert "not begun yet" in story.get(PAGE)
    # when it is played, and a claim decided
    played(story, 1, " ".join(["a0a1 a9a8 a1a0 a8a9"] * 2))
    assert "being played" in story.get(PAGE)
    claimed(story, None, "repetition", role="arbiter")
    # then the page has moves, claim with article, and result; and none as of the line before
    page = story.get(PAGE)
    for told in ("车九进一", "the arbiter asks for repetition", "repetition is upheld", "24.2", "½ – ½"):
        assert told in page, told
    before = story.get(f"{PAGE}?at={story.seq - 1}")
    assert "½ – ½" not in before and f"As of event {story.seq - 1} of {story.seq}" in before


def test_the_page_tells_the_ruling_that_a_result_comes_from_until_it_is_annulled(story: Story) -> None:
    # given a player who comes too late to play
    opened(story, "xiangqi")
    story.tell(f"{T}/arrivals", {"player": 1, "round": 1, "late": 901}, "arbiter")
    ruling = story.get(f"{T}/rulings")["rulings"][0]["ruling"]
    # when the page is asked for, then it names the ruling, and shows no board on which nothing was played
    page = story.get(PAGE)
    assert f'by ruling <a href="/t/T/rulings#{ruling}">' in page and "+" in page
    assert "<svg" not in page
    # and when the ruling falls, the game is open again
    story.annul(ruling)
    page = story.get(PAGE)
    assert "Result: <strong>open</strong>" in page and "annulled or lapsed" in page
    assert "<svg" in page


def test_the_page_leads_to_the_sheet_as_a_file(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, "e4 e5")
    assert f'href="{PAGE}/sheet.pgn"' in story.get(PAGE)
    answer = story.ask("GET", f"{PAGE}/sheet.pgn")
    assert (answer.status_code, answer.mimetype) == (200, PGN)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="T.1.1.pgn"'
    assert "1. e4 e5" in answer.text
    assert story.ask("GET", f"{PAGE}/sheet.sgf").status_code == 404


def test_the_page_tells_which_moves_are_due_after_a_touch(story: Story) -> None:
    opened(story, "chess")
    story.tell(f"{G}/start", role="arbiter")
    story.tell(f"{G}/claims", {"claim": "touch", "squares": ["e2"]}, "arbiter")
    page = story.get(PAGE)
    assert "To be played, after a touch: e2e3, e2e4." in page
    assert "the arbiter asks for touch e2" in page
    played(story, 1, "e4")
    assert "To be played" not in story.get(PAGE)


def test_the_page_tells_that_a_game_is_adjourned(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, "e4 e5")
    step(story, "white", "adjourn")
    page = story.get(PAGE)
    assert "adjourned" in page and "seals a move" in page


def test_seats_whose_colours_were_put_right_are_told_by_the_pieces_they_hold(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, " ".join(["Nf3 Nf6 Ng1 Ng8"] * 5))
    story.tell(f"{G}/steps", {"side": "white", "step": "correct_colours", "values": []}, "arbiter")
    page = story.get(PAGE)
    assert page.index("<td>Black") < page.index("<td>White"), "the seat named first has the black pieces"


def test_an_erased_name_is_gone_from_the_page_and_the_file(story: Story) -> None:
    # given a game whose players are named
    opened(story, "chess")
    played(story, 1, "e4")
    assert "选手 1" in story.get(PAGE)
    entered = story.get(f"{T}/events?type=arbiter.player.entered.v2")["events"][0]["event"]
    # when one name is erased
    story.tell(f"{T}/texts/{entered['data']['name']['text']}", role="organiser", method="DELETE")
    story.hall.settled()
    # then it is not at hand there either
    page = story.get(PAGE)
    assert "选手 1" not in page and "name unavailable" in page and "选手 2" in page
    assert '[White "?"]' in story.ask("GET", f"{PAGE}/sheet.pgn").text
