"""Knock-outs and matches (002-X 11.1, 13.4, 13.5; 000-B 4, 9)."""

import pytest

from services.pairing.rules.commands import AssignNumbers, DrawLots, UpholdPairing
from shared.core import events as ev
from shared.core.events import PairingUpheld
from shared.core.readings.settlement import open_bases
from shared.core.rounds.bracket_plan import double, single
from shared.core.rounds.matches import match_results, matches, places
from shared.core.rounds.stages import heads
from shared.core.terms import GAMES
from tests.rules.formats_story import by_number, met, office, play_out, play_round
from tests.rules.pairing_story import CHIEF, MARKS, ORGANISER, WHY, seats


def lots(match, seed=5):
    return DrawLots(CHIEF, match, seed)


def pairs(paired):
    return [tuple(sorted((b.white, b.black))) for b in paired.boards]


@pytest.mark.parametrize("players", range(2, 25))
def test_the_best_seed_wins_a_knock_out_and_everybody_loses_once_but_the_winner(players):
    cup = office(players, "knockout")
    rounds = play_out(cup)
    games = met(rounds)
    assert len(games) == players - 1
    assert len(rounds) == (players - 1).bit_length()
    order = places(cup.t)
    assert sorted(order.values())[:2] == [1, 2]
    assert order[1] == 1 and order[2] == 2


def test_the_best_seeds_have_byes_and_the_others_play_a_preliminary_round():
    """002-X 11.1 预选赛: eleven make three matches, for eight places."""
    cup = office(11, "knockout")
    first = play_round(cup)
    assert first.stage == "preliminary"
    assert pairs(first) == [(8, 9), (7, 10), (6, 11)]
    assert sorted(s.player for s in first.byes) == [1, 2, 3, 4, 5]
    assert {s.kind for s in first.byes} == {"U"}
    second = play_round(cup)
    assert second.stage == "quarter-final"
    assert pairs(second) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert [play_round(cup).stage for _ in range(2)] == ["semi-final", "final"]
    assert cup.refused(cup.by_engine()).code == "no-round-left"


def test_the_lots_say_who_has_white_first():
    """002-X 13.4 猜先: the seed stands in the event."""
    cup = office(8, "knockout")
    first = cup.pair()
    assert first.seed == 7
    assert [m.first > m.second for m in first.matches] == [heads(7, m.match) for m in first.matches]
    assert len({heads(7, n) for n in range(1, 9)}) == 2
    assert [(m.first, m.second) for m in first.matches] == seats(first)


def test_places_are_played_for_where_so_announced():
    cup = office(8, "knockout", places=True)
    rounds = play_out(cup)
    assert [len(r.boards) for r in rounds] == [4, 4, 4]
    assert places(cup.t) == {n: n for n in range(1, 9)}


def test_without_matches_for_places_the_losers_of_a_round_share_theirs():
    cup = office(8, "knockout")
    play_out(cup)
    assert places(cup.t) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}


@pytest.mark.parametrize("players", range(2, 18))
def test_in_a_double_knock_out_everybody_loses_twice_but_the_winner(players):
    cup = office(players, "double_knockout")
    rounds = play_out(cup)
    lost = dict.fromkeys(range(1, players + 1), 0)
    for pair in met(rounds):
        lost[max(pair)] += 1
    assert lost.pop(1) == 0
    assert set(lost.values()) == {2}
    order = places(cup.t)
    assert [p for p, place in sorted(order.items(), key=lambda x: x[1])][:2] == [1, 2]


def test_the_final_of_a_double_knock_out_is_repeated_where_both_have_lost_once():
    cup = office(4, "double_knockout")
    rounds = [play_round(cup) for _ in range(3)]
    assert [pairs(r) for r in rounds] == [[(1, 4), (2, 3)], [(3, 4), (1, 2)], [(2, 3)]]
    final = play_round(cup, lambda b: by_number(b)[::-1])
    assert (pairs(final), final.stage) == ([(1, 2)], "final")
    assert places(cup.t)[2] == 1
    again = play_round(cup)
    assert pairs(again) == [(1, 2)]
    assert places(cup.t) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert cup.refused(cup.by_engine()).code == "no-round-left"


@pytest.mark.parametrize("sides", range(2, 34))
def test_a_bracket_is_whole(sides):
    """Every match but the last has its winner go on once; who loses goes on where the bracket says so."""
    for bracket in (single(sides), single(sides, places=True), double(sides)):
        used = [slot for match in bracket for slot in match.slots]
        assert len(used) == len(set(used))
        waves = {m.number: m.wave for m in bracket}
        assert all(waves[s.number] < m.wave for m in bracket for s in m.slots if s.kind != "seed")
        assert [m.number for m in bracket] == list(range(1, len(bracket) + 1))


def test_a_match_is_over_as_soon_as_it_is_decided():
    """000-B 4: best of three, and the third game is not played."""
    cup = office(4, "knockout", games=3, best=True)
    first = play_round(cup, lambda b: "1-0" if b.board == 1 else "=")
    second = play_round(cup, lambda b: "0-1" if b.board == 1 else "=")
    assert seats(second) == [(b, w) for w, b in seats(first)]
    third = play_round(cup)
    assert [(m.match, m.leg, m.boards) for m in third.matches] == [(2, 3, (1,))]
    assert matches(cup.t)[1].legs == 2
    final = cup.pair()
    assert [m.match for m in final.matches] == [3]


@pytest.mark.parametrize(
    ("games", "said", "played"),
    [
        (3, ["first", "first"], 2),
        (3, ["first", "second", "first"], 3),
        (3, ["drawn", "drawn", "second"], 3),
        (5, ["first", "first", "first"], 3),
        (5, ["first", "first", "drawn", "drawn"], 4),
        (7, ["second", "second", "second", "second"], 4),
        (7, ["first", "drawn", "drawn", "drawn", "drawn", "drawn", "drawn"], 7),
    ],
)
def test_a_match_takes_no_more_games_than_needed(games, said, played):
    """Two who meet: best of 3, 5, 7 (000-B 4). Over when the lead is more than the games left can give."""
    duel = office(2, "match", games=games, best=True)
    opener = None
    for who in said:
        paired = duel.pair()
        opener = opener or paired.boards[0].white
        white_first = paired.boards[0].white == opener
        duel.results("=" if who == "drawn" else "1-0" if (who == "first") == white_first else "0-1")
    assert matches(duel.t)[1].over
    assert duel.refused(duel.by_engine()).code == "no-round-left"
    assert duel.t.rounds_paired() == played


def test_a_drawn_match_has_extra_games_and_then_lots():
    """000-B 4, 9: 加赛, then 抽签. Nothing else is paired before."""
    duel = office(2, "match", games=3, best=True, extra=2)
    for _ in range(5):
        assert duel.refused(lots(1)).code in ("unknown-match", "match-unfinished")
        paired = duel.pair()
        duel.results("=")
    assert paired.matches[0].leg == 5
    refusal = duel.refused(duel.by_engine())
    assert (refusal.code, refusal.article) == ("match-drawn", "000-B 9")
    assert "match 1" in str(refusal.detail)
    (drawn,) = duel.do(lots(1))
    assert drawn.winner in (1, 2)
    assert matches(duel.t)[1].winner == drawn.winner
    assert duel.refused(lots(1)).code == "match-decided"
    assert duel.refused(duel.by_engine()).code == "no-round-left"


def test_an_extra_game_decides():
    duel = office(2, "match", games=1, extra=1)
    play_round(duel, lambda b: "=")
    play_round(duel)
    assert matches(duel.t)[1].winner == 1


def test_two_games_are_both_played_and_their_points_added():
    """002-X 13.5 in a knock-out: not best of two, so that the second game is played whatever came of the first."""
    cup = office(2, "knockout", games=2)
    play_round(cup)
    assert not matches(cup.t)[1].over
    play_round(cup)
    assert matches(cup.t)[1].points in ((4, 0), (0, 4))


def test_who_has_left_gives_the_match_to_the_other():
    cup = office(4, "knockout")
    play_round(cup)
    cup.do(cup.leave(1))
    cup.do(cup.leave(2))
    assert places(cup.t) == {1: 1, 2: 1, 3: 3, 4: 3}
    final = cup.pair()
    assert final.boards == ()
    assert matches(cup.t)[3].over and matches(cup.t)[3].winner == 0


def test_a_walkover_counts_as_a_match_won():
    cup = office(8, "knockout")
    play_round(cup)
    cup.do(cup.leave(4))
    semi = play_round(cup)
    assert pairs(semi) == [(2, 3)]
    assert [s.player for s in semi.byes] == [1]
    assert pairs(play_round(cup)) == [(1, 2)]
    assert places(cup.t)[4] == 3


def corrected(cup, board, said):
    cup.told(GAMES, ev.ResultCorrected(board.game, *MARKS[said]))


def uphold(cup):
    """Each outdated pairing remains in force by the chief arbiter's decision."""
    while bases := open_bases(cup.t):
        basis = bases[0]
        cup.do(UpholdPairing(CHIEF, PairingUpheld(basis.pairing, basis.match, basis.seated, basis.due, WHY)))


@pytest.mark.parametrize("said", ["1-0", "0-1", "=", "-/-"])
def test_a_correction_after_the_next_pairing_changes_nobodys_way(said):
    """An upheld pairing remains: its players go on, and play for first, not third place."""
    cup = office(4, "double_knockout")
    first = play_round(cup)
    second = cup.pair()
    assert pairs(second) == [(3, 4), (1, 2)]
    corrected(cup, first.boards[0], said)
    cup.results("1-0", "1-0")
    uphold(cup)
    third = cup.pair()
    lower = {second.boards[0].white, second.boards[1].black}
    assert set(pairs(third)[0]) == lower


def test_a_match_opened_by_a_correction_after_the_next_pairing_is_not_played_on():
    cup = office(4, "knockout", games=3, best=True)
    play_round(cup)
    last = play_round(cup)
    final = play_round(cup)
    assert final.stage == "final"
    corrected(cup, last.boards[0], "=")
    assert not match_results(cup.t)[1].over
    assert (matches(cup.t)[1].over, matches(cup.t)[1].winner) == (True, 1)
    uphold(cup)
    assert pairs(cup.pair()) == [(1, 2)]


def test_a_match_opened_after_a_side_left_is_won_by_the_other():
    cup = office(4, "knockout", games=3, best=True)
    play_round(cup, lambda b: "1-0" if b.board == 1 else "=")
    second = play_round(cup, lambda b: "0-1" if b.board == 1 else "=")
    cup.pair()
    winner, loser = second.boards[0].black, second.boards[0].white
    cup.do(cup.leave(loser))
    corrected(cup, second.boards[0], "=")
    assert (matches(cup.t)[1].over, matches(cup.t)[1].winner) == (True, winner)
    cup.results("1-0")
    assert pairs(cup.pair()) == [tuple(sorted((winner, matches(cup.t)[2].winner)))]


def test_seeds_may_be_drawn():
    cup = office(4, "knockout")
    (assigned,) = cup.do(AssignNumbers(ORGANISER, seed=3))
    order = [n.player for n in assigned.numbers]
    assert cup.pair().groups == (tuple(order),)
    assert order != [1, 2, 3, 4]


def test_by_hand_the_same_meet_in_colours_of_ones_own():
    cup = office(4, "knockout")
    refusal = cup.refused(cup.by_hand((1, 2), (3, 4)))
    assert refusal.code == "not-as-drawn"
    assert "1 and 4, 2 and 3" in str(refusal.detail)
    made = cup.pair((4, 1), (2, 3))
    assert [(m.match, m.first, m.second, m.boards) for m in made.matches] == [(1, 4, 1, (1,)), (2, 2, 3, (2,))]
    assert made.stage == "semi-final"


def test_a_match_has_two_sides():
    assert office(3, "match").refused(office(3, "match").by_engine()).code == "two-sides"
    assert office(1, "match").refused(office(1, "match").by_engine()).code == "too-few-players"


def test_lots_are_drawn_only_where_a_match_needs_a_winner():
    swiss = office(4, "swiss", rounds=4, games=2)
    swiss.pair()
    assert swiss.refused(lots(1)).code == "no-lots"
    duel = office(2, "match")
    assert duel.refused(lots(1, seed=0)).code == "no-lots"
