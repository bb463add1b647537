"""Long runs of random cases: ``python -m tests.campaigns NAME [N] [SEED]``, or ``make campaign NAME=histories N=100000``.

`make test-all` plays a small share of each.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Campaign(NamedTuple):
    """A program that plays ``number`` cases from ``seed``, unless the caller asks for others.

    ``program`` is a module that takes both as arguments, or a test file that takes them from the environment as
    ``ARBITER_<NAME>`` and ``ARBITER_SEED``.
    """

    program: str
    number: int
    seed: int
    plays: str


CAMPAIGNS = {
    "histories": Campaign("tests.metamorphic", 2000, 1, "tournaments with and without the rulings that are annulled"),
    "formats": Campaign("tests.formats", 1000, 1, "competitions compared with a second implementation of the rules"),
    "pairings": Campaign("tests.pairings", 2000, 1, "competitions of every format, with each round judged"),
    "bbp": Campaign("tests.pairings.compare", 2200, 1, "rounds that bbpPairings pairs too; BBP=PROGRAM"),
    "tiebreaks": Campaign(
        "tests.tiebreaks", 1000, 1, "events whose tie-breaks are compared with the text of FIDE C.07"
    ),
    "roundtrips": Campaign("tests.roundtrips", 300, 1, "events of every ruleset, exported and imported again"),
    "faults": Campaign(
        "tests/faults/test_campaign.py", 40, 20261121, "processes killed or stopped, networks cut and disks full"
    ),
    "simulation": Campaign(
        "tests.simulation", 1000, 1, "simulated histories of services, their databases and Kafka, with faults"
    ),
    "outages": Campaign(
        "tests/browser/test_outages.py",
        600,
        1,
        "seconds without network in front of open pages; a stop of a tenth of it",
    ),
    "upgrade": Campaign(
        "tests/upgrade/test_rolling.py", 1000, 1, "requests sent during each of 18 restarts of an upgrade"
    ),
    "verifiers": Campaign(
        "tests.verifiers", 10000, 1, "mutated logs and archives, and random tables, judged by command, page and Go"
    ),
    "fuzzing": Campaign("tests/attacks/test_description.py", 100, 7, "random requests to each route"),
}


def command(name: str, number: int | None = None, seed: int | None = None) -> tuple[list[str], dict[str, str]]:
    """Return the command of a campaign, and the variables of its environment."""
    campaign = CAMPAIGNS[name]
    cases, first = str(number or campaign.number), str(seed or campaign.seed)
    if campaign.program.endswith(".py"):
        environment = {"ARBITER_FIGURES": "1", f"ARBITER_{name.upper()}": cases, "ARBITER_SEED": first}
        return [sys.executable, "-m", "pytest", "-s", campaign.program], environment
    peer = [os.environ["BBP"]] if name == "bbp" else []
    return [sys.executable, "-m", campaign.program, *peer, cases, first], {}


def main(name: str, *numbers: str) -> int:
    if name not in CAMPAIGNS or (name == "bbp" and not os.environ.get("BBP")):
        print(f"'{name}' is not a campaign, or lacks its program. Use NAME= and one of these:", file=sys.stderr)
        for known, campaign in CAMPAIGNS.items():
            print(f"  {known:10} N={campaign.number:<5} {campaign.plays}", file=sys.stderr)
        return 2
    arguments, environment = command(name, *(int(number) or None for number in numbers))
    root = Path(__file__).parents[1]
    return subprocess.run(arguments, cwd=root, env=os.environ | environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
