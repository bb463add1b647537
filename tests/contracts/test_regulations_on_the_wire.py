"""Adopted regulations in a line: one member a game, the shipped games' always, a further game's where there are rules."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from shared.core import game_rules
from shared.core.events import RegulationsAdopted
from shared.core.game_rules import BoardRules
from shared.regulations import load, names
from shared.wire import regulations as wire
from shared.wire.envelope import Unreadable, read

LINE = (Path(__file__).parents[1] / "golden" / "arbiter.regulations.adopted.v3.json").read_bytes().strip()


@pytest.mark.parametrize("name", names())
def test_regulations_come_back_from_the_wire_as_they_were(name):
    event = RegulationsAdopted(load(name))
    written = msgspec.json.encode(wire.to_wire(event))
    assert wire.from_wire(msgspec.json.decode(written, type=wire.ADOPTED)) == event


def test_every_line_has_a_member_for_each_shipped_game_and_null_where_there_are_no_rules():
    game = msgspec.to_builtins(wire.to_wire(RegulationsAdopted(load("go-campus"))))["regulations"]["game"]
    assert list(game)[:9] == ["flag_article", "sheet", *wire.EARLIEST, "times"]
    assert [name for name in wire.EARLIEST if game[name] is not None] == ["go"]


def test_a_member_that_is_no_game_is_refused_by_its_name():
    with pytest.raises(Unreadable, match="draughts"):
        read(LINE.replace(b'"game":{', b'"game":{"draughts":{},', 1), 1)


@dataclass(frozen=True, slots=True)
class DraughtsRules(BoardRules):
    squares: int


def test_a_further_game_has_a_member_only_where_there_are_rules_for_it(monkeypatch):
    monkeypatch.setitem(game_rules.RULES, "draughts", DraughtsRules)
    form = wire.game_form()
    assert "draughts" not in msgspec.json.decode(msgspec.json.encode(form("14")))
    said = msgspec.json.decode(msgspec.json.encode(form("14", draughts=DraughtsRules(100))))
    assert said["draughts"] == {"squares": 100} and list(said)[-1] == "draughts"
    assert msgspec.convert(said, form).draughts == DraughtsRules(100)


def test_a_set_of_regulations_names_no_game_that_there_is_not():
    said = msgspec.to_builtins(wire.to_wire(RegulationsAdopted(load("campus"))))["regulations"]
    said["game"]["draughts"] = {"squares": 100}
    with pytest.raises(msgspec.ValidationError, match="draughts"):
        msgspec.convert(said, wire.REGULATIONS)
