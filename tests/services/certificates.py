"""A certificate for servers on the loopback, and the authority that signed it, which nobody but the
test trusts.
"""

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_LASTS = timedelta(days=2)


class Certificates:
    """Files in a folder: `authority`, and for the server `certificate`, `key`, and `both`."""

    def __init__(self, folder: Path) -> None:
        authority_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        issuer, subject = _name("tests"), _name("127.0.0.1")
        authority = _begin(issuer, issuer, authority_key.public_key()).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        server = _begin(subject, issuer, server_key.public_key()).add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        self.authority = folder / "authority.pem"
        self.certificate = folder / "certificate.pem"
        self.key = folder / "key.pem"
        self.both = folder / "both.pem"
        self.authority.write_bytes(_signed(authority, authority_key))
        self.certificate.write_bytes(_signed(server, authority_key))
        self.key.write_bytes(
            server_key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        self.both.write_bytes(self.key.read_bytes() + self.certificate.read_bytes())


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer, subject, key, x509.random_serial_number(), now - _LASTS, now + _LASTS
    )


def _signed(made: x509.CertificateBuilder, key: ec.EllipticCurvePrivateKey) -> bytes:
    return made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
