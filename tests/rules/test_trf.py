"""TRF files: what is read, what is refused and where, what is written back."""

from dataclasses import replace

import pytest
from msgspec import structs

from services.standings.files.trf.to_events import names, tournament_of
from shared.core.readings.scoring import scores
from shared.core.terms import Mark
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfPlayer
from shared.trf.reader import read
from shared.trf.rounds import boards
from shared.trf.writer import player_line, write

THREE_ROUNDS = """012 Harbour Open
001    1    g Albrecht,Nora                     2400 GER    12345678 1990/01/02  2.0    1     2 w 1     3 b =  0000 - H
001    2    m Bruun,Ole                         2300 DEN                         1.0    3     1 b 0  0000 - U     4 w -
001    3      Castro,Ines                                                        2.0    2     4 w 1     1 w =  0000 - H
001    4   wf Duval,Lea                         2100                             1.0    4     3 b 0  0000 - Z     2 b +
XXR 5
XXC black1
XXP 1 4
"""


def trf(text: str = THREE_ROUNDS, file: str = "open.trf"):
    return read(text.encode(), file)


def line_of(id: int, rounds: str) -> str:
    return player_line(TrfPlayer(id, "A")).ljust(89) + rounds


def two_players(first: str, second: str) -> str:
    return f"012 x\n{line_of(1, first)}\n{line_of(2, second)}\n"


def totals(text: str) -> dict[int, int]:
    """Half-points of each player."""
    return {p: s.points for p, s in scores(tournament_of(trf(text))).items()}


def test_players_have_their_columns():
    first = trf().players[0]
    assert (first.id, first.name, first.rating, first.title) == (1, "Albrecht,Nora", 2400, "g")
    assert (first.federation, first.fide_id, first.birth, first.points) == ("GER", "12345678", "1990/01/02", "2.0")
    assert trf().players[2].rating is None


def test_settings_are_read_from_the_other_records():
    settings = trf().settings
    assert (settings.name, settings.rounds, settings.initial_colour) == ("Harbour Open", 5, "black")
    assert settings.forbidden_pairs(1) == settings.forbidden_pairs(5) == frozenset({(1, 4)})


def test_a_file_becomes_the_tournament_it_tells_of():
    t = tournament_of(trf())
    assert {p: s.points for p, s in scores(t).items()} == {1: 4, 2: 2, 3: 4, 4: 2}
    assert [s.bye for s in scores(t)[1].rounds] == [None, None, "H"]
    assert t.players[4].title == "WFM" and t.announced.rounds == 5
    assert t.current(1).event.initial_colour == "black"


def test_a_forfeit_is_won_and_lost_unplayed():
    t = tournament_of(trf())
    game = t.game_at(3, 1)
    assert (game.white, game.black) == (2, 4)
    assert t.setting(game).black == Mark(2, played=False) and t.setting(game).white == Mark(0, played=False)


def test_names_are_found_by_their_hashes():
    t = tournament_of(trf())
    assert names(trf())[t.players[3].name.text] == "Castro,Ines"


def test_next_round_is_the_first_that_a_line_lacks():
    asked = THREE_ROUNDS.replace("    2 w 1     3 b =  0000 - H", "    2 w 1     3 b =  0000 - H  0000 - Z")
    assert trf().next_round == 4
    assert trf(asked).next_round == 4
    assert (1, 4) in tournament_of(trf(asked)).byes


def test_a_withdrawn_players_blanks_do_not_open_the_round_again():
    text = two_players("     2 w 1     2 b 1", "     1 b 0     1 w 0") + line_of(3, "  0000 - Z")
    assert trf(text).next_round == 3


@pytest.mark.parametrize(
    ("entry", "bye"),
    [("       - H", "H"), ("         H", "H"), ("         -", "Z"), ("  0000 - +", "F"), ("  0000 - =", "H")],
)
def test_byes_as_programs_write_them(entry, bye):
    text = two_players("     2 w 1", "     1 b 0") + line_of(3, entry)
    assert scores(tournament_of(trf(text)))[3].rounds[0].bye == bye


def test_a_double_forfeit_without_colours_has_the_lower_number_as_white():
    read_file = trf(two_players("     2 - -", "     1 - -"))
    assert [(w.id, b.id) for w, b in boards(read_file, 1)] == [(1, 2)]
    assert totals(two_players("     2 - -", "     1 - -")) == {1: 0, 2: 0}


def test_a_paired_round_without_results_is_open():
    t = tournament_of(trf(two_players("     2 w", "     1 b")))
    assert t.setting(t.game_at(1, 1)) is None


def test_half_a_point_against_nothing_is_two_marks():
    assert totals(two_players("     2 w =", "     1 b 0")) == {1: 1, 2: 0}


def test_the_files_own_points_count():
    text = THREE_ROUNDS + "XXS W=3.0 D=1.0 PAB=1.5\n"
    assert totals(text) == {1: 10, 2: 3, 3: 10, 4: 6}


def test_points_of_trf26_count():
    text = THREE_ROUNDS + "162 W 3.0   D 1.0   L 0.0\n"
    assert totals(text)[1] == 10


def test_byes_of_record_240_are_granted():
    t = tournament_of(trf(THREE_ROUNDS + "240 H   4    2    3\n"))
    assert {(p, n): b.kind for (p, n), b in t.byes.items() if n == 4} == {(2, 4): "H", (3, 4): "H"}


def test_absent_players_of_xxz_do_not_play_the_next_round():
    t = tournament_of(trf(THREE_ROUNDS + "XXZ 2,3\n"))
    assert {p for (p, n), b in t.byes.items() if (n, b.kind) == (4, "Z")} == {2, 3}


def test_forbidden_pairs_of_record_260_are_all_pairs_of_its_players_in_its_rounds():
    settings = trf(THREE_ROUNDS.replace("XXP 1 4\n", "260   2   5    1    2    3\n")).settings
    assert settings.forbidden_pairs(2) == settings.forbidden_pairs(5) == frozenset({(1, 2), (1, 3), (2, 3)})
    assert settings.forbidden_pairs(1) == settings.forbidden_pairs(6) == frozenset()


def test_a_tournament_knows_who_may_not_meet_in_the_round_to_come():
    assert tournament_of(trf()).forbidden == {(1, 4)}
    assert tournament_of(trf(THREE_ROUNDS.replace("XXP 1 4\n", "260   1   3    1    4\n"))).forbidden == set()


def test_blanks_before_the_first_entry_are_those_of_a_late_entry():
    text = two_players("     2 w 1     2 b 1", "     1 b 0     1 w 0")
    late = text + line_of(3, " " * 10 + "  0000 - H") + "\n" + line_of(4, " " * 20) + "\n"
    absent = late + line_of(5, "  0000 - Z  0000 - Z") + "\n"
    first = {p: e.first_round for p, e in tournament_of(trf(absent)).players.items()}
    assert first == {1: 1, 2: 1, 3: 2, 4: 3, 5: 1}


def test_virtual_points_of_xxa_stand_for_each_round():
    found = trf(THREE_ROUNDS + "XXA    2  1.0  1.0  0.5\n").settings.accelerated
    assert [(v.player, v.first, v.last, v.points) for v in found] == [(2, 1, 1, 2), (2, 2, 2, 2), (2, 3, 3, 1)]


def test_virtual_points_of_record_250_hold_for_rounds_and_players():
    found = trf(THREE_ROUNDS + "250       1.0   1   2    1    3\n").settings.accelerated
    assert [(v.player, v.first, v.last, v.points) for v in found] == [(1, 1, 2, 2), (2, 1, 2, 2), (3, 1, 2, 2)]


@pytest.mark.parametrize(
    ("record", "format"),
    [
        ("192 FIDE_DUTCH_2026", "swiss"),
        ("192 FIDE_ROUNDROBIN", "round_robin"),
        ("192 BERGER_DOUBLEROUNDROBIN", "double_round_robin"),
        ("192 FIDE_BURSTEIN", None),
        ("092 Individual: Round-Robin", "round_robin"),
        ("092 Individual: Double Round Robin", "double_round_robin"),
    ],
)
def test_a_file_says_how_it_is_paired(record, format):
    assert trf(f"{record}\n{THREE_ROUNDS}").settings.system.format == format


def test_words_that_name_no_system_say_nothing():
    assert trf("092 Individual: Swiss-System (Standard)\n" + THREE_ROUNDS).settings.system is None


def test_teams_have_their_members_in_the_order_of_boards():
    old = (
        THREE_ROUNDS
        + "013 Red                                 2    1\n013 Black                               3    4\n"
    )
    new = THREE_ROUNDS + f"310   7 {'Red':32s}                                 2    1\n"
    assert [(t.id, t.name, t.members) for t in trf(old).settings.teams] == [(1, "Red", (2, 1)), (2, "Black", (3, 4))]
    assert [(t.id, t.name, t.members) for t in trf(new).settings.teams] == [(7, "Red", (2, 1))]


def test_byes_of_teams_are_no_byes_of_players():
    teams = "013 Harbour                               1    2\n013 River                                 3    4\n"
    assert trf(THREE_ROUNDS + teams + "240 H   4    1    2\n").settings.byes == ()


def test_games_of_less_than_a_move_were_played():
    t = tournament_of(trf(two_players("     2 w W", "     1 b L")))
    assert t.setting(t.game_at(1, 1)).white == Mark(2, played=True)


def test_tie_breaks_of_record_212_leave_out_points():
    assert trf(THREE_ROUNDS + "202 SB\n212 PTS,BH/C1,DE\n").settings.tiebreaks == ("BH/C1", "DE")


PLAYED = "     1 b 0"
BAD_ENTRIES = [
    ("     1 w 1", PLAYED, (2, 92), "themselves as opponent"),
    ("     7 w 1", PLAYED, (2, 92), "not a player of the file"),
    ("    xy w 1", PLAYED, (2, 92), "not a number"),
    ("     2 x 1", PLAYED, (2, 97), "colour"),
    ("     2 w Q", PLAYED, (2, 99), "result 'Q'"),
    ("  0000 - 0", PLAYED, (2, 99), "without an opponent"),
    ("     2 - 1", PLAYED, (2, 97), "the colour of the game"),
    ("     2 w 1x", PLAYED, (2, 100), "is in a column of a round that must be blank"),
    ("     2 b 1", PLAYED, (2, 97), "both have black"),
    ("     2 w +", PLAYED, (2, 99), "played for one and forfeited for the other"),
    ("     2 w", PLAYED, (2, 99), "only one"),
    ("     2 w =", "     1 b 1", (3, 99), "who has '='"),
    ("  0000 - U", PLAYED, (3, 92), "has nobody"),
]


@pytest.mark.parametrize(("first", "second", "place", "detail"), BAD_ENTRIES, ids=[d for *_, d in BAD_ENTRIES])
def test_a_bad_entry_is_refused_with_its_line_and_column(first, second, place, detail):
    with pytest.raises(TrfError) as refused:
        trf(two_players(first, second))
    assert (refused.value.line, refused.value.column) == place
    assert detail in str(refused.value.detail) and str(refused.value).startswith(f"open.trf:{place[0]}:{place[1]}: ")


BAD_FILES = [
    ("", 1, "does not contain a player"),
    ("012 only a name\n", 1, "does not contain a player"),
    ("012 x\n001 abcd\n", 2, "starting number"),
    ("012 x\n001\n", 2, "the starting number is missing"),
    (line_of(1, "") + "\n" + line_of(1, ""), 2, "already on line 1"),
    (THREE_ROUNDS.replace("2400", "24x0"), 2, "rating"),
    (THREE_ROUNDS.replace("XXR 5", "XXR five"), 6, "number of rounds"),
    (THREE_ROUNDS.replace("XXP 1 4", "XXP 1 9"), 8, "not a player of the file"),
    (THREE_ROUNDS + "XXS W=0.3\n", 9, "half a point"),
    (THREE_ROUNDS + "240 Q   4    2\n", 9, "bye"),
    ("012 x\n\x00\n", 2, "NUL"),
]


TEAMS = "013 Red                                 2    1\n013 Black                               3    4\n"
BAD_RECORDS = [
    ("XXR five", 5, "number of rounds"),
    ("XXR 0", 5, "1 to 100, not 0"),
    ("142 0", 5, "1 to 100, not 0"),
    ("142 101", 5, "1 to 100, not 101"),
    ("152 G", 5, "neither W nor B"),
    ("XXS W=0.3", 7, "half a point"),
    ("XXS W=1.0 Q=2.0", 11, "unknown point code Q"),
    ("XXS W=1.0 two", 11, "must be a code with its points"),
    ("162  W 1.x", 8, "not a number"),
    ("162  WW 1.0", 6, "unknown point code WW"),
    ("XXP 1 9", 7, "not a player of the file"),
    ("XXP 1 x", 7, "not a number"),
    ("XXP 1 1", 7, "twice"),
    ("260   1   3    1    9", 21, "not a player of the file"),
    ("260   x   3    1    2", 7, "round 'x'"),
    ("260   3   1    1    2", 9, "lies before the first"),
    ("XXZ 1 9", 7, "not a player of the file"),
    ("240 Q   4    2", 5, "F, H or Z, not 'Q'"),
    ("240 H   x    2", 7, "round 'x'"),
    ("240 H   0    2", 7, "1 to 100, not 0"),
    ("240 H   4    9", 14, "not a player of the file"),
    ("XXA    9  1.0", 5, "not a player of the file"),
    ("XXA    1  1.0  0.x", 16, "not a number"),
    ("250       1.0   1   2    1    9", 28, "not a player of the file"),
    ("250       1.0   y   2    1    3", 17, "round 'y'"),
    ("250       z.0   1   2    1    3", 10, "not a number"),
    ("250       1.0        1    3", 15, "the first round is missing"),
    ("202 BH,SB,BH", 11, "tie-break BH is listed twice"),
    ("212 PTS,SB,SB", 12, "tie-break SB is listed twice"),
    ("013 Green                               1    9", 46, "not a player of the file"),
    ("013 Green", 37, "no members"),
    (f"310   x {'Green':32s}                                 2    1", 7, "team 'x'"),
    (f"310     {'Green':32s}                                 2    1", 5, "the number of the team is missing"),
    ("299 +  x     1.0   1    1", 8, "not a number"),
    ("299 +  1.0   1.0   1    9", 25, "not a player of the file"),
    ("299    0.0  -0.5    1    1", 7, "the columns of this record"),
    ("299 W  0.0   0.5        1", 20, "the round is missing"),
    ("260    1   3    1    4", 8, "'1' is outside the columns of this record"),
    ("260   1   12    1    4", 11, "'12' is outside the columns of this record"),
    ("240 H   41    2", 9, "'41' is outside the columns of this record"),
    ("260     1   3    1    4", 13, "may be a round"),
    ("299 W1.0   1.0    1    1", 7, "the columns of this record"),
    ("XXA    12  1.0", 8, "'12' is outside the columns of this record"),
    ("XXA    1    1.0", 13, "'1.0' is outside the columns of this record"),
    ("240H   4    2", 4, "'H' is in a column that must be blank"),
    ("250 10.0 10.0   1   2    1     4", 32, "the columns of this record"),
    ("212BH,SB", 4, "'B' is in a column that must be blank"),
    ("192FIDE_DUTCH_2017", 4, "'F' is in a column that must be blank"),
]
BAD_RECORDS_OF_TEAMS = [
    ("013 Green                               1", 5, "member of team 1"),
    ("352 WBX", 7, "must consist of W and B"),
    ("362 TW 2.0   TD one", 17, "not a number"),
    ("320  1.0  2.0   9", 15, "not a team of the file"),
    ("320  1.0  2.0    1", 18, "a blank is required between teams"),
    ("320    x  2.0    1", 8, "not a number"),
    ("330 ?? 1   1   2", 5, "not '??'"),
    ("330 +-   1   1   9", 16, "not a team of the file"),
    ("300   1   1   2    1    9", 25, "not a player of the file"),
    ("300   1   x   2    1", 11, "team 'x'"),
    ("240 H   4    1    9", 19, "not a team of the file"),
    ("260   1   3    1    9", 21, "not a team of the file"),
    ("330 +-   1   1    2", 19, "the columns of this record"),
    ("362 TW 2.0 0.5", 12, "must be a code with its points"),
    ("240 Z     1    1", 7, "1 to 100, not 0"),
    ("320  1.0  2.0   0      1", 24, "team of round 3 or, moved, of round 2"),
    ("352WB", 4, "'W' is in a column that must be blank"),
]


@pytest.mark.parametrize(("record", "column", "detail"), BAD_RECORDS, ids=[r for r, *_ in BAD_RECORDS])
def test_a_bad_record_is_refused_with_its_line_and_column(record, column, detail):
    refused_at(f"{THREE_ROUNDS}{record}\n", 9, column, detail)


@pytest.mark.parametrize(
    ("record", "column", "detail"), BAD_RECORDS_OF_TEAMS, ids=[r for r, *_ in BAD_RECORDS_OF_TEAMS]
)
def test_a_bad_record_of_teams_is_refused_with_its_line_and_column(record, column, detail):
    refused_at(f"{THREE_ROUNDS}{TEAMS}{record}\n", 11, column, detail)


def test_a_team_stands_once():
    team = f"310   1 {'Red':32s}                                {{}}\n"
    refused_at(THREE_ROUNDS + team.format("    1") + team.format("    2"), 10, 5, "team 1 is already on line 9")


def refused_at(text: str, line: int, column: int, detail: str) -> None:
    with pytest.raises(TrfError) as refused:
        trf(text)
    assert detail in str(refused.value.detail)
    assert (refused.value.line, refused.value.column) == (line, column)


@pytest.mark.parametrize(("text", "line", "detail"), BAD_FILES, ids=[d for *_, d in BAD_FILES])
def test_a_bad_file_is_refused_with_its_line(text, line, detail):
    with pytest.raises(TrfError) as refused:
        trf(text)
    assert refused.value.line == line and detail in str(refused.value.detail)


def test_what_was_not_understood_is_written_back():
    text = THREE_ROUNDS.replace("XXR 5", "QQQ kept as it is\nXXR 5")
    assert write(trf(text)) == text.encode()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept(newline):
    content = THREE_ROUNDS.replace("\n", newline).encode()
    assert write(read(content, "x")) == content


def test_a_line_separator_of_unicode_ends_no_line():
    content = THREE_ROUNDS.replace("Harbour Open", "Harbour\u2028Open")
    assert trf(content).settings.name == "Harbour\u2028Open"


def test_a_changed_player_is_written_into_his_line():
    changed = trf()
    players = (structs.replace(changed.players[0], name="Albrecht,Nora Maria"), *changed.players[1:])
    again = read(write(replace(changed, players=players)), "x")
    assert again.players[0].name == "Albrecht,Nora Maria" and again.players[1:] == changed.players[1:]
