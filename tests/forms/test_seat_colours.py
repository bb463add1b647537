"""The colour matrix: each game, each place that names a side, before and after what settles its colours."""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from html import unescape
from io import StringIO
from pathlib import Path

import pytest
from flask import Flask

from services.games import responses
from shared.core.readings.colours import colours_of
from shared.core.terms import Seq
from shared.http.requests.app_context import EXTENSION
from shared.web.board_seen import BOARD
from tests import hostile
from tests.http.calls import Call
from tests.http.forms import Person, entered, hall

ROOT = Path(__file__).parents[2]
Pair = tuple[str, str]
"""What the White seat (left) and the Black seat (right) of board 1 are called."""
GUESS = ("colours by guess", "colours by guess")
SWAP = ("colours by swap", "colours by swap")
PREDICTION = ("colours by prediction", "colours by prediction")
WHITE_BLACK, BLACK_WHITE = ("White", "Black"), ("Black", "White")
GO_HEADINGS = ("White", "Black, moves first")
SIDES = {"White", "Black", "Red", "First", "Second", "Left", "Right", GUESS[0], SWAP[0], PREDICTION[0]}
"""Every word that a page may name a side by."""


@dataclass(frozen=True)
class Case:
    """A game in a state. ``headings`` of a round's table; ``held`` on board 1 by the official log, ``shown`` by its sheet."""

    game: str
    regulations: str
    headings: Pair
    held: Pair
    shown: Pair
    steps: Callable[[Call, str], None] = lambda call, t: None
    record: Pair = ("White", "Black")
    letters: Pair | None = None

    @property
    def announced(self) -> dict[str, object]:
        """The game, its ruleset, and that only its results are reported if the ruleset does not have it."""
        only = {"results_only": True} if self.game == "checkers" else {}
        return {"game": self.game, "regulations": self.regulations} | only

    @property
    def wins(self) -> Pair:
        """The win of the left seat and of the right one, in words."""
        if self.held[0].startswith("colours"):
            return "left wins", "right wins"
        if self.held == ("First", "Second"):
            return "the first side wins", "the second side wins"
        return f"{self.held[0]} wins", f"{self.held[1]} wins"

    @property
    def keys(self) -> Pair:
        """What the keys 1 and 0 mean: a column, and the colour that is there."""
        if self.headings[0].startswith("Left"):
            return "left wins", "right wins"
        left, right = (heading.removesuffix(", moves first") for heading in self.headings)
        return f"left wins ({left})", f"right wins ({right})"


def step(side: str, name: str, *values: str) -> Callable[[Call, str], None]:
    def take(call: Call, t: str) -> None:
        role = "arbiter" if name == "correct_colours" else "board"
        taken = call("POST", f"/v1/games/{t}.1.1/steps", {"side": side, "step": name, "values": list(values)}, role)
        assert taken.status_code == 201, taken.text

    return take


def moves(said: str) -> Callable[[Call, str], None]:
    def play(call: Call, t: str) -> None:
        played = call("POST", f"/v1/games/{t}.1.1/moves", {"ply": 1, "moves": said.split()}, "board")
        assert played.status_code == 201, played.text

    return play


def back_to(ply: int) -> Callable[[Call, str], None]:
    def take(call: Call, t: str) -> None:
        taken = call("POST", f"/v1/games/{t}.1.1/take-back", {"to_ply": ply, "reason": "misrecorded"}, "arbiter")
        assert taken.status_code == 201, taken.text

    return take


def started(call: Call, t: str) -> None:
    assert call("POST", f"/v1/games/{t}.1.1/start", {}, "board").status_code == 201


def after(*told: Callable[[Call, str], None]) -> Callable[[Call, str], None]:
    def tell(call: Call, t: str) -> None:
        for one in told:
            one(call, t)

    return tell


def predicted(first: str, second: str) -> Callable[[Call, str], None]:
    said, salt = {"black": first, "white": second}, "0123456789abcdef"
    seals = [step(side, "seal", sha256(f"{salt}{text}".encode()).hexdigest()) for side, text in said.items()]
    return after(moves("h8 a1 c1 e1"), *seals, *(step(side, "reveal", salt, text) for side, text in said.items()))


def left_right(words: str) -> Pair:
    return f"Left, {words}", f"Right, {words}"


TO_AND_FRO = "g1f3 g8f6 b1c3 b8c6 f3g1 f6g8 c3b1 c6b8 " * 2 + "g1f3 g8f6 f3g1 f6g8"
"""Ten moves of each side, after which colours may be corrected; no position comes five times."""
BY_GUESS, BY_SWAP, BY_PREDICTION = (left_right(f"colours by {word}") for word in ("guess", "swap", "prediction"))
COLUMNS = ("Left", "Right")
CASES = {
    "xiangqi": Case("xiangqi", "campus", ("Red", "Black"), ("Red", "Black"), ("Red", "Black"), record=("Red", "Black")),
    "chess": Case("chess", "fide-2026", WHITE_BLACK, WHITE_BLACK, WHITE_BLACK),
    "chess-reversed": Case(
        "chess", "fide-2026", WHITE_BLACK, BLACK_WHITE, BLACK_WHITE,
        after(moves(TO_AND_FRO), step("white", "correct_colours")), letters=("b", "w"),
    ),
    "go": Case("go", "go-campus", GO_HEADINGS, WHITE_BLACK, WHITE_BLACK),
    "go-begun": Case("go", "campus", GO_HEADINGS, WHITE_BLACK, WHITE_BLACK, moves("Q16 D4")),
    "go-corrected": Case(
        "go", "campus", GO_HEADINGS, BLACK_WHITE, BLACK_WHITE, after(moves("Q16"), step("white", "correct_colours")),
        letters=("b", "w"),
    ),
    "go-corrected-back": Case(
        "go", "campus", GO_HEADINGS, BLACK_WHITE, BLACK_WHITE,
        after(moves("Q16 D4"), step("white", "correct_colours"), back_to(0)), letters=("b", "w"),
    ),
    "go-corrected-twice": Case(
        "go", "campus", GO_HEADINGS, WHITE_BLACK, WHITE_BLACK,
        after(moves("Q16"), step("white", "correct_colours"), step("white", "correct_colours")),
    ),
    "gomoku": Case("gomoku", "gomoku-campus", BY_GUESS, GUESS, GUESS, letters=(":", ":")),
    "gomoku-started": Case("gomoku", "gomoku-campus", BY_GUESS, GUESS, GUESS, started, letters=(":", ":")),
    "gomoku-placed": Case("gomoku", "gomoku-campus", BY_GUESS, WHITE_BLACK, WHITE_BLACK, moves("h8")),
    "gomoku-placed-back": Case(
        "gomoku", "gomoku-campus", BY_GUESS, GUESS, GUESS, after(moves("h8"), back_to(0)), letters=(":", ":"),
    ),
    "gomoku-right": Case(
        "gomoku", "gomoku-campus", BY_GUESS, WHITE_BLACK, WHITE_BLACK, step("black", "guess", "even", "4"),
    ),
    "gomoku-wrong": Case(
        "gomoku", "gomoku-campus", BY_GUESS, BLACK_WHITE, BLACK_WHITE, step("black", "guess", "odd", "4"),
        letters=("b", "w"),
    ),
    "gomoku-paired": Case("gomoku", "gomoku-online", GO_HEADINGS, WHITE_BLACK, WHITE_BLACK),
    "renju": Case("renju", "renju-room", BY_GUESS, GUESS, GUESS, letters=(":", ":")),
    "renju-odd": Case(
        "renju", "renju-room", BY_GUESS, BLACK_WHITE, BLACK_WHITE, step("black", "guess", "3", "2"), letters=("b", "w"),
    ),
    "renju-swap": Case("renju", "campus", BY_SWAP, SWAP, SWAP, moves("h8 h9 h10"), COLUMNS),
    "renju-swapped": Case(
        "renju", "campus", BY_SWAP, BLACK_WHITE, BLACK_WHITE, after(moves("h8 h9 h10"), step("white", "swap")), COLUMNS,
    ),
    "renju-kept": Case(
        "renju", "campus", BY_SWAP, WHITE_BLACK, WHITE_BLACK, after(moves("h8 h9 h10"), step("white", "keep")), COLUMNS,
    ),
    "renju-declined": Case("renju", "campus", BY_SWAP, WHITE_BLACK, WHITE_BLACK, moves("h8 h9 h10 i10"), COLUMNS),
    "renju-swapped-back": Case(
        "renju", "campus", BY_SWAP, SWAP, SWAP,
        after(moves("h8 h9 h10"), step("white", "swap"), back_to(3)), COLUMNS,
    ),
    "prediction": Case("prediction", "campus", BY_PREDICTION, PREDICTION, PREDICTION, record=COLUMNS),
    "predicted": Case(
        "prediction", "campus", BY_PREDICTION, WHITE_BLACK, WHITE_BLACK, predicted("黑子13手", "黑子15手"), COLUMNS,
    ),
    "predicted-white": Case(
        "prediction", "campus", BY_PREDICTION, BLACK_WHITE, BLACK_WHITE, predicted("白子14手", "黑子15手"), COLUMNS,
    ),
    "predicted-back": Case(
        "prediction", "campus", BY_PREDICTION, PREDICTION, PREDICTION,
        after(predicted("白子14手", "黑子15手"), back_to(3)), COLUMNS,
    ),
    "checkers": Case(
        "checkers", "campus", ("First", "Second"), ("First", "Second"), ("First", "Second"), record=("First", "Second"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A page, paper, screen, file or answer. ``found`` finds in its text what names the left side and the right one;
    ``meant`` is which pair of the case that must be."""

    address: str
    found: str
    meant: Callable[[Case], Pair]


def held(case: Case) -> Pair:
    return case.held


def shown(case: Case) -> Pair:
    return case.shown


def headings(case: Case) -> Pair:
    return case.headings


def recorded(case: Case) -> Pair:
    return case.record


def wins(case: Case) -> Pair:
    return case.wins


def keys(case: Case) -> Pair:
    return case.keys


def slip(case: Case) -> Pair:
    return ("No. 1 wins", "No. 2 wins") if case.held[0].startswith("colours") else case.wins


def letters(case: Case) -> Pair:
    """Return the initials of the sides that are held: by default those of the record."""
    left, right = case.record
    return case.letters or (left[0].lower(), right[0].lower())


B = "/t/<t>/rounds/1/boards/1"
_SEATS = r"board 1: (.+?) Player 1 – Player 2 (.+?) · still playing"
_WHO = r"Player concerned (.+?) Player 1 (.+?) Player 2 "
_WINS = r"1 – 0 (.+?) ½ – ½ .*?0 – 1 (.+?) (?:\+|−|$|0 – 0)"
_NAMES = r"Player 1 (?:\(0\) )?1 (.+?) (?:2 )?Player 2 .*?Player 2 (?:\(0\) )?1 (.+?) (?:1 )?Player 1 "
_LEGEND = r"initial of the side \((.+?) or (.+?)\)"
PLACES: dict[str, tuple[Place, ...]] = {
    "services/standings/templates/boards.html": (
        Place("/t/<t>/rounds/1", r"event Board (.+?) Result (.+?) Enter 1 Player 1", headings),
        Place("/t/<t>", r" Board (\w[^/]*?) Result (.+?) 1 Player 1", headings),
        Place("/t/<t>/rounds/1?by=name", _NAMES, held),
    ),
    "services/standings/templates/screen.html": (
        Place("/t/<t>/screen", r"Board (.+?) Result (.+?) 1 Player 1", headings),
        Place("/t/<t>/screen?show=names", r"Player 1 1 (.+?) Player 2 1 (.+?) (?:Player 3|by board) ", held),
    ),
    "services/standings/templates/papers/boards.html": (
        Place("/t/<t>/rounds/1/papers/boards", r"Board (.+?) Points Result (.+?) Points 1 1 Player 1", headings),
    ),
    "services/standings/templates/papers/names.html": (Place("/t/<t>/rounds/1/papers/names", _NAMES, held),),
    "services/standings/templates/papers/slips.html": (
        Place("/t/<t>/rounds/1/papers/slips", r"Signature (.+?) 1 Player 1 (.+?)(?: moves first)? 2 Player 2", held),
        Place("/t/<t>/rounds/1/papers/slips", r"Player 2 Result (.+?) draw (.+?) arbiter", slip),
    ),
    "services/standings/templates/papers/tables.html": (
        Place("/t/<t>/papers/crosstable", _LEGEND, recorded),
        Place("/t/<t>/papers/crosstable", r"1 1 Player 1 2(\w|:)\S .*?2 Player 2 1(\w|:)\S ", letters),
        Place("/t/<t>/papers/report", _LEGEND, recorded),
    ),
    "services/standings/templates/crosstable.html": (
        Place("/t/<t>/crosstable", _LEGEND, recorded),
        Place("/t/<t>/crosstable", r"1 Player 1 2(\w|:)\* .*?2 Player 2 1(\w|:)\* ", letters),
    ),
    "services/standings/templates/player.html": (
        Place("/t/<t>/players/1 /t/<t>/players/2", r"no result yet, (.+?) – \d.*?no result yet, (.+?) – \d", held),
    ),
    "services/games/templates/game.html": (
        Place(
            "/games/<t>.1.1",
            r"Result: open (.+?)(?: moves first)? Player 1.*?(?: \d+:\d+)? ([A-Z]\w+|colours by \w+)(?: moves first)? Player 2",
            shown,
        ),
    ),
    "shared/web/board_form.html": tuple(
        Place(f"{B}/{form}", _SEATS, held)
        for form in ("result", "correction", "claim", "clock", "arrival", "break", "ruling", "decision")
    ),
    "shared/web/macros.html": tuple(
        Place(f"{B}/{form}", _WHO, held) for form in ("claim", "clock", "arrival", "break")
    ),
    "services/games/templates/result.html": (Place(f"{B}/result", _WINS, wins),),
    "services/games/templates/correction.html": (Place(f"{B}/correction", _WINS, wins),),
    "services/standings/templates/desk_entry.html": (Place("/t/<t>/rounds/1", r"12 1 (.+?) · 0 (.+?) · =", keys),),
    "services/games/templates/entry_field.html": (Place("/t/<t>/rounds/1/results", r"12 1 (.+?) · 0 (.+?) · =", keys),),
    "services/pairing/templates/pairing_by_hand.html": (
        Place("/t/<t>/rounds/2/pairing?by=hand", r"Board (Left, colours by \w+|White|Red|First) (.+?) Row ", headings),
    ),
}
"""By the template: where it is seen."""
WITHIN = {
    "services/standings/templates/players_of.html": "test_a_board_with_other_colours_says_so_beside_its_names",
    "services/standings/templates/board_row.html": "test_a_board_with_other_colours_says_so_beside_its_names",
    "services/standings/templates/team.html": "test_the_page_of_a_team_names_the_sides_of_its_boards",
    "services/penalties/templates/arrival.html": "test_a_note_of_a_side_names_its_colour",
    "services/penalties/templates/break.html": "test_a_note_of_a_side_names_its_colour",
    "services/games/templates/own_board.html": "test_own_board_names_the_side_of_its_player",
    "services/games/templates/claim.html": "test_every_page_uses_the_words_of_its_game_alone",
    "services/games/templates/sheet.html": "test_every_page_uses_the_words_of_its_game_alone",
    "services/games/templates/clock.html": "test_every_page_uses_the_words_of_its_game_alone",
    "services/penalties/templates/decision.html": "test_a_result_typed_by_key_is_won_by_its_column",
    "services/standings/templates/desk_deeds.html": "test_a_result_typed_by_key_is_won_by_its_column",
    "services/games/templates/entry.html": "test_a_result_typed_by_key_is_won_by_its_column",
    "services/pairing/templates/publication.html": "test_a_proposed_pairing_names_columns_and_former_colours",
    "services/penalties/templates/ruling.html": "test_every_page_uses_the_words_of_its_game_alone",
}
"""Templates that need a state of their own, and the test that makes it."""
NAMES_A_SIDE = re.compile(
    r"\b(?:headings|entry_keys|sides|seats)\b\s*[.\[(]|\bcalled\((?:row\.)?side|held\(b|page\.side|side_initial|\.results\b"
    r"|one\.words \| (?:words|plain)|\bwon \| words|seat\.colour"
)
"""What a template names a side by."""
OTHER_WORDS = (
    "/regulations", "/t/<t>/regulations", "/t/<t>/details", "/login", "/t/<t>/timeline", "/tournaments/new", f"{BOARD}/ruling",
    "/t/<t>/log", "/docs", "/problems",
)  # fmt: skip
"""Pages that are about every game, name infractions and steps of the page by the same words, or say what was so before."""


def text_of(page: str) -> str:
    """The text of a page, words apart."""
    bare = re.sub(r"<(script|style|head)\b.*?</\1>|<option.*?</option>|<[^>]+>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", unescape(bare))


@pytest.fixture(scope="module")
def events(app: Flask, data: Path) -> dict[str, Call]:
    """The tournament of each case, called like it, with two boards."""
    made = {}
    for name, case in CASES.items():
        call = made[name] = hall(app, data, name, 2, **case.announced)
        case.steps(call, name)
    return made


@pytest.fixture
def chief(app: Flask, data: Path, events: dict[str, Call]) -> Callable[[str], Person]:
    return lambda name: Person(app, data, "chief_arbiter", "chief_arbiter", name)


def seen(person: Person, addresses: str) -> str:
    """What several pages say, one after another."""
    return " ".join(text_of(person.sees(one.replace("<t>", person.t)).text) for one in addresses.split())


@pytest.mark.parametrize("name", CASES)
def test_every_place_names_the_sides_alike(chief: Callable[[str], Person], name: str):
    case, person, wrong = CASES[name], chief(name), []
    for place in (place for places in PLACES.values() for place in places):
        text = seen(person, place.address)
        if "has no score sheet" in text and place.meant is held and place.found is _WHO:
            continue
        match = re.search(place.found, text)
        told = match and match.groups()
        if told != place.meant(case):
            wrong.append(f"{place.address}: {told}, not {place.meant(case)}{'' if match else f': {text}'}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", CASES)
def test_own_board_names_the_side_of_its_player(app: Flask, data: Path, events: dict[str, Call], name: str):
    pages = [text_of(Person(app, data, "player", number, name).sees("/t/<t>/me").text) for number in ("1", "2")]
    assert tuple(re.search(r"Your side (.+?) Opponent", page)[1] for page in pages) == CASES[name].shown


def test_every_template_that_names_a_side_is_in_the_table():
    folders = ("services/*/templates/**/*.html", "shared/web/**/*.html")
    templates = {str(path.relative_to(ROOT)) for folder in folders for path in ROOT.glob(folder)}
    naming = {one for one in templates if NAMES_A_SIDE.search((ROOT / one).read_text(encoding="utf-8"))}
    assert naming - {*PLACES, *WITHIN} == set()
    assert {*PLACES, *WITHIN} - naming == set()
    assert {*WITHIN.values()} - {*globals()} == set()


@pytest.mark.parametrize("name", CASES)
def test_every_page_uses_the_words_of_its_game_alone(app: Flask, chief: Callable[[str], Person], name: str):
    case, person, wrong = CASES[name], chief(name), {}
    words = {*case.headings, *case.held, *case.shown, *case.record, *COLUMNS}
    own = {word.removesuffix(", moves first").partition(", ")[0] for word in words} | {*case.held, *case.shown}
    own |= {part for word in case.headings for part in word.split(", ")}
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(SIDES - own))})\b(?! (?:places|Round|name))")
    for place in hostile.places(app, hostile.Known(name, "a1", "/")):
        if place.rule.startswith(OTHER_WORDS):
            continue
        answer = person.sees(place.address)
        if answer.status_code == 200 and answer.mimetype == "text/html":
            found = pattern.findall(text_of(answer.text))
            if found:
                wrong[place.address] = found
    assert wrong == {}


@pytest.mark.parametrize("name", CASES)
def test_files_and_answers_name_the_sides_alike(chief: Callable[[str], Person], name: str):
    case, person = CASES[name], chief(name)
    head, first = list(csv.reader(StringIO(person.sees("/t/<t>/rounds/1.csv").text.lstrip("\ufeff"))))[:2]
    assert (head[2], head[7]) == case.headings
    told = dict(zip(head, first, strict=True)).get("Colour on the left")
    assert told in (None if case.held == case.headings or case.headings == GO_HEADINGS else case.held[0], case.held[0])
    answer = person.sees("/v1/games/<t>.1.1").json
    colours, settled = answer["colours"], not case.shown[0].startswith("colours")
    assert (colours["white"], colours["black"]) == (
        tuple(word.lower() for word in case.shown) if settled else (None, None)
    )
    if settled and answer["to_move"] and not answer["ply"]:
        assert colours["first"] == answer["to_move"]
    sheet = person.sees("/games/<t>.1.1/sheet.sgf")
    if sheet.status_code == 200:
        by_colour = {"White": "PW", "Black": "PB"}
        tags = dict(re.findall(r"\b(PW|PB|GN)\[([^\]]*)\]", sheet.text))
        players = {by_colour[word]: f"Player {n}" for n, word in enumerate(case.shown, 1)} if settled else None
        assert tags == (players or {"GN": "Player 1 – Player 2"})
        notes = re.findall(r"(\w+): (guess|swap|keep)", sheet.text)
        assert notes in ([], [("right", "guess")], [("white", "swap")], [("white", "keep")]), "as the side was then"
    sheet = person.sees("/games/<t>.1.1/sheet.pgn")
    if sheet.status_code == 200:
        tags = dict(re.findall(r'\[(White|Red|Black) "([^"]*)"\]', sheet.text))
        assert tags == {word: f"Player {n}" for n, word in enumerate(case.shown, 1)}


KEYS = {"1": "left", "0": "right", "=": "draw", "+": "forfeit-left", "-": "forfeit-right"}


@pytest.mark.parametrize("name", CASES)
def test_log_and_sheet_record_the_same_colours(app: Flask, events: dict[str, Call], name: str):
    view = app.extensions[EXTENSION].desk.view(name)
    game = view.tournament.games[f"{name}.1.1"]
    one = responses.read(app.extensions[EXTENSION].desk, view, game)
    assert responses.colours_at(one) == colours_of(view.tournament, game)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "name", ["xiangqi", "chess-reversed", "go", "gomoku", "gomoku-wrong", "renju-swapped", "predicted", "checkers"]
)
def test_a_result_typed_by_key_is_won_by_its_column(app: Flask, data: Path, name: str, key: str):
    case, t = CASES[name], f"typed-{name}-{KEYS[key]}"
    call = hall(app, data, t, 2, **case.announced)
    case.steps(call, t)
    person = Person(app, data, "arbiter", "arbiter", t)
    desk = person.sees("/t/<t>/rounds/1").text
    assert re.findall(r'value="(?:1-0|0-1)" aria-label="Board 1: [10], ([^"]+)"', desk) == [*case.wins]
    sent = person.fills("/t/<t>/rounds/1/results", entry=f"1 {key}")
    assert sent.status_code == 303, sent.text
    game = call("GET", f"/v1/games/{t}.1.1").json["result"]
    points = game["white"]["points"], game["black"]["points"]
    assert (points[0] > points[1], points[0] < points[1]) == (key in "1+", key in "0-"), (
        "white is Player 1, on the left"
    )
    ranks = {p["id"]: p["points"] for p in call("GET", "/v1/tournaments/<t>/standings").json["players"]}
    assert (ranks[1], ranks[2]) == points
    wins = ("Player 1 wins", "Player 2 wins") if case.held in (GUESS, SWAP, PREDICTION) else case.wins
    won = wins[points[1] > points[0]] if key != "=" else "draw"
    forfeit = " by forfeit" if key in "+-" else ""
    said = text_of(person.sees(f"{B}/result").text) + text_of(call("GET", f"/games/{t}.1.1").text)
    assert f"{won}{forfeit}" in said


@pytest.mark.parametrize(("name", "way"), [("gomoku", "guess"), ("renju-swap", "swap"), ("prediction", "prediction")])
def test_colours_without_a_record_are_not_open_after_the_result(app: Flask, data: Path, name: str, way: str):
    case, t = CASES[name], f"over-{name}"
    call = hall(app, data, t, 2, **case.announced)
    case.steps(call, t)
    result = {"round": 1, "results": [{"board": 1, "result": "0-1"}]}
    assert call("POST", "/v1/tournaments/<t>/results", result, "arbiter").status_code == 201
    person = Person(app, data, "chief_arbiter", "chief_arbiter", t)
    over = "colours not recorded"
    names = re.compile(rf"Player 1 (?:\(0\) )?1 {over} .*Player 2 (?:\(0\) )?1 {over} ")
    for page in ("/t/<t>/rounds/1?by=name", "/t/<t>/screen?show=names", "/t/<t>/rounds/1/papers/names"):
        assert names.search(seen(person, page)), seen(person, page)[-700:]
    game, correction = seen(person, "/games/<t>.1.1"), seen(person, f"{B}/correction")
    assert re.search(r"Result: 0 – \d Player 2 wins", game)
    assert re.search(rf"{over} Player 1 – Player 2 {over} · 0 – \d Player 2 wins", correction)
    slips = seen(person, "/t/<t>/rounds/1/papers/slips")
    assert (slips.count(over), slips.count(f"colours by {way}")) == (2, 2), "board 2 is open"
    assert all(over in seen(person, f"/t/<t>/players/{n}") for n in (1, 2))
    first, second = list(csv.reader(StringIO(person.sees("/t/<t>/rounds/1.csv").text.lstrip("\ufeff"))))[1:]
    assert (first[-1], second[-1]) == (over, f"colours by {way}")
    colours = person.sees("/v1/games/<t>.1.1").json["colours"]
    assert (colours["white"], colours["black"], colours["first"]) == (None, None, None)


def test_a_board_with_other_colours_says_so_beside_its_names(chief: Callable[[str], Person]):
    for name in ("gomoku-wrong", "chess-reversed", "go-corrected"):
        for page in ("/t/<t>/rounds/1", "/t/<t>", "/t/<t>/screen", "/t/<t>/rounds/1/papers/boards"):
            text = seen(chief(name), page)
            assert re.search(r"Player 1 (?:\(0\) )?Black .*?Player 2 (?:\(0\) )?White", text), page
    assert "Player 1 Black" not in seen(chief("gomoku"), "/t/<t>/screen")


def test_the_page_of_a_team_names_the_sides_of_its_boards(app: Flask, data: Path):
    more = {"game": "go", "regulations": "go-campus", "conditions": {"team": {"kind": "fixed", "boards": 2}}}
    call = entered(app, data, "go-teams", 4, **more)
    teams = [{"name": "North", "members": [1, 2]}, {"name": "South", "members": [3, 4]}]
    assert call("POST", "/v1/tournaments/<t>/teams", {"teams": teams}).status_code == 201
    seen_at = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    paired = call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen_at).json
    left = next(e["data"]["boards"] for e in paired["events"] if "boards" in e["data"])
    text = text_of(call("GET", "/t/go-teams/teams/1").text)
    for board in left:
        own, side, other = (
            (board["white"], "White", board["black"])
            if board["white"] < 3
            else (board["black"], "Black", board["white"])
        )
        assert f"Player {own} {side} against Player {other}" in text


@pytest.mark.parametrize(("name", "side"), [("go", "Black"), ("gomoku", GUESS[0]), ("gomoku-wrong", "White")])
def test_a_note_of_a_side_names_its_colour(app: Flask, data: Path, name: str, side: str):
    case, t = CASES[name], f"{name}-late"
    call = hall(app, data, t, 2, **case.announced)
    case.steps(call, t)
    arrival = {"round": 1, "boards": [{"board": 1, "black": {"late": 60}}]}
    noted = call("POST", "/v1/tournaments/<t>/arrivals", arrival, "arbiter")
    assert noted.status_code == 201, noted.text
    assert f"{side} is recorded as 1 min late" in text_of(
        Person(app, data, "arbiter", "arbiter", t).sees(f"{B}/arrival").text
    )


@pytest.mark.parametrize(("name", "letters"), [("go", "WB"), ("gomoku-wrong", "BW"), ("renju-swapped", "LR")])
def test_a_proposed_pairing_names_columns_and_former_colours(app: Flask, data: Path, name: str, letters: str):
    case, t = CASES[name], f"{name}-second"
    call = hall(app, data, t, 4, **case.announced)
    case.steps(call, t)
    results = [{"board": n, "result": "1-0"} for n in range(1, 5)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}, "arbiter").status_code == 201
    text = text_of(Person(app, data, "chief_arbiter", "chief_arbiter", t).sees("/t/<t>/rounds/2/pairing").text)
    assert f"Board {case.headings[0]} {case.headings[1]} " in text
    assert re.search(rf"Player 1 [12] · {letters[0]}", text) and re.search(rf"Player 2 0 · {letters[1]}", text)


def test_an_old_log_that_records_no_guess_stays_unsettled(app: Flask, events: dict[str, Call]):
    """By the first edition of decisions a guess was on the score sheet alone."""
    for decisions, black in ((1, None), (2, "white")):
        t = app.extensions[EXTENSION].desk.view("gomoku").tournament.fork()
        t.regulations = replace(t.regulations, decisions=decisions)
        game = next(iter(t.games.values()))
        begun = game._replace(started=Seq(9), reversed=Seq(10) if decisions > 1 else None)
        colours = colours_of(t, begun)
        assert (colours.black, colours.by) == (black, "guess")
        assert colours_of(t, game).black is None, "before the guess"


@pytest.mark.parametrize(
    ("name", "columns", "win"),
    [
        ("xiangqi", ("红方", "黑方"), "红胜"),
        ("go", ("白方", "黑方（先行）"), "白胜"),
        ("gomoku", ("左方（猜先定色）", "右方（猜先定色）"), "左方胜"),
        ("renju-swap", ("左方（三手交换定色）", "右方（三手交换定色）"), "左方胜"),
        ("prediction", ("左方（预判定色）", "右方（预判定色）"), "左方胜"),
    ],
)
def test_sides_are_named_in_chinese(chief: Callable[[str], Person], name: str, columns: Pair, win: str):
    person = chief(name)
    person.client.set_cookie("arbiter_language", "zh-CN")
    boards = text_of(person.sees("/t/<t>/rounds/1/papers/boards").text)
    assert all(column in boards for column in columns)
    assert f"1 – 0 {win}" in text_of(person.sees(f"{B}/result").text)
