"""Every type of line can be read as a sentence, and is found by whom it speaks of."""

import re
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

from services.standings.descriptions.registry import mentions, sentence
from services.standings.descriptions.words import control
from services.standings.rulebook.regulation_pages import ACTS
from shared.core import events as ev
from shared.core.event_types.registry import OFFICIAL
from shared.core.events.games import FindingKind
from shared.core.events.sheets import Claim
from shared.core.language.messages import Message
from shared.core.readings import vocabulary
from shared.core.readings.authority import RULEBOOK_ACTS
from shared.core.readings.colours import Colours
from shared.core.rulebook.effects import EFFECTS, EffectKind, FactName
from shared.core.rulebook.formats import Format
from shared.core.rulebook.game_rules import RULES, Settling
from shared.core.state.tournament import Tournament
from shared.core.terms import (
    PENALTIES,
    ByeKind,
    Period,
    PlayerId,
    Role,
    RulingId,
    Seconds,
    Side,
    TeamKind,
    TimeControl,
)
from shared.http.language.catalogue import CHINESE, catalogue
from shared.regulations import load, names
from shared.wire.envelope import read
from tests.rules.standings_field import Hall

GOLDEN = Path(__file__).parent.parent / "golden"
HAN = re.compile("[\u3400-\u9fff]")
RUNGS = {row.rule for name in names() for row in load(name).rulebook.ladder}
COUNTERS = {row.counter for name in names() for row in load(name).rulebook.infractions if row.counter}


def chinese(message: Message) -> str:
    return message.rendered(catalogue(CHINESE).gettext, "、")


def untranslated(message: Message) -> list[str]:
    """The templates in a message, and in the messages that are its facts, that have letters and no Chinese."""
    inner = [fact for value in message.facts.values() for fact in (value if isinstance(value, tuple) else (value,))]
    found = [text for fact in inner if isinstance(fact, Message) for text in untranslated(fact)]
    bare = re.sub(r"\{\w+\}", "", message.text)
    return found + [message.text] * bool(
        re.search("[A-Za-z]", bare) and not HAN.search(catalogue(CHINESE).gettext(message.text))
    )


@pytest.mark.parametrize("type", sorted(row.name for row in OFFICIAL))
def test_every_type_of_line_has_a_sentence(type: str):
    data = read((GOLDEN / f"{type}.json").read_bytes().strip(), 1).data
    told = str(sentence(Tournament("T"), data, lambda player: f"player {player}"))
    assert told.endswith((".", "…"))
    assert "None" not in told


@pytest.mark.parametrize("type", sorted(row.name for row in OFFICIAL))
def test_every_sentence_has_chinese_words(type: str):
    data = read((GOLDEN / f"{type}.json").read_bytes().strip(), 1).data
    assert untranslated(sentence(Tournament("T"), data, lambda player: f"№ {player}")) == []


SETS = {
    "effects": (EffectKind, {kind: row.words for kind, row in EFFECTS.items()}),
    "formats": (Format, vocabulary.FORMATS),
    "team kinds": (TeamKind, vocabulary.TEAM_KINDS),
    "roles": (Role, vocabulary.ROLES),
    "byes": (ByeKind, vocabulary.BYES),
    "facts": (FactName, vocabulary.FACTS),
    "findings": (FindingKind, vocabulary.FINDINGS),
    "claims": (Claim, vocabulary.CLAIMS),
    "games": (Literal[tuple(RULES)], vocabulary.GAMES),
    "counters": (Literal[tuple(COUNTERS)], vocabulary.COUNTERS),
    "rungs": (Literal[tuple(RUNGS)], vocabulary.RUNGS),
    "acts": (Literal[RULEBOOK_ACTS], ACTS),
    "pieces": (Literal[tuple(name for rules in RULES.values() for name in rules.PIECES)], vocabulary.PIECES),
    "wins": (Literal[tuple(vocabulary.PIECES)], vocabulary.WINS),
    "settling": (Settling, vocabulary.SETTLING),
}
"""Closed sets, and what their members are called."""


@pytest.mark.parametrize(("members", "words"), SETS.values(), ids=SETS)
def test_every_member_of_a_closed_set_has_chinese_words(members: Any, words: dict[str, Message]):
    assert set(get_args(members)) - set(words) == set()
    assert [(name, untranslated(message)) for name, message in words.items() if untranslated(message)] == []


def test_every_infraction_of_every_set_has_a_chinese_name():
    rows = [(name, row) for name in names() for row in load(name).rulebook.infractions]
    assert [(name, row.name) for name, row in rows if not HAN.search(row.chinese)] == []


@pytest.mark.parametrize(
    ("game", "sides"),
    [("xiangqi", ("红方", "黑方")), ("chess", ("白方", "黑方")), ("go", ("白方", "黑方（先行）"))],
)
def test_a_column_is_called_as_its_game_calls_the_side(game: str, sides: tuple[str, str]):
    colours = Colours(RULES[game].PIECES, RULES[game].FIRST, None, "black")
    assert tuple(chinese(vocabulary.column_heading(colours, side)) for side in get_args(Side)) == sides


@pytest.mark.parametrize(
    ("periods", "increment", "byo_yomi", "told"),
    [
        ([(300, 0)], 0, 0, "all moves in 5 min"),
        ([(300, 30)], 0, 0, "30 moves in 5 min, again and again"),
        ([(5400, 40), (90, 0)], 30, 0, "40 moves in 90 min, then all moves in 1 min 30 s; 30 s added with each move"),
        ([], 0, 15, "15 s a move"),
        (
            [(7200, 40), (900, 0, 30)],
            0,
            0,
            "40 moves in 120 min, then all moves in 15 min, 30 s added with each",
        ),
    ],
)
def test_a_time_control_is_told_in_words(periods: list[tuple[int, ...]], increment: int, byo_yomi: int, told: str):
    held = tuple(Period(*map(Seconds, one)) for one in periods)
    assert str(control(TimeControl("chess", held, Seconds(increment), Seconds(byo_yomi), "at_once", "6"))) == told


def test_periods_of_byo_yomi_are_counted_in_words():
    time = TimeControl("go", (Period(Seconds(1800), 0),), Seconds(0), Seconds(30), "claimed", "6", Seconds(0), 5)
    assert str(control(time)) == "all moves in 30 min; 5 byo-yomi periods of 30 s per move"


def test_a_line_on_an_appeal_is_found_by_the_ruling_and_the_game_it_is_about():
    hall = Hall(3).round("1-2 1", U="3")
    ruling = hall.rule(1, 1, ev.Effect("warn"), "T.1.1")
    lodged = ev.AppealLodged("a2", ruling, PlayerId(1))
    hall.tell(PENALTIES, lodged)
    for data in (lodged, ev.AppealDecided("a2", True, "8"), ev.RulingAnnulled(RulingId("r9"), ruling, "8")):
        said = mentions(hall.t, data)
        assert (said.players, said.rounds) == ({1, 2}, {1})
