<?php

namespace App;

use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Http\JsonResponse;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\ServiceProvider;
use Souk\Laravel\CallbackController;
use Souk\Laravel\RefundCallbackController;
use Souk\Model\PaymentEvent;
use Souk\Model\RefundEvent;
use Souk\Souk;
use Souk\SoukApiException;

// In a project, each class is a file in app/.

final class SoukServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(
            Souk::class,
            fn () => new Souk(getenv('SOUK_URL'), getenv('SOUK_APPID'), getenv('SOUK_SECRET')),
        );
        $this->callAfterResolving(ExceptionHandler::class, function (Handler $handler): void {
            $handler->renderable(
                fn (SoukApiException $error) => new JsonResponse(['error' => $error->errorCode], $error->status),
            );
        });
    }
}

// The cache has statuses of trades and refunds that callbacks have brought. A real shop has a table with a unique notifyId.

final class PaymentController extends CallbackController
{
    protected function settle(PaymentEvent $payment): void
    {
        Cache::forever($payment->tradeNo, $payment->transactionStatus);
    }
}

final class RefundController extends RefundCallbackController
{
    protected function settle(RefundEvent $refund): void
    {
        Cache::forever($refund->refundNo, $refund->refundStatus);
    }
}
