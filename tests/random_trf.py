"""Random tournaments as TRF, drawn from a seed: any pairing will do where only the table is looked at."""

from dataclasses import dataclass, field
from random import Random

LETTERS = {"1": ("1", "0"), "0": ("0", "1"), "=": ("=", "="), "+": ("+", "-"), "-": ("-", "+"), "--": ("-", "-")}
WORTH = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}


@dataclass
class _Player:
    number: int
    rating: int
    first: int
    last: int
    entries: list[str] = field(default_factory=list)

    def line(self) -> str:
        points = sum(WORTH.get(entry[-1], 0) for entry in self.entries) / 2
        head = f"001 {self.number:4}      {f'P{self.number}':<33} {self.rating or '':>4}"
        return f"{head:<80}{points:4.1f} {self.number:4}" + "".join(f"  {entry}" for entry in self.entries)


def random_trf(seed: int, players: int, rounds: int, *, year: int = 2026, unplayed: float = 0.1) -> str:
    """A tournament with byes of every kind, forfeits, late entries, withdrawals and unrated players.

    ``unplayed``: the share of seats without a game, and of games without a player.
    """
    chance = Random(seed)
    field = [_Player(n, _rating(chance, n), 1, rounds) for n in range(1, players + 1)]
    for player in chance.sample(field, players // 8):
        player.first = chance.randint(1, rounds)
    for player in chance.sample(field, players // 8):
        player.last = chance.randint(player.first, rounds)
    for number in range(1, rounds + 1):
        _round(chance, field, number, unplayed)
    return _text(field, seed, year, rounds)


def random_round_robin(seed: int, players: int, *, unplayed: float = 0.1) -> str:
    """Everybody against everybody by the circle method, games forfeited among them; odd: each rests once."""
    chance = Random(seed)
    field = [_Player(n, _rating(chance, n), 1, 1) for n in range(1, players + 1)]
    circle: list[_Player | None] = [*field, *([None] if players % 2 else [])]
    rounds = len(circle) - 1
    for _ in range(rounds):
        half = len(circle) // 2
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is None or other is None:
                (one or other or field[0]).entries.append("0000 - Z")
            else:
                _game(chance, one, other, unplayed)
        circle[1:] = [circle[-1], *circle[1:-1]]
    return _text(field, seed, 2026, rounds)


def _rating(chance: Random, number: int) -> int:
    return 0 if chance.random() < 0.05 else max(1000, 2400 - number - chance.randint(0, 99))


def _round(chance: Random, field: list[_Player], number: int, unplayed: float) -> None:
    here = []
    for player in field:
        if not player.first <= number <= player.last:
            player.entries.append("0000 - Z")
        elif chance.random() < unplayed / 2:
            player.entries.append(f"0000 - {chance.choice('HHZF')}")
        else:
            here.append(player)
    chance.shuffle(here)
    here.sort(key=lambda p: sum(WORTH.get(e[-1], 0) for e in p.entries), reverse=True)
    if len(here) % 2:
        here.pop().entries.append("0000 - U")
    for white, black in zip(here[::2], here[1::2], strict=True):
        _game(chance, white, black, unplayed)


def _game(chance: Random, white: _Player, black: _Player, unplayed: float) -> None:
    forfeit = chance.random() < unplayed / 2
    first, second = LETTERS[chance.choice(("+", "-", "--") if forfeit else ("1", "0", "="))]
    white.entries.append(f"{black.number:4} w {first}")
    black.entries.append(f"{white.number:4} b {second}")


def _text(field: list[_Player], seed: int, year: int, rounds: int) -> str:
    lines = [f"012 random {seed}", f"042 {year}-06-01", *(p.line() for p in field), f"XXR {rounds}", "XXC white1"]
    return "\n".join(lines) + "\n"
