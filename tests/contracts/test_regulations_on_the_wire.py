"""Adopted regulations in a line: the rules of games by name, a member only where there are rules."""

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from shared.core.events import RegulationsAdopted
from shared.core.rulebook import game_rules
from shared.core.rulebook.game_rules import BoardRules
from shared.core.rulebook.regulations import DECISIONS
from shared.regulations import load, names, parse
from shared.regulations.typed_toml import TomlError
from shared.wire import regulations as wire
from shared.wire.envelope import Unreadable, read

GOLDEN = Path(__file__).parents[1] / "golden"
LINE = (GOLDEN / "arbiter.regulations.adopted.v5.json").read_bytes().strip()
OLDER = (GOLDEN / "arbiter.regulations.adopted.v3.json").read_bytes().strip()
FILES = Path(__file__).parents[2] / "shared" / "regulations"


@pytest.mark.parametrize("name", names())
def test_regulations_come_back_from_the_wire_as_they_were(name):
    event = RegulationsAdopted(load(name))
    written = msgspec.json.encode(wire.to_wire(event))
    assert wire.from_wire(msgspec.json.decode(written, type=wire.ADOPTED)) == event


def test_a_line_has_a_member_for_each_game_that_there_are_rules_of():
    game = msgspec.to_builtins(wire.to_wire(RegulationsAdopted(load("go-campus"))))["regulations"]["game"]
    assert list(game["rules"]) == ["go"]


@pytest.mark.parametrize(
    ("line", "at"), [(LINE, b'"rules":{'), (LINE, b'"game":{'), (OLDER, b'"game":{')], ids=["rules", "game", "v3"]
)
def test_a_member_that_is_no_game_is_refused_by_its_name(line, at):
    with pytest.raises(Unreadable, match="draughts"):
        read(line.replace(at, at + b'"draughts":{},', 1), 1)


@dataclass(frozen=True, slots=True)
class DraughtsRules(BoardRules):
    squares: int


def test_a_further_game_has_a_member_only_where_there_are_rules_for_it(monkeypatch):
    monkeypatch.setitem(game_rules.RULES, "draughts", DraughtsRules)
    form = wire.rules_form()
    assert msgspec.json.encode(form()) == b"{}"
    assert msgspec.json.encode(form(draughts=DraughtsRules(100))) == b'{"draughts":{"squares":100}}'
    assert msgspec.convert({"draughts": {"squares": 100}}, form).draughts == DraughtsRules(100)


def test_a_set_of_regulations_names_no_game_that_there_is_not():
    said = msgspec.to_builtins(wire.to_wire(RegulationsAdopted(load("campus"))))["regulations"]
    said["game"]["rules"]["draughts"] = {"squares": 100}
    with pytest.raises(msgspec.ValidationError, match="draughts"):
        msgspec.convert(said, wire.REGULATIONS)


@pytest.mark.parametrize("name", names())
def test_a_shipped_set_asks_for_the_newest_decisions_and_names_its_digest(name):
    regulations = load(name)
    assert (regulations.decisions, regulations.changes) == (DECISIONS, {})
    form = msgspec.to_builtins(wire.regulations_to_wire(regulations))
    del form["digest"], form["changes"]
    assert regulations.digest == sha256(msgspec.json.encode(form, order="deterministic")).hexdigest()
    assert wire.digest(replace(regulations, changes={"points.win": 6})) == regulations.digest
    assert wire.digest(replace(regulations, edition="another")) != regulations.digest


@pytest.mark.parametrize("key", ["decisions = 1", 'digest = "00"', "changes = {}", "stages = []"])
def test_a_file_does_not_say_what_stands_beside_it_where_it_is_adopted(key):
    text = key + "\n" + (FILES / "renju.toml").read_text(encoding="utf-8")
    with pytest.raises(TomlError, match=rf"^renju.toml: the top table has an unknown key '{key.split()[0]}'$"):
        parse(text, "renju")


def test_the_rules_of_a_game_are_a_table_by_its_name():
    text = (FILES / "xiangqi-1999.toml").read_text(encoding="utf-8").replace("[game.xiangqi]", "[game.rules.xiangqi]")
    with pytest.raises(TomlError, match=r"the rules of chess are the table game\.chess"):
        parse(text, "xiangqi-1999")
