"""What goes over the wire: operations as data, the sign, encoding and decoding."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import typing
from dataclasses import dataclass
from typing import Any, Generic, Mapping, Optional, TypeVar
from urllib.parse import quote

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
    next: Optional[str]


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


def decode(kind: Any, value: Any) -> Any:
    """Returns JSON data as the type ``kind``. Fields that this version does not know are ignored."""
    origin = typing.get_origin(kind)
    if value is None or kind is Any:
        return value
    if origin is typing.Union:
        return decode(typing.get_args(kind)[0], value)
    if origin is list:
        return [decode(typing.get_args(kind)[0], item) for item in value]
    if origin is Page:
        items = [decode(typing.get_args(kind)[0], item) for item in value["items"]]
        return Page(items=items, next=value.get("next"))
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return kind(**{name: decode(hint, value.get(camel_case(name))) for name, hint in hints.items()})
    return value
