"""Where webhooks lead: public addresses over https, whatever way another one is written or a name answers."""

from ipaddress import ip_address, ip_network

import pytest

from shared.http.webhook_address import BadAddress, Target, check_public, resolved, target_of

PUBLIC = "93.184.216.34"
LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://hooks.example", Target("hooks.example", 443, "/")),
        ("https://hooks.example:8443/a/b?c=d", Target("hooks.example", 8443, "/a/b?c=d")),
        ("https://HOOKS.example:443/", Target("hooks.example", 443, "/")),
        (f"https://{PUBLIC}/", Target(PUBLIC, 443, "/")),
        ("https://[2606:2800:220:1::1]:9000/x", Target("2606:2800:220:1::1", 9000, "/x")),
    ],
)
def test_a_public_address_over_https_is_taken(url: str, target: Target):
    assert target_of(url) == target


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/",
        "ftp://hooks.example/",
        "//hooks.example/",
        "hooks.example",
        "https://",
        "https:///path",
        "https://user@hooks.example/",
        "https://user:secret@hooks.example/",
        "https://@hooks.example/",
        "https://hooks.example/#part",
        "https://hooks.example:22/",
        "https://hooks.example:80/",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example:port/",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nHost: other",
        "https://höoks.example/",
        "https://hooks.example\\@127.0.0.1/",
        "https://" + "a" * 2000,
        "https://[::1",
    ],
)
def test_what_is_no_address_for_webhooks_is_refused(url: str):
    with pytest.raises(BadAddress) as refused:
        target_of(url)
    assert str(refused.value.why)


NOT_PUBLIC = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "240.0.0.1",
    "2001:2::1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd00::1",
    "fec0::1",
    "fe80::5efe:7f00:1",
    "ff02::1",
    "100::1",
    "2001:db8::1",
    "3fff::1",
    "4000::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:7f00:1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::7f00:1",
]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_refused_written_out_and_behind_a_name(address: str):
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(BadAddress, match="not a public address"):
        target_of(f"https://{host}/")
    with pytest.raises(BadAddress, match="not a public address"):
        resolved(Target("hooks.example", 443, "/"), resolve=lambda host, port: [address])
    with pytest.raises(BadAddress, match="not a public address"):
        resolved(Target("hooks.example", 443, "/"), resolve=lambda host, port: [PUBLIC, address])


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0x7f.1", "127.1", "017700000001", "0177.0.0.1", "127.0.0.1."]
)
def test_loopback_in_any_notation_of_old_is_refused(host: str):
    with pytest.raises(BadAddress, match=r"127\.0\.0\.1 is not a public address"):
        target_of(f"https://{host}/")


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:220:1::1", f"::ffff:{PUBLIC}", "64:ff9b::5db8:d822"])
def test_a_public_address_is_public_in_every_form(address: str):
    check_public(ip_address(address))


def test_what_the_operator_allows_is_reached_and_nothing_beside_it():
    assert target_of("https://127.0.0.1:8443/", LOOPBACK).host == "127.0.0.1"
    mapped = resolved(Target("a", 443, "/"), LOOPBACK, lambda host, port: ["::ffff:127.0.0.1"])
    assert ip_address(mapped) == ip_address("::ffff:7f00:1")  # Python 3.13 prints it with dots
    with pytest.raises(BadAddress):
        resolved(Target("a", 443, "/"), LOOPBACK, lambda host, port: ["127.0.0.1", "10.0.0.1"])


def test_the_systems_own_names_of_this_machine_are_refused():
    with pytest.raises(BadAddress, match="not a public address"):
        resolved(target_of("https://localhost/"))


def test_a_name_that_nobody_knows_is_told():
    def unknown(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    with pytest.raises(BadAddress, match=r"hooks\.example cannot be resolved"):
        resolved(Target("hooks.example", 443, "/"), resolve=unknown)
