<?php

declare(strict_types=1);

namespace Souk;

/**
 * Reports the attempts of one call.
 *
 * @internal
 */
final class Attempts
{
    private int $number = 0;
    private ?string $error = null;

    /** @param (\Closure(Attempt): (null|callable(AttemptResult): void))|null $onAttempt */
    public function __construct(
        private readonly ?\Closure $onAttempt,
        private readonly string $server,
        private readonly Operation $operation,
    ) {
    }

    /**
     * Makes an attempt, and reports it.
     *
     * @template T
     * @param list<string> $own headers of the client
     * @param callable(list<string>, \Closure(int, array<string, string>): void): T $once takes the headers to send, and a
     *     function that takes status and headers of the response
     * @return T
     */
    public function run(#[\SensitiveParameter] array $own, Redaction $redaction, #[\SensitiveParameter] callable $once): mixed
    {
        $operation = $this->operation;
        $attempt = new Attempt(
            $operation->name,
            $operation->method,
            $this->server,
            $operation->path,
            ++$this->number,
            $this->error,
        );
        $end = $this->onAttempt === null ? null : ($this->onAttempt)($attempt);
        $status = null;
        $requestId = null;
        $received = static function (int $found, array $headers) use (&$status, &$requestId, $redaction): void {
            $status = $found;
            $requestId = $redaction->data($headers['x-request-id'] ?? null);
        };
        $started = hrtime(true);
        $this->error = null;
        try {
            return $once([...$own, ...self::added($attempt->headers, $own)], $received);
        } catch (SoukApiException $error) {
            $this->error = $error->errorCode ?? (string) $error->status;
            throw $error;
        } catch (SoukConnectionException $error) {
            $this->error = 'connection_error';
            throw $error;
        } finally {
            if ($end !== null) {
                $end(new AttemptResult($status, (hrtime(true) - $started) / 1e6, $requestId, $this->error));
            }
        }
    }

    /**
     * Returns the headers that the client does not send itself.
     *
     * @param array<string, string> $headers
     * @param list<string> $own
     * @return list<string>
     */
    private static function added(array $headers, #[\SensitiveParameter] array $own): array
    {
        $taken = array_map(static fn (string $line): string => strtolower(strstr($line, ':', true)), $own);
        $taken = [...$taken, 'content-type', 'content-length', 'expect', 'host', 'transfer-encoding', 'user-agent'];
        $added = [];
        foreach ($headers as $name => $value) {
            if (!in_array(strtolower($name), $taken, true)) {
                $added[] = $name . ': ' . strtr($value, ["\r" => '', "\n" => '']);
            }
        }
        return $added;
    }
}
