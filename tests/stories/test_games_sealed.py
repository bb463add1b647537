"""Adjourned games: a move sealed, its envelope opened, and what follows from a bad one without a person."""

from hashlib import sha256

from tests.rows.marks import row
from tests.stories.conftest import Story, T
from tests.stories.test_games_claims import answered
from tests.stories.test_games_kinds import G, opened, played, step, won

SALT = "fedcba9876543210" * 2


def sealed(story: Story, side: str, move: str) -> None:
    step(story, side, "adjourn", sha256((SALT + move).encode()).hexdigest())


def test_a_chess_game_is_adjourned_and_goes_on_with_the_sealed_move(story: Story) -> None:
    opened(story, "chess", "fide-2026")
    played(story, 1, "e4 e5")
    sealed(story, "white", "Nf3")
    game = story.get(G)
    assert (game["status"], game["adjourned"], game["ply"]) == ("playing", "white", 2)
    assert story.refused(f"{G}/moves", {"ply": 3, "moves": ["Nf3"]}, "board") == (409, "adjourned")
    assert story.refused(f"{G}/claims", {"claim": "fifty_moves", "side": "white"}, "player") == (409, "adjourned")
    story.tell(f"{G}/offers", {"offer": "draw", "side": "white"}, "player")
    other = {"side": "white", "step": "unseal", "values": [SALT, "Nc3"]}
    assert story.refused(f"{G}/steps", other, "board") == (409, "illegal-step")
    told = step(story, "white", "unseal", SALT, "Nf3")["events"]
    assert [event["type"] for event in told] == ["arbiter.step.taken.v1", "arbiter.move.played.v1"]
    game = story.get(G)
    assert (game["adjourned"], game["moves"], game["offer"]) == (None, ["e2e4", "e7e5", "g1f3"], "white")
    played(story, 4, "Nc6")
    assert story.get(G)["offer"] is None, "it was refused by the reply"


def test_a_sealed_mate_wins_when_the_envelope_is_opened(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, "f3 e5 g4")
    sealed(story, "black", "Qh4#")
    step(story, "black", "unseal", SALT, "Qh4#")
    won(story, "0-1")


@row("X22", under="campus")
def test_a_bad_sealed_move_loses_a_xiangqi_game(story: Story) -> None:
    """000-E 4(四): the paper says 车九平五, where Red's own pieces stand in the way."""
    opened(story, "xiangqi")
    played(story, 1, "炮二平五 马8进7")
    step(story, "white", "adjourn")
    bad = {"side": "white", "step": "unseal", "values": ["车九平五"]}
    assert story.refused(f"{G}/steps", bad, "board") == (403, "role-may-not"), "the envelope is the arbiter's to open"
    told = story.tell(f"{G}/steps", bad, "arbiter")["events"]
    assert [event["type"] for event in told] == ["arbiter.step.taken.v1", "arbiter.finding.made.v3"]
    assert answered(story) == [("bad_sealed_move", "set_marks", None)]
    won(story, "0-1")
    assert story.get(f"{T}/rulings")["rulings"][0]["article"] == "000-E 4(四)"
    story.annul(story.standing()[0])
    played(story, 3, "马二进三")
    assert story.get(G)["status"] == "playing", "with the ruling annulled it is played on at the board"
