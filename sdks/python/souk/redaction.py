"""Keeps secrets out of errors and printed objects."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterable, Optional

HIDDEN = "******"
SHORTEST_SECRET = 8
"""Shorter values are no secrets of Souk, and masking them would garble texts."""
URL_IN_TEXT = re.compile(r"[a-z]{2,10}://[^\s\"'<>]*", re.IGNORECASE)
VALID_URL = re.compile(
    r"(https?:)?//(?:[^/?#\\@]*@)?([^/?#\\@:\s\[\]]+|\[[0-9a-f:.]+\])(:\d{1,5})?(/[^?#\\@]*)?(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)


class Secret:
    """A value that is not shown when it or the object that has it is printed."""

    def __init__(self, value: str) -> None:
        self.reveal: Callable[[], str] = lambda: value

    def __repr__(self) -> str:
        return HIDDEN


class Redaction:
    """Masks what a request kept secret, in case something between client and Souk repeats it.

    :param secrets: Values that must not be shown; None and other types are ignored.
    """

    def __init__(self, secrets: Iterable[Any]) -> None:
        texts = {value for value in secrets if isinstance(value, str) and len(value) >= SHORTEST_SECRET}
        # Longest first, because one secret may contain another.
        self._secrets = Secret("\0".join(sorted(texts, key=len, reverse=True)))

    def text(self, text: str) -> str:
        """Returns a text with the secrets masked, also percent-encoded ones, and with its URLs as ``shown_url``
        returns them."""
        # Compiled here, because few requests fail.
        for secret in filter(None, self._secrets.reveal().split("\0")):
            text = re.sub(_any_notation(secret), HIDDEN, text, flags=re.IGNORECASE)
        return URL_IN_TEXT.sub(lambda match: shown_url(match[0]), text)

    def data(self, value: Any) -> Any:
        """Returns JSON data with the secrets masked in all texts."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(item) for item in value]
        if isinstance(value, dict):
            return {self.text(name): self.data(item) for name, item in value.items()}
        return value

    def cause(self, error: BaseException) -> BaseException:
        """Returns an error of the library, or one with the redacted text if it or a cause contains a secret."""
        following: Optional[BaseException] = error
        seen: list[BaseException] = []
        while following is not None and following not in seen:
            seen.append(following)
            following = following.__cause__ or following.__context__ or getattr(following, "reason", None)
            following = following if isinstance(following, BaseException) else None
        texts = "\n".join(f"{each}\n{each!r}\n{vars(each)}" for each in seen)
        return error if self.text(texts) == texts else OSError(self.text(f"{type(error).__name__}: {error}"))


def _any_notation(text: str) -> str:
    """Returns a pattern for a text in which each character may be percent-encoded, also repeatedly."""

    def notations(character: str) -> str:
        encoded = "".join(f"%(?:25)*{byte:02x}" for byte in character.encode("utf-8", "replace"))
        return f"(?:{re.escape(character)}|{encoded}{'|[+]' if character == ' ' else ''})"

    return "".join(map(notations, text))


def shown_url(url: str) -> str:
    """Returns a URL without user name, password, query and fragment, to show it in an error."""
    valid = VALID_URL.fullmatch(url)
    if valid:
        scheme, host, port, path = (part or "" for part in valid.groups())
        return f"{scheme}//{host}{port}{path}"
    # Not a valid URL. A password may contain the characters that end it.
    shown, rest = re.fullmatch(r"(?s)([^?#]*)(.*)", url).groups()  # type: ignore[union-attr]
    return "…" if "@" in rest else re.sub(r"(?s)^.*@", "…@", shown)
