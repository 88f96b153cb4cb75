"""Recollect, memory for agents and apps: store texts, find them by meaning and by keyword, and receive an event for
every change.

    from recollect import Recollect

    client = Recollect()
    client.memory.store(content="Ada is allergic to peanuts.", tags=["ada"])
    for item in client.memory.search(query="Does anyone have a nut allergy?")["results"]:
        print(item["content"]["text"])
"""

from . import types, webhooks
from ._async_client import AsyncRecollect
from ._call import Answer
from ._client import Recollect
from ._family import AsyncPages, Pages
from ._messages import Message, MessagePart, RecalledItems, RecalledText, Remembered
from ._namespace import namespace_of
from ._options import AsyncToken, Token
from ._stream import Connected
from ._transfer import ImportLine, ImportSummary
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    RecollectError,
    ServerError,
    TimedOutError,
    WebhookVerificationError,
)

__all__ = [
    "Answer",
    "AsyncPages",
    "AsyncRecollect",
    "AsyncToken",
    "AuthenticationError",
    "ConflictError",
    "Connected",
    "ConnectionFailedError",
    "ImportLine",
    "ImportSummary",
    "InvalidRequestError",
    "Message",
    "MessagePart",
    "NotFoundError",
    "Pages",
    "PermissionDeniedError",
    "RateLimitError",
    "RecalledItems",
    "RecalledText",
    "Recollect",
    "RecollectError",
    "Remembered",
    "ServerError",
    "TimedOutError",
    "Token",
    "WebhookVerificationError",
    "namespace_of",
    "types",
    "webhooks",
]
