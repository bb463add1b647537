"""Certificates for Kafka's brokers: an authority of this installation, which signs one for each broker.

The operator may replace every file by one of another authority: only missing and expiring files are made.
"""

import base64
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from deploy.whole_files import write_whole
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import say

FOLDER = "kafka"
AUTHORITY, CLUSTER = "ca.pem", "cluster-id"
_AUTHORITY_KEY = "ca.key"
_BROKER = "arbiter-broker"
"""Subject of every broker's certificate, by which brokers recognise each other (``KAFKA_PEERS`` in deploy/kafka/start.sh)."""
_DAY = timedelta(days=1)
_AUTHORITY_DAYS, _BROKER_DAYS, _LAST_DAYS = 3650, 730, 90
"""A broker's certificate is made again at the first start in its last days."""


def container(number: int) -> str:
    """Return the name of the container of the broker with this number, from 1."""
    return "kafka" if number == 1 else f"kafka-{number}"


def make(keys: Path, hosts: Sequence[str]) -> None:
    """Make what ``keys`` lacks: the authority, a certificate for each of ``hosts``, and the ID of their cluster.

    Raises `key_files.BadKeys` if a broker's certificate is missing and the authority is the operator's own.
    """
    folder = keys / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (folder / CLUSTER).exists():
        _write(folder / CLUSTER, base64.urlsafe_b64encode(uuid.uuid4().bytes).strip(b"=").replace(b"-", b"A"))
    if not (folder / AUTHORITY).exists():
        _make_authority(folder)
    for number, host in enumerate(hosts, 1):
        path = folder / f"{container(number)}.pem"
        if not path.exists() or ((folder / _AUTHORITY_KEY).exists() and _expires(path)):
            _make_broker(folder, path, host)


def files_of(keys: Path, name: str) -> dict[Path, bytes]:
    """Return what the broker in a container reads: its certificate with its private key, the authority, and the cluster's ID."""
    folder = keys / FOLDER
    named = {"broker.pem": f"{name}.pem", AUTHORITY: AUTHORITY, CLUSTER: CLUSTER}
    return {Path(given): (folder / own).read_bytes() for given, own in named.items()}


def _make_authority(folder: Path) -> None:
    key, name = ec.generate_private_key(ec.SECP256R1()), _named("Arbiter's authority of brokers")
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    builder = _builder(name, name, key, _AUTHORITY_DAYS).add_extension(usage, critical=True)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    _write(folder / _AUTHORITY_KEY, _private(key))
    _write(folder / AUTHORITY, builder.sign(key, SHA256()).public_bytes(Encoding.PEM))


def _make_broker(folder: Path, path: Path, host: str) -> None:
    if not (folder / _AUTHORITY_KEY).exists():
        raise BadKeys(
            say(
                "{path} does not exist, and {key} is not there to sign it; write the broker's private key, certificate "
                "and chain to {path}",
                path=str(path),
                key=str(folder / _AUTHORITY_KEY),
            )
        )
    authority = load_pem_private_key((folder / _AUTHORITY_KEY).read_bytes(), None)
    assert isinstance(authority, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    # During a change of the authority the file contains both, the newer one first.
    issuer = _first_certificate(folder / AUTHORITY).subject
    builder = _builder(_named(_BROKER), issuer, key, _BROKER_DAYS)
    builder = builder.add_extension(x509.SubjectAlternativeName([_host_name(host)]), critical=False)
    _write(path, _private(key) + builder.sign(authority, SHA256()).public_bytes(Encoding.PEM))


def _host_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(now - _DAY).not_valid_after(now + days * _DAY)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _expires(path: Path) -> bool:
    """Return whether a broker's own certificate, the first of its file, is in its last days."""
    return _first_certificate(path).not_valid_after_utc < datetime.now(UTC) + _LAST_DAYS * _DAY


def _first_certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificates(path.read_bytes())[0]


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, content: bytes) -> None:
    write_whole(path, content, 0o600)
