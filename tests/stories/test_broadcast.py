"""A round for broadcast: who plays whom, as programs for it know them."""

import io

import chess.pgn

from tests.stories.conftest import Story, T

PLAYERS = [
    {"id": 1, "name": "Carla Nord", "title": "GM", "rating": 2610, "fide_id": "1503014"},
    {"id": 2, "name": "Ole Bruun"},
    {"id": 3, "name": "Ana Silva", "rating": 2180},
    {"id": 4, "name": "Mei Lin", "title": "WFM", "fide_id": "8603677"},
]
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


def broadcast(story: Story) -> list[chess.pgn.Headers]:
    """What the games of the first round say of themselves, in their order."""
    file, found = io.StringIO(story.get(f"{T}/rounds/1.pgn")), []
    while (headers := chess.pgn.read_headers(file)) is not None:
        found.append(headers)
    return found


def of_players(headers: chess.pgn.Headers) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in (*ROSTER, "Regulations")}


def test_broadcast_has_fide_ids_that_are_public_and_not_erased(story: Story) -> None:
    # given a round of players of whom entries say much, little and nothing
    cup = {"id": "T", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    story.tell("/v1/tournaments", cup)
    entered = story.tell(f"{T}/entries", {"players": PLAYERS})
    story.paired([1, 2], [3, 4])
    # when it is asked for, then titles and ratings of the entries follow the seven tags that come first
    assert of_players(broadcast(story)[0]) == {"WhiteTitle": "GM", "WhiteElo": "2610"}
    # and FIDE IDs once the organiser makes them public
    story.tell(f"{T}/visibility", {"public": ["name", "club", "fide_id"]}, role="organiser")
    story.hall.settled()
    first, second = broadcast(story)
    assert [*first][:7] == [*second][:7] == ROSTER
    assert of_players(first) == {"WhiteTitle": "GM", "WhiteElo": "2610", "WhiteFideId": "1503014"}
    assert of_players(second) == {"WhiteElo": "2180", "BlackTitle": "WFM", "BlackFideId": "8603677"}
    # and what was erased is told no more
    (id_of_white,) = {
        event["data"]["fide_id"]["text"] for event in entered["events"] if event["data"].get("player") == 1
    }
    story.tell(f"{T}/texts/{id_of_white}", role="organiser", method="DELETE")
    story.hall.settled()
    assert of_players(broadcast(story)[0]) == {"WhiteTitle": "GM", "WhiteElo": "2610"}
