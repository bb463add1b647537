"""A campaign: a seeded plan of faults as data, and what strikes by it while callers write.

Nothing goes by the clock: a fault comes after so many acknowledged commands, and lasts for so many calls
that came back, answered or not.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from tests.faults.callers import Caller
from tests.faults.field import CUT, CUT_KAFKA, FULL, KILL, SERVERS, STOP
from tests.faults.history import LIVES_SECONDS, History

CALLERS, AT_ONCE = 8, 4
RENEW = 60
"""Faults after which the callers go on with four new tournaments, so that a long campaign does not write ever longer
logs."""
_LASTS = {KILL: (1, 20), STOP: (4, 12), CUT: (4, 30), CUT_KAFKA: (4, 30), FULL: (4, 20)}
"""Calls that come back while a fault lasts, at least and at most; from what stands still they come back slowly."""
_OVERLAP = 0.3


class Fault(NamedTuple):
    """``after`` so many acknowledgements since the fault before was healed, ``target`` is struck, and healed after
    ``lasts`` more calls came back. ``overlaps``: the fault before lasts as long as this one."""

    target: str
    act: str
    after: int
    lasts: int
    overlaps: bool


def plan(seed: int, count: int, acts: Mapping[str, Sequence[str]]) -> list[Fault]:
    """Every target is struck in each way before any is struck so again; broker and databases twice as often."""
    rng, deck, made = Random(seed), [], []
    while len(made) < count:
        if not deck:
            deck = [(target, act) for target in (*acts, *(acts.keys() & SERVERS)) for act in acts[target]]
            deck.sort()
            rng.shuffle(deck)
        target, act = deck.pop()
        overlaps = (
            bool(made) and not made[-1].overlaps and made[-1].target.partition("/")[0] != target.partition("/")[0]
        )
        after, lasts = rng.randint(1, 20), rng.randint(*_LASTS[act])
        made.append(Fault(target, act, after, lasts, overlaps and rng.random() < _OVERLAP))
    return made


def rounds(faults: Sequence[Fault]) -> Iterator[list[Fault]]:
    """Faults that overlap, together."""
    together: list[Fault] = []
    for fault in faults:
        if together and not fault.overlaps:
            yield together
            together = []
        together.append(fault)
    if together:
        yield together


class Struck(Protocol):
    """What a campaign is led against."""

    def strike(self, target: str, act: str) -> None: ...
    def heal(self, target: str) -> None: ...
    def tend(self) -> None: ...


class Campaign:
    """Leads the faults of a plan; afterwards ``history`` holds what all callers were told."""

    def __init__(self, field: Struck, address: tuple[str, int], keys: Path, seed: int, rest: float = 0.0) -> None:
        self._field, self._seed, self._rest = field, seed, rest
        self.history = History()
        self._opener, *self._callers = (
            Caller(name, Random(f"{seed} {name}"), address, keys, self.history)
            for name in ("opener", *(f"c{n}" for n in range(CALLERS)))
        )
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self.tournaments: list[str] = []

    def run(self, faults: Sequence[Fault], read: Callable[[], None], told: Callable[[str], None] = print) -> None:
        """Strike by the plan, one round after the other. ``read`` is called after each blow, and records what it sees.

        Raises AssertionError where nothing is answered any more, and whatever a caller has met that it must not.
        """
        self._renew()
        threads = [threading.Thread(target=self._write, args=(caller,), name=caller.name) for caller in self._callers]
        for thread in threads:
            thread.start()
        try:
            done = 0
            for together in rounds(faults):
                if done and done // RENEW != (done + len(together)) // RENEW:
                    self._renew()
                self._round(together, read)
                done += len(together)
                told(f"{done}/{len(faults)} {' and '.join(f'{f.act} {f.target}' for f in together)} {self.history}")
            self._wait(self.history.acknowledged, 50)
        except BaseException:
            self._give_up()
            raise
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(LIVES_SECONDS)
                if thread.is_alive():
                    self._give_up()
        if self._failure is not None:
            raise self._failure
        waited = [caller.name for caller in self._callers if caller.given_up.is_set()]
        assert waited == [], "callers waited for an answer in vain"

    def _give_up(self) -> None:
        for caller in (self._opener, *self._callers):
            caller.given_up.set()

    def _round(self, together: Sequence[Fault], read: Callable[[], None]) -> None:
        struck: list[str] = []
        try:
            for fault in together:
                count = self.history.settled if struck else self.history.acknowledged
                self._wait(count, fault.after)
                self._field.strike(fault.target, fault.act)
                struck.append(fault.target)
                read()
            self._wait(self.history.settled, together[-1].lasts)
        finally:
            # What others need first: a service that starts without its database ends again.
            for target in sorted(struck, key=lambda target: target not in SERVERS):
                self._field.heal(target)
        read()

    def _wait(self, count: Callable[[], int], more: int) -> None:
        """Until ``count`` has grown by ``more``."""
        goal = count() + more
        while not self.history.wait(lambda: count() >= goal or self._failure is not None, 1.0):
            self._field.tend()
            assert self.history.silent() < LIVES_SECONDS, f"nothing came back for {LIVES_SECONDS} s"
        if self._failure is not None:
            raise self._failure

    def _renew(self) -> None:
        """Announce four tournaments, pair their first round, and send the callers there."""
        first = len(self.tournaments)
        for n in range(AT_ONCE):
            t = f"cup.{self._seed}.{first + n}"
            self._opener.announces(t, [caller.name for caller in self._callers])
            self.tournaments.append(t)
        self._opener.close()
        for number, caller in enumerate(self._callers):
            caller.goes_to(self.tournaments[first + number % AT_ONCE], number // AT_ONCE)

    def _write(self, caller: Caller) -> None:
        try:
            caller.write(self._stop, self._rest)
        except BaseException as problem:
            self._failure = self._failure or problem
