"""The round of a TRF file as the file's own system pairs it, without a log."""

from collections.abc import Iterable

from services.pairing.rules.engines.fide_dutch import pair_next, unfinished_games
from services.pairing.rules.engines.versions import TABLES
from services.pairing.rules.formats.registry import plan_round
from services.pairing.rules.sides.model import RoundRequest
from services.pairing.rules.sides.seating import seating
from shared.core.events import Board, ByeSeat
from shared.core.language.messages import say
from shared.core.rounds.stages import stage_now
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.trf.model.acceleration import without_virtual_points
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfFile
from shared.trf.records import SYSTEMS
from shared.trf.rounds import first_colour, format_of


def own_pairing(trf: TrfFile, t: Tournament, number: int) -> tuple[tuple[Board, ...], tuple[ByeSeat, ...]] | Refusal:
    """The round as the file's own system pairs it: FIDE Dutch, accelerated where the file says so, or a table."""
    colour = trf.settings.initial_colour or first_colour(trf)
    if format_of(trf) == "swiss":
        if t.regulations.pairing.system != "dutch":
            detail = say("{name} does not pair by the Dutch system", name=t.regulations.name)
            return Refusal("rule", "other-system", detail)
        return without_virtual_points(trf) or pair_next(t, number, initial=colour)
    plan = unfinished_games(t, number) or plan_round(t, number, RoundRequest(0, colour, TABLES, stage_now(t)))
    if isinstance(plan, Refusal):
        return plan
    seats = seating(t, number, plan)
    return seats.boards, seats.byes


def rounds_of(trf: TrfFile, number: int) -> int:
    """Return the number of rounds for a file without it: one more than is paired, or twice the players for a table."""
    return number + 1 if format_of(trf) == "swiss" else 2 * len(trf.players)


def as_lists(boards: Iterable[Board], byes: Iterable[ByeSeat]) -> list[list[int]]:
    """[white, black] by board, who has no opponent last as [player, 0]."""
    pairs: list[list[int]] = [[b.white, b.black] for b in boards]
    return pairs + [[b.player, 0] for b in byes if b.kind in ("U", "Z")]


def teams_unpaired(trf: TrfFile) -> TrfError | None:
    """Why rounds of a file of teams are neither paired nor checked; None for one of single players."""
    if not trf.settings.teams:
        return None
    line = trf.settings.teams[0].line
    return TrfError(trf.file, line, 1, say("this is a team file (013, 310): team matches cannot be paired from a file"))


def refuse_unknown_system(trf: TrfFile) -> None:
    """Raise a `TrfError` if the file is a team file or uses an unsupported pairing system."""
    if (teams := teams_unpaired(trf)) is not None:
        raise teams
    system = trf.settings.system
    if system is not None and system.format is None:
        known = ", ".join(SYSTEMS)
        raise TrfError(
            trf.file,
            system.line,
            5,
            say("unknown pairing system {code}; available: {known}", code=system.code, known=known),
        )
