"""What an announcement may say, who may not meet, fixed boards, two-game rounds, and lots as facts."""

import hashlib
from dataclasses import replace

import pytest

from services.pairing.rules.commands import AnnounceTournament, FixBoard, ForbidPairs
from shared.core.events import BoardFixed, PairsForbidden
from shared.core.rounds.matches import matches
from shared.core.rounds.stages import drawn_order, heads
from shared.core.terms import Conditions, PlayerId, TeamConditions
from tests.rules.formats_story import CAMPUS, met, office, play_out, play_round
from tests.rules.pairing_story import ORGANISER, WHY, Office, seats

TEAMS = TeamConditions("substitutes", 4, 2)


def announce(format, rounds=0, rules=CAMPUS, **said):
    return AnnounceTournament(ORGANISER, "Cup", "xiangqi", format, rounds, rules, (), Conditions(**said))


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (announce("swiss"), "rounds"),
        (announce("manual"), "rounds"),
        (announce("round_robin", -1), "rounds"),
        (announce("round_robin", games=0), "conditions.games"),
        (announce("match", games=4, best=True), "conditions.games"),
        (announce("round_robin", games=3, best=True), "conditions.best"),
        (announce("swiss", 5, extra=1), "conditions.extra"),
        (announce("match", extra=-1), "conditions.extra"),
        (announce("swiss", 5, games=2), "conditions.games"),
        (announce("double_knockout", places=True), "conditions.places"),
        (announce("groups", groups=1, qualifiers=1), "conditions.groups"),
        (announce("groups", groups=2), "conditions.qualifiers"),
        (announce("round_robin", groups=2), "conditions.groups"),
        (announce("round_robin", qualifiers=2), "conditions.qualifiers"),
        (announce("knockout", carried=True), "conditions.carried"),
        (announce("swiss", 5, team=TeamConditions("fixed", 0)), "conditions.team.boards"),
        (announce("swiss", 5, team=TeamConditions("lineup", 4, -1)), "conditions.team.substitutes"),
        (announce("swiss", 5, team=TeamConditions("fixed", 4, 2)), "conditions.team.substitutes"),
        (announce("swiss", 6, games=2, team=TeamConditions("everybody", 3)), "conditions.games"),
        (announce("swiss", 5, rules=replace(CAMPUS, teams=None), team=TEAMS), "conditions.team"),
        (announce("swiss", 4, rules=replace(CAMPUS, pairing=replace(CAMPUS.pairing, system="dutch")), games=2),
         "conditions.games"),
    ],
)  # fmt: skip
def test_an_announcement_that_makes_no_sense_is_refused_naming_the_part(command, where):
    refusal = Office(0, 0).refused(command)
    assert (refusal.kind, refusal.where) == ("invalid", where)


@pytest.mark.parametrize(
    "command",
    [
        announce("swiss", 5),
        announce("swiss", 6, games=2),
        announce("round_robin"),
        announce("groups", groups=2, qualifiers=2, carried=True),
        announce("knockout", games=3, best=True, extra=1, places=True),
        announce("match", games=7, best=True),
        announce("swiss", 5, team=TEAMS),
    ],
)
def test_what_makes_sense_is_announced_with_its_conditions(command):
    (announced, _) = Office(0, 0).do(command)
    assert announced.conditions == command.conditions


# ---------------------------------------------------------------- forbidden pairs


def forbid(*pairs):
    return ForbidPairs(ORGANISER, PairsForbidden(tuple((PlayerId(a), PlayerId(b)) for a, b in pairs), WHY))


@pytest.mark.parametrize("system", ["dutch", "campus"])
def test_forbidden_pairs_are_kept_apart_until_they_are_allowed_again(system):
    club = office(4, "swiss", rounds=3) if system == "campus" else Office(4)
    club.do(forbid((1, 2), (3, 1)))
    assert frozenset((1, 4)) in met([club.pair()])
    club.do(forbid())
    assert club.t.forbidden == frozenset()


def test_by_hand_a_forbidden_pair_needs_the_chief_arbiter():
    club = office(4, "swiss", rounds=3)
    club.do(forbid((1, 2)))
    refusal = club.refused(club.by_hand((1, 2), (3, 4)))
    assert "forbidden-pair: 1 and 2 must not be paired, because this pair was forbidden" in str(refusal.detail)
    assert club.pair((1, 2), (3, 4), overrides=("forbidden-pair",)).overrides == ("forbidden-pair",)


def test_where_forbidden_pairs_leave_no_round_it_is_said():
    club = office(2, "swiss", rounds=3)
    club.do(forbid((1, 2)))
    assert club.refused(club.by_engine()).code == "no-legal-pairing"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (forbid((1, 1)), "no-pair"),
        (ForbidPairs(ORGANISER, PairsForbidden(((PlayerId(1),),))), "no-pair"),
        (forbid((1, 9)), "unknown-player"),
        (forbid((1, 2), (2, 1)), "pair-twice"),
    ],
)
def test_forbidden_pairs_are_two_players_each(command, code):
    assert office(4, "swiss", rounds=3).refused(command).code == code


def test_where_a_table_says_who_meets_nobody_is_kept_apart():
    assert office(4, "round_robin").refused(forbid((1, 2))).code == "pairs-by-table"


# ---------------------------------------------------------------- fixed boards


def fix(player, board):
    return FixBoard(ORGANISER, BoardFixed(PlayerId(player), board, WHY))


def test_a_player_who_cannot_move_keeps_the_board_and_the_others_count_around_it():
    club = office(6, "round_robin")
    club.do(fix(1, 3))
    for _ in range(5):
        paired = play_round(club)
        assert [b.board for b in paired.boards] == [1, 2, 3]
        assert 1 in (paired.boards[2].white, paired.boards[2].black)
        assert [b.game for b in paired.boards] == [f"T.{paired.round}.{n}" for n in (1, 2, 3)]


def test_two_who_cannot_move_sit_at_the_first_ones_board_when_they_meet():
    club = office(4, "round_robin")
    club.do(fix(1, 2))
    club.do(fix(4, 9))
    assert [(b.board, b.white, b.black) for b in club.pair().boards] == [(1, 2, 3), (2, 1, 4)]


def test_a_board_by_hand_keeps_its_number_when_it_is_decided_again():
    club = office(6, "swiss", rounds=3)
    club.do(fix(5, 1))
    paired = club.pair((1, 2), (3, 4), (5, 6))
    assert [(b.board, b.white) for b in paired.boards] == [(1, 5), (2, 1), (3, 3)]


def test_a_board_is_given_back():
    club = office(4, "round_robin")
    club.do(fix(4, 2))
    club.do(fix(4, 0))
    assert seats(club.pair()) == [(1, 4), (2, 3)]


@pytest.mark.parametrize(
    ("command", "code"), [(fix(9, 1), "unknown-player"), (fix(1, -1), "invalid-board"), (fix(1, 2), "board-taken")]
)
def test_a_board_is_one_players(command, code):
    club = office(4, "swiss", rounds=3)
    club.do(fix(2, 2))
    assert club.refused(command).code == code


# ---------------------------------------------------------------- two-game rounds


def test_a_swiss_of_two_game_rounds_changes_colours_and_counts_both():
    """002-X 13.5."""
    club = office(5, "swiss", rounds=4, games=2)
    first, second, third, fourth = play_out(club)
    assert seats(second) == [(b, w) for w, b in seats(first)]
    assert second.byes == first.byes
    assert seats(fourth) == [(b, w) for w, b in seats(third)]
    assert not set(met([first])) & set(met([third]))
    assert all(m.over and m.legs == 2 for m in matches(club.t).values())
    assert club.refused(club.by_engine()).code == "no-round-left"


def test_a_second_game_by_hand_is_between_the_same_two():
    club = office(4, "swiss", rounds=4, games=2)
    first = play_round(club)
    other = list(first.boards)
    crossed = [(other[0].white, other[1].white), (other[0].black, other[1].black)]
    assert club.refused(club.by_hand(*crossed)).code == "not-as-drawn"
    same = club.pair(*((b.white, b.black) for b in other))
    assert [m.leg for m in same.matches] == [2, 2]


# ---------------------------------------------------------------- lots


def test_lots_are_drawn_again_by_anybody_who_knows_the_seed():
    tickets = {n: hashlib.sha256(f"42:{n}".encode()).digest() for n in range(1, 10)}
    assert drawn_order(42, range(1, 10)) == tuple(sorted(tickets, key=lambda n: tickets[n]))
    assert [heads(42, n) for n in tickets] == [ticket[-1] % 2 == 1 for ticket in tickets.values()]


def test_seed_0_draws_nothing():
    assert drawn_order(0, (3, 1, 2)) == (3, 1, 2)
    assert not any(heads(0, n) for n in range(100))


def test_only_the_dutch_is_told_its_first_colour():
    for format in ("round_robin", "knockout"):
        club = office(4, format)
        assert club.refused(club.by_engine(initial_colour="black")).code == "no-first-colour"


@pytest.mark.parametrize(("format", "kind"), [("swiss", "U"), ("round_robin", "Z")])
def test_who_is_left_alone_between_two_games_has_the_second_without_an_opponent(format, kind):
    """A Swiss gives points for it, a round robin none: the regulations do not have the rest forfeited."""
    leaving = replace(CAMPUS.leaving, unplayed="not_paired", formats=())
    club = Office(4, 4 if format == "swiss" else 0, format, seed=7, rules=replace(CAMPUS, leaving=leaving), games=2)
    first = play_round(club)
    board = first.boards[0]
    club.do(club.leave(board.black))
    second = play_round(club)
    assert [(s.player, s.kind) for s in second.byes] == [(board.white, kind)]
    assert [m.match for m in second.matches] == [2]
    assert matches(club.t)[1].over
    assert club.pair().matches[0].leg == 1


@pytest.mark.parametrize("format", ["round_robin", "knockout", "double_knockout", "teams"])
def test_where_the_regulations_judge_the_seats_alone_a_pairing_by_hand_is_free(format):
    # given regulations that bind no pairing by hand to its format
    free = replace(CAMPUS, pairing=replace(CAMPUS.pairing, by_hand="seats"))
    free_office = Office(5, 4, format, seed=7, rules=free)
    # when the same two meet again, and others have no seat
    free_office.play((1, 2), bye=3)
    again = free_office.pair((1, 2), bye=3)
    # then it stands as it was given, part of no match and no stage
    assert [(b.white, b.black) for b in again.boards] == [(1, 2)]
    assert [(s.player, s.kind) for s in again.byes] == [(3, "U")]
    assert (again.matches, again.groups, again.stage) == ((), (), "")


def test_free_of_its_format_a_pairing_by_hand_still_seats_nobody_twice():
    free = replace(CAMPUS, pairing=replace(CAMPUS.pairing, by_hand="seats"))
    free_office = Office(5, 4, "round_robin", seed=7, rules=free)
    assert free_office.refused(free_office.by_hand((1, 2), (2, 3))).code == "absolute-rule"
