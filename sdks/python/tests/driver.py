"""Executes calls for the tests of all clients: a JSON object per line, answered by one per line."""

import base64
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from souk import (
    AppendInterruptedError,
    CallbackVerificationError,
    NotDelivered,
    Souk,
    SoukApiError,
    SoukConnectionError,
    SoukPlatform,
    SoukResponseError,
    TradeStillProcessingError,
)
from souk.operations import NewField
from souk.wire import encode, snake_case

settings = os.environ
timeout = float(settings.get("SOUK_TIMEOUT", 5))
not_delivered: list[NotDelivered] = []
fails_on_not_delivered = False


def on_not_delivered(found: NotDelivered) -> None:
    not_delivered.append(found)
    if fails_on_not_delivered:
        # A failure that the client would retry.
        raise SoukConnectionError("sendNotify", "the callback failed", not_sent=True)


souk = Souk(
    settings["SOUK_URL"],
    settings["SOUK_APPID"],
    settings["SOUK_SECRET"],
    timeout=timeout,
    on_not_delivered=on_not_delivered,
)
other = Souk(settings["SOUK_URL"], settings["SOUK_APPID"], settings["SOUK_SECRET"], timeout=timeout)
platform = SoukPlatform(settings["SOUK_URL"], api_key=settings["SOUK_API_KEY"], timeout=timeout)


def together(first: Callable[[], Any], second: Callable[[], Any]) -> bool:
    """Makes two calls at the same time, each by its own client."""
    with ThreadPoolExecutor(2) as pool:
        for made in [pool.submit(first), pool.submit(second)]:
            made.result()
    return True


def call(name: str, parameters: dict[str, Any]) -> Any:
    if name == "notDelivered":
        reported = [vars(found) for found in not_delivered]
        not_delivered.clear()
        return reported
    if name == "failOnNotDelivered":
        global fails_on_not_delivered
        fails_on_not_delivered = parameters["fails"]
        return True
    if name == "queryAndClose":
        trade_no = parameters["tradeNo"]
        return together(lambda: souk.tradedetail(trade_no), lambda: other.tradeclose(trade_no))
    if name == "notifyTwice":
        given = arguments(parameters)
        return together(lambda: souk.send_notify(**given), lambda: other.send_notify(**given))
    if name == "fileUpload":
        return souk.file_upload(base64.b64decode(parameters["content"]), name=parameters["name"])
    if name == "waitForTrade":
        return souk.wait_for_trade(parameters["tradeNo"], timeout=parameters.get("timeout", 120), interval=0.1)
    if name == "verifyCallback":
        return souk.callbacks.verify(parameters["body"].encode(), parameters["headers"])
    if name == "verifyRefund":
        return souk.callbacks.verify_refund(parameters["body"].encode(), parameters["headers"])
    if name == "createDataset":
        parameters = {**parameters, "fields": [NewField(**field) for field in parameters["fields"]]}
    if name == "append":
        broken = [{"title": object()}] if "broken" in parameters else []  # Not JSON.
        return platform.append(parameters["datasetId"], [*parameters["records"], *broken])
    if name == "exportRecords":
        return b"".join(platform.export_records(**arguments(parameters))).decode()
    client: Any = souk if hasattr(souk, snake_case(name)) else platform
    return getattr(client, snake_case(name))(**arguments(parameters))


def arguments(parameters: dict[str, Any]) -> dict[str, Any]:
    return {snake_case(name): value for name, value in parameters.items()}


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer: dict[str, Any] = {"result": encode(call(request["call"], request["parameters"]))}
    except SoukApiError as error:
        answer = {"error": {"kind": "api", "status": error.status, "code": error.code, "message": str(error)}}
    except SoukConnectionError as error:
        answer = {"error": {"kind": "connection", "notSent": error.not_sent, "message": str(error)}}
    except SoukResponseError as error:
        answer = {"error": {"kind": "response", "path": error.path, "message": str(error)}}
    except AppendInterruptedError as error:
        answer = {"error": {"kind": "interrupted", "appended": error.appended, "message": str(error)}}
    except TradeStillProcessingError as error:
        answer = {"error": {"kind": "processing", "trade": encode(error.trade), "message": str(error)}}
    except CallbackVerificationError as error:
        answer = {"error": {"kind": "callback", "code": error.reason, "message": str(error)}}
    print(json.dumps(answer), flush=True)
