"""Adjourned games and sealed moves 封棋 (Laws, Guidelines I; 000-A 国际象棋, 对局结束 5, 9; 000-E 4(四))."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.commands import EndByAgreement, MakeClaim, MakeOffer, Move, PlayMoves, TakeBack, TakeStep
from shared.core import events as ev
from shared.core.events import GameEnded, MovePlayed, OfferMade, StepTaken
from shared.core.terms import Actor, GameId, Ply
from tests.rules.games_court import Court, end, findings
from tests.rules.games_hall import ARBITER, BOARD, DRAW, G1, LOSS, PLAYER, WIN

SALT = "0123456789abcdef" * 2
ANNA = Actor("1", "player", "t6")
"""A token on the number of an entry: White's own."""
BORIS = Actor("2", "player", "t7")


def seal(move: str, salt: str = SALT) -> str:
    return sha256((salt + move).encode()).hexdigest()


def step(side: Any, name: Any, *values: str, by: Actor = BOARD) -> TakeStep:
    return TakeStep(by, GameId(G1), side, name, values)


def adjourned(said: str, move: str | None = None, game: str = "chess", regulations: str = "campus") -> Court:
    """A game adjourned after these moves, ``move`` sealed by its hash; None: on paper."""
    court = Court(game, regulations)
    court.play(said)
    values = () if move is None else (seal(move),)
    court.do(step(court.state().position.to_move(), "adjourn", *values))
    return court


def waits(court: Court) -> str | None:
    """Whose sealed move the game waits for."""
    envelope = court.state().pending.adjourned()
    return None if envelope is None else envelope.side


# ---------------------------------------------------------------- sealed, opened, goes on


def test_a_sealed_move_is_played_when_its_envelope_is_opened():
    court = adjourned("e4 e5", "Nf3")
    assert waits(court) == "white"
    opened = court.do(step("white", "unseal", SALT, "Nf3"))
    assert opened == [StepTaken(Ply(2), "white", "unseal", (SALT, "Nf3")), MovePlayed(Ply(3), "g1f3")]
    assert waits(court) is None
    assert court.play("Nc6") == [MovePlayed(Ply(4), "b8c6")]


def test_a_move_on_paper_is_read_out_by_an_arbiter():
    court = adjourned("炮二平五", game="xiangqi")
    opened = court.do(step("black", "unseal", "馬８進７", by=ARBITER))
    assert opened == [StepTaken(Ply(1), "black", "unseal", ("馬８進７",)), MovePlayed(Ply(2), "h9g7")]


def test_a_sealed_move_that_mates_ends_the_game_in_the_same_command():
    court = adjourned("f3 e5 g4", "Qh4#")
    *_, mate = court.do(step("black", "unseal", SALT, "Qh4#"))
    assert isinstance(mate, GameEnded)
    assert (mate.termination, mate.white, mate.black) == ("checkmate", LOSS, WIN)


def test_a_game_is_adjourned_again_and_again():
    court = adjourned("e4 e5", "Nf3")
    court.do(step("white", "unseal", SALT, "Nf3"))
    court.do(step("black", "adjourn", seal("Nc6")))
    assert waits(court) == "black"
    assert court.do(step("black", "unseal", SALT, "Nc6"))[-1] == MovePlayed(Ply(4), "b8c6")


def test_a_batch_sent_again_across_an_adjournment_is_recognised():
    court = adjourned("e4 e5", "Nf3")
    assert court.do(PlayMoves(BOARD, G1, 1, (Move("e4"), Move("e5")))) == []
    court.do(step("white", "unseal", SALT, "Nf3"))
    assert court.do(PlayMoves(BOARD, G1, 1, (Move("e4"), Move("e5"), Move("Nf3")))) == []


# ---------------------------------------------------------------- what a game that is adjourned waits with


@pytest.mark.parametrize(
    ("game", "command"),
    [
        ("chess", PlayMoves(BOARD, G1, 3, (Move("Nf3"),))),
        ("chess", step("white", "adjourn", seal("Nf3"))),
        ("chess", MakeClaim(PLAYER, G1, "white", "threefold_repetition", "Nf3")),
        ("chess", MakeClaim(PLAYER, G1, "white", "fifty_moves")),
        ("chess", MakeClaim(PLAYER, G1, "black", "illegal_move", "e1e5")),
        ("chess", MakeClaim(PLAYER, G1, "black", "flag")),
        ("xiangqi", MakeClaim(ARBITER, G1, None, "repetition")),
        ("xiangqi", MakeClaim(ARBITER, G1, None, "natural_limit")),
        ("xiangqi", MakeClaim(ARBITER, G1, None, "drawn_material")),
    ],
)
def test_nothing_is_played_and_nothing_claimed_before_the_envelope_is_opened(game, command):
    court = adjourned({"chess": "e4 e5", "xiangqi": "炮二平五 马8进7"}[game], game=game)
    refusal = court.refused(command)
    assert (refusal.code, refusal.kind) == ("adjourned", "rule")
    assert (
        refusal.article
        == {"chess": "000-A 国际象棋, 对局结束 5, 9; Laws, Guidelines I", "xiangqi": "000-E 4(四)"}[game]
    )


@pytest.mark.parametrize("side, marks", [("white", (LOSS, WIN)), ("black", (WIN, LOSS))])
def test_who_resigns_before_the_resumption_has_lost(side, marks):
    """Guidelines I.6."""
    court = adjourned("e4 e5", "Nf3")
    court.claims("resignation", side)
    assert court.marks(G1) == marks
    assert court.refused(step("white", "unseal", SALT, "Nf3")).code == "game-over"


def test_a_draw_agreed_before_the_resumption_ends_the_game_unopened():
    """Guidelines I.6: whatever the envelope holds."""
    court = adjourned("e4 e5", "Ke3")
    court.do(EndByAgreement(ARBITER, G1))
    assert court.marks(G1) == (DRAW, DRAW)


def test_a_flag_of_an_adjourned_game_is_the_arbiters_to_state():
    """Guidelines I.9.2: the clock of who does not come to answer runs before the envelope is opened."""
    court = adjourned("e4 e5", "Nf3")
    written = court.do(MakeClaim(ARBITER, G1, "white", "flag"))
    assert findings(written) == [("flag", 2)]
    assert court.marks(G1) == (WIN, LOSS)


def test_moves_taken_back_take_the_envelope_with_them():
    court = adjourned("e4 e5", "Nf3")
    court.do(TakeBack(ARBITER, G1, 1, "agreement"))
    assert waits(court) is None
    assert court.refused(step("white", "unseal", SALT, "Nf3")).code == "illegal-step"
    assert court.play("c5") == [MovePlayed(Ply(2), "c7c5")]


def test_a_sealed_move_that_was_played_is_taken_back_like_any_other():
    court = adjourned("e4 e5", "Nf3")
    court.do(step("white", "unseal", SALT, "Nf3"))
    court.do(TakeBack(ARBITER, G1, 2, "agreement"))
    assert waits(court) is None
    assert court.play("d4") == [MovePlayed(Ply(3), "d2d4")]


# ---------------------------------------------------------------- offers


def test_the_sealing_sides_offer_waits_until_the_move_is_seen():
    """000-A 国际象棋, 对局结束 9."""
    court = adjourned("e4 e5", "Nf3")
    assert court.offers("white") == [OfferMade(Ply(2), "white", "draw")]
    court.do(step("white", "unseal", SALT, "Nf3"))
    assert court.state().pending.offer == "white"
    assert end(court.offers("black", "accept")).termination == "agreement"


def test_an_offer_to_the_side_that_has_sealed_is_not_refused_by_the_sealed_move():
    """Guidelines I.4: it stands until it is answered."""
    court = adjourned("e4 e5", "Nf3")
    court.offers("black")
    court.do(step("white", "unseal", SALT, "Nf3"))
    assert court.state().pending.offer == "black"
    court.play("Nc6 Bb5")
    assert court.state().pending.offer is None


def test_an_offer_from_before_is_refused_by_the_sealed_move():
    court = Court()
    court.play("e4 e5")
    court.offers("black")
    court.do(step("white", "adjourn", seal("Nf3")))
    assert court.state().pending.offer == "black", "it stands as long as the envelope is closed"
    court.do(step("white", "unseal", SALT, "Nf3"))
    assert court.state().pending.offer is None


@pytest.mark.parametrize("side", ["white", "black"])
def test_an_offer_while_the_game_is_adjourned_disturbs_nobody(side):
    """002-X 23.1 has offers after the own move: the sealing side has made its own, and no clock runs."""
    court = adjourned("炮二平五 马8进7", "马二进三", "xiangqi")
    assert findings(court.offers(side)) == []
    assert end(court.do(MakeOffer(PLAYER, G1, "black" if side == "white" else "white", "accept"))) is not None


# ---------------------------------------------------------------- what does not fit


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (step("black", "adjourn"), "only white may do this, not black: sealing a move"),
        (step("white", "adjourn", "Nf3"), "64 hexadecimal digits"),
        (step("white", "adjourn", seal("Nf3").upper()), "64 hexadecimal digits"),
        (step("white", "adjourn", seal("Nf3"), "5391"), "64 hexadecimal digits"),
        (step("white", "unseal", SALT, "Nf3"), "white has no sealed move"),
    ],
)
def test_what_no_game_is_adjourned_by(command, said):
    court = Court()
    court.play("e4 e5")
    refusal = court.refused(command)
    assert (refusal.code, said in str(refusal.detail)) == ("illegal-step", True)
    assert waits(court) is None


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (step("white", "unseal", SALT, "Nc3"), "do not match the seal"),
        (step("white", "unseal", SALT[::-1], "Nf3"), "do not match the seal"),
        (step("white", "unseal", SALT + "N", "f3"), "a salt of 32 characters"),
        (step("white", "unseal", "Nf3", by=ARBITER), "a salt of 32 characters"),
        (step("black", "unseal", SALT, "Nf3"), "black has no sealed move"),
    ],
)
def test_no_other_move_comes_out_of_an_envelope_than_was_sealed(command, said):
    court = adjourned("e4 e5", "Nf3")
    refusal = court.refused(command)
    assert (refusal.code, said in str(refusal.detail)) == ("illegal-step", True)
    assert (waits(court), len(court.sheet().entries)) == ("white", 3), "nothing is written"


@pytest.mark.parametrize("actor", [BOARD, ANNA, PLAYER])
def test_only_an_arbiter_opens_a_paper_envelope(actor):
    court = adjourned("e4 e5")
    refusal = court.refused(step("white", "unseal", "Nf3", by=actor))
    assert (refusal.code, refusal.kind) == ("role-may-not", "authority")


def test_only_an_arbiter_says_that_an_envelope_holds_no_move():
    assert adjourned("e4 e5", "Nf3").refused(step("white", "unseal")).code == "role-may-not"


@pytest.mark.parametrize("name", ["adjourn", "unseal"])
def test_a_player_speaks_for_his_own_envelope(name):
    court = Court() if name == "adjourn" else adjourned("e4 e5", "Nf3")
    if name == "adjourn":
        court.play("e4 e5")
    values = (seal("Nf3"),) if name == "adjourn" else (SALT, "Nf3")
    assert court.refused(step("white", name, *values, by=BORIS)).code == "other-side"
    assert court.do(step("white", name, *values, by=ANNA))


def test_an_announced_move_is_played_and_not_sealed():
    """000-A 国际象棋, 对局结束 13(2)."""
    court = Court()
    court.play("e4 e5")
    court.claims("threefold_repetition", "white", "Nf3")
    assert "g1f3 was announced" in str(court.refused(step("white", "adjourn")).detail)


def test_a_game_that_has_not_been_started_is_not_adjourned():
    assert Court().refused(step("white", "adjourn")).code == "not-started"


@pytest.mark.parametrize("game", ["go", "renju", "gomoku", "prediction"])
def test_other_games_have_no_sealed_moves(game):
    regulations = "gomoku-campus" if game == "gomoku" else "campus"
    assert Court(game, regulations).refused(step("black", "adjourn")).code == "no-such-step"


# ---------------------------------------------------------------- bad sealed moves


BAD = {
    "illegal": "Ke3",
    "ambiguous": "Nd2",
    "unreadable": "???",
    "empty": None,
}
KNIGHTS = "e4 e5 Nf3 Nc6 d3 Nf6"
"""Both knights of White reach d2."""


@pytest.mark.parametrize("how", BAD)
@pytest.mark.parametrize("paper", [True, False])
@pytest.mark.parametrize(
    ("regulations", "article"),
    [("campus", "000-A 国际象棋, 对局结束 5; Laws, Guidelines I.8"), ("fide-2026", "Laws, Guidelines I.8")],
)
def test_a_bad_sealed_move_loses_in_chess(how, paper, regulations, article):
    """Guidelines I.8.1-I.8.3."""
    written = BAD[how]
    court = adjourned(KNIGHTS, None if paper else written or "lost", regulations=regulations)
    values = () if written is None else (written,) if paper else (SALT, written)
    opened = court.do(step("white", "unseal", *values, by=ARBITER))
    assert opened[0] == StepTaken(Ply(6), "white", "unseal", values)
    assert findings(opened) == [("bad_sealed_move", 1)]
    assert not any(isinstance(one, MovePlayed) for one in opened)
    assert court.rulings() == [("bad_sealed_move", "set_marks", None, article)]
    assert court.marks(G1) == (LOSS, WIN)


@pytest.mark.parametrize("written", ["车九平五", "帅五进二", "炮二平五", "x", "h0g2e5"])
@pytest.mark.parametrize("regulations", ["campus", "xiangqi-1999"])
def test_a_bad_sealed_move_loses_in_xiangqi(written, regulations):
    """000-E 4(四)."""
    court = adjourned("炮二平五 马8进7", written, "xiangqi", regulations)
    assert findings(court.do(step("white", "unseal", SALT, written))) == [("bad_sealed_move", 1)]
    assert court.rulings() == [("bad_sealed_move", "set_marks", None, "000-E 4(四)")]
    assert court.marks(G1) == (LOSS, WIN)


LONE_KING = (
    "e4 d5 exd5 Qxd5 Nc3 Qxd2+ Qxd2 Bd7 Qxd7+ Kxd7 Bf4 Nf6 Bxc7 Nd5 Nxd5 e6 Nf6+ gxf6 Bxb8 Raxb8 Bb5+ Ke7 Bd7 Kxd7 "
    "Rd1+ Ke7 Rd7+ Kxd7 Nf3 Ba3 Ne5+ fxe5 bxa3 Rhc8 c4 Rxc4 h4 Rxh4 Rxh4 e4 Rxe4 f5 Rxe6 Kxe6 g4 fxg4 f3 gxf3 a4 b5 "
    "axb5 Rxb5 a4 a5 axb5 a4 b6 a3 b7 a2 b8=Q a1=R+ Kf2 h5 Qb6+ Kd5 Qc6+ Kxc6 Kxf3"
)
"""White has his king alone; Black to move has rook and pawn."""


@pytest.mark.parametrize("regulations", ["campus", "fide-2024", "fide-2026"])
def test_a_lone_king_does_not_win_by_the_opponents_bad_sealed_move(regulations):
    """000-A 国际象棋, 对局结束 5; Guidelines I.8 but for 6.9."""
    court = adjourned(LONE_KING, "Ra9", regulations=regulations)
    assert findings(court.do(step("black", "unseal", SALT, "Ra9"))) == [("bad_sealed_move", 2)]
    assert court.marks(G1) == (DRAW, DRAW)


def test_with_the_ruling_annulled_the_game_goes_on_at_the_board():
    court = adjourned("e4 e5", "Ke3")
    court.do(step("white", "unseal", SALT, "Ke3"))
    court.annulled(next(iter(court.t.rulings)))
    assert (court.marks(G1), waits(court)) == (None, None)
    assert court.play("Nf3") == [MovePlayed(Ply(3), "g1f3")]


def test_the_game_stands_still_until_a_bad_sealed_move_is_ruled_on():
    court = adjourned("e4 e5", "Ke3")
    court.do(step("white", "unseal", SALT, "Ke3"))
    (finding,) = court.t.findings.values()
    court.t.findings[finding.event.finding] = finding._replace(answered=None)
    court.annulled(next(iter(court.t.rulings)))
    assert court.refused(PlayMoves(BOARD, G1, 3, (Move("Nf3"),))).code == "finding-open"


@given(st.text(min_size=1, max_size=100), st.sampled_from(["chess", "xiangqi"]))
def test_whatever_is_written_is_played_or_found(written, game):
    court = adjourned({"chess": "e4 e5", "xiangqi": "炮二平五 马8进7"}[game], game=game)
    opened = court.do(step("white", "unseal", written, by=ARBITER))
    assert isinstance(opened[1], MovePlayed | ev.FindingMade)
    assert waits(court) is None
