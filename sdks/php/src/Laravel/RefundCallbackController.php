<?php

declare(strict_types=1);

namespace Souk\Laravel;

use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Souk\Model\RefundEvent;
use Souk\Souk;

/**
 * Receives results of refunds in Laravel. Extend it, and add a route without CSRF protection, such as in `routes/api.php`:
 *
 *     Route::post('/souk/refunds', RefundController::class);
 */
abstract class RefundCallbackController
{
    public function __construct(private readonly Souk $souk)
    {
    }

    /** Processes the result of a refund. Returning acknowledges it; if it throws, Souk sends it again. */
    abstract protected function settle(RefundEvent $refund): void;

    /** Called with errors of `settle` and of the verification. */
    protected function report(\Throwable $error): void
    {
        report($error);
    }

    final public function __invoke(Request $request): Response
    {
        [$status, $text, $error] = $this->souk->callbacks->respondRefund(
            (string) $request->getContent(),
            $request->headers->all(),
            $this->settle(...),
        );
        if ($error !== null) {
            $this->report($error);
        }
        return new Response($text, $status, ['Content-Type' => 'text/plain; charset=utf-8']);
    }
}
