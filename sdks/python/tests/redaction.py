"""Prints every public object and every error in every way that Python has, for the tests of all clients.

The variable REDACTION has the settings as JSON. Each line of the output is a JSON object.
"""

import dataclasses
import importlib
import inspect
import json
import logging
import os
import pkgutil
import pprint
import traceback
import typing
from typing import Any, Callable, Optional

import souk
from souk import Callbacks, Page, Souk, SoukPlatform
from souk.wire import camel_case

given = json.loads(os.environ["REDACTION"])
SECRETS = given["secrets"]


def texts_of(value: Any) -> dict[str, str]:
    texts = {
        "str": str(value),
        "repr": repr(value),
        "nested": repr([{"value": value}]),
        "format": f"{value} {value!r:>10}",
        "percent": "%s %r" % (value, value),
        "pprint": pprint.pformat(value),
        "log": logging.Formatter().format(logging.makeLogRecord({"msg": "%s", "args": (value,)})),
    }
    if not dataclasses.is_dataclass(value):  # Its fields are data, which programs store and pass on.
        texts["vars"] = repr(getattr(value, "__dict__", None))
    if isinstance(value, BaseException):
        texts["traceback"] = "".join(traceback.format_exception(type(value), value, value.__traceback__))
        texts["args"] = repr(value.args)
        chain = [value.__cause__, value.__context__]
        texts["chain"] = "\n".join(str(texts_of(each)) for each in chain if each is not None and each is not value)
    return texts


def show(about: str, value: Any) -> None:
    print(json.dumps({"about": about, "type": type(value).__name__, "texts": texts_of(value)}), flush=True)


def attempt(about: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        show(about, error)
        return None


def call_all(name: str, url: str) -> None:
    options = {"timeout": given["timeouts"].get(name, 20.0), "max_retries": 0}
    client: Optional[Souk] = attempt(f"Souk {name}", lambda: Souk(url, given["appid"], SECRETS["secret"], **options))
    platforms: list[Optional[SoukPlatform]] = [
        attempt(f"SoukPlatform {name}", lambda: SoukPlatform(url, api_key=SECRETS["apiKey"], **options)),
        attempt(f"SoukPlatform {name}", lambda: SoukPlatform(url, token=SECRETS["token"], **options)),
    ]
    if client:
        show(f"client {name}", client)
        attempt(f"accessToken {name}", lambda: client.access_token(SECRETS["code"]))
        attempt(f"userInfo {name}", lambda: client.user_info(SECRETS["accessToken"]))
        attempt(f"tradedetail {name}", lambda: client.tradedetail(given["tradeNo"]))
        attempt(f"tradeclose {name}", lambda: client.tradeclose(given["tradeNo"]))
        attempt(f"fileUpload {name}", lambda: client.file_upload(b"12345678"))
        attempt(f"waitForTrade {name}", lambda: client.wait_for_trade(given["tradeNo"], timeout=0))
    for platform in filter(None, platforms):
        show(f"platform {name}", platform)
        attempt(f"whoAmI {name}", platform.who_am_i)
        attempt(f"append {name}", lambda: platform.append("d", [{"title": "tea"}] * 1001))
        attempt(f"export {name}", lambda: list(platform.export_records("d")))


def filled(kind: Any, is_secret: bool) -> Any:
    """Returns a value of a type, with markers if it is secret."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return filled(arguments[0], is_secret)
    if origin in (list, tuple):
        return origin([filled(arguments[0], is_secret)])
    if origin is dict:
        return {"name": filled(str, is_secret)}
    if dataclasses.is_dataclass(kind):
        return model(kind, is_secret)
    text, number = (given["marker"] + "text", given["number"]) if is_secret else ("text", 1)
    return {str: text, int: number, float: number + 0.5, bool: True}.get(kind, text)


def model(kind: Any, is_secret: bool = False) -> Any:
    hints = typing.get_type_hints(kind)
    secrets = given["models"].get(kind.__name__, [])
    return kind(**{name: filled(hint, is_secret or camel_case(name) in secrets) for name, hint in hints.items()})


for name, url in given["urls"].items():
    call_all(name, url)
for index, url in enumerate(given["invalidUrls"]):
    call_all(f"invalid {index}", url)

callbacks = Callbacks(given["appid"], SECRETS["secret"], other_secrets=[SECRETS["secret"]])
show("callbacks", callbacks)
for body in given["callbacks"]:
    attempt(f"callback {body}", lambda: callbacks.verify(body.encode()))
    show(f"response to {body}", callbacks.respond(body.encode(), None, print))
for wrong in (SECRETS["secret"] + "\n", " " + SECRETS["secret"]):
    attempt("Souk secret", lambda: Souk("http://localhost", given["appid"], wrong))
    attempt("SoukPlatform api_key", lambda: SoukPlatform("http://localhost", api_key=wrong))
    attempt("SoukPlatform token", lambda: SoukPlatform("http://localhost", token=wrong))

for module in pkgutil.iter_modules(souk.__path__, "souk."):
    if module.name in ("souk.django", "souk.fastapi"):
        continue
    for name, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
        if kind.__module__ == module.name and dataclasses.is_dataclass(kind) and kind is not Page:
            show("model", model(kind))
            show("page", Page(items=[model(kind)], next=None))
        elif kind.__module__ == module.name and not name.startswith("_"):
            print(json.dumps({"about": "class", "type": name, "texts": {}}), flush=True)
