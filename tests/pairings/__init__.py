"""Simulated competitions of every format, each round judged by a reckoning of its own: `python -m tests.pairings [N]`."""
