"""Outdated bases: seats and published tables that present results would no longer give (002-X 11.1, 11.3)."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.pairing.rules.commands import WithdrawPairing, WithdrawPlayer
from shared.core import events as ev
from shared.core.event_types.evolve import fork_after
from shared.core.readings.outdated_bases import OutdatedBasis, find_outdated_bases
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import PAIRING, PENALTIES, PlayerId, Refusal, RulingId, Seq
from tests.rules.formats_story import by_number, office, play_round
from tests.rules.pairing_story import CHIEF, WHY
from tests.rules.stage_story import (
    annul,
    board_of,
    correct,
    next_round,
    publish_table,
    ranks,
    rule_result,
    staged,
)
from tests.rules.test_brackets import Chance, pairs
from tests.tiers import examples

CUP = StageRule("cup", "knockout")


def uphold(cup, basis):
    cup.t.upheld[basis.pairing, basis.match, basis.seated, basis.due] = Seq(cup.t.seq)


def won(board, winner):
    return "1-0" if board.white == winner else "0-1"


def final_of_four(format="knockout"):
    """A knock-out of four whose final is paired: the tournament, the first round, the final."""
    cup = office(4, format)
    return cup, play_round(cup), cup.pair()


def test_a_corrected_semi_final_makes_the_final_outdated():
    cup, semi, final = final_of_four()
    game = board_of(semi, 1, 4)
    correct(cup, game, won(game, 4))
    assert find_outdated_bases(cup.t) == (
        OutdatedBasis("match", 2, 2, final.matches[0].match, (1,), (1, 2), (2, 4), cup.t.seq, "002-X 11.1"),
    )


@pytest.mark.parametrize(("said", "due"), [("=", (2,)), ("-/-", (2,)), ("0-0", (2,))])
def test_a_semi_final_without_a_winner_leaves_one_side_due(said, due):
    cup, semi, _ = final_of_four()
    correct(cup, board_of(semi, 1, 4), said)
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.seated, basis.due) == ((1, 2), due)


def test_a_correction_back_settles_it():
    cup, semi, _ = final_of_four()
    game = board_of(semi, 1, 4)
    correct(cup, game, won(game, 4))
    correct(cup, game, won(game, 1))
    assert find_outdated_bases(cup.t) == ()


def test_an_annulled_ruling_makes_the_final_outdated_and_names_the_annulment():
    cup = office(4, "knockout")
    game = board_of(play_round(cup), 1, 4)
    ruling = rule_result(cup, game, won(game, 4))
    cup.pair()
    assert find_outdated_bases(cup.t) == ()
    annul(cup, ruling)
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.seated, basis.due, basis.because) == ((2, 4), (1, 2), cup.t.seq)


def test_a_ruling_annulled_at_once_leaves_nothing_outdated():
    cup, semi, _ = final_of_four()
    game = board_of(semi, 1, 4)
    annul(cup, rule_result(cup, game, won(game, 4)))
    assert find_outdated_bases(cup.t) == ()


def test_upholding_settles_one_difference_and_another_change_opens_it_again():
    cup, semi, _ = final_of_four()
    one, other = board_of(semi, 1, 4), board_of(semi, 2, 3)
    correct(cup, one, won(one, 4))
    (basis,) = find_outdated_bases(cup.t)
    uphold(cup, basis)
    assert find_outdated_bases(cup.t) == ()
    correct(cup, other, won(other, 3))
    (again,) = find_outdated_bases(cup.t)
    assert (again.seated, again.due) == ((1, 2), (3, 4))


def test_a_withdrawn_pairing_is_not_outdated():
    cup, semi, _ = final_of_four()
    game = board_of(semi, 1, 4)
    correct(cup, game, won(game, 4))
    cup.do(WithdrawPairing(CHIEF, 2, WHY))
    assert find_outdated_bases(cup.t) == ()


def test_a_quarter_final_touches_the_semi_final_and_not_the_final():
    cup = office(8, "knockout")
    first = play_round(cup)
    play_round(cup)
    cup.pair()
    game = board_of(first, 2, 7)
    correct(cup, game, won(game, 7))
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.round, basis.seated, basis.due) == (2, (2, 3), (3, 7))


def test_a_double_knock_out_reports_the_seat_of_the_winner_and_of_the_loser():
    cup, first, second = final_of_four("double_knockout")
    assert pairs(second) == [(1, 2), (3, 4)]
    game = board_of(first, 1, 4)
    correct(cup, game, won(game, 4))
    found = find_outdated_bases(cup.t)
    assert [(b.seated, b.due) for b in found] == [((3, 4), (1, 3)), ((1, 2), (2, 4))]


def test_upholding_the_second_bracket_settles_the_final_of_the_first_too():
    """The match of 1 and 2 feeds the second bracket and the final: kept as played in one place, it is in the other."""
    cup = office(4, "double_knockout")
    play_round(cup)
    upper = board_of(play_round(cup), 1, 2)
    play_round(cup)
    correct(cup, upper, won(upper, 2))
    (lower,) = find_outdated_bases(cup.t)
    uphold(cup, lower)
    final = cup.pair()
    assert pairs(final) == [(1, 2)]
    assert find_outdated_bases(cup.t) == ()


def test_a_second_final_is_outdated_if_the_first_was_won_by_the_other_side():
    cup = office(4, "double_knockout")
    for _ in range(3):
        play_round(cup)
    final = play_round(cup, lambda b: won(b, 2))
    cup.pair()
    correct(cup, final.boards[0], won(final.boards[0], 1))
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.seated, basis.due) == ((1, 2), ())


def test_a_walkover_for_a_removed_side_is_not_outdated():
    """2 was expelled before the final: 1 goes on without a game."""
    cup = office(4, "knockout")
    play_round(cup)
    effect = ev.Effect("expel")
    cup.told(PENALTIES, ev.RulingMade(RulingId("r1"), PlayerId(2), 1, "grave", "18.3", effect))  # type: ignore[arg-type]
    cup.told(PAIRING, ev.PlayerWithdrew(PlayerId(2), 1, True, 1, "18.3", ruling=RulingId("r1")))
    final = cup.pair()
    assert final.boards == () and find_outdated_bases(cup.t) == ()


@pytest.mark.parametrize(("winner", "due"), [(1, []), (8, [(4, 8)])])
def test_a_winner_that_has_left_is_not_due_beside_a_walkover(winner, due):
    """1 and 8 both lost, so that 4 went on without a game. 1 leaves, before a correction makes one of them the winner."""
    cup = office(8, "knockout")
    game = board_of(play_round(cup), 1, 8)
    correct(cup, game, "0-0")
    assert pairs(play_round(cup)) == [(2, 3)]
    cup.do(WithdrawPlayer(CHIEF, PlayerId(1), WHY))
    correct(cup, game, won(game, winner))
    assert [basis.due for basis in find_outdated_bases(cup.t)] == due


# ------------------------------------------------------------ stages


def groups_of_eight(qualifiers=2):
    """Fault 5: two groups, the table published after round 3."""
    cup = office(8, "groups", groups=2, qualifiers=qualifiers)
    for _ in range(3):
        play_round(cup)
    publish_table(cup)
    return cup


@pytest.mark.parametrize(("leaves", "outdated"), [(5, False), (8, True)])
def test_a_qualifier_that_has_left_since_is_not_due(leaves, outdated):
    """5 would be in the finals in place of 4, unless 5 left after they were paired."""
    cup = groups_of_eight()
    game = next(b for p in cup.t.pairings for b in p.event.boards if {b.white, b.black} == {4, 5})
    assert cup.pair().groups == ((1, 2, 3, 4),)
    cup.do(WithdrawPlayer(CHIEF, PlayerId(leaves), WHY))
    correct(cup, game, won(game, 5))
    publish_table(cup, 3)
    assert [basis.due for basis in find_outdated_bases(cup.t)] == ([(1, 2, 3, 5)] if outdated else [])


def test_a_correction_after_the_publication_makes_the_table_outdated():
    cup = groups_of_eight()
    game = next(b for p in cup.t.pairings for b in p.event.boards if {b.white, b.black} == {4, 5})
    correct(cup, game, won(game, 5))
    (basis,) = find_outdated_bases(cup.t)
    assert basis == OutdatedBasis("publication", 0, 3, 0, (), (), (), cup.t.seq, "002-X 11.3")
    publish_table(cup)
    assert find_outdated_bases(cup.t) == ()
    assert cup.pair().groups == ((1, 2, 3, 5),)


def test_finals_paired_from_an_outdated_table_are_outdated_once_it_is_published_again():
    cup = groups_of_eight()
    game = next(b for p in cup.t.pairings for b in p.event.boards if {b.white, b.black} == {4, 5})
    finals = cup.pair()
    assert find_outdated_bases(cup.t) == ()
    correct(cup, game, won(game, 5))
    assert [b.kind for b in find_outdated_bases(cup.t)] == ["publication"]
    publish_table(cup, 3)
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.kind, basis.pairing, basis.boards) == ("qualifiers", 4, tuple(b.board for b in finals.boards))
    assert (basis.seated, basis.due) == ((1, 2, 3, 4), (1, 2, 3, 5))
    uphold(cup, basis)
    assert find_outdated_bases(cup.t) == ()


def test_a_correction_that_changes_no_place_is_settled_by_publishing_again():
    cup = groups_of_eight()
    game = next(b for p in cup.t.pairings for b in p.event.boards if {b.white, b.black} == {1, 8})
    cup.pair()
    correct(cup, game, "=")
    assert [b.kind for b in find_outdated_bases(cup.t)] == ["publication"]
    publish_table(cup, 3)
    assert find_outdated_bases(cup.t) == ()


@pytest.mark.parametrize("kind", ["correction", "ruling", "points"])
def test_what_is_taken_back_at_once_leaves_the_table_in_force(kind):
    cup = groups_of_eight()
    game = next(b for p in cup.t.pairings for b in p.event.boards if {b.white, b.black} == {4, 5})
    if kind == "correction":
        correct(cup, game, "=")
        correct(cup, game, by_number(game))
    elif kind == "ruling":
        annul(cup, rule_result(cup, game, "="))
    else:
        effect = ev.Effect("adjust_points", points=-1)  # type: ignore[arg-type]
        cup.told(PENALTIES, ev.RulingMade(RulingId("r1"), PlayerId(1), 1, "conduct", "9", effect))
        assert [b.kind for b in find_outdated_bases(cup.t)] == ["publication"]
        annul(cup, RulingId("r1"))
    assert find_outdated_bases(cup.t) == ()


def test_a_ruling_annulled_after_the_publication_makes_it_outdated():
    cup = office(8, "groups", groups=2, qualifiers=2)
    for _ in range(3):
        played = play_round(cup)
    ruling = rule_result(cup, played.boards[0], "=")
    publish_table(cup)
    annul(cup, ruling)
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.kind, basis.because) == ("publication", cup.t.seq)


def test_a_qualified_player_that_leaves_later_was_rightly_seated():
    cup = groups_of_eight()
    cup.pair()
    cup.do(cup.leave(2))
    assert find_outdated_bases(cup.t) == ()


def test_the_lot_drawn_at_the_pairing_is_kept():
    cup = office(8, "groups", groups=2, qualifiers=1)
    for _ in range(3):
        play_round(cup)
    order = ((1, 4, 5, 2), (3, 6), (7, 8))
    cup.told("/services/standings", ev.StandingsPublished((), "2026", 3, False, order=order))
    assert cup.pair().seed == 7
    assert find_outdated_bases(cup.t) == ()


def test_a_swiss_pairing_is_never_outdated():
    cup = staged(8, StageRule("swiss", "swiss", rounds=3, qualifiers=4), CUP)
    first = next_round(cup)
    next_round(cup)
    correct(cup, first.boards[0], "=")
    assert find_outdated_bases(cup.t) == ()


@pytest.mark.parametrize("teams", [False, True])
def test_a_cup_paired_from_a_swiss_follows_its_table(teams):
    cup = staged(8, StageRule("swiss", "swiss", rounds=3, qualifiers=4), CUP, teams=teams)
    while not any(p.event.stage == "cup" for p in cup.t.pairings):
        next_round(cup)
    qualified = set(cup.t.current(4).event.groups[0])
    for pairing in cup.t.pairings[:3]:
        for board in pairing.event.boards:
            correct(cup, board, "0-1" if by_number(board) == "1-0" else "1-0")
    assert [b.kind for b in find_outdated_bases(cup.t)] == ["publication"]
    publish_table(cup, 3)
    (basis,) = find_outdated_bases(cup.t)
    best = sorted(ranks(cup, 3), key=ranks(cup, 3).__getitem__)[:4]
    assert (basis.kind, set(basis.seated), basis.due) == ("qualifiers", qualified, tuple(best))


def test_a_round_of_a_table_lacks_the_game_of_a_player_that_may_play_after_all():
    """Expelled before round 2, and the expulsion no longer in force: two of the table rested who would meet."""
    cup = office(4, "round_robin")
    play_round(cup)
    cup.told(PENALTIES, ev.RulingMade(RulingId("r1"), PlayerId(4), 1, "grave", "18.3", ev.Effect("expel")))  # type: ignore[arg-type]
    cup.told(PAIRING, ev.PlayerWithdrew(PlayerId(4), 1, False, 1, "18.3", ruling=RulingId("r1")))
    second = cup.pair()
    assert len(second.boards) == 1 and find_outdated_bases(cup.t) == ()
    cup.t.players[PlayerId(4)] = cup.t.players[PlayerId(4)]._replace(left_after=None, withdrawal=None)
    (basis,) = find_outdated_bases(cup.t)
    seated = tuple(sorted((second.boards[0].white, second.boards[0].black)))
    assert (basis.kind, basis.round, basis.seated, basis.due) == ("qualifiers", 2, seated, (1, 2, 3, 4))
    assert cup.refused(cup.by_engine()).code == "basis-outdated"
    uphold(cup, basis)
    assert find_outdated_bases(cup.t) == ()


# ------------------------------------------------------------ random histories


def decided_now(cup, state):
    """Return the next pairing in this state, or the refusal to pair."""
    kept, cup.world.tournament = cup.t, state
    answer = cup.world.decide(PAIRING, cup.by_engine())
    cup.world.tournament = kept
    return answer if isinstance(answer, Refusal) else answer.events[0]


def games_of(paired):
    return {(m.match, frozenset((m.first, m.second)), m.leg) for m in paired.matches if m.first and m.second}


def seats_of(paired):
    return {m.match: {m.first, m.second} for m in paired.matches}


def check_last_pairing(cup):
    """Compare the last pairing with the one that would take its place: differences are reported, or still come to be played.

    A side without an opponent is in the next match whether it was paired for this one or not.
    """
    last, found = cup.t.pairings[-1].event, find_outdated_bases(cup.t)
    if last.round == 1 or any(basis.pairing < last.pairing for basis in found):
        return
    now = decided_now(cup, fork_after(cup.t, PAIRING, (ev.PairingWithdrawn(last.round, last.pairing),)))
    following = now if found else decided_now(cup, cup.t)
    if isinstance(now, Refusal):
        assert found or (isinstance(following, Refusal) and following.code == now.code)
        return
    missing = games_of(now) - games_of(last)
    if not found and not isinstance(following, Refusal):
        assert missing <= games_of(following), "a match that would be played now was passed"
    assert found or not isinstance(following, Refusal) or not missing or following.code == "match-drawn"
    if any(m.leg > 1 for m in (*last.matches, *now.matches)) or any(m not in seats_of(last) for m, _, _ in missing):
        return
    seats, due, reported = seats_of(last), seats_of(now), {basis.match for basis in found}
    differing = {m for m in seats if (due[m] != seats[m] if m in due else 0 not in seats[m])}
    assert differing <= reported <= differing | (seats.keys() - due.keys())


FORMATS_SAID = (
    ("knockout", {}),
    ("knockout", {"places": True}),
    ("knockout", {"extra": 1}),
    ("double_knockout", {}),
    ("double_knockout", {"extra": 1}),
)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(3, 16), st.sampled_from(FORMATS_SAID))
@example(1338, 7, ("knockout", {}))
@example(227, 16, ("knockout", {"places": True}))
@example(39, 6, ("knockout", {"extra": 1}))
@example(13, 7, ("knockout", {"extra": 1}))
@example(72, 4, ("double_knockout", {"extra": 1}))
@example(45, 7, ("double_knockout", {}))
def test_a_pairing_is_outdated_exactly_if_it_would_be_paired_differently_now(seed, players, format_said):
    format, said = format_said
    one = Chance(seed, players, format, False, **said)
    rng = Random(seed)
    while one.round():
        for _ in range(rng.randrange(3)):
            one.change()
        check_last_pairing(one.cup)
