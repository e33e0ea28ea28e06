"""What goes over the wire: operations as data, the sign, encoding and decoding."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
import re
import typing
from dataclasses import dataclass
from typing import Any, Generic, Mapping, Optional, TypeVar
from urllib.parse import quote

from .errors import SoukResponseError

Item = TypeVar("Item")


@dataclass(frozen=True)
class Operation:
    """An operation of the contract."""

    name: str
    method: str
    path: str
    place: str
    """Where the parameters are sent: query, form, multipart or json."""
    retry: str
    """Which failed attempts may be repeated: idempotent, sameSignature or ifNotExecuted."""
    signed: bool
    result_field: str
    """A field that every result has; empty if the result is a boolean."""
    secrets: tuple[str, ...]
    """Parameters whose values errors do not show."""

    def is_result(self, value: Any) -> bool:
        """Returns whether JSON is a result. Other programs may answer with JSON, too."""
        if self.result_field == "":
            return isinstance(value, bool)
        return isinstance(value, dict) and self.result_field in value


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A page of a list. Pass ``next`` as ``cursor`` to get the following one; None on the last."""

    items: list[Item]
    """The items of this page."""
    next: Optional[str]
    """``cursor`` of the following page; None on the last."""


def text_of(value: Any) -> str:
    """Returns a parameter as it is sent and signed (open-api §4.1): lists are joined with commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(item) for item in value)
    return str(value)


def canonical_string(parameters: Mapping[str, Any], secret: str) -> str:
    """Returns the string whose SHA-256 is the sign (open-api §4.1)."""
    pairs = {name: value for name, value in parameters.items() if name not in ("sign", "fileData")}
    pairs["secret"] = secret
    # Names are sorted by UTF-16 code units, in which characters beyond U+FFFF come before U+E000.
    ordered = sorted(pairs, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "".join(f"{name}={text_of(pairs[name])}" for name in ordered)


def sign(parameters: Mapping[str, Any], secret: str) -> str:
    """Returns the ``sign`` of a request or a callback: 64 lowercase hexadecimal digits."""
    text = canonical_string(parameters, secret)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def encode_form(parameters: Mapping[str, Any]) -> str:
    """Encodes parameters for a query string or an urlencoded body; a space is ``%20``. Lone surrogates become
    ``?``, as in the sign."""

    def escape(text: str) -> str:
        return quote(text, safe="", errors="replace")

    return "&".join(f"{escape(name)}={escape(text_of(value))}" for name, value in parameters.items())


def snake_case(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)


def camel_case(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


def encode(value: Any) -> Any:
    """Returns JSON data for a value with models in it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {camel_case(name): encode(item) for name, item in fields if item is not None}
    if isinstance(value, dict):
        return {name: encode(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


LARGEST_INTEGER = 2**53 - 1
"""Largest integer that every client reads exactly."""
MISSING = object()


def decode(operation: Operation, kind: Any, value: Any, path: str = "") -> Any:
    """Returns JSON data as the type ``kind``. All clients follow the same rule (ADR 327): integers are exact, only
    what may be null can be missing, unknown fields are dropped, and unknown values of enumerations are kept.

    :raises SoukResponseError: for another value.
    """
    origin = typing.get_origin(kind)
    if origin is typing.Union:
        return None if value in (None, MISSING) else decode(operation, typing.get_args(kind)[0], value, path)
    if kind is Any:
        return None if value is MISSING else value
    expected, is_valid = _check(kind, origin, value)
    if not is_valid:
        reason = f"must be {expected}, but is {_describe(value, expected)}"
        raise SoukResponseError(operation.name, path or "the result", reason)
    if kind is int:
        return int(value)
    if origin is list:
        (item_kind,) = typing.get_args(kind)
        return [decode(operation, item_kind, item, f"{path}[{index}]") for index, item in enumerate(value)]
    if origin is Page:
        items = decode(operation, list[typing.get_args(kind)[0]], value.get("items", MISSING), "items")  # type: ignore[misc]
        return Page(items=items, next=decode(operation, Optional[str], value.get("next"), "next"))
    if dataclasses.is_dataclass(kind):
        fields = {}
        for name, hint in _hints(kind).items():
            sent = camel_case(name)
            inner = f"{path}.{sent}" if path else sent
            fields[name] = decode(operation, hint, value.get(sent, MISSING), inner)
        return kind(**fields)
    return value


@functools.lru_cache(maxsize=None)
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _check(kind: Any, origin: Any, value: Any) -> tuple[str, bool]:
    """Returns what a value must be, and whether it is."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is str:
        return "a text", isinstance(value, str)
    if kind is bool:
        return "a boolean", isinstance(value, bool)
    if kind is int:
        return "an integer", is_number and abs(value) <= LARGEST_INTEGER and value == int(value)
    if kind is float:
        return "a number", is_number and math.isfinite(value)
    if origin is list:
        return "a list", isinstance(value, list)
    return "an object", isinstance(value, dict)


def _describe(value: Any, expected: str) -> str:
    """Describes a value without showing it: it can be personal data."""
    if value is MISSING:
        return "missing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        if expected != "an integer":
            return "a number"
        return "fractional" if abs(value) <= LARGEST_INTEGER else "too large"
    return {str: "a text", list: "a list"}.get(type(value), "an object")
