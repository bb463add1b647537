"""The quick start of the reference: ten requests that play a round. A test runs them as the page shows them."""

from dataclasses import dataclass

from services.standings.reference.samples import Sample
from shared.core.language.messages import Message, say

_CUP = "/v1/tournaments/quick-start"


@dataclass(frozen=True, slots=True)
class QuickStep:
    """A request of the quick start: its purpose, and the operation in the reference."""

    purpose: Message
    operation: str
    sample: Sample


def _write(address: str, body: object, match: str = "") -> Sample:
    return Sample("POST", _CUP + address, body, token=True, key=True, match=match)


QUICK_START = (
    QuickStep(
        say("Create a tournament. The sender is appointed there in the role of the token."),
        "announceTournament",
        Sample(
            "POST",
            "/v1/tournaments",
            {
                "id": "quick-start",
                "name": "Quick Start",
                "discipline": "chess",
                "format": "swiss",
                "rounds_planned": 3,
                "regulations": "fide-2026",
            },
            token=True,
            key=True,
        ),
    ),
    QuickStep(
        say("Enter the players. They are numbered in this order until starting numbers are assigned."),
        "enterPlayers",
        _write(
            "/entries",
            {
                "players": [
                    {"name": "Ana Silva", "rating": 2180, "federation": "POR"},
                    {"name": "李文轩", "rating": 2210, "federation": "CHN"},
                    {"name": "Ole Bruun", "rating": 2120},
                    {"name": "Mei Lin"},
                ]
            },
        ),
    ),
    QuickStep(
        say("Pair the first round. The ETag of the tournament states what the decision is based on."),
        "pairRound",
        _write("/rounds", {"initial_colour": "white"}, _CUP),
    ),
    QuickStep(say("Read the pairings."), "getRound", Sample("GET", f"{_CUP}/rounds/1")),
    QuickStep(
        say("Report the results."),
        "reportResults",
        _write("/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2-1/2"}]}),
    ),
    QuickStep(
        say("Correct a result. A correction has a reason, and the log keeps both."),
        "correctResults",
        _write(
            "/corrections",
            {"round": 1, "results": [{"board": 2, "result": "0-1"}], "reason": "The slip was misread."},
            _CUP,
        ),
    ),
    QuickStep(say("Read the standings."), "getStandings", Sample("GET", f"{_CUP}/standings")),
    QuickStep(
        say("Publish the standings after the round."),
        "publishStandings",
        _write("/publications", {}, _CUP),
    ),
    QuickStep(
        say("Read the first events of the log."),
        "listEvents",
        Sample("GET", f"{_CUP}/events?limit=5", headers={"Accept": "application/json"}),
    ),
    QuickStep(
        say("Download the report file for the federation."), "getReportFile", Sample("GET", f"{_CUP}/trf", token=True)
    ),
)
