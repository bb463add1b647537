"""Invitations in a service's database: used once, whoever asks at the same time, and guesses counted by all processes."""

import pytest

from shared.log.invitations import GuessLimits, Invitation, Session
from tests.log.conftest import Backend, together

LIMITS = GuessLimits(seconds=600, guesses=5)


def invitation(n: int, **otherwise: object) -> Invitation:
    made = Invitation(f"i{n}", f"d{n}", "T", "li", "arbiter", 5, 8, "he", "organiser", None, 1000, 2800, 9000)
    return made._replace(**otherwise)


def session(n: int) -> Session:
    return Session(f"j{n}", "T", "li", "arbiter", 5, 8, 1500, 1500, 9000, "he")


@pytest.fixture
def processes(backend: Backend) -> list:
    """Four processes of one service, each with its own connections."""
    return [backend.open().invitations for _ in range(4)]


def test_of_many_who_use_one_invitation_at_once_one_does(processes):
    assert processes[0].invite(invitation(1)) and not processes[1].invite(invitation(1))
    used = []
    together(*(lambda n=n, one=one: used.append(one.use("i1", session(n))) for n, one in enumerate(processes)))
    assert sorted(used) == [False, False, False, True]
    assert len(processes[0].sessions("T", 2000)) == 1 and processes[0].waiting("T", 2000) == []
    assert processes[0].try_code("d1", "home", 2000, LIMITS).invitation.used == 1500
    assert not processes[0].withdraw("T", "i1"), "it opened a session already"


def test_guesses_of_all_processes_are_counted_together(processes):
    processes[0].invite(invitation(1))
    waits = []

    def guess(log):
        for n in range(5):
            waits.append(log.try_code(f"x{n}", "home", 2000, LIMITS).wait)

    together(*(lambda one=one: guess(one) for one in processes))
    assert waits.count(0) == LIMITS.guesses and set(waits) == {0, 600}
    assert processes[0].try_code("x9", "home", 2599, LIMITS).wait == 1
    assert processes[0].try_code("x9", "elsewhere", 2100, LIMITS).wait == 0
    assert processes[0].try_code("d1", "home", 2100, LIMITS).invitation is not None, "valid codes are not counted"
    assert processes[0].try_code("x9", "home", 2600, LIMITS).wait == 0


def test_what_ran_out_or_was_withdrawn_opens_nothing_and_is_forgotten(processes):
    log = processes[0]
    for n in (1, 2, 3):
        log.invite(invitation(n, expires=1800 if n == 1 else 2800, name="wu" if n == 3 else "li"))
    assert log.try_code("d1", "home", 1800, LIMITS).invitation is None and not log.use(
        "i1", session(1)._replace(since=1800)
    )
    assert not log.withdraw("other", "i2") and log.withdraw("T", "i2") and not log.withdraw("T", "i2")
    log.withdraw_all("T", "wu")
    assert [log.try_code(f"d{n}", "home", 1500, LIMITS).invitation for n in (2, 3)] == [None, None]
    log.invite(invitation(4, made=9500, expires=9900))
    assert log.invite(invitation(1, made=9500, code="d5")), "the first was forgotten"


def test_a_session_is_noted_once_and_ends_with_its_token(processes):
    log = processes[0]
    log.keep_session(session(1)._replace(tournament=None))
    log.keep_session(session(1)._replace(since=1700))
    assert [(one.jti, one.since) for one in processes[1].sessions("anywhere", 8999)] == [("j1", 1500)]
    assert log.sessions("T", 9000) == []


def test_integration_tokens_are_kept_forever_and_open_no_session(processes):
    log = processes[0]
    tokens = [invitation(n, code=f"i{n}", expires=9000, used=1000) for n in (1, 2)]
    assert log.invite(*tokens) and not log.invite(invitation(3, code="i3", expires=9000, used=1000), tokens[0])
    assert processes[1].integration_tokens("T") == tokens and log.integration_tokens("U") == []
    assert log.waiting("T", 2000) == [] and not log.withdraw("T", "i1")
    log.withdraw_all("T", "li")
    assert not log.use("i1", session(1)) and log.integration_tokens("T") == tokens
    log.invite(invitation(4, made=9500, expires=9900))
    assert log.integration_tokens("T") == tokens, "expired ones are kept"
    assert not log.invite(tokens[0]._replace(made=9600))
