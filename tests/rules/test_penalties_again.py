"""Every command can be rebuilt from its events and is decided the same again."""

from collections.abc import Callable
from itertools import groupby
from random import Random
from typing import Any

import pytest

from services.penalties.rules import RULES
from services.penalties.rules import commands as co
from services.penalties.rules.consequences import next_consequence
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import fold
from shared.core.events import CrossingNoted, Effect
from shared.core.readings.key_announcement import AnnounceKey
from shared.core.state.outcomes import Share
from shared.core.terms import GAMES, PAIRING, PENALTIES, Refusal, TextRef
from tests.rules.hall import APPEALS, ARBITER, CHIEF, G1, G2, Hall

NOTE = TextRef("7" * 64)


def fouls_and_annulments(h: Hall) -> None:
    for _ in range(4):
        h.ruling(1, note=NOTE)
    h.annul("r2")
    h.ruling(2, "refusal_to_obey", article="2.9", game=G1)
    h.told(co.AnnulRuling(APPEALS, h.events[-1].data.ruling, NOTE, "8.5"))
    h.ruling(2)
    h.told(co.RetractRuling(ARBITER, h.events[-1].data.ruling, NOTE))


def free_effects(h: Hall) -> None:
    h.ruling(5, "misconduct")
    h.ruling(1, "grave_misconduct", by=CHIEF, effect=Effect("exclude", rounds=(2, 3)))
    h.ruling(1, "grave_misconduct", by=ARBITER, effect=Effect("adjust_clock", clock=-60))


def acts_with_facts(h: Hall) -> None:
    """Advice repeated, each time at its ply."""
    for ply in (11, 13, 15):
        h.ruling(1, "advice", ply=ply, facts={"grave": False, "repeated": ply > 11})
    h.annul("r1")
    h.ruling(2, "two_moves_in_a_row", ply=16, facts={"opponent_passed": False}, note=NOTE)


def both_lose(h: Hall) -> None:
    for player in (2, 2, 2, 1, 1, 1):
        h.ruling(player)
    h.ruling(1, "refusal_to_obey")
    h.annul("r1")


def arrivals(h: Hall) -> None:
    for player, late in ((1, 1000), (2, None), (3, 5)):
        h.arrival(player, late)
    h.told(co.CorrectArrival(ARBITER, "a1", 10, NOTE))
    h.annul(h.standing()[-1])
    in_hall = co.NoteArrival(ARBITER, 3, 2, game=G2, place="hall")
    h.told(co.CheckIn(ARBITER, (in_hall, co.NoteArrival(ARBITER, 4, None, game=G2))))


def appeals(h: Hall) -> None:
    h.ruling(1)
    h.told(h.appeal(1, "r1"))
    h.told(co.DecideAppeal(APPEALS, "a2", True, None, NOTE))


def findings_and_crossings(h: Hall) -> None:
    h.flag(1)
    h.flag(4, False, "f2", "T.1.2")
    h.told(co.NoteCrossing(CHIEF, CrossingNoted(2, NOTE)))


def wrong_claims_and_illegal_moves(h: Hall) -> None:
    for n, kind in enumerate(("false_claim", "illegal_move", "consecutive_offer", "illegal_move", "flag"), 1):
        h.found(kind, 1, f"f{n}")
    h.annul(next(id for id, r in h.tournament.rulings.items() if r.event.effect.kind == "set_marks"))


def breaks(h: Hall) -> None:
    """Allowed, too long, one too many; the loss annulled; both players away for too long, one of them by his side."""
    h.happened(PAIRING, ev.RegulationsAdopted(regulations.load("gomoku-campus")))
    for game, player, seconds in ((G1, 1, 300), (G1, 1, 10), (G2, 3, 301)):
        h.told(co.NoteBreak(ARBITER, game, seconds, player))
    h.annul(next(id for id, r in h.tournament.rulings.items() if r.event.infraction == "long_break"))
    h.told(co.NoteBreak(ARBITER, G2, 400, side="black"))
    h.told(co.CorrectBreak(ARBITER, G2, next(b.id for b in h.tournament.breaks_of(G2, 3)), None, NOTE))


def decisions(h: Hall) -> None:
    draw = (Share.DRAW, Share.DRAW)
    h.told(co.DecideGame(CHIEF, G1, "scattering_the_board", *draw, TextRef("4" * 64)))
    h.annul("r1")
    h.told(co.DecideGame(CHIEF, G1, "scattering_the_board", Share.LOSS, Share.LOSS, TextRef("5" * 64)))
    for _ in range(3):
        h.ruling(1, "violation")
    h.annul("r3")


BOOKS = {decisions: ("go-campus", "go")}
"""The regulations and the game of a story where they are not the usual ones."""


def grounds_that_games_takes_away(h: Hall) -> None:
    """The loss by three violations falls with one that the sheet contradicts, and is made again on the others."""
    h.found("consecutive_offer", 2)
    h.happened(GAMES, ev.FindingWithdrawn("f1", G1, "taken_back"))
    for ply in (4, 6, 8, 10):
        h.ruling(2, "two_moves_in_a_row", ply=ply, facts={"opponent_passed": False})
    first = next(i for i, r in h.tournament.rulings.items() if r.event.ply == 4)
    h.happened(GAMES, ev.FactsChecked(first, G1, {"opponent_passed": True}, "000-A 7.4"))


STORIES = [
    grounds_that_games_takes_away,
    breaks,
    decisions,
    fouls_and_annulments,
    free_effects,
    acts_with_facts,
    both_lose,
    arrivals,
    appeals,
    findings_and_crossings,
    wrong_claims_and_illegal_moves,
]


@pytest.mark.parametrize("story", STORIES)
def test_rebuilt_and_decided_again(story: Callable[[Hall], Any]) -> None:
    hall = Hall(*BOOKS.get(story, ("campus",)))
    story(hall)
    commands = [list(c) for name, c in groupby(hall.events, lambda e: e.command) if name != "other"]
    assert commands
    for events in commands:
        saw = fold("T", (e for e in hall.events if e.seq < events[0].seq))
        again = RULES.decide(saw, RULES.command_of(events, ()), None)
        assert not isinstance(again, Refusal), again
        assert [*again.events, *again.brought] == [e.data for e in events]


def test_every_command_has_its_story() -> None:
    told = set()
    for story in STORIES:
        hall = Hall(*BOOKS.get(story, ("campus",)))
        story(hall)
        own = [list(c) for _, c in groupby(hall.events, lambda e: (e.source, e.command))]
        told |= {type(RULES.command_of(c, ())) for c in own if c[0].source == PENALTIES}
    assert told == RULES.row_of.keys() - {AnnounceKey}


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_ruled_and_annulled_nothing_stays_due(seed: int) -> None:
    """After every command of a random history: nothing is due, and it is decided the same again."""
    lot, hall = Random(seed), Hall()
    for _ in range(40):
        known = [*hall.tournament.rulings, *hall.tournament.annulments]
        standing = [r for r in known if hall.tournament.is_in_force(r)]
        if standing and lot.random() < 0.4:
            hall.annul(lot.choice(standing))
        else:
            hall.ruling(lot.choice((1, 2, 3)), lot.choice(("foul", "violation", "foul", "advice", "refusal_to_obey")))
        assert next_consequence(hall.tournament) is None
        last = [e for e in hall.events if e.command == hall.events[-1].command]
        saw = fold("T", hall.events[: -len(last)])
        again = RULES.decide(saw, RULES.command_of(last, ()), None)
        assert [*again.events, *again.brought] == [e.data for e in last]
        for player in (1, 2, 3):
            fouls = [
                r
                for r in hall.tournament.rulings_with_effect()
                if (r.event.player, r.event.counter, r.event.game)
                == (player, "foul", "T.1.1" if player < 3 else "T.1.2")
            ]
            rung = [
                r
                for r in hall.tournament.rulings_with_effect()
                if r.event.rung is not None and (r.event.rung.player, r.event.rung.rule) == (player, "third_foul")
            ]
            assert len(rung) <= (len(fouls) >= 3)
            advice = [
                r
                for r in hall.tournament.rulings_with_effect()
                if (r.event.player, r.event.infraction) == (player, "advice")
            ]
            repeated = [
                r
                for r in hall.tournament.rulings_with_effect()
                if (r.event.player, r.event.infraction) == (player, "repeated_disturbance")
            ]
            assert len(repeated) <= max(len(advice) - 1, 0)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_decided_and_annulled_a_game_is_worth_no_more_than_a_win(seed: int) -> None:
    """A random history of a go event: after each command the marks are bounded together, and it is decided the same again."""
    lot, hall = Random(seed), Hall("go-campus", "go")
    for _ in range(40):
        known = [*hall.tournament.rulings, *hall.tournament.annulments]
        standing = [r for r in known if hall.tournament.is_in_force(r)]
        decided = hall.tournament.ruling_on(hall.tournament.games[G1]) is not None
        chance = lot.random()
        if standing and chance < 0.4:
            hall.annul(lot.choice(standing))
        elif chance < 0.6 and not decided:
            share = lot.choice((Share.DRAW, Share.LOSS))
            hall.told(co.DecideGame(CHIEF, G1, "scattering_the_board", share, share, NOTE))
        else:
            hall.ruling(lot.choice((1, 2)), lot.choice(("violation", "abuse", "scattering_the_board")))
        setting = hall.tournament.setting(hall.tournament.games[G1])
        assert setting is None or setting.white.points + setting.black.points <= 2
        assert next_consequence(hall.tournament) is None
        last = [e for e in hall.events if e.command == hall.events[-1].command]
        again = RULES.decide(fold("T", hall.events[: -len(last)]), RULES.command_of(last, ()), None)
        assert [*again.events, *again.brought] == [e.data for e in last]
