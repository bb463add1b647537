"""Descriptions of the shipped rulesets: their rule texts, and the differences from similar rulesets."""

from shared.core.language.messages import Message, say

SET_DESCRIPTIONS: dict[str, Message] = {
    "campus": say(
        "The rules of a campus event for all its games. Where they have no article, the Xiangqi Competition Rules of 1999 apply."
    ),
    "campus-chess": say(
        "The chess chapter of the campus event alone. The third violation of a game loses it; fouls are only recorded."
    ),
    "campus-go": say(
        "The Go chapter of the campus event alone. It has no clocks and no list of fouls. The third violation of a game loses it."
    ),
    "campus-wuziqi": say(
        "The gomoku chapter of the campus event alone, with forbidden moves, a swap and two offers. It does not cover conduct."
    ),
    "campus-xiangqi": say(
        "The xiangqi chapter of the campus event alone. The third foul or the third violation of a game loses it."
    ),
    "fide-2024": say(
        "FIDE events until January 2026: Laws of Chess of 2023, tie-breaks of August 2024, and the Dutch system of 2017."
    ),
    "fide-2026": say(
        "FIDE events from March 2026: Laws of Chess of 2023, and the pairing and tie-break rules of 2026."
    ),
    "friendly-go": say("The Go chapter of the Board Game Rules: sudden death, komi of 3 3/4 zi, two points for a win."),
    "friendly-wuziqi": say(
        "The gomoku chapter of the Board Game Rules: forbidden moves, no swap and no offers. The first half hour has no clocks."
    ),
    "friendly-xiangqi": say(
        "The xiangqi chapter of the Board Game Rules: fifteen seconds for a move. The third violation of a game loses it."
    ),
    "go-campus": say("The Go chapter of the campus event, with the sudden death of the Board Game Rules."),
    "gomoku-campus": say(
        "A campus event of gomoku without forbidden moves, with the points and clocks of the Board Game Rules."
    ),
    "gomoku-free": say("Gomoku without forbidden moves, by the rules of that event alone. Exactly five in a row win."),
    "gomoku-online": say(
        "Gomoku on the network: five or more win, and a full board is drawn. It has no clocks and does not cover conduct."
    ),
    "prediction": say("Gomoku in which both sides first predict the result. A player who moves a stone again loses."),
    "renju": say(
        "Renju with forbidden moves, a swap after three moves and two offers for the fifth. Conduct follows the campus event."
    ),
    "renju-agreed": say(
        "Renju with an opening that both sides agree on, without a swap. The fifth move has two offers."
    ),
    "renju-room": say("Renju as in online rooms: forbidden moves, no swap and no offers."),
    "xiangqi-1999": say(
        "The Chinese Xiangqi Competition Rules of 1999, for individual and team events. The third foul of a game loses it."
    ),
    "xiangqi-folk": say(
        "Xiangqi as it is played at home: three checks in a cycle are forbidden. It does not cover conduct."
    ),
}
"""By the name of each set."""
