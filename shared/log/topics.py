"""The three topics: made with their settings, and checked against them."""

from shared.log.broker import Broker


def create(broker: Broker) -> list[str]:
    """Make the topics that are not there, with their settings; the names of those made."""
    raise NotImplementedError


def check(broker: Broker) -> list[str]:
    """What is wrong with the topics, one line each with its remedy; empty where all is right.

    Raises `kafka.errors.KafkaError` where the broker cannot be reached.
    """
    raise NotImplementedError
