"""The reasons why a part of a tie-break does not count or has a dummy opponent, as texts of the catalogue."""

from shared.core.language.messages import say

OWN_SCORE = say("dummy opponent: own score").text
SCHEDULED = say("dummy opponent: limited to the score of the scheduled opponent").text
DRAWS = say("dummy opponent: limited to the score of draws in all rounds").text
MEAN = say("several games with one opponent: the mean counts").text
LOWEST = say("lowest").text
HIGHEST = say("highest").text
UNPLAYED = say("voluntarily unplayed round").text
FIRST = say("first round").text
RULED = say("with the points that rulings gave or took").text
ANNULLED = say("annulled").text
IN_ANNULLED = say("in an annulled game").text
LESS_THAN_HALF = say("not counted: the opponent has less than half of the possible points").text
BELOW_THE_LIMIT = say("not counted: the opponent has fewer points than the limit").text
NO_GAME_WON = {
    "played": say("no game won: played").text,
    "bye": say("no game won: bye").text,
    "forfeit": say("no game won: forfeit").text,
}
