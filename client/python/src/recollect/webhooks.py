"""Checks that a webhook comes from the service."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from .errors import WebhookVerificationError
from .types import RecollectEvent

_TOLERANCE_SECONDS = 5 * 60
# An instant of today has ten; a longer number costs time before its signature is checked.
_TIMESTAMP_DIGITS = 12


class Webhook(TypedDict):
    """The body of a webhook. `events` has one event."""

    subscription_id: str
    events: list[RecollectEvent]
    timestamp: str


def verify(headers: Mapping[str, str], body: bytes | str, secret: str | Sequence[str]) -> Webhook:
    """Checks the signature and the age of a webhook (Standard Webhooks) and returns its body.

    `body` is what was received, before any parsing. `secret` is the `whsec_…` of the subscription; several while a
    rotation lasts. Raises a WebhookVerificationError: answer it with 400. Drop repeats by the id of the event.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    raw = body.encode() if isinstance(body, str) else body
    if not message_id or not timestamp or not signatures:
        raise _refusal("The headers of a webhook are missing.")
    if not timestamp.isdecimal() or len(timestamp) > _TIMESTAMP_DIGITS or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise _refusal("The timestamp of the webhook is too old or in the future.")
    signed = f"{message_id}.{timestamp}.".encode() + raw
    for each in [secret] if isinstance(secret, str) else secret:
        key = _decode(each.removeprefix("whsec_"))
        # Anybody can sign with a secret that is not there.
        if not key:
            raise _refusal("The secret is empty or is not a webhook secret.")
        expected = hmac.digest(key, signed, hashlib.sha256)
        for signature in signatures.split(" "):
            version, _, value = signature.partition(",")
            if version == "v1" and hmac.compare_digest(_decode(value), expected):
                return cast(Webhook, json.loads(raw))
    raise _refusal("The signature does not match.")


def _refusal(detail: str) -> WebhookVerificationError:
    return WebhookVerificationError(detail, code="invalid_signature")


def _decode(text: str) -> bytes:
    """No bytes where it is malformed: nothing verifies against them."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
