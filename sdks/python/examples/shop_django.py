import json
import logging
import os
import sys
from pathlib import Path

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from souk import PaymentEvent, RefundEvent, Souk, SoukApiError
from souk.django import callback_view, refund_view

# In a project, in its settings.py.
settings.configure(
    ALLOWED_HOSTS=["*"],
    MIDDLEWARE=[f"{__name__}.ErrorsOfSouk"],
    ROOT_URLCONF=__name__,
    SECRET_KEY=os.environ["DJANGO_SECRET_KEY"],
)

SHOP_URL = os.environ["SHOP_URL"]
souk = Souk(os.environ["SOUK_URL"], os.environ["SOUK_APPID"], os.environ["SOUK_SECRET"])

# Statuses of trades and refunds that callbacks have brought. In a real shop, a model with a unique notify_id.
received: dict[str, int] = {}


def on_payment(payment: PaymentEvent) -> None:
    received[payment.trade_no] = payment.transaction_status


def on_refund(refund: RefundEvent) -> None:
    received[refund.refund_no] = refund.refund_status


# Mini apps send no cookies, so that there is nothing to protect from other sites.
@csrf_exempt
@require_POST
def sign_in(request: HttpRequest) -> JsonResponse:
    """The page has called neu.login()."""
    token = souk.access_token(code=json.loads(request.body)["code"])
    user = souk.user_info(token.access_token)
    return JsonResponse({"openId": user.open_id, "nickName": user.nick_name})


@csrf_exempt
@require_POST
def create_order(request: HttpRequest) -> JsonResponse:
    """The page calls neu.requestPayment() with the tradeNo."""
    order = json.loads(request.body)
    trade = souk.trade(
        out_trade_no=order["id"],
        notify_url=f"{SHOP_URL}/souk/payments",
        amount=order["cents"],
        currency="SAR",
        open_id=order["openId"],
    )
    return JsonResponse({"tradeNo": trade.trade_no})


@require_GET
def show_order(_request: HttpRequest, trade_no: str) -> JsonResponse:
    trade = souk.tradedetail(trade_no)
    return JsonResponse({"status": trade.transaction_status, "received": received.get(trade.trade_no)})


@csrf_exempt
@require_POST
def close_order(_request: HttpRequest, trade_no: str) -> JsonResponse:
    return JsonResponse({"closed": souk.tradeclose(trade_no)})


@csrf_exempt
@require_POST
def refund_order(request: HttpRequest, trade_no: str) -> JsonResponse:
    refund = json.loads(request.body)
    requested = souk.refund(
        trade_no=trade_no,
        out_refund_no=refund["id"],
        amount=refund["cents"],
        notify_url=f"{SHOP_URL}/souk/refunds",
    )
    return JsonResponse({"refundNo": requested.refund_no})


@require_GET
def show_refund(_request: HttpRequest, refund_no: str) -> JsonResponse:
    refund = souk.refunddetail(refund_no)
    return JsonResponse({"status": refund.refund_status, "received": received.get(refund.refund_no)})


@csrf_exempt
@require_POST
def send_message(request: HttpRequest) -> JsonResponse:
    message = json.loads(request.body)
    sent = souk.send_notify(
        open_ids=[message["openId"]],
        title="Your order",
        text=message["text"],
        navigate_type="1",
        language="en_US",
    )
    return JsonResponse({"sent": sent})


@csrf_exempt
@require_POST
def show_delivery(request: HttpRequest) -> JsonResponse:
    delivery = json.loads(request.body)
    icon = souk.file_upload(Path("icon.png").read_bytes())
    shown = souk.send_activity(
        activity_id=delivery["id"],
        open_ids=[delivery["openId"]],
        color="FF8800",
        template_id="delivery",
        title="On its way",
        text=delivery["text"],
        icon_url=icon.url,
        status=1,
        validity_time=600,
        language="en_US",
    )
    return JsonResponse({"shown": shown})


class ErrorsOfSouk:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest):
        return self.get_response(request)

    def process_exception(self, _request: HttpRequest, error: Exception):
        if not isinstance(error, SoukApiError):
            return None
        logging.error("%s", error)
        return JsonResponse({"error": error.code}, status=error.status)


urlpatterns = [
    path("sign-in", sign_in),
    path("orders", create_order),
    path("orders/<str:trade_no>", show_order),
    path("orders/<str:trade_no>/close", close_order),
    path("orders/<str:trade_no>/refunds", refund_order),
    path("refunds/<str:refund_no>", show_refund),
    path("messages", send_message),
    path("deliveries", show_delivery),
    path("souk/payments", callback_view(souk.callbacks, on_payment)),
    path("souk/refunds", refund_view(souk.callbacks, on_refund)),
]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
