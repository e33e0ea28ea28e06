<?php

use App\PaymentController;
use App\RefundController;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Route;
use Souk\Souk;

// In a project, routes/api.php, whose routes have no CSRF protection.

Route::post('/souk/payments', PaymentController::class);
Route::post('/souk/refunds', RefundController::class);

// The page has called neu.login().
Route::post('/sign-in', function (Request $request, Souk $souk) {
    $token = $souk->accessToken($request->input('code'));
    $user = $souk->userInfo($token->accessToken);
    return ['openId' => $user->openId, 'nickName' => $user->nickName];
});

// The page calls neu.requestPayment() with the tradeNo.
Route::post('/orders', function (Request $request, Souk $souk) {
    $trade = $souk->trade(
        outTradeNo: $request->input('id'),
        notifyUrl: getenv('SHOP_URL') . '/souk/payments',
        amount: (int) $request->input('cents'),
        currency: 'SAR',
        openId: $request->input('openId'),
    );
    return ['tradeNo' => $trade->tradeNo];
});

Route::get('/orders/{tradeNo}', function (string $tradeNo, Souk $souk) {
    $trade = $souk->tradedetail($tradeNo);
    return ['status' => $trade->transactionStatus, 'received' => Cache::get($trade->tradeNo)];
});

Route::post('/orders/{tradeNo}/close', function (string $tradeNo, Souk $souk) {
    return ['closed' => $souk->tradeclose($tradeNo)];
});

Route::post('/orders/{tradeNo}/refunds', function (string $tradeNo, Request $request, Souk $souk) {
    $refund = $souk->refund(
        tradeNo: $tradeNo,
        outRefundNo: $request->input('id'),
        amount: (int) $request->input('cents'),
        notifyUrl: getenv('SHOP_URL') . '/souk/refunds',
    );
    return ['refundNo' => $refund->refundNo];
});

Route::get('/refunds/{refundNo}', function (string $refundNo, Souk $souk) {
    $refund = $souk->refunddetail($refundNo);
    return ['status' => $refund->refundStatus, 'received' => Cache::get($refund->refundNo)];
});

Route::post('/messages', function (Request $request, Souk $souk) {
    $sent = $souk->sendNotify(
        openIds: [$request->input('openId')],
        title: 'Your order',
        text: $request->input('text'),
        navigateType: '1',
        language: 'en_US',
    );
    return ['sent' => $sent];
});

Route::post('/deliveries', function (Request $request, Souk $souk) {
    $icon = $souk->fileUpload(file_get_contents('icon.png'), 'icon.png');
    $shown = $souk->sendActivity(
        activityId: $request->input('id'),
        openIds: [$request->input('openId')],
        color: 'FF8800',
        templateId: 'delivery',
        title: 'On its way',
        text: $request->input('text'),
        iconUrl: $icon->url,
        status: 1,
        validityTime: 600,
        language: 'en_US',
    );
    return ['shown' => $shown];
});
