"""The keys of a house that runs in a test: of each service one, which its tournaments name and its records are signed by."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.core.terms import SOURCES
from shared.signing.service_keys import OwnKey, ServiceKeys

KEYS = ServiceKeys({source: [OwnKey.of(source, Ed25519PrivateKey.generate())] for source in SOURCES})
