"""Grounds: codes and facts in the log, words where somebody reads them."""

import re
from pathlib import Path

import pytest

from shared.audit.difference import difference
from shared.core.events import ClaimDecided, Decision, Ground
from shared.core.language.messages import say, term
from shared.core.state.grounds import (
    GROUNDS,
    english_text,
    ground,
    lines_of,
    with_game_colours,
    words_of,
    written_grounds,
)
from shared.http.language.catalogue import CHINESE, catalogue
from shared.wire.envelope import read

GOLDEN = Path(__file__).parents[1] / "golden"

EXAMPLES = {"side": "white", "status": "allowed", "kinds": ("check", "chase"), "otherwise": "draw", "man": "pawn"}


def example(code: str) -> Ground:
    return ground(code, **{name: EXAMPLES.get(name, "x1") for name in re.findall(r"{(\w+)}", GROUNDS[code].text)})


@pytest.mark.parametrize("code", GROUNDS)
def test_every_ground_is_said_in_both_languages(code):
    one = example(code)
    english, chinese = str(words_of(one)), words_of(one).rendered(catalogue(CHINESE).gettext, "、")
    assert "{" not in english + chinese
    assert re.search(r"[一-鿿]", chinese) or code == "as_written"


def test_moves_are_listed_as_many_as_one_reads():
    told = str(words_of(ground("moves", square="e3", moves=tuple(f"e3e{n}" for n in range(15)))))
    assert told.startswith("e3 moves: e3e0, e3e1") and told.endswith("and 3 more")


def test_lines_begin_where_a_referee_draws_breath():
    grounds = (ground("illegal", move="e9f9"), ground("kings_face"), ground("decided_by", articles=("4.1", "4.2")))
    assert english_text(grounds) == "e9f9 is not legal; the kings would face each other\ndecided by 4.1, 4.2"
    assert lines_of(()) == ()


def test_in_xiangqi_the_first_side_is_red():
    gained = ground("clock_gained", side="white", shown=3, over=1, most=2)
    assert str(words_of(gained, "xiangqi")).startswith("Red's clock")
    assert str(words_of(gained, "chess")).startswith("White's clock")
    told = say("it is {due}'s move; {what}", due=term("white"), what=say("{side} waits", side=term("black")))
    assert str(with_game_colours(told, "xiangqi")) == "it is red's move; black waits"
    assert with_game_colours(told, "go") == told


@pytest.mark.parametrize(
    ("foreign", "shown"),
    [
        (Ground("no_such_code", {"move": "e2e4"}), "no_such_code move=e2e4"),
        (Ground("legal", {}), "legal"),
        (Ground("legal", {"move": "e2e4", "more": 1}), "legal move=e2e4 more=1"),
        (Ground("legal", {"move": ("e2e4", "{0}")}), "e2e4, {0} is legal"),
        (
            Ground("clock_gained", {"side": "{x}", "shown": 1, "over": 1, "most": 1}),
            "{x}'s clock shows 1 seconds, 1 more",
        ),
    ],
)
def test_a_ground_that_no_service_writes_is_shown_as_it_stands(foreign, shown):
    assert str(words_of(foreign)).startswith(shown)


@pytest.mark.parametrize("version", [2, 3])
def test_grounds_of_before_there_were_codes_are_shown_as_written(version):
    line = (GOLDEN / f"arbiter.claim.decided.v{version}.json").read_bytes().strip()
    grounds = read(line, 1).data.grounds
    assert english_text(grounds) == {2: "49 moves", 3: "e3 moves: e3e4"}[version]
    assert [one.code for one in grounds] == ["as_written"]


def decided(*grounds: Ground) -> ClaimDecided:
    return ClaimDecided(4, "illegal_move", False, "Laws 7.5", grounds, id="c1")


class Written:
    """A line of a sheet, as the audit reads it."""

    def __init__(self, data: ClaimDecided) -> None:
        self.data = data


def test_the_audit_compares_old_grounds_with_the_sentence_that_they_were():
    outcome = Decision(lines=(decided(ground("legal", move="e2e4")),), game="T.1.1")
    assert difference(outcome, (), [Written(decided(ground("legal", move="e2e4")))]) is None
    assert difference(outcome, (), [Written(decided(*written_grounds("e2e4 is legal")))]) is None
    assert difference(outcome, (), [Written(decided(*written_grounds("e2e5 is legal")))]) is not None
    assert difference(outcome, (), [Written(decided(ground("legal", move="e2e5")))]) is not None
    assert difference(outcome, (), []) is not None
