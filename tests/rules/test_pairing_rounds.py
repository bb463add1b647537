"""Rounds by the engine and by hand, and rounds taken back."""

import subprocess
import sys
from dataclasses import replace

import pytest

from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.engines.fide_dutch import check_round, pair_next
from services.pairing.rules.engines.versions import GACRUX_BOARDS
from services.pairing.rules.rounds import LONG, colour_by_lot
from shared import regulations
from shared.core import events as ev
from shared.core.events import Engine
from shared.core.terms import GAMES, PENALTIES, GameId, HalfPoints, PlayerId
from tests.rules.pairing_story import CHIEF, LOSS, ORGANISER, WHY, WIN, Office, seats

# ---------------------------------------------------------------- by the engine


def test_the_first_round_pairs_the_upper_half_with_the_lower():
    """C.04.3: S1 against S2, first colours by turns from the one drawn."""
    office = Office(6)
    paired = office.pair(initial_colour="white")
    assert seats(paired) == [(1, 4), (5, 2), (3, 6)]
    assert paired.engine == Engine("gacrux", "1.11.65+c04.2")
    assert [b.game for b in paired.boards] == ["T.1.1", "T.1.2", "T.1.3"]


def test_the_engine_of_the_first_edition_of_decisions_pairs_only_by_that_edition():
    office = Office(4, offices=2)
    earlier = office.by_engine(initial_colour="white", engine=GACRUX_BOARDS)
    assert office.refused(earlier).code == "engine-not-at-hand"
    office.t.regulations = replace(office.t.regulations, decisions=1)
    assert office.pair(initial_colour="white", engine=GACRUX_BOARDS).engine == GACRUX_BOARDS


@pytest.mark.parametrize("book", ["fide-2024", "fide-2026", "campus"])
def test_who_has_fewer_points_than_none_is_paired_below_the_others(book):
    """Laws 12.9.4: penalties reduce the points, and an odd field has somebody with nobody."""
    office = Office(5, rounds=4, rules=regulations.load(book))
    office.pair()
    office.results("=", "=")
    bye = office.t.current(1).event.byes[0].player
    last = next(p for p in office.t.players if p != bye)
    office.rule(ev.Effect("adjust_points", points=HalfPoints(-4)), last)
    assert office.pair().byes == (ev.ByeSeat(last, "U"),)


def test_an_odd_number_gives_the_last_a_bye():
    assert Office(5).pair().byes == (ev.ByeSeat(PlayerId(5), "U"),)


def test_the_first_colour_is_drawn_by_the_seed_once():
    white = next(s for s in range(1, 50) if colour_by_lot(s) == "white")
    black = next(s for s in range(1, 50) if colour_by_lot(s) == "black")
    assert seats(Office(4, seed=white).pair()) == [(1, 3), (4, 2)]
    office = Office(4, seed=black)
    first = office.pair()
    assert (seats(first), first.initial_colour, first.seed) == ([(3, 1), (2, 4)], "black", black)
    office.results("=")
    second = office.pair(seed=white)
    assert (second.initial_colour, second.seed) == ("black", 0)


def test_a_drawn_colour_is_not_changed_later():
    office = Office(4)
    office.pair(initial_colour="white")
    office.results("=")
    assert office.refused(office.by_engine(initial_colour="black")).code == "colour-drawn"


def test_a_pairing_taken_back_is_drawn_again():
    office = Office(4)
    office.pair(initial_colour="white")
    office.do(co.WithdrawPairing(CHIEF, 1))
    paired = office.pair(initial_colour="black")
    assert (paired.initial_colour, paired.pairing, paired.boards[0].game) == ("black", 2, "T.2.1")


def test_a_round_waits_for_the_results_before_it():
    office = Office(4)
    office.pair()
    office.told(GAMES, ev.ResultReported(GameId("T.1.1"), WIN, LOSS))
    refusal = office.refused(office.by_engine())
    assert refusal.code == "round-unfinished"
    assert "1.2" in str(refusal.detail)
    assert "1.1" not in str(refusal.detail)


def test_a_game_that_an_annulment_opened_again_is_waited_for():
    office = Office(4)
    office.pair()
    office.told(GAMES, ev.ResultReported(GameId("T.1.2"), WIN, LOSS))
    office.rule(ev.Effect("set_marks", white=WIN, black=LOSS), player=1, game="T.1.1")
    office.pair()
    office.results("=")
    office.told(PENALTIES, ev.RulingAnnulled("r2", "r1", "1"))
    assert "1.1" in str(office.refused(office.by_engine()).detail)


def test_no_more_rounds_than_announced():
    office = Office(4, rounds=1)
    office.pair()
    office.results("=")
    assert office.refused(office.by_engine()).code == "no-round-left"


@pytest.mark.parametrize("players", [0, 1])
def test_a_pairing_takes_two(players):
    assert Office(players).refused(co.PairRound(CHIEF)).code == "too-few-players"


def test_where_all_have_met_there_is_no_legal_pairing():
    office = Office(2)
    office.play((1, 2))
    refusal = office.refused(office.by_engine())
    assert (refusal.code, refusal.article) == ("no-legal-pairing", "C.04.3, 1.9.3")


def test_another_version_of_the_engine_is_not_at_hand():
    office = Office(4, offices=2)
    other = office.by_engine(engine=Engine("gacrux", "0.1+c04.2"))
    assert office.refused(other).code == "engine-not-at-hand"
    assert RULES.engine_of(other) == "gacrux 0.1+c04.2"
    assert RULES.engine_of(office.by_hand((1, 2))) is None


def test_what_is_announced_as_paired_by_hand_is():
    office = Office(4, format="manual")
    assert office.refused(office.by_engine()).code == "no-engine"
    office.pair((1, 4), (2, 3))
    office.results("1-0")
    assert office.refused(office.by_hand((4, 1), (2, 3))).code == "absolute-rule"
    assert seats(office.pair((4, 1), (2, 3), overrides=("rematch",))) == [(4, 1), (2, 3)]


def test_the_engine_pairs_without_exceptions():
    office = Office(4)
    assert office.refused(office.by_engine(overrides=("colours",))).code == "engine-pairing"


def test_a_long_pairing_is_made_beside_the_writer():
    office = Office(LONG + 1)
    assert RULES.long(office.t, office.by_engine())
    assert not RULES.long(office.t, office.by_hand((1, 2)))
    office.do(office.leave(1))
    assert not RULES.long(office.t, office.by_engine())


def test_forbidden_pairs_do_not_meet():
    office = Office(4)
    made = pair_next(office.t, 1, frozenset({(PlayerId(1), PlayerId(3))}))
    assert isinstance(made, tuple)
    assert {frozenset((b.white, b.black)) for b in made[0]} == {frozenset((1, 4)), frozenset((2, 3))}


def test_a_tournament_played_by_the_engine_agrees_with_its_check():
    office = Office(11, rounds=6)
    office.do(office.bye(4, 2))
    for round in range(1, 7):
        office.pair()
        office.results("1-0", "+/-", "=", "0-1")
        check = check_round(office.t, round)
        assert check.agrees
        assert check.violations == ()
    assert check_round(office.t, 7).code == "unknown-round"


@pytest.mark.parametrize("rules", ["fide-2026", "campus"])
def test_a_pairing_does_not_depend_on_the_hash_seed(rules):
    """The same position in processes with different string hashes gives the same bytes."""
    script = (
        "from tests.rules.pairing_story import Office\n"
        "from shared.regulations import load\n"
        f"office = Office(13, rounds=5, rules=load('{rules}'))\n"
        "for _ in range(5):\n"
        "    print(office.pair())\n"
        "    office.results('1-0', '=', '0-1')\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(said) == 1
    assert said.pop().count("RoundPaired") == 5


# ---------------------------------------------------------------- by hand


def test_a_pairing_by_hand_takes_a_reason():
    office = Office(4)
    assert office.refused(office.by_hand((1, 2), (3, 4), reason=None)).code == "reason-missing"
    paired = office.pair((4, 1), (2, 3))
    assert (seats(paired), paired.engine, paired.reason) == ([(4, 1), (2, 3)], None, WHY)


def test_a_pairing_by_hand_seats_somebody():
    assert Office(4).refused(co.PairRound(CHIEF, (), None, WHY)).code == "empty-pairing"


def test_a_pairing_that_breaks_absolute_rules_is_refused_naming_all():
    office = Office(5)
    office.play((1, 2), (3, 4), bye=5)
    refusal = office.refused(office.by_hand((2, 1), (3, 4), bye=5))
    assert refusal.code == "absolute-rule"
    assert [part.split(":")[0] for part in str(refusal.detail).split("; ")] == ["bye-eligibility", "rematch", "rematch"]


def test_the_chief_arbiter_sets_a_named_rule_aside():
    office = Office(2)
    office.play((1, 2))
    again = office.by_hand((2, 1), overrides=("rematch",))
    assert office.refused(office.by_hand((2, 1), overrides=("colours",))).code == "absolute-rule"
    assert office.refused(office.by_hand((2, 1), overrides=("rematch",), actor=ORGANISER)).code == "role-may-not"
    assert office.do(again)[0].overrides == ("rematch",)


@pytest.mark.parametrize("slug", ["seated-once", "no-such-rule"])
def test_some_rules_are_never_set_aside(slug):
    office = Office(4)
    assert office.refused(office.by_hand((1, 1), overrides=(slug,))).code == "unknown-override"


def test_who_is_present_may_be_left_out_by_the_chief_arbiter():
    office = Office(4)
    assert office.refused(office.by_hand((1, 2))).code == "absolute-rule"
    assert seats(office.pair((1, 2), overrides=("unseated",))) == [(1, 2)]


# ---------------------------------------------------------------- taken back


def test_an_unplayed_pairing_is_taken_back_and_made_again():
    office = Office(4)
    office.pair((1, 2), (3, 4))
    assert office.do(co.WithdrawPairing(CHIEF, 1, WHY)) == [ev.PairingWithdrawn(1, 1, WHY)]
    assert office.t.rounds_paired() == 0
    assert office.pair((1, 3), (2, 4)).boards[0].game == "T.2.1"


def test_only_the_chief_arbiter_takes_a_pairing_back():
    office = Office(4)
    office.pair()
    assert office.refused(co.WithdrawPairing(ORGANISER, 1)).code == "role-may-not"


BEGUN = {
    "started": lambda o: o.told(GAMES, ev.GameStarted(GameId("T.1.2"))),
    "ended": lambda o: o.told(GAMES, ev.GameEnded(GameId("T.1.2"), WIN, LOSS, "resignation", "5.1.2")),
    "reported": lambda o: o.told(GAMES, ev.ResultReported(GameId("T.1.2"), WIN, LOSS)),
    "ruled": lambda o: o.rule(ev.Effect("set_marks", white=WIN, black=LOSS), player=1, game="T.1.2"),
}


@pytest.mark.parametrize("how", BEGUN)
def test_a_round_that_has_begun_stays(how):
    office = Office(4)
    office.pair()
    BEGUN[how](office)
    refusal = office.refused(co.WithdrawPairing(CHIEF, 1))
    assert refusal.code == "round-begun"
    assert "on board 2;" in str(refusal.detail)


def test_a_round_that_another_was_paired_on_stays():
    office = Office(4)
    office.play((1, 2), (3, 4))
    office.pair()
    assert office.refused(co.WithdrawPairing(CHIEF, 1)).code == "later-round-paired"
    assert office.refused(co.WithdrawPairing(CHIEF, 3)).code == "unknown-round"
