<?php

declare(strict_types=1);

namespace Souk;

/**
 * Sends requests, and repeats them where that is safe (ADR 50).
 *
 * @internal
 */
final class Transport
{
    /** The longest `Retry-After` to wait for, in seconds. A longer one is left to the caller. */
    private const LONGEST_RETRY_AFTER = 30.0;
    /** Bytes of a response that are searched for secrets before its start is quoted. */
    private const LONGEST_QUOTABLE = 10_000;
    private const NOT_SENT = [CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT];

    /** Options of curl that describe a request or how it is sent. */
    private const OWN_OPTIONS = [
        CURLOPT_URL,
        CURLOPT_USERAGENT,
        CURLOPT_CUSTOMREQUEST,
        CURLOPT_HTTPHEADER,
        CURLOPT_POSTFIELDS,
        CURLOPT_HEADERFUNCTION,
        CURLOPT_WRITEFUNCTION,
        CURLOPT_RETURNTRANSFER,
        CURLOPT_FOLLOWLOCATION,
        CURLOPT_PROTOCOLS,
        CURLOPT_PATH_AS_IS,
        CURLOPT_TIMEOUT,
        CURLOPT_TIMEOUT_MS,
        CURLOPT_FRESH_CONNECT,
        CURLOPT_NOSIGNAL,
        CURLOPT_HTTP_VERSION,
    ];

    /** @var \Closure(): array<int, mixed> */
    private readonly \Closure $curlOptions;

    /** Advice for developers about errors, where the server's message has none. */
    private const ADVICE = [
        'sign_mismatch' =>
            'Check that the secret belongs to this appid at this server, and that it was not rotated.',
        'appid_invalid' => 'Check that the mini app exists and is enabled at this server.',
        'timestamp_out_of_window' =>
            'Synchronize the clock of this machine with NTP; 5 minutes of difference are allowed.',
        'code_used' => 'Exchange each code once, and request a new code on the page with neu.login().',
        'code_expired' => 'A code is valid for 5 minutes: exchange it at once.',
        'access_token_invalid' => 'Exchange a new code instead of retrying.',
        'open_id_unknown' => 'An openId is valid under one appid only: use the one that userInfo returned.',
        'recipients_unknown' => 'An openId is valid under one appid only: use those that userInfo returned.',
        'api_key_invalid' => 'An account has one key, which becomes invalid when it is refreshed.',
    ];

    /**
     * @param float $timeout Timeout of one attempt in seconds.
     * @param int $maxRetries Maximum number of retries where retrying is safe.
     * @param array<int, mixed> $curlOptions options of curl, in addition to those of the client
     */
    public function __construct(
        private readonly float $timeout,
        private readonly int $maxRetries,
        #[\SensitiveParameter] array $curlOptions = [],
        private readonly Connection $connection = new Connection(),
    ) {
        $refused = array_keys(array_intersect_key($curlOptions, array_flip(self::OWN_OPTIONS)));
        if ($refused !== []) {
            throw new \InvalidArgumentException(
                'curlOptions contains the option ' . $refused[0] . ', which the client sets itself; those of proxies and '
                    . 'certificates are allowed, such as CURLOPT_PROXY and CURLOPT_CAINFO',
            );
        }
        // In a closure, which is not printed: they may contain a password.
        $this->curlOptions = static fn (): array => $curlOptions;
    }

    /** Returns a transport with other options, which shares the connection. */
    public function with(?float $timeout, ?int $maxRetries): self
    {
        return new self(
            $timeout ?? $this->timeout,
            $maxRetries ?? $this->maxRetries,
            ($this->curlOptions)(),
            $this->connection,
        );
    }

    /** Returns a setting. */
    public static function requireText(string $name, #[\SensitiveParameter] string $value): string
    {
        if ($value === '') {
            throw new \InvalidArgumentException("$name is empty; check the setting that it is read from");
        }
        if ($value !== trim($value)) {
            throw new \InvalidArgumentException(
                "$name has surrounding white space or a line break; trim it where it is read",
            );
        }
        return $value;
    }

    /** Returns a setting that is sent in a header, which a line break in it would end. */
    public static function requireHeader(string $name, #[\SensitiveParameter] string $value): string
    {
        if (preg_match('/^[!-~]+$/D', self::requireText($name, $value)) !== 1) {
            throw new \InvalidArgumentException("$name contains a character that cannot be sent in a header");
        }
        return $value;
    }

    /** Returns the URL before `$prefix`, without a slash at its end. */
    public static function requireBaseUrl(#[\SensitiveParameter] string $value, string $prefix): string
    {
        $url = self::requireText('baseUrl', $value);
        if (preg_match('~^https?://([^/?#@]*@)?(\[[^]]+]|[^/?#:@]+)(:\d+)?(/[^?#]*)?$~Di', $url) !== 1 || str_contains($url, $prefix)) {
            $shown = Redaction::shownUrl($url);
            throw new \InvalidArgumentException(
                "baseUrl must be the http or https URL before $prefix, such as http://localhost:7070, not $shown",
            );
        }
        return rtrim($url, '/');
    }

    public static function isTemporary(SoukException $error): bool
    {
        if ($error instanceof SoukApiException) {
            // A conflict without a code comes from a proxy.
            $isRetriedConflict = $error->status === 409
                && ($error->errorCode === null || in_array($error->errorCode, Contract::RETRIED_CONFLICTS, true));
            return self::isOverload($error->status) || $isRetriedConflict;
        }
        return $error instanceof SoukConnectionException;
    }

    /** Returns whether a status says that a server, or a proxy in front of it, cannot respond now. */
    private static function isOverload(int $status): bool
    {
        return $status === 429 || $status >= 500;
    }

    private static function mayRetry(SoukException $error, Retry $rule): bool
    {
        if ($rule !== Retry::IfNotExecuted) {
            return self::isTemporary($error);
        }
        return $error instanceof SoukConnectionException
            ? $error->notSent
            : $error instanceof SoukApiException && $error->status === 429;
    }

    /** Returns the delay before the next attempt in seconds; null if the server asks for too long a one. */
    private static function retryDelay(int $attempt, SoukException $error): ?float
    {
        $asked = $error instanceof SoukApiException ? $error->retryAfter ?? 0.0 : 0.0;
        if ($asked > self::LONGEST_RETRY_AFTER) {
            return null;
        }
        $backoff = min(0.25 * 2 ** $attempt, 8.0);
        return max($asked, $backoff * random_int(500, 1000) / 1000);
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    /**
     * Makes an attempt, and again after failures that the operation's rule allows to repeat.
     *
     * @template T
     * @param callable(): T $attemptOnce
     * @param float $lifetime How long the same signed request may be repeated, in seconds.
     * @param int|null $maxRetries Maximum number of retries; null for that of the client.
     * @return T
     */
    public function repeat(
        Operation $operation,
        #[\SensitiveParameter] callable $attemptOnce,
        float $lifetime = INF,
        ?int $maxRetries = null,
    ): mixed {
        $maxRetries ??= $this->maxRetries;
        $started = hrtime(true);
        for ($attempt = 1; ; $attempt++) {
            try {
                return $attemptOnce();
            } catch (SoukApiException | SoukConnectionException $error) {
                $delay = self::retryDelay($attempt, $error);
                if ($attempt > $maxRetries || $delay === null || !self::mayRetry($error, $operation->retry)) {
                    throw $error;
                }
                $elapsed = (hrtime(true) - $started) / 1e9;
                if ($operation->retry === Retry::SameSignature && $elapsed + $delay > $lifetime) {
                    throw $error;
                }
                self::sleep($delay);
            }
        }
    }

    /**
     * Makes one attempt.
     *
     * @param list<string> $headers
     * @param string $lost What to do without a response.
     */
    public function exchange(
        Operation $operation,
        #[\SensitiveParameter] string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] ?string $body,
        Redaction $redaction,
        string $lost,
    ): Response {
        $received = [];
        $curl = $this->connection->handle();
        $this->prepare($curl, $operation, $url, $headers, $body, $received);
        // On a stale connection, curl sends a request again by itself.
        curl_setopt($curl, CURLOPT_FRESH_CONNECT, $this->connection->hasFailed || $operation->retry !== Retry::Idempotent);
        curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
        curl_setopt($curl, CURLOPT_TIMEOUT_MS, (int) ($this->timeout * 1000));
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $this->connection->hasFailed = $answer === false || $status >= 500;
        if ($answer === false) {
            throw self::connectionException($operation, $curl, curl_errno($curl), $lost, $this->timeout, $redaction);
        }
        return new Response(self::addressOf($curl), $status, $received, $answer);
    }

    /**
     * Makes one attempt, and returns the body of an export as it arrives.
     *
     * @param list<string> $headers
     * @param \Closure(int, array<string, string>): void $onHead takes status and headers of the response
     * @return Response|\Generator<int, string> any other response as a whole
     */
    public function open(
        Operation $operation,
        #[\SensitiveParameter] string $url,
        #[\SensitiveParameter] array $headers,
        Redaction $redaction,
        \Closure $onHead,
    ): Response|\Generator {
        $received = [];
        $curl = curl_init();
        $this->prepare($curl, $operation, $url, $headers, null, $received);
        $chunks = (new Download($curl, $this->timeout, $redaction))->chunks($operation);
        $chunks->current();
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $onHead($status, $received);
        $isExport = preg_match('~^(application/x-ndjson|text/csv)~', $received['content-type'] ?? '') === 1;
        if ($status === 200 && $isExport) {
            return $chunks;
        }
        $body = implode('', iterator_to_array($chunks, false));
        return new Response(self::addressOf($curl), $status, $received, $body);
    }

    /**
     * Sets the options of a request.
     *
     * @param list<string> $headers
     * @param array<string, string> $received takes the headers of the response
     */
    private function prepare(
        \CurlHandle $curl,
        Operation $operation,
        #[\SensitiveParameter] string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] ?string $body,
        #[\SensitiveParameter] array &$received,
    ): void {
        curl_setopt_array($curl, ($this->curlOptions)());
        curl_setopt_array($curl, [
            CURLOPT_URL => $url,
            CURLOPT_USERAGENT => 'souk-php/' . Contract::VERSION . ' (PHP ' . PHP_VERSION . ')',
            CURLOPT_CUSTOMREQUEST => $operation->method,
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:', ...($body === null ? ['Content-Type:'] : [])],
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true, // An identifier may be two dots.
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $curl, string $line) use (&$received): int {
                if (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $received[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($body !== null || $operation->method === 'POST') {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body ?? '');
        }
    }

    /** Returns the exception for an error of curl. */
    public static function connectionException(
        Operation $operation,
        \CurlHandle $curl,
        int $code,
        string $lost,
        float $timeout,
        Redaction $redaction,
    ): SoukConnectionException {
        if ($code === CURLE_OPERATION_TIMEDOUT) {
            return self::timedOut($operation, $curl, $timeout, $lost);
        }
        $notSent = in_array($code, self::NOT_SENT, true);
        $server = self::serverOf($curl);
        $hint = $notSent ? "Check that Souk is running and that baseUrl is correct: $server." : $lost;
        $reason = $redaction->text(curl_error($curl) ?: curl_strerror($code));
        return new SoukConnectionException($operation->name, trim("$reason. $hint"), $notSent);
    }

    public static function timedOut(
        Operation $operation,
        \CurlHandle $curl,
        float $timeout,
        string $lost,
    ): SoukConnectionException {
        $reason = "none within $timeout s from " . self::serverOf($curl) . ". $lost";
        return new SoukConnectionException($operation->name, trim($reason), notSent: false);
    }

    private static function serverOf(\CurlHandle $curl): string
    {
        return preg_replace('~^(https?://[^/]*).*~i', '$1', self::addressOf($curl));
    }

    /** Returns the URL of a request without its query, which has the parameters. */
    private static function addressOf(\CurlHandle $curl): string
    {
        // A proxy before Souk may need a user name and a password, but errors must not contain them.
        $url = curl_getinfo($curl, CURLINFO_EFFECTIVE_URL);
        return preg_replace('~^(https?://)([^/?]*@)?([^?]*).*~i', '$1$3', $url);
    }

    /** Returns the exception for an error response, whose text is the property `$message` of `$answer`. */
    public static function refusal(
        Operation $operation,
        #[\SensitiveParameter] Response $response,
        #[\SensitiveParameter] mixed $answer,
        string $message,
        Redaction $redaction,
    ): SoukApiException {
        $found = self::isError($answer, $message) ? $redaction->data($answer) : null;
        $code = $found['code'] ?? null;
        return new SoukApiException(
            $operation->name,
            $found['status'] ?? $response->status,
            $code,
            $found[$message] ?? self::foreignResponse($response, $redaction),
            $redaction->data($response->headers['x-request-id'] ?? null),
            $found['data'] ?? null,
            self::retryAfter($response->headers),
            $found === null ? self::adviceOnForeign($response) : self::ADVICE[$code] ?? null,
        );
    }

    private static function adviceOnForeign(#[\SensitiveParameter] Response $response): string
    {
        return self::isOverload($response->status)
            ? 'A proxy in front of Souk limits requests or cannot reach it: retry later.'
            : "Check baseUrl: the request went to $response->address.";
    }

    /** Returns whether JSON is an error of Souk. A proxy may answer with JSON of its own. */
    private static function isError(#[\SensitiveParameter] mixed $answer, string $message): bool
    {
        return is_array($answer)
            && is_int($answer['status'] ?? null)
            && is_string($answer['code'] ?? '')
            && is_array($answer['data'] ?? [])
            && is_string($answer[$message] ?? null);
    }

    /**
     * Returns `Retry-After` in seconds from now, or null. A date is one of the server's clock, which `Date` has.
     *
     * @param array<string, string> $headers
     */
    private static function retryAfter(array $headers): ?float
    {
        $header = $headers['retry-after'] ?? '';
        if (preg_match('/^[0-9]{1,9}$/D', $header) === 1) {
            return (float) $header;
        }
        $until = self::timeOf($header);
        return $until === null ? null : max(0.0, $until - (self::timeOf($headers['date'] ?? '') ?? microtime(true)));
    }

    /** Returns the time of a header in seconds, or null. */
    private static function timeOf(string $header): ?int
    {
        // The format ignores the time zone of the header, which is always GMT.
        $gmt = new \DateTimeZone('UTC');
        $time = \DateTimeImmutable::createFromFormat(\DateTimeInterface::RFC7231, $header, $gmt);
        return $time === false ? null : $time->getTimestamp();
    }

    /** Describes a response that does not come from Souk. */
    private static function foreignResponse(#[\SensitiveParameter] Response $response, Redaction $redaction): string
    {
        if ($response->status >= 300 && $response->status < 400) {
            $given = $response->headers['location'] ?? null;
            $location = $given === null ? 'another URL' : $redaction->text(Redaction::shownUrl($given));
            return "The server redirects to $location; requests do not follow redirects.";
        }
        // Redacted before it is cut, or the start of a secret would remain.
        $body = $redaction->text(substr(trim($response->body), 0, self::LONGEST_QUOTABLE));
        $start = mb_scrub(substr($body, 0, 80), 'UTF-8');
        $type = $redaction->text($response->headers['content-type'] ?? 'no content type');
        $beginning = $start === '' ? ', empty' : ", starting with \"$start\"";
        return "The response does not come from Souk: $type$beginning.";
    }
}
