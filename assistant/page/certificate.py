"""The certificate with which the page is served to the room, made on the spot by this machine for itself.

Nobody vouches for it, so every browser warns once; the fingerprint, printed in the terminal and shown on the page, is
what the warning can be compared with. It is kept, so that a phone that has accepted it does not ask again: one for
every set of addresses, since a laptop is at home today and in the café tomorrow.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import ipaddress
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from assistant.i18n import N_
from engine.errors import TrutError

DAYS = 390
"""How long it is good; browsers take none that is good for more than 398 days."""
RENEWED = 30
"""Days before its end at which another one is made."""
MOST = 8
"""Certificates that are kept; the one unused for longest goes."""


class NoCertificate(TrutError):
    """No certificate can be kept, so the page cannot be opened to the room."""

    code = "no-certificate"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its key, in one file.

    Attributes:
        fingerprint: SHA-256 as browsers show it, ``"AB:CD:…"``.
        until: it is good until then.
    """

    path: Path
    fingerprint: str
    until: datetime.datetime


def certificate_for(names: Iterable[str], folder: Path, now: datetime.datetime | None = None) -> Certificate:
    """The certificate for these names and addresses: the one that is kept, unless it is near its end.

    Args:
        names: what the machine is called, host names and addresses.
        folder: where certificates are kept, readable by their owner alone.
        now: the time, with its zone.

    Raises:
        NoCertificate: nothing can be written there.
    """
    now = now or datetime.datetime.now(datetime.UTC)
    called = sorted(set(names))
    path = folder / f"certificate-{hashlib.sha256(' '.join(called).encode()).hexdigest()[:12]}.pem"
    try:
        kept = _kept(path)
        if kept is not None and kept.until - now > datetime.timedelta(days=RENEWED):
            os.utime(path)
            return kept
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_alone(path, _made(called, now))
        _let_old_ones_go(folder)
    except OSError as problem:
        raise NoCertificate(
            N_("{folder} : le certificat de la page ne peut pas y être gardé ({why})"),
            folder=folder,
            why=problem.strerror or problem,
        ) from None
    made = _kept(path)
    if made is None:
        raise NoCertificate(
            N_("{folder} : le certificat de la page ne peut pas y être gardé ({why})"), folder=folder, why=path.name
        )
    return made


def _kept(path: Path) -> Certificate | None:
    """The one in a file; None where there is none, or it is damaged, or others could read its key."""
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            return None
        data = path.read_bytes()
        found = x509.load_pem_x509_certificate(data)
        serialization.load_pem_private_key(data, None)
    except (OSError, ValueError, TypeError):
        return None
    digest = found.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(path, digest, found.not_valid_after_utc)


def _made(names: list[str], now: datetime.datetime) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Trut")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_for_signatures(), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return secret + certificate.public_bytes(serialization.Encoding.PEM)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _for_signatures() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


def _write_alone(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, at no moment anybody else."""
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)  # made with mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(name)
        raise


def _let_old_ones_go(folder: Path) -> None:
    kept = sorted(folder.glob("certificate-*.pem"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[MOST:]:
        path.unlink(missing_ok=True)
