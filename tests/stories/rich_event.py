"""A chess event with every kind of decision, for those who look at its log."""

from tests.stories.conftest import Story, T


def tell_rich_event(story: Story) -> None:
    """Five players: a mate on a score sheet, a game claimed on time, fouls, an appeal, a table published, a bye granted, one
    who leaves, a second round."""
    story.announced(players=5, game="chess")
    story.tell(f"{T}/starting-numbers", {})
    story.paired([1, 2], [3, 4], bye=5)
    story.tell("/v1/games/T.1.1/moves", {"ply": 1, "moves": ["f3", "e5", "g4"]}, "board")
    story.tell("/v1/games/T.1.1/moves", {"ply": 4, "moves": ["Qh4#"]}, "board")
    for _ in range(3):
        story.foul(3)
    appeal = story.appeal(3, "r2")
    story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals")
    story.tell("/v1/games/T.1.2/moves", {"ply": 1, "moves": ["e4", "e5"]}, "board")
    story.tell("/v1/games/T.1.2/claims", {"claim": "flag", "side": "black"}, "arbiter")
    story.until(lambda: story.ask("GET", "/v1/games/T.1.2").get_json()["status"] == "decided")
    story.seq = len(story.hall.lines("T"))
    story.tell(f"{T}/publications", {})
    story.tell(f"{T}/byes", {"player": 1, "round": 2, "kind": "H"})
    story.tell(f"{T}/entries/2/withdrawal", {"reason": "ill"})
    story.paired([3, 5], bye=4)
