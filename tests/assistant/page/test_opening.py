"""Where the page is, what is said about it, and the certificate with which it is opened to the room."""

from __future__ import annotations

import datetime
import io
import os
import socket
import ssl
import stat
from pathlib import Path

import pytest
from cryptography import x509
from fake_feed import FakeFeed

from assistant.page import addresses as machine
from assistant.page import opening
from assistant.page.certificate import MOST, NoCertificate, certificate_for
from assistant.page.opening import PORT, BadAddress, Where, place, where
from assistant.page.page import Page
from assistant.page.qr import qr_lines
from assistant.page.server import Listener, PageServer

NOW = datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", "127.0.0.1", 0),
        ("9000", "127.0.0.1", 9000),
        ("localhost:9000", "127.0.0.1", 9000),
        ("0.0.0.0", "0.0.0.0", 0),
        ("0.0.0.0:9000", "0.0.0.0", 9000),
        ("192.168.1.5:80", "192.168.1.5", 80),
        ("[::]:9000", "::", 9000),
        ("::", "::", 0),
        ("::1", "::1", 0),
    ],
)
def test_where_the_page_shall_be(text: str, host: str, port: int) -> None:
    assert where(text) == Where(host, port)
    assert where(text).open == (host in ("0.0.0.0", "::", "192.168.1.5"))


@pytest.mark.parametrize("text", ["a:b", "0.0.0.0:99999", "x y", "http://localhost:80", ":", "999999"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        where(text)


def test_on_this_machine_alone_it_is_plain_http_with_the_code_where_no_browser_sends_it(tmp_path: Path) -> None:
    chosen = place(where(""), tmp_path)
    assert chosen.listeners == (Listener("127.0.0.1", PORT, tries=opening.TRIED),)
    assert not list(tmp_path.iterdir()), "no certificate is made"
    lines = list(chosen.addresses([8033]).lines("ABCDEF", "", io.StringIO()))
    assert lines == ["La page : http://127.0.0.1:8033/#code=ABCDEF"]


def test_open_to_the_room_it_is_https_and_plain_http_to_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "addresses", lambda: ["192.168.1.12", "10.0.0.2", "2001:db8::7"])
    monkeypatch.setattr(opening, "names", lambda: ["cafe", "cafe.local"])
    chosen = place(where("0.0.0.0:9000"), tmp_path)
    safe, plain = chosen.listeners
    assert (safe.port, plain.port, plain.certificate) == (9000, 9001, None)
    assert safe.certificate is not None
    text = "\n".join(chosen.addresses([9000, 9001]).lines("ABCDEF", "phone", io.StringIO()))
    assert "https://192.168.1.12:9000/#phone&code=ABCDEF" in text
    assert "https://10.0.0.2:9000/" in text
    assert "http://192.168.1.12:9001/\n" in text, "who only watches is given no code"
    assert "http://127.0.0.1:9001/#code=ABCDEF" in text
    assert chosen.fingerprint is not None
    assert chosen.fingerprint in text
    found = x509.load_pem_x509_certificate(safe.certificate.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(name) for name in names.get_values_for_type(x509.IPAddress)} >= {"192.168.1.12", "10.0.0.2"}
    assert "cafe.local" in names.get_values_for_type(x509.DNSName)


@pytest.mark.parametrize(
    ("view", "scanned"), [("", "https://10.0.0.2:1/#code=ABCDEF"), ("phone", "http://10.0.0.2:2/#phone&code=ABCDEF")]
)
def test_a_phone_that_shall_send_scans_the_page_that_prepares_for_the_warning(
    view: str, scanned: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "qr_lines", lambda text, out: [f"QR {text}"])
    found = opening.Addresses("http://127.0.0.1:2/", ("https://10.0.0.2:1/",), ("http://10.0.0.2:2/",), "AB:CD")
    assert f"QR {scanned}" in list(found.lines("ABCDEF", view, io.StringIO()))


def test_the_default_port_gives_way_to_the_next_free_one() -> None:
    with PageServer(Page(FakeFeed()), [Listener("127.0.0.1", 0)]) as first:
        (port,) = first.ports
        with PageServer(Page(FakeFeed()), [Listener("127.0.0.1", port, tries=20)]) as second:
            assert port < second.ports[0] < port + 20


# -- the certificate -------------------------------------------------------------------------------------------------


def test_a_certificate_is_kept_for_its_owner_alone_so_that_a_phone_accepts_it_once(tmp_path: Path) -> None:
    first = certificate_for(["cafe.local", "192.168.1.12"], tmp_path / "page", NOW)
    again = certificate_for(["192.168.1.12", "cafe.local"], tmp_path / "page", NOW + datetime.timedelta(days=300))
    assert again == first
    if os.name == "posix":
        assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(first.path.parent.stat().st_mode) == 0o700
    assert [path.name for path in first.path.parent.iterdir()] == [first.path.name]


def test_another_one_is_made_for_other_addresses_near_its_end_and_where_it_is_damaged(tmp_path: Path) -> None:
    home = certificate_for(["192.168.1.12"], tmp_path, NOW)
    cafe = certificate_for(["10.0.0.7"], tmp_path, NOW)
    assert home.fingerprint != cafe.fingerprint
    assert certificate_for(["192.168.1.12"], tmp_path, NOW) == home, "back at home"
    later = certificate_for(["192.168.1.12"], tmp_path, NOW + datetime.timedelta(days=365))
    assert later.fingerprint != home.fingerprint
    later.path.write_text("damaged")
    assert certificate_for(["192.168.1.12"], tmp_path, NOW).fingerprint not in (home.fingerprint, later.fingerprint)
    for number in range(MOST + 3):
        certificate_for([f"10.0.1.{number}"], tmp_path, NOW)
    assert len(list(tmp_path.glob("*.pem"))) == MOST


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_key_that_others_could_read_is_not_used_again(tmp_path: Path) -> None:
    first = certificate_for(["cafe"], tmp_path, NOW)
    first.path.chmod(0o644)
    assert certificate_for(["cafe"], tmp_path, NOW).fingerprint != first.fingerprint


def test_where_no_certificate_can_be_kept_it_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("a file where a folder should be")
    with pytest.raises(NoCertificate):
        certificate_for(["cafe"], tmp_path / "page", NOW)


def test_a_phone_reads_the_page_over_https(tmp_path: Path) -> None:
    found = certificate_for(["localhost", "127.0.0.1"], tmp_path)
    trusting = ssl.create_default_context(cafile=str(found.path))
    listeners = [Listener("127.0.0.1", 0, found.path), Listener("127.0.0.1", 0)]
    with PageServer(Page(FakeFeed()), listeners) as served:
        for port, wrap in zip(served.ports, (trusting.wrap_socket, None), strict=True):
            with socket.create_connection(("127.0.0.1", port), 5) as plain:
                asked = plain if wrap is None else wrap(plain, server_hostname="127.0.0.1")
                head = f"GET /api/role HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
                asked.sendall(head.encode())
                answer = b"".join(iter(lambda: asked.recv(4096), b""))  # noqa: B023
                asked.close()
            assert answer.startswith(b"HTTP/1.1 200")
            assert (b'"secure":true' in answer) == (wrap is not None)
            assert b"server:" not in answer.lower().partition(b"\r\n\r\n")[0]


# -- addresses and the QR code ---------------------------------------------------------------------------------------


def test_the_addresses_of_this_machine_can_be_listened_at() -> None:
    for address in machine.addresses():
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as tried:
            tried.bind((address, 0))
    assert not any(machine.is_open(host) for host in ("127.0.0.1", "localhost", "::1", "127.3.2.1"))


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self.encoding = encoding  # type: ignore[misc]

    def isatty(self) -> bool:
        return True


def test_the_qr_code_is_what_a_reader_of_qr_codes_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    cv2 = pytest.importorskip("cv2")
    import numpy as np

    monkeypatch.setenv("TERM", "xterm")
    text = "https://192.168.1.12:8032/#code=ABCDEF"
    rows = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in qr_lines(text, Terminal())]
    dark = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    halves = [[[dark[letter][half] for letter in row] for row in rows] for half in (0, 1)]
    picture = np.array([half for pair in zip(*halves, strict=True) for half in pair], np.uint8)
    picture = np.kron(255 - 255 * picture, np.ones((8, 8), np.uint8)).astype(np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == text


def test_a_terminal_without_half_blocks_gets_coloured_blanks_and_a_file_no_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    old = qr_lines("https://cafe.local:8032/", Terminal("ascii"))
    assert all(line.isascii() for line in old)
    assert len(old) > 20
    assert qr_lines("https://cafe.local:8032/", io.StringIO()) == []
    monkeypatch.setenv("TERM", "dumb")
    assert qr_lines("https://cafe.local:8032/", Terminal()) == []
