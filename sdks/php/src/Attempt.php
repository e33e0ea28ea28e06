<?php

declare(strict_types=1);

namespace Souk;

/** An attempt of a call, before its request is sent. */
final class Attempt
{
    /**
     * Takes headers to send by their names, such as `traceparent`; they are not signed. Those that the client sends itself
     * stay as they are.
     *
     * @var array<string, string>
     */
    public array $headers = [];

    /**
     * @param string $operation The name of the operation in the contract, such as `tradedetail`.
     * @param string $method HTTP method.
     * @param string $server Scheme, host and port, and the path before that of the API if `$baseUrl` has one.
     * @param string $path The path as in the contract, such as `/api/v1/datasets/{datasetId}`.
     * @param int $number Number of the attempt in its call, from 1.
     * @param string|null $retryReason `error` of the previous attempt; null for the first one.
     */
    public function __construct(
        public readonly string $operation,
        public readonly string $method,
        public readonly string $server,
        public readonly string $path,
        public readonly int $number,
        public readonly ?string $retryReason,
    ) {
    }
}
