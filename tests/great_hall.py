"""An open of 275 players in its seventh round, as large as halls get, for tests of what is shown of it."""

import random

from shared.desk.desk import Desk
from tests.played import Played

PLAYERS, ROUNDS = 275, 7
_FAMILY = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董曹袁邓许沈曾彭苏卢蒋蔡贾丁魏叶余潘杜夏钟汪田任姜范石姚"
)
_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰涛明超秀霞平刚桂英文辉玲建华国庆雨桐子涵浩然一鸣思远诗涵梓轩"
ENTERED_AT_ONCE = 5000
"""More are not one record of a log."""
_WESTERN = ("Amélie Girard", "Jonas Lindqvist", "Nguyễn Thị Hoa", "Marta Kowalczyk", "Maximilian von Hohenstein-Brandt")


def great_hall(
    desk: Desk, id: str = "great", players: int = PLAYERS, rounds: int = ROUNDS, open_every: int = 3
) -> Played:
    """All ``rounds`` but the last are played out. In the last one, every third board is open (``open_every``: 1 for all).

    The number of ``players`` is odd.
    """
    cup = Played(desk, id)
    chance = random.Random(275)
    cup.announce("2026年全国象棋公开赛 National Open", rounds + 2)
    names = [f"{chance.choice(_FAMILY)}{''.join(chance.sample(_GIVEN, 2))}" for _ in range(players - len(_WESTERN))]
    everybody = [*names, *_WESTERN]
    for n in range(0, players, ENTERED_AT_ONCE):
        cup.enter(*everybody[n : n + ENTERED_AT_ONCE])
    ring = list(range(1, players + 1))
    for round in range(1, rounds + 1):
        half = players // 2
        boards = [(ring[n], ring[-2 - n]) for n in range(half)]
        cup.pair(*boards, bye=ring[-1])
        results = [chance.choice(("1-0", "1/2-1/2", "0-1")) for _ in boards]
        if round < rounds:
            cup.report(round, *results)
        elif open_every > 1:
            cup.report(round, *("*" if n % open_every == 0 else result for n, result in enumerate(results)))
        ring = [ring[-1], *ring[:-1]]
    return cup
