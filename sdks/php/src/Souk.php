<?php

declare(strict_types=1);

namespace Souk;

use Souk\Model\TradeDetail;
use Souk\Model\UploadedFile;

/**
 * Client of the open API for the backend of a mini app.
 *
 * It signs requests, repeats them where that is safe, and verifies callbacks. Methods throw `SoukApiException` for an
 * error response and `SoukConnectionException` if there is no response.
 */
final class Souk extends OpenOperations
{
    /** How long a signed request may be repeated, in seconds: 5 minutes, less the age of the timestamp and skew. */
    private const SIGN_LIFETIME = 180.0;
    /** How often a request is signed again because another process has used its timestamp. */
    private const MAX_COLLISIONS = 5;
    /** The only `transactionStatus` that changes (open-api §3.2). */
    private const PROCESSING = 1;

    /** Verifies callbacks. */
    public readonly Callbacks $callbacks;
    private readonly Secret $baseUrl;
    private readonly Secret $secret;
    private Transport $transport;

    /**
     * @param string $baseUrl URL of Souk before `/neuopenapi`, such as `http://localhost:7070`.
     * @param string $secret The app secret. It signs requests and is never sent.
     * @param float $timeout Timeout of one attempt in seconds.
     * @param int $maxRetries Maximum number of retries where retrying is safe; 0 disables them.
     * @param (\Closure(NotDelivered): void)|null $onNotDelivered Called once when `sendNotify` or `sendActivity` has
     *     succeeded, but does not reach all recipients. The method throws what it throws; the message has been sent
     *     nevertheless.
     * @param (\Closure(Attempt): (null|callable(AttemptResult): void))|null $onAttempt Called before each attempt of a
     *     call, and what it returns when the attempt has ended, for logs and traces. The method throws what they throw, also
     *     if the request has been executed.
     * @param array<int, mixed> $curlOptions Options of curl for proxies and certificates, such as `CURLOPT_PROXY`,
     *     `CURLOPT_CAINFO` and `CURLOPT_SSLCERT`. Without `CURLOPT_PROXY`, curl uses that of the environment.
     * @param list<string> $callbackSecrets Further secrets with which callbacks may be signed, such as the previous one
     *     during a rotation. `$secret` is always accepted.
     * @param float $callbackTolerance The maximum age of a callback in seconds, in either direction of the clock.
     * @throws \InvalidArgumentException for an invalid setting.
     */
    public function __construct(
        #[\SensitiveParameter] string $baseUrl,
        private readonly string $appid,
        #[\SensitiveParameter] string $secret,
        float $timeout = 10.0,
        int $maxRetries = 2,
        private readonly ?\Closure $onNotDelivered = null,
        private readonly ?\Closure $onAttempt = null,
        #[\SensitiveParameter] array $curlOptions = [],
        #[\SensitiveParameter] array $callbackSecrets = [],
        float $callbackTolerance = Callbacks::TOLERANCE,
    ) {
        $this->baseUrl = new Secret(Transport::requireBaseUrl($baseUrl, '/neuopenapi'));
        Transport::requireText('appid', $appid);
        $this->secret = new Secret(Transport::requireText('secret', $secret));
        $this->transport = new Transport($timeout, $maxRetries, $curlOptions);
        $this->callbacks = new Callbacks($appid, $secret, null, $callbackSecrets, $callbackTolerance);
    }

    /**
     * Returns a client with other options, for some calls: `$client->withOptions(timeout: 2.0)`. It shares the connection
     * of this one.
     *
     * @param float|null $timeout Timeout of one attempt in seconds; null for that of this client.
     * @param int|null $maxRetries Maximum number of retries where retrying is safe; null for that of this client.
     */
    public function withOptions(?float $timeout = null, ?int $maxRetries = null): self
    {
        $changed = clone $this;
        $changed->transport = $this->transport->with($timeout, $maxRetries);
        return $changed;
    }

    /**
     * Uploads an image: PNG, JPEG and the like, up to 2 MB. See open-api §4.1.
     *
     * @param string $content The bytes of the file.
     * @param string $name The name of the file.
     */
    public function fileUpload(string $content, string $name = 'file'): UploadedFile
    {
        return $this->send('fileUpload', UploadedFile::class, [], [$name, $content]);
    }

    /**
     * Polls a trade until its `transactionStatus` is final. Temporary failures do not end the wait.
     *
     * @param float $timeout in seconds; a last query may take the timeout of one attempt longer.
     * @param float $interval The first polling interval in seconds; it grows to 10 seconds.
     * @throws TradeStillProcessingException after the timeout.
     */
    public function waitForTrade(string $tradeNo, float $timeout = 120.0, float $interval = 1.0): TradeDetail
    {
        $deadline = hrtime(true) / 1e9 + $timeout;
        $longest = max($interval, 10.0);
        $trade = null;
        while (true) {
            $failure = null;
            try {
                // The next poll is the retry.
                $trade = $this->send('tradedetail', TradeDetail::class, ['tradeNo' => $tradeNo], maxRetries: 0);
                if ($trade->transactionStatus !== self::PROCESSING) {
                    return $trade;
                }
            } catch (SoukException $error) {
                if (!Transport::isTemporary($error)) {
                    throw $error;
                }
                $failure = $error;
            }
            $left = $deadline - hrtime(true) / 1e9;
            if ($left <= 0) {
                throw new TradeStillProcessingException($tradeNo, $timeout, $trade, $failure);
            }
            $asked = $failure instanceof SoukApiException ? $failure->retryAfter ?? 0.0 : 0.0;
            Transport::sleep(min(max($interval, $asked), $left));
            $interval = min($interval * 1.5, $longest);
        }
    }

    protected function call(string $operation, string $type, #[\SensitiveParameter] array $parameters): mixed
    {
        return $this->send($operation, $type, $parameters);
    }

    /**
     * @param array<string, mixed> $parameters
     * @param array{string, string}|null $file name and content
     */
    private function send(
        string $name,
        string $type,
        #[\SensitiveParameter] array $parameters,
        ?array $file = null,
        ?int $maxRetries = null,
    ): mixed {
        $operation = new Operation($name, ...self::OPERATIONS[$name]);
        $given = array_filter($parameters, static fn (mixed $value): bool => $value !== null);
        $signed = [];
        $keepsSignature = $operation->retry === Retry::SameSignature;
        $attempts = new Attempts($this->onAttempt, Redaction::shownUrl($this->baseUrl->reveal()), $operation);
        $attemptOnce = function () use ($operation, $attempts, $given, $file, $keepsSignature, &$signed): array {
            for ($collisions = 0; ; $collisions++) {
                $isRepetition = $signed !== [] && $keepsSignature;
                if ($operation->signed && !$isRepetition) {
                    $signed = $this->sign($given);
                }
                try {
                    $sent = [...$given, ...$signed];
                    [$result, $isReplayed, $notDelivered] = $this->attempt($operation, $attempts, $sent, $file);
                    // A repetition may get the result of its own first attempt.
                    $isForeign = $isReplayed && $keepsSignature && !$isRepetition;
                    if (!$isForeign || $collisions === self::MAX_COLLISIONS) {
                        return [$result, $notDelivered];
                    }
                } catch (SoukApiException $error) {
                    if ($error->errorCode !== 'sign_reused' || $collisions === self::MAX_COLLISIONS) {
                        throw $error;
                    }
                }
                // Souk did not execute it, since a request of another process has the same sign (ADR 411).
                Timestamps::skip($this->appid);
                $signed = [];
            }
        };
        [$result, $found] = $this->transport->repeat($operation, $attemptOnce, self::SIGN_LIFETIME, $maxRetries);
        $decoded = (new Decoder($name))->read($type, $result);
        // After all attempts, so that a failure of the function cannot send the message again.
        if ($found !== null && $this->onNotDelivered !== null) {
            ($this->onNotDelivered)($found);
        }
        return $decoded;
    }

    /**
     * Returns the common parameters (open-api §4.1).
     *
     * @param array<string, mixed> $parameters
     * @return array<string, mixed>
     */
    private function sign(#[\SensitiveParameter] array $parameters): array
    {
        $timestamp = Timestamps::next($this->appid, (int) (microtime(true) * 1000));
        $common = ['appid' => $this->appid, 'timestamp' => $timestamp];
        return [...$common, 'sign' => Signature::sign([...$parameters, ...$common], $this->secret->reveal())];
    }

    /**
     * @param array<string, mixed> $parameters
     * @param array{string, string}|null $file
     * @return array{mixed, bool, ?NotDelivered} the result, whether it is that of an earlier request with the same sign, and
     *     whom it does not reach
     */
    private function attempt(
        Operation $operation,
        Attempts $attempts,
        #[\SensitiveParameter] array $parameters,
        ?array $file,
    ): array {
        $url = $this->baseUrl->reveal() . $operation->path;
        $headers = ['Accept: application/json'];
        $body = null;
        if ($operation->place === Place::Query) {
            $url .= '?' . Signature::encodeForm($parameters);
        } elseif ($file !== null) {
            $boundary = bin2hex(random_bytes(16));
            $headers[] = "Content-Type: multipart/form-data; boundary=$boundary";
            $body = self::multipart($boundary, $parameters, ...$file);
        } else {
            $headers[] = 'Content-Type: application/x-www-form-urlencoded';
            $body = Signature::encodeForm($parameters);
        }
        $secrets = array_map(static fn (string $secret): mixed => $parameters[$secret] ?? null, $operation->secrets);
        $redaction = new Redaction([$this->secret->reveal(), ...$secrets]);
        $once = fn (
            #[\SensitiveParameter] array $headers,
            \Closure $received,
        ): array => $this->exchange($operation, $url, $headers, $body, $redaction, $received);
        return $attempts->run($headers, $redaction, $once);
    }

    /**
     * @param list<string> $headers
     * @param \Closure(int, array<string, string>): void $received
     * @return array{mixed, bool, ?NotDelivered} as of `attempt`
     */
    private function exchange(
        Operation $operation,
        #[\SensitiveParameter] string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] ?string $body,
        Redaction $redaction,
        \Closure $received,
    ): array {
        $response = $this->transport->exchange($operation, $url, $headers, $body, $redaction, '');
        $received($response->status, $response->headers);
        $envelope = $response->json();
        $header = is_array($envelope) ? $envelope['responseHeader'] ?? null : null;
        if (is_array($header) && ($header['status'] ?? null) === 200) {
            if ($operation->isResult($envelope['response'] ?? null)) {
                $isReplayed = ($response->headers['idempotent-replayed'] ?? '') === 'true';
                $notDelivered = NotDelivered::read($operation->name, $header['notDelivered'] ?? null);
                return [$envelope['response'], $isReplayed, $notDelivered];
            }
            $header = null;
        }
        throw Transport::refusal($operation, $response, $header, 'msg', $redaction);
    }

    /** @param array<string, mixed> $parameters */
    private static function multipart(string $boundary, #[\SensitiveParameter] array $parameters, string $name, string $content): string
    {
        $body = '';
        foreach ($parameters as $key => $value) {
            $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$key\"\r\n\r\n$value\r\n";
        }
        $safeName = strtr($name, ['"' => '%22', "\r" => '%0D', "\n" => '%0A']);
        return $body . "--$boundary\r\nContent-Disposition: form-data; name=\"fileData\"; filename=\"$safeName\"\r\n"
            . "Content-Type: application/octet-stream\r\n\r\n$content\r\n--$boundary--\r\n";
    }
}
