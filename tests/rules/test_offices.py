"""Who holds an office: appointed by the log, dismissed from all, and never nobody who may appoint."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core import events as ev
from shared.core.event_types.evolve import evolve, fold
from shared.core.events import NewEvent, OfficialAppointed, OfficialDismissed
from shared.core.language.handles import InvalidLoginName, fold_name, is_named, login_name
from shared.core.readings.authority import ACTS, ANNOUNCE, OFFICE_NOT_HELD, permit
from shared.core.terms import OFFICES, PAIRING, PENALTIES, ROLES, RULEBOOK, Actor, PlayerId, Refusal
from shared.regulations import load
from tests.rules.pairing_story import BOOK, CHIEF, ORGANISER, WHY, Office

STRANGER = "a stranger"


def appointed(office: Office, name: str, role: str, by: Actor = ORGANISER, **more: object) -> list[object]:
    return office.world.do(PAIRING, co.AppointOfficial(by, OfficialAppointed(name, role, **more)))  # type: ignore[arg-type]


@pytest.mark.parametrize("act", [act for act in ACTS if act != ANNOUNCE])
@pytest.mark.parametrize("role", OFFICES)
def test_a_role_that_only_the_token_says_does_nothing(act: str, role: str):
    # given one of two who bear the same role on genuine tokens, appointed in this tournament, and then dismissed
    office = Office(2)
    held, not_held = Actor("li", role), Actor(STRANGER, role)  # type: ignore[arg-type]
    appointed(office, "li", role)
    may = role in ACTS[act].roles
    # then he alone may do what his office may, and nothing any more once he is dismissed
    assert (permit(office.t, held, act) is None) == may
    refusal = permit(office.t, not_held, act)
    assert refusal is not None and refusal.code == (OFFICE_NOT_HELD if may else "role-may-not")
    office.do(co.DismissOfficial(ORGANISER, OfficialDismissed("li")))
    refusal = permit(office.t, held, act)
    assert refusal is not None and refusal.code == "official-dismissed"


def test_announcing_is_the_tokens_alone_and_gives_the_office_that_was_announced_in():
    office = Office(0)
    assert office.t.holders("organiser") == [ORGANISER.name] and office.t.announcer == ORGANISER.name
    refusal = office.refused(replace(co.AssignNumbers(ORGANISER), actor=replace(ORGANISER, role="chief_arbiter")))
    assert refusal.code == OFFICE_NOT_HELD, "not every office"
    assert "chief, organiser may appoint: POST /v1/tournaments/T/officials" in str(refusal.detail)


def test_an_auditor_needs_no_appointment_a_player_an_entry_and_a_device_its_boards_where_they_are_named():
    office = Office(2)
    assert permit(office.t, Actor("eye", "auditor"), "read texts") is None
    assert permit(office.t, Actor("1", "player"), "feed moves") is None
    for name in ("3", "01", "１", "player", "1 "):
        refusal = permit(office.t, Actor(name, "player"), "feed moves")
        assert refusal is not None and refusal.code == OFFICE_NOT_HELD, name
    assert permit(office.t, Actor("any", "board"), "feed moves") is None


def test_an_appointment_adds_and_one_to_an_office_already_held_says_nothing_new():
    office = Office(2)
    appointed(office, "li", "arbiter")
    assert len(appointed(office, "li", "appeals", by=CHIEF)) == 1
    assert office.t.officials["li"].roles == {"arbiter", "appeals"}
    assert appointed(office, "li", "arbiter") == []
    assert len(appointed(office, "b", "board", boards=(1, 2))) == 1
    assert appointed(office, "b", "board", boards=(1, 2)) == []
    assert len(appointed(office, "b", "board", boards=(3,))) == 1
    assert office.t.officials["b"].boards == (3,)
    assert len(appointed(office, "hou", "organiser", by=CHIEF)) == 1, "the chief arbiter may appoint an organiser"


@pytest.mark.parametrize(
    ("actor", "name", "code"),
    [
        (CHIEF, "chief", "own-dismissal"),
        (CHIEF, "organiser", "announcer-stays"),
        (ORGANISER, "chief", "last-chief-arbiter"),
        (ORGANISER, "Chief", "no-handle"),
    ],
)
def test_who_cannot_be_dismissed(actor: Actor, name: str, code: str):
    assert Office(2).refused(co.DismissOfficial(actor, OfficialDismissed(name, WHY))).code == code


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (OfficialAppointed("li", "rulebook"), "unknown-role"),
        (OfficialAppointed("Li", "arbiter"), "no-handle"),
        (OfficialAppointed("a\tb", "arbiter"), "no-handle"),
        (OfficialAppointed("li", "arbiter", boards=(1,)), "boards-without-device"),
    ],
)
def test_appointments_that_are_refused_with_the_announcement_and_after_it(one: OfficialAppointed, code: str):
    assert Office(2).refused(co.AppointOfficial(ORGANISER, one)).code == code
    announced = co.AnnounceTournament(ORGANISER, "Cup", "chess", "swiss", 5, BOOK, officials=(one,))
    assert Office(rounds=0).refused(announced).code == code


def test_the_role_of_the_rulebook_walks_around_no_office():
    """It withdraws whom a ruling expels, and once; what nothing in the log calls for it does not do."""
    office = Office(2)
    assert office.refused(co.WithdrawPlayer(RULEBOOK, PlayerId(1))).code == "no-expulsion"
    office.told(PENALTIES, ev.RulingMade("r1", PlayerId(1), 1, "x", "18.3", ev.Effect("expel")))  # type: ignore[arg-type]
    forged = co.WithdrawPlayer(replace(RULEBOOK, name="rule book"), PlayerId(1), None, "r1")  # type: ignore[arg-type]
    assert office.refused(forged).code == "not-due"
    (due,) = RULES.due(office.t)
    assert not isinstance(RULES.follow(office.t, due, None), Refusal)


# ---------------------------------------------------------------- by chance


PEOPLE = ("organiser", "chief", "li", "wang")
ACTIONS = st.tuples(st.sampled_from(PEOPLE), st.sampled_from(ROLES), st.booleans(), st.sampled_from(PEOPLE))


@given(st.lists(ACTIONS, max_size=40))
def test_whoever_appoints_and_dismisses_there_is_always_a_chief_arbiter_and_nobody_acts_without_office(actions):
    office = Office(0)
    for name, role, dismissing, other in actions:
        for by_role in ("organiser", "chief_arbiter"):
            actor = Actor(name, by_role)
            held = office.t.officials.get(name)
            appointing = co.AppointOfficial(actor, OfficialAppointed(other, role))
            command = co.DismissOfficial(actor, OfficialDismissed(other)) if dismissing else appointing
            outcome = RULES.follow(office.t, command, None)
            if held is None or by_role not in held.roles:
                assert isinstance(outcome, Refusal) and outcome.kind == "authority"
            elif not isinstance(outcome, Refusal):
                office.world.do(PAIRING, command)
        assert office.t.holders("chief_arbiter"), "there was one from the first"
        assert "organiser" in office.t.officials, "who announced stays"
        for person in PEOPLE:
            for one in OFFICES:
                act = (
                    next(act for act, row in ACTS.items() if one in row.roles and act != ANNOUNCE)
                    if _acts(one)
                    else None
                )
                refusal = permit(office.t, Actor(person, one), act) if act else None
                assert act is None or (refusal is None) == (person in office.t.holders(one))


def _acts(role: str) -> bool:
    return any(role in row.roles for act, row in ACTS.items() if act != ANNOUNCE)


def test_a_log_that_began_before_offices_counted_goes_on_as_it_began():
    """An appointment takes the place of the one before, a token alone gives a role, and a dismissed name is known folded."""

    def line(seq: int, data: ev.Official) -> NewEvent:
        return NewEvent(seq, PAIRING, seq, 0, "c", "organiser", "organiser", "", data, "")  # type: ignore[arg-type]

    told = (
        ev.TournamentAnnounced("Cup", "chess", "swiss", 5),
        ev.RegulationsAdopted(BOOK),
        ev.OfficialAppointed("Li Wei", "arbiter"),
        ev.OfficialAppointed("Li Wei", "appeals"),
    )
    t = fold("T", [line(n, data) for n, data in enumerate(told, 1)])
    assert t.officials["Li Wei"].roles == {"appeals"} and t.offices == 1
    assert permit(t, Actor(STRANGER, "arbiter"), "report results") is None
    evolve(t, line(5, ev.OfficialDismissed("Li Wei")))
    for name in ("Li Wei", "li wei"):
        refusal = permit(t, Actor(name, "arbiter"), "report results")
        assert refusal is not None and refusal.code == "official-dismissed", name
    assert permit(t, Actor("LI WEI", "arbiter"), "report results") is None, "as it was decided then"


# ---------------------------------------------------------------- handles


@pytest.mark.parametrize(
    ("text", "named"),
    [("Li.Wei", "li.wei"), ("  li  ", "li"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("e\u0301va", "\u00e9va"),
     ("何静 He Jing", "何静 he jing")],
)  # fmt: skip
def test_handles_that_look_alike_are_one(text: str, named: str):
    assert login_name(text) == named and is_named(named, text)


@pytest.mark.parametrize(
    "text", ["", "   ", "a\nb", "a\u00a0b", "a\u3000b", "a\u200bb", "a\u202eb", "a  b", "\ud800", "a" * 101, "ﬁ" * 51]
)
def test_what_is_no_handle_is_refused(text: str):
    with pytest.raises(InvalidLoginName, match="a login name"):
        login_name(text)


@given(st.text(max_size=30))
def test_a_handle_is_its_own_handle(text: str):
    once = fold_name(text)
    assert fold_name(once) == once
    try:
        named = login_name(text)
    except InvalidLoginName:
        return
    assert login_name(named) == named == once


@pytest.mark.parametrize(("ruleset", "prefix"), [("xiangqi-1999", ""), ("fide-2026", "default, as in ")])
def test_refused_role_cites_the_chinese_article_as_a_rule_only_where_it_is_one(ruleset: str, prefix: str) -> None:
    office = Office(2, rules=load(ruleset))
    pair, override = (permit(office.t, Actor("li", "arbiter"), act) for act in ("pair a round", "withdraw a pairing"))
    assert pair is not None and pair.article == prefix + ACTS["pair a round"].article
    assert override is not None and override.article == ACTS["withdraw a pairing"].article
