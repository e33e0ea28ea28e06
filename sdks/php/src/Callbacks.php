<?php

declare(strict_types=1);

namespace Souk;

use Souk\Model\PaymentEvent;
use Souk\Model\RefundEvent;

/** Verifies the callbacks of one mini app, with results of payments (open-api §6) and refunds: `$souk->callbacks`. */
final class Callbacks
{
    /** The default of the largest difference between a callback's timestamp and this machine's clock, in seconds. */
    public const TOLERANCE = 300.0;
    /** The largest body in bytes; a callback has about 600. */
    private const MAX_BODY = 64 * 1024;

    private readonly Secret $secret;
    /** @var non-empty-list<Secret> */
    private readonly array $secrets;
    /** @var \Closure(): int */
    private readonly \Closure $clock;

    /**
     * @param (\Closure(): int)|null $clock Returns the time in milliseconds; for tests.
     * @param list<string> $otherSecrets Further secrets with which callbacks may be signed, such as the previous one during
     *     a rotation.
     * @param float $tolerance The maximum age of a callback in seconds, in either direction of the clock.
     * @throws \InvalidArgumentException for an invalid setting: anyone can sign with an empty secret.
     */
    public function __construct(
        private readonly string $appid,
        #[\SensitiveParameter] string $secret,
        ?\Closure $clock = null,
        #[\SensitiveParameter] array $otherSecrets = [],
        private readonly float $tolerance = self::TOLERANCE,
    ) {
        Transport::requireText('appid', $appid);
        if (!($tolerance > 0)) {
            throw new \InvalidArgumentException('the tolerance of callbacks must be a positive number of seconds');
        }
        $this->secrets = array_map(
            static fn (string $one): Secret => new Secret(Transport::requireText('secret', $one)),
            [$secret, ...array_values($otherSecrets)],
        );
        $this->secret = $this->secrets[0];
        $this->clock = $clock ?? static fn (): int => (int) (microtime(true) * 1000);
    }

    /**
     * Returns the result if Souk sent it for this mini app, unchanged, within the last 5 minutes or the
     * tolerance.
     *
     * @param string $body The raw body as it arrived: `file_get_contents('php://input')`.
     * @param array<string, string|list<string>> $headers The request's headers, such as `getallheaders()`. During a
     *     secret rotation they allow verification with either secret.
     * @throws CallbackVerificationException with the reason.
     */
    public function verify(#[\SensitiveParameter] string $body, array $headers = []): PaymentEvent
    {
        return $this->verifyAs(PaymentEvent::class, $body, $headers);
    }

    /**
     * Returns the result of a refund, verified like that of a payment.
     *
     * @param array<string, string|list<string>> $headers
     * @throws CallbackVerificationException with the reason.
     */
    public function verifyRefund(#[\SensitiveParameter] string $body, array $headers = []): RefundEvent
    {
        return $this->verifyAs(RefundEvent::class, $body, $headers);
    }

    /**
     * @template Event of PaymentEvent|RefundEvent
     * @param class-string<Event> $class
     * @param array<string, string|list<string>> $headers
     * @return Event
     */
    private function verifyAs(
        string $class,
        #[\SensitiveParameter] string $body,
        array $headers,
    ): PaymentEvent|RefundEvent {
        $fields = self::parse($body);
        $sign = $fields['sign'] ?? '';
        if ($sign === '') {
            throw self::malformed('the body has no sign');
        }
        $isSigned = false;
        foreach ($this->secrets as $secret) {
            $isSigned = hash_equals(Signature::sign($fields, $secret->reveal()), $sign) || $isSigned;
        }
        if (!$isSigned && !$this->isVouchedBy($headers, $body)) {
            throw $this->mismatch($fields);
        }
        $event = self::eventOf($class, $fields);
        $skew = ($this->clock)() - $event->timestamp;
        if (abs($skew) > $this->tolerance * 1000) {
            $seconds = intdiv(abs($skew), 1000);
            $side = $skew > 0 ? 'before' : 'after';
            throw new CallbackVerificationException(
                'callback_stale',
                "the callback was signed $seconds s $side the current time of this machine; more than "
                    . "$this->tolerance s means a replayed body or a wrong clock",
            );
        }
        return $event;
    }

    /**
     * Verifies a callback and calls the handler.
     *
     * The status is 200 after the handler has returned, 400 if the verification fails, and 500 if the handler throws,
     * after which Souk sends the callback again.
     *
     * @param array<string, string|list<string>> $headers
     * @param callable(PaymentEvent): void $handler
     * @return array{int, string, \Throwable|null} status, text and error of the response
     */
    public function respond(#[\SensitiveParameter] string $body, array $headers, callable $handler): array
    {
        return self::responseOf(fn () => $handler($this->verify($body, $headers)));
    }

    /**
     * Verifies the callback of a refund and calls the handler, like `respond`.
     *
     * @param array<string, string|list<string>> $headers
     * @param callable(RefundEvent): void $handler
     * @return array{int, string, \Throwable|null} status, text and error of the response
     */
    public function respondRefund(#[\SensitiveParameter] string $body, array $headers, callable $handler): array
    {
        return self::responseOf(fn () => $handler($this->verifyRefund($body, $headers)));
    }

    /**
     * @param \Closure(): void $receive
     * @return array{int, string, \Throwable|null}
     */
    private static function responseOf(#[\SensitiveParameter] \Closure $receive): array
    {
        try {
            $receive();
        } catch (CallbackVerificationException $error) {
            // Souk stores the response, so the developer sees the reason in the list of callbacks.
            return [400, $error->getMessage(), $error];
        } catch (\Throwable $error) {
            return [500, 'fail', $error];
        }
        return [200, 'success', null];
    }

    /**
     * Signs a callback with this secret, to test your own handler. Each one has its own `notifyId`, since handlers
     * process a `notifyId` once.
     *
     * @param array<string, mixed> $fields Fields that differ from those of a succeeded trade.
     * @return array{string, array<string, string>} body and headers
     */
    public function signTestCallback(array $fields = []): array
    {
        return $this->signTest([
            'transactionStatus' => 2,
            'failReasonType' => -1,
            'payType' => 2,
            'payMethod' => 3,
            'payNo' => 'test-payment',
            ...$fields,
        ]);
    }

    /**
     * Signs the callback of a refund, like `signTestCallback`.
     *
     * @param array<string, mixed> $fields Fields that differ from those of a refund that succeeded.
     * @return array{string, array<string, string>} body and headers
     */
    public function signTestRefund(array $fields = []): array
    {
        return $this->signTest([
            'refundNo' => '4123456789abcdef0123456789abcdef',
            'outRefundNo' => 'test-refund',
            'refundStatus' => 2,
            'failReason' => null,
            ...$fields,
        ]);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array{string, array<string, string>}
     */
    private function signTest(array $fields): array
    {
        $now = ($this->clock)();
        $event = [
            'notifyId' => bin2hex(random_bytes(16)),
            'notifyTime' => $now,
            'appid' => $this->appid,
            'merchantId' => '1123456789abcdef0123456789abcdef',
            'tradeNo' => '2123456789abcdef0123456789abcdef',
            'outTradeNo' => 'test-order',
            'amount' => 100,
            'currency' => 'SAR',
            'openId' => '3123456789abcdef0123456789abcdef',
            'timestamp' => $now,
            ...$fields,
        ];
        $body = Signature::encodeForm([...$event, 'sign' => Signature::sign($event, $this->secret->reveal())]);
        $id = (string) $event['notifyId'];
        $timestamp = (string) intdiv($now, 1000);
        return [$body, [
            'content-type' => 'application/x-www-form-urlencoded',
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => self::webhookSignature($id, $timestamp, $body, $this->secret),
        ]];
    }

    /**
     * Returns whether the Standard Webhooks headers contain a signature with one of the secrets.
     *
     * @param array<string, string|list<string>> $headers
     */
    private function isVouchedBy(array $headers, string $body): bool
    {
        $given = array_map(
            static fn (string|array $value): string => is_array($value) ? (string) ($value[0] ?? '') : $value,
            array_change_key_case($headers),
        );
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        if ($id === '' || $timestamp === '') {
            return false;
        }
        $found = false;
        foreach ($this->secrets as $secret) {
            $expected = self::webhookSignature($id, $timestamp, $body, $secret);
            foreach (explode(' ', $given['webhook-signature'] ?? '') as $signature) {
                $found = hash_equals($expected, $signature) || $found;
            }
        }
        return $found;
    }

    /** Returns the signature of Standard Webhooks; its key is the secret's bytes. */
    private static function webhookSignature(string $id, string $timestamp, string $body, Secret $secret): string
    {
        return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret->reveal(), true));
    }

    /** @param array<string, string> $fields */
    private function mismatch(#[\SensitiveParameter] array $fields): CallbackVerificationException
    {
        if (($fields['appid'] ?? null) !== $this->appid) {
            return new CallbackVerificationException(
                'other_app',
                "it is not for $this->appid; use a separate notifyUrl per mini app, or select the client by the appid "
                    . 'in the body',
            );
        }
        return new CallbackVerificationException(
            'sign_mismatch',
            'the secret does not yield the sign; either it belongs to another app, or the body was changed in transit: '
                . 'verify the raw body as it arrived',
        );
    }

    /** @return array<string, string> */
    private static function parse(#[\SensitiveParameter] string $body): array
    {
        if ($body === '') {
            throw new CallbackVerificationException(
                'body_missing',
                'there is no body; a parser may have read it already: hand over the raw body',
            );
        }
        if (strlen($body) > self::MAX_BODY) {
            throw self::malformed('the body is larger than a callback');
        }
        if (str_starts_with(ltrim($body), '{')) {
            throw self::malformed('the body is JSON; pass the raw body as it arrived, which is form-encoded');
        }
        if (preg_match('/%(?![0-9A-Fa-f]{2})/', $body) === 1) {
            throw self::malformed('the body is not a form: a % is not followed by two hexadecimal digits');
        }
        $fields = [];
        foreach (explode('&', $body) as $pair) {
            if (!str_contains($pair, '=')) {
                throw self::malformed('the body is not a form: a field has no value');
            }
            [$name, $value] = array_map(urldecode(...), explode('=', $pair, 2));
            if (!mb_check_encoding([$name, $value], 'UTF-8')) {
                throw self::malformed('the body is not valid UTF-8');
            }
            if (isset($fields[$name])) {
                throw self::malformed('a field is repeated');
            }
            $fields[$name] = $value;
        }
        return $fields;
    }

    /**
     * @template Event of PaymentEvent|RefundEvent
     * @param class-string<Event> $class
     * @param array<string, string> $fields
     * @return Event
     */
    private static function eventOf(string $class, #[\SensitiveParameter] array $fields): PaymentEvent|RefundEvent
    {
        $values = [];
        foreach ((new \ReflectionMethod($class, '__construct'))->getParameters() as $parameter) {
            $name = $parameter->getName();
            /** @var \ReflectionNamedType $type */
            $type = $parameter->getType();
            $text = $fields[$name] ?? null;
            if ($text === null || ($text === '' && !$type->allowsNull())) {
                throw self::malformed("$name is missing");
            }
            if ($text !== '' && $type->getName() === 'int' && preg_match('/^-?[0-9]{1,16}$/D', $text) !== 1) {
                throw self::malformed("$name is not an integer");
            }
            $values[$name] = match (true) {
                $text === '' => null,
                $type->getName() === 'int' => (int) $text,
                default => $text,
            };
        }
        return new $class(...$values);
    }

    private static function malformed(string $explanation): CallbackVerificationException
    {
        return new CallbackVerificationException('callback_malformed', $explanation);
    }
}
