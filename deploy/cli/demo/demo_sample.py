"""The sample tournament as data: ``sample/spring-cup.toml``."""

from dataclasses import dataclass

from shared.core.terms import ByeKind
from shared.regulations.typed_toml import read_toml


@dataclass(frozen=True, slots=True)
class SamplePlayer:
    """A player who enters, as the body of the entry names him."""

    id: int
    name: str
    rating: int
    club: str


@dataclass(frozen=True, slots=True)
class SampleBye:
    """A bye that a player asked for."""

    player: int
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class SampleRound:
    """A round: its ``results`` in board order, and what else happens in it.

    ``lots``: the seed of its pairing. ``absent_board``: Black does not come. ``foul_board``: White fouls three times,
    appeals, and the game goes on to ``after_appeal``. ``withdraws``: the player who leaves after it.
    """

    number: int
    results: tuple[str, ...]
    lots: int | None = None
    absent_board: int | None = None
    foul_board: int | None = None
    after_appeal: str = ""
    withdraws: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample tournament: its announcement, its players and byes, and each ``round``."""

    id: str
    name: str
    game: str
    format: str
    rounds: int
    regulations: str
    players: tuple[SamplePlayer, ...]
    byes: tuple[SampleBye, ...]
    round: tuple[SampleRound, ...]


def load_sample() -> Sample:
    """The sample's data. Raises `TomlError`."""
    return read_toml("deploy.cli.demo.sample", "spring-cup.toml", Sample)
