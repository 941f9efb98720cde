"""The pictures of a mail, for a browser: in HTML a mail names them by the ids of its parts, which a
browser knows nothing of.
"""

from __future__ import annotations

import re
from base64 import b64encode
from email.message import EmailMessage

_PICTURE = "image/png"
_ID = re.compile(r"[A-Za-z0-9@.-]{1,100}")
_BYTES_MAX = 1 << 20
_PICTURES_MAX = 10


def with_pictures(mail: EmailMessage, html: str) -> str:
    """The HTML with the pictures in their places; each is put there once, and bounded."""
    parts = [part for part in mail.walk() if part.get_content_type() == _PICTURE]
    for part in parts[:_PICTURES_MAX]:
        named = str(part["Content-ID"] or "").strip().strip("<>")
        content = part.get_payload(decode=True)
        if _ID.fullmatch(named) and isinstance(content, bytes) and len(content) <= _BYTES_MAX:
            shown = b64encode(content).decode()
            html = html.replace(f"cid:{named}", f"data:{_PICTURE};base64,{shown}", 1)
    return html
