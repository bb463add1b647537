"""Relays and followers of one service, each in a process with some of the partitions."""

from tests.bench.process_counts import Kind

KINDS: tuple[Kind, ...] = ()
