<?php

declare(strict_types=1);

namespace Souk\Tests;

use Illuminate\Http\Request;
use PHPUnit\Framework\TestCase;
use Souk\Laravel\CallbackController;
use Souk\Laravel\RefundCallbackController;
use Souk\Model\PaymentEvent;
use Souk\Model\RefundEvent;
use Souk\Souk;

final class LaravelTest extends TestCase
{
    public static function setUpBeforeClass(): void
    {
        // Laravel's packages of Debian.
        if (!class_exists(Request::class) && stream_resolve_include_path('Illuminate/Http/autoload.php') !== false) {
            require 'Illuminate/Http/autoload.php';
        }
    }

    protected function setUp(): void
    {
        if (!class_exists(Request::class)) {
            self::markTestSkipped('needs illuminate/http');
        }
    }

    public function testTheControllerAnswersCallbacks(): void
    {
        $souk = new Souk('http://localhost:7070', 'a1b2c3d4e5f6g7h', 'secret');
        $controller = new class ($souk) extends CallbackController {
            /** @var list<string> */
            public array $log = [];

            protected function settle(PaymentEvent $payment): void
            {
                $this->log[] = $payment->outTradeNo;
            }

            protected function report(\Throwable $error): void
            {
                $this->log[] = $error->getMessage();
            }
        };
        [$body, $headers] = $souk->callbacks->signTestCallback(['outTradeNo' => 'A-1']);
        $request = Request::create('/souk/callback', 'POST', content: $body);
        $request->headers->add($headers);
        $response = $controller($request);
        self::assertSame([200, 'success'], [$response->getStatusCode(), $response->getContent()]);
        self::assertSame('text/plain; charset=utf-8', $response->headers->get('Content-Type'));

        $response = $controller(Request::create('/souk/callback', 'POST', content: 'a=1'));
        $reason = 'Callback verification failed: the body has no sign (callback_malformed)';
        self::assertSame([400, $reason], [$response->getStatusCode(), $response->getContent()]);
        self::assertSame(['A-1', $reason], $controller->log);
    }

    public function testTheControllerAnswersRefunds(): void
    {
        $souk = new Souk('http://localhost:7070', 'a1b2c3d4e5f6g7h', 'secret');
        $controller = new class ($souk) extends RefundCallbackController {
            /** @var list<string> */
            public array $log = [];

            protected function settle(RefundEvent $refund): void
            {
                $this->log[] = $refund->outRefundNo;
            }
        };
        [$body, $headers] = $souk->callbacks->signTestRefund(['outRefundNo' => 'R-1']);
        $request = Request::create('/souk/refunds', 'POST', content: $body);
        $request->headers->add($headers);
        self::assertSame(200, $controller($request)->getStatusCode());
        self::assertSame(['R-1'], $controller->log);
    }
}
