<?php

declare(strict_types=1);

namespace Souk;

/**
 * The connection of a client to the server, which is kept for the next request.
 *
 * @internal
 */
final class Connection
{
    /** @var list<\CurlHandle|null> handles of parent processes */
    private static array $inherited = [];
    private ?\CurlHandle $handle = null;
    private ?int $process = null;
    /** Whether the last request failed, so that the next one takes a new connection. */
    public bool $hasFailed = false;

    /** Returns a handle of curl without options. */
    public function handle(): \CurlHandle
    {
        if ($this->handle === null || $this->process !== getmypid()) {
            // Closed in a forked process, the connections of its parent would end.
            self::$inherited[] = $this->handle;
            $this->handle = curl_init();
            $this->process = getmypid();
        }
        curl_reset($this->handle);
        return $this->handle;
    }
}
