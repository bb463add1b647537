"""Modules as a newcomer meets them: no circles, named by nouns, one game in one room, of a length to read."""

import re
import sys
from collections import Counter
from pathlib import Path

import grimp
import pytest
import rustworkx

ROOT = Path(__file__).parents[2]
ROOMS = ("shared", "services", "deploy")
FILES = sorted(f for room in ROOMS for f in (ROOT / room).rglob("*.py") if f.name != "gunicorn.conf.py")
MODULES = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in FILES if f.name != "__init__.py"}
BOARDS = ROOT / "services/games/rules/boards"
GAMES = frozenset(folder.name for folder in BOARDS.iterdir() if (folder / "__init__.py").exists()) - {"port"}
HOMES = ("services.games.rules.boards", "services.games.rules.judge")
"""Where a folder or a module may bear the name of a game."""

NOUNS = frozenset(
    re.findall(
        r"\w+",
        "pairing pairings standings ruling rulings finding findings scoring seating matching rating paging "
        "drawing openings beginnings sealing settings crossings encoding embedded distributed ",
    )
)
"""Words that end as participles do and are nouns, or the two ways to run Arbiter."""
DIALECT = frozenset(
    re.findall(
        r"\w+",
        "said told found reached kinds due apart vouch house made asked stands ends starts backwards ",
    )
)
"""Words that once stood for nouns and say nothing."""

LONGEST = 300
MOST_MODULES = 20


def last_word(module: str) -> str:
    return module.rpartition(".")[2].rpartition("_")[2]


def is_no_noun(module: str) -> bool:
    word = last_word(module)
    return word in DIALECT or (word not in NOUNS and re.search(r"(ed|ing|ings)$", word) is not None)


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(*ROOMS, include_external_packages=True, cache_dir=None)


def test_no_module_imports_itself_by_way_of_others(graph):
    names = sorted(graph.modules)
    number = {name: n for n, name in enumerate(names)}
    imports = rustworkx.PyDiGraph()
    imports.add_nodes_from(names)
    for name in names:
        for other in graph.find_modules_directly_imported_by(name):
            imports.add_edge(number[name], number[other], None)
    circles = [
        sorted(names[n] for n in one) for one in rustworkx.strongly_connected_components(imports) if len(one) > 1
    ]
    assert circles == []


def test_nothing_that_runs_imports_the_tests(graph):
    assert "shared.core.terms" in graph.modules
    assert "tests" not in graph.modules


def test_the_fold_and_what_it_is_made_of_import_the_standard_library_alone(graph):
    core = {name for name in graph.modules if name == "shared.core" or name.startswith("shared.core.")}
    imported = set().union(*(graph.find_modules_directly_imported_by(name) for name in core)) - core
    assert len(core) > 20
    assert {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names} == set()


def test_the_port_of_games_names_no_game(graph):
    boards = "services.games.rules.boards"
    imported = {
        other
        for module in graph.find_descendants(f"{boards}.port")
        for other in graph.find_modules_directly_imported_by(module)
        if other.startswith(f"{boards}.")
    }
    assert {name for name in imported if not name.startswith(f"{boards}.port.")} == set()


def test_a_module_is_named_by_the_noun_that_it_holds():
    assert [module for module in MODULES if is_no_noun(module)] == []


@pytest.mark.parametrize(
    ("module", "wrong"),
    [
        ("shared.log.apart", True),
        ("services.games.rules.play.resigning", True),
        ("services.games.rules.play.stepped", True),
        ("services.pairing.rules.text_handing", True),
        ("services.games.rules.play.claims.resignation", False),
        ("shared.core.readings.scoring", False),
        ("services.penalties.rules.rulings.rulings", False),
        ("services.pairing.rules.teams.seeded_draw", False),
    ],
)
def test_a_participle_is_no_noun(module, wrong):
    assert is_no_noun(module) is wrong


def test_only_the_room_of_a_game_is_named_after_it():
    assert {"chess", "go", "xiangqi", "renju", "gomoku"} <= GAMES

    def game_of(part: str) -> set[str]:
        return GAMES & set(part.split("_"))

    strangers = []
    for module in MODULES:
        parts = module.split(".")
        named = next((n for n, part in enumerate(parts) if game_of(part)), None)
        if named is not None and (".".join(parts[:named]) not in HOMES or parts[named] not in GAMES):
            strangers.append(module)
    assert strangers == []


def test_a_file_has_three_hundred_lines_at_most():
    lengths = {str(f.relative_to(ROOT)): len(f.read_text(encoding="utf-8").splitlines()) for f in FILES}
    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_a_room_has_twenty_modules_at_most():
    sizes = Counter(module.rpartition(".")[0] for module in MODULES)
    assert {room: size for room, size in sizes.items() if size > MOST_MODULES} == {}


def test_standings_has_seventeen_rooms_at_most(graph):
    assert len(graph.find_children("services.standings")) <= 17


def test_rooms_beside_each_other_import_in_no_circle(graph):
    beside: dict[str, set[tuple[str, str]]] = {}
    for name in graph.modules:
        for other in graph.find_modules_directly_imported_by(name):
            parts, others = name.split("."), other.split(".")
            depth = next((n for n, (a, b) in enumerate(zip(parts, others, strict=False)) if a != b), 0)
            if depth:
                beside.setdefault(".".join(parts[:depth]), set()).add((parts[depth], others[depth]))
    circles = {}
    for parent, pairs in beside.items():
        rooms = sorted({room for pair in pairs for room in pair})
        imports = rustworkx.PyDiGraph()
        imports.add_nodes_from(rooms)
        imports.add_edges_from_no_data([(rooms.index(a), rooms.index(b)) for a, b in pairs])
        found = [one for one in rustworkx.strongly_connected_components(imports) if len(one) > 1]
        if found:
            circles[parent] = [sorted(rooms[n] for n in one) for one in found]
    assert circles == {}
