"""Events of every game and ruleset, exported and imported again."""
