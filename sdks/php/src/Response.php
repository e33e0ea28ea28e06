<?php

declare(strict_types=1);

namespace Souk;

/**
 * A response of the server.
 *
 * @internal
 */
final class Response
{
    /**
     * @param string $address The URL that it came from, without its query.
     * @param array<string, string> $headers by lowercase names
     */
    public function __construct(
        public readonly string $address,
        public readonly int $status,
        #[\SensitiveParameter] public readonly array $headers,
        #[\SensitiveParameter] public readonly string $body,
    ) {
    }

    /** Returns the JSON of the body, or null if it is not JSON. */
    public function json(): mixed
    {
        return json_decode($this->body, true);
    }
}
