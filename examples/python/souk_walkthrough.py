#!/usr/bin/env python3
"""A mini app backend in plain Python, with only the standard library.

It walks through the flows of the open API (docs/spec/open-api.md): login, payment with its callback, notification,
activity message. It prints each step. The first unexpected result ends it with exit status 1.

    SOUK_URL     URL of Souk (default http://localhost:7070)
    APPID        appid of the mini app
    SECRET       secret of the mini app
    ADMIN_TOKEN  only for simulating the host application and its user, who logs in and pays
"""

import hashlib
import hmac
import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SOUK_URL = os.environ.get("SOUK_URL", "http://localhost:7070").rstrip("/")
APPID = os.environ.get("APPID", "")
SECRET = os.environ.get("SECRET", "")
ADMIN_TOKEN = os.environ.get("ADMIN_TOKEN", "")

PROCESSING, SUCCEEDED, CLOSED = 1, 2, 6


# --- The open API: what a backend needs -------------------------------------------------------------------------------


def text(value):
    """Formats a value as it is sent and signed: lists joined with commas, None as an empty string (open-api §4.1)."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ",".join(value)
    return str(value)


def utf16_order(name):
    """Sort key: the order of UTF-16 code units. For ASCII names it equals the order of characters."""
    return name.encode("utf-16-be", "surrogatepass")


def sign(parameters, secret):
    """Computes the sign (open-api §4.1): SHA-256 of all pairs and the secret, sorted, without separators."""
    pairs = {name: value for name, value in parameters.items() if name not in ("sign", "fileData")}
    pairs["secret"] = secret
    canonical = "".join(f"{name}={text(pairs[name])}" for name in sorted(pairs, key=utf16_order))
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


class ApiError(Exception):
    """An error response."""

    def __init__(self, header):
        super().__init__(f"{header['status']} {header.get('code')}: {header['msg']}")
        self.status = header["status"]
        self.code = header.get("code")


def send(method, path, parameters):
    """Sends parameters unchanged and unwraps the envelope (open-api §2.2)."""
    encoded = urllib.parse.urlencode({name: text(value) for name, value in parameters.items()})
    if method == "GET":
        request = urllib.request.Request(f"{SOUK_URL}{path}?{encoded}")
    else:
        request = urllib.request.Request(f"{SOUK_URL}{path}", data=encoded.encode("ascii"), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            envelope = json.load(response)
    except urllib.error.HTTPError as error:
        envelope = json.load(error)
    header = envelope["responseHeader"]
    if header["status"] != 200:
        raise ApiError(header)
    return envelope["response"]


def call(method, path, parameters):
    """Signs and sends a request."""
    parameters = {"appid": APPID, "timestamp": int(time.time() * 1000), **parameters}
    return send(method, path, {**parameters, "sign": sign(parameters, SECRET)})


# --- The callback (open-api §6): signed like a request, with the same secret ------------------------------------------


class CallbackHandler(BaseHTTPRequestHandler):
    received = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        fields = dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=True))
        # As bytes: strings outside ASCII cannot be compared.
        genuine = hmac.compare_digest(fields.get("sign", "").encode(), sign(fields, SECRET).encode())
        genuine = genuine and abs(int(fields["timestamp"]) - time.time() * 1000) < 300_000
        reply = b"success" if genuine else b"fail"
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)
        self.received.put((genuine, fields))

    def log_message(self, *_):
        pass


# --- The host application and its user, simulated through the sandbox -------------------------------------------------


def sandbox(method, path, values=None):
    request = urllib.request.Request(
        f"{SOUK_URL}/console/v1{path}",
        data=None if values is None else json.dumps(values).encode("utf-8"),
        method=method,
        headers={"Authorization": f"Bearer {ADMIN_TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


# --- The walkthrough --------------------------------------------------------------------------------------------------


def step(title):
    print(f"\n{title}")


def expect(condition, statement):
    if not condition:
        print(f"  Unexpected result, expected: {statement}")
        sys.exit(1)
    print(f"  {statement}")


def expect_error(status, code, action, statement):
    try:
        action()
    except ApiError as error:
        expect((error.status, error.code) == (status, code), f"{statement}: {error}")
    else:
        expect(False, statement)


def login(uid, scope):
    """Login flow: code from the frontend, access token, user profile."""
    code = sandbox("POST", "/sandbox/codes", {"appid": APPID, "uid": uid, "scope": scope})["code"]
    exchange = {"code": code, "grantType": "authorization_code", "scope": scope}
    token = call("POST", "/neuopenapi/oauth/mini/accessToken", exchange)
    is_valid = token["tokenType"] == "bearer" and token["expire"] > 0
    expect(is_valid, f"got an access token for {scope}, valid for {token['expire']} s")
    profile = send("GET", "/neuopenapi/oauth/mini/user/info", {"accessToken": token["accessToken"]})
    return exchange, token["accessToken"], profile


def walk_through(notify_url):
    user = {"nickname": "ليلى", "country": "+966", "phone": "512345678"}
    uid = sandbox("POST", "/sandbox/users", user)["uid"]

    step("Login: the frontend gets a code from neu.login(), the backend exchanges it")
    _, _, profile = login(uid, "user.info")
    expect(profile["nickName"] == "ليلى", f"the user is {profile['nickName']}, openId {profile['openId']}")
    expect(profile["phone"] is None, "scope user.info does not include the phone number")
    exchange, _, profile = login(uid, "user.info,user.phone")
    expect((profile["country"], profile["phone"]) == ("+966", "512345678"), "scope user.info,user.phone includes it")
    expect_error(
        400,
        "code_used",
        lambda: call("POST", "/neuopenapi/oauth/mini/accessToken", exchange),
        "a code cannot be used twice",
    )
    open_id = profile["openId"]

    step("Payment: the backend creates a trade")
    order = {
        "outTradeNo": f"order-{uuid.uuid4().hex}",
        "description": "قهوة × 2",
        "notifyUrl": notify_url,
        "amount": 1250,
        "currency": "SAR",
        "openId": open_id,
    }
    first = call("POST", "/neuopenapi/pay/transactions/trade", order)
    expect(first["outTradeNo"] == order["outTradeNo"], f"created trade {first['tradeNo']} for {first['outTradeNo']}")
    again = call("POST", "/neuopenapi/pay/transactions/trade", order)
    expect(again == first, "repeating the request returns the same trade")
    trade = call("GET", "/neuopenapi/pay/transactions/tradedetail", {"tradeNo": first["tradeNo"]})
    expect(trade["transactionStatus"] == PROCESSING, "transactionStatus is 1 (processing)")
    expect(trade["amountStrWithYuan"] == "12.50", f"the amount is {trade['amountStrWithYuan']} {trade['currency']}")

    step("The order changes: close the trade, create another")
    closed = call("POST", "/neuopenapi/pay/transactions/tradeclose", {"tradeNo": first["tradeNo"]})
    expect(closed is True, "the trade is closed")
    trade = call("GET", "/neuopenapi/pay/transactions/tradedetail", {"tradeNo": first["tradeNo"]})
    status = (trade["transactionStatus"], trade["failReasonType"])
    expect(status == (CLOSED, 22), "transactionStatus is 6, failReasonType 22")
    order = {**order, "outTradeNo": f"order-{uuid.uuid4().hex}", "amount": 1800}
    trade_no = call("POST", "/neuopenapi/pay/transactions/trade", order)["tradeNo"]
    expect(trade_no != first["tradeNo"], f"created trade {trade_no} instead")

    step("neu.requestPayment(): the user pays, the backend polls while the status is 1")
    payment = {"tradeNo": trade_no, "uid": uid, "payMethod": "wallet-a", "outcome": "succeeded"}
    payer = threading.Timer(0.5, lambda: sandbox("POST", "/sandbox/payments", payment))
    payer.start()
    polls = 0
    deadline = time.monotonic() + 30
    while True:
        polls += 1
        trade = call("GET", "/neuopenapi/pay/transactions/tradedetail", {"tradeNo": trade_no})
        if trade["transactionStatus"] != PROCESSING:
            break
        if time.monotonic() > deadline:
            sys.exit("  The trade is still processing.")
        time.sleep(0.2)
    payer.join()
    expect(trade["transactionStatus"] == SUCCEEDED, f"transactionStatus is 2 (succeeded) after {polls} polls")
    expect((trade["payMethod"], trade["amount"]) == (1, 1800), f"18.00 were paid with wallet A, payNo {trade['payNo']}")

    step("Callback: the payment result is sent to notifyUrl")
    genuine, fields = CallbackHandler.received.get(timeout=15)
    expect(genuine, f"callback {fields['notifyId']} has a valid sign")
    for name in ("tradeNo", "outTradeNo", "transactionStatus", "amount", "currency", "openId", "payNo"):
        expect(fields[name] == text(trade[name]), f"{name} is {fields[name]}")
    expect(CallbackHandler.received.empty(), "there is no callback for the closed trade")

    step("Notification")
    notification = {
        "notifyType": 1,
        "openIds": [open_id],
        "title": "طلبك جاهز",
        "text": "Your coffee is ready ☕",
        "navigateType": "1",
        "link": "pages/order/order",
        "language": "ar_SA",
    }
    expect(call("POST", "/neuopenapi/notify/sendNotify", notification) is True, "the notification is sent")
    inbox = sandbox("GET", f"/sandbox/users/{uid}/inbox")
    expect([item["title"] for item in inbox] == ["طلبك جاهز"], "it is in the inbox of the user")

    step("Activity message")
    message = {
        "activityId": f"pickup-{uuid.uuid4().hex}",
        "openIds": [open_id],
        "color": "FF8800",
        "templateId": "1",
        "title": "Coffee",
        "text": "Ready at the counter",
        "iconUrl": "https://cdn.example.com/cup.png",
        "path": "pages/index/index",
        "validityTime": 3600,
        "language": "en_US",
    }
    path = "/neuopenapi/activity/sendActivity"
    expect(call("POST", path, {**message, "status": 1}) is True, "the message is sent")
    home = sandbox("GET", f"/sandbox/users/{uid}/home")
    expect([item["activityId"] for item in home] == [message["activityId"]], "it is on the home page of the user")
    expect(call("POST", path, {**message, "status": 0}) is True, "the message is removed")
    expect(sandbox("GET", f"/sandbox/users/{uid}/home") == [], "it is no longer on the home page")

    step("A request with a wrong sign")
    forged = {"appid": APPID, "timestamp": int(time.time() * 1000), "tradeNo": trade_no}
    forged["sign"] = sign(forged, "0" * 48)
    expect_error(
        401,
        "sign_mismatch",
        lambda: send("GET", "/neuopenapi/pay/transactions/tradedetail", forged),
        "it is rejected",
    )


def main():
    missing = [name for name in ("APPID", "SECRET", "ADMIN_TOKEN") if not os.environ.get(name)]
    if missing:
        sys.exit(f"Set {', '.join(missing)} as described in README.md.")
    server = ThreadingHTTPServer(("127.0.0.1", 0), CallbackHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"Mini app {APPID} at {SOUK_URL}, receiving callbacks at port {server.server_port}")
    try:
        walk_through(f"http://127.0.0.1:{server.server_port}/payment-result")
    except (ApiError, OSError) as error:
        sys.exit(f"  {error}")
    finally:
        server.shutdown()
        server.server_close()
    print("\nAll steps succeeded.")


if __name__ == "__main__":
    main()
