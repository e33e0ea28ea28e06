"""Client of Souk's open API, for backends of mini apps, and of its platform data API."""

from .async_client import AsyncSouk, AsyncSoukPlatform
from .attempts import Attempt, AttemptResult, OnAttempt
from .callbacks import Callbacks
from .client import NotDelivered, Souk, SoukPlatform
from . import enums
from .enums import *  # noqa: F403
from .errors import (
    AppendInterruptedError,
    CallbackVerificationError,
    SoukApiError,
    SoukConnectionError,
    SoukError,
    SoukResponseError,
    TradeStillProcessingError,
)
from .operations import PaymentEvent, RefundEvent
from .wire import Page, canonical_string, sign

__all__ = [
    "AppendInterruptedError",
    "AsyncSouk",
    "AsyncSoukPlatform",
    "Attempt",
    "AttemptResult",
    "CallbackVerificationError",
    "Callbacks",
    "NotDelivered",
    "OnAttempt",
    "Page",
    "PaymentEvent",
    "RefundEvent",
    "Souk",
    "SoukApiError",
    "SoukConnectionError",
    "SoukError",
    "SoukPlatform",
    "SoukResponseError",
    "TradeStillProcessingError",
    "canonical_string",
    "sign",
]
__all__ += enums.__all__
