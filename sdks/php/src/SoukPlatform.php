<?php

declare(strict_types=1);

namespace Souk;

use Souk\Model\Dataset;
use Souk\Model\Project;

/**
 * Client of the platform data API (open-api §4.2) with exactly the permissions of an account.
 *
 * Methods throw `SoukApiException` for an error response and `SoukConnectionException` if there is no response.
 */
final class SoukPlatform extends PlatformOperations
{
    private const BATCH_RECORDS = 1000;
    private const BATCH_BYTES = 4 * 1024 * 1024;
    private const PAGE_LIMIT = 1000;

    private readonly Secret $baseUrl;
    private readonly string $header;
    private readonly Secret $credentials;
    private Transport $transport;

    /**
     * @param string $baseUrl URL of Souk before `/api/v1`, such as `http://localhost:7070`.
     * @param string|null $apiKey API key of an account (open-api §5.1). Use it on trusted servers only.
     * @param string|null $token A token of an account or service account, instead of the key.
     * @param float $timeout Timeout of one attempt in seconds; for an export, how long the server may be silent.
     * @param int $maxRetries Maximum number of retries where retrying is safe; 0 disables them.
     * @param (\Closure(Attempt): (null|callable(AttemptResult): void))|null $onAttempt Called before each attempt of a
     *     call, as that of `Souk`.
     * @param array<int, mixed> $curlOptions Options of curl for proxies and certificates, such as `CURLOPT_PROXY`,
     *     `CURLOPT_CAINFO` and `CURLOPT_SSLCERT`. Without `CURLOPT_PROXY`, curl uses that of the environment.
     * @throws \InvalidArgumentException for a missing or invalid setting.
     */
    public function __construct(
        #[\SensitiveParameter] string $baseUrl,
        #[\SensitiveParameter] ?string $apiKey = null,
        #[\SensitiveParameter] ?string $token = null,
        float $timeout = 10.0,
        int $maxRetries = 2,
        private readonly ?\Closure $onAttempt = null,
        #[\SensitiveParameter] array $curlOptions = [],
    ) {
        $this->baseUrl = new Secret(Transport::requireBaseUrl($baseUrl, '/api/v1'));
        if (($apiKey === null) === ($token === null)) {
            throw new \InvalidArgumentException('give either apiKey or token');
        }
        $this->header = $token === null ? 'X-API-Key: ' : 'Authorization: Bearer ';
        $this->credentials = new Secret(
            $token === null ? Transport::requireHeader('apiKey', $apiKey) : Transport::requireHeader('token', $token),
        );
        $this->transport = new Transport($timeout, $maxRetries, $curlOptions);
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
     * Iterates over all projects, fetching page by page.
     *
     * @return \Generator<int, Project>
     */
    public function projects(): \Generator
    {
        return self::pages(fn (?string $cursor): Page => $this->pageProjects(cursor: $cursor, limit: self::PAGE_LIMIT));
    }

    /**
     * Iterates over the datasets of one or all projects, fetching page by page.
     *
     * @return \Generator<int, Dataset>
     */
    public function datasets(?string $projectId = null): \Generator
    {
        return self::pages(
            fn (?string $cursor): Page => $this->listDatasets($projectId, cursor: $cursor, limit: self::PAGE_LIMIT),
        );
    }

    /**
     * Iterates over records, newest first, fetching page by page.
     *
     * @param list<string>|null $fields
     * @return \Generator<int, array<string, mixed>>
     */
    public function records(string $datasetId, ?string $filter = null, ?array $fields = null): \Generator
    {
        return self::pages(
            fn (?string $cursor): Page => $this->listRecords($datasetId, $filter, $fields, $cursor, self::PAGE_LIMIT),
        );
    }

    /**
     * Appends any number of records in batches, and returns how many. Each batch is stored completely or not at all,
     * and only once.
     *
     * @param iterable<array<string, mixed>> $records
     * @throws AppendInterruptedException if earlier batches were stored before one failed.
     */
    public function append(string $datasetId, iterable $records): int
    {
        $appended = 0;
        try {
            foreach (self::batches($records) as $batch) {
                $appended += $this->appendRecords($datasetId, $batch, bin2hex(random_bytes(16)))->appended;
            }
        } catch (\Throwable $error) {
            throw $appended === 0 ? $error : new AppendInterruptedException($appended, $error);
        }
        return $appended;
    }

    protected function call(string $operation, string $type, #[\SensitiveParameter] array $parameters): mixed
    {
        $operation = new Operation($operation, ...self::OPERATIONS[$operation]);
        [$url, $headers, $body] = $this->request($operation, $parameters);
        $lost = $operation->retry === Retry::IfNotExecuted
            ? 'It may have been processed: check before you retry.'
            : '';
        $redaction = $this->redaction($operation, $parameters);
        $attempts = $this->attempts($operation);
        $once = function (#[\SensitiveParameter] array $headers, \Closure $received) use (
            $operation,
            $url,
            $body,
            $redaction,
            $lost,
        ): mixed {
            $response = $this->transport->exchange($operation, $url, $headers, $body, $redaction, $lost);
            $received($response->status, $response->headers);
            $answer = $response->json();
            if ($response->status === 200 && $operation->isResult($answer)) {
                return $answer;
            }
            throw Transport::refusal($operation, $response, $answer, 'detail', $redaction);
        };
        $attemptOnce = static fn (): mixed => $attempts->run($headers, $redaction, $once);
        $result = $this->transport->repeat($operation, $attemptOnce);
        return (new Decoder($operation->name))->read($type, $result);
    }

    protected function stream(string $operation, #[\SensitiveParameter] array $parameters): iterable
    {
        $operation = new Operation($operation, ...self::OPERATIONS[$operation]);
        [$url, $headers] = $this->request($operation, $parameters);
        $redaction = $this->redaction($operation, $parameters);
        $attempts = $this->attempts($operation);
        $once = function (#[\SensitiveParameter] array $headers, \Closure $received) use (
            $operation,
            $url,
            $redaction,
        ): \Generator {
            $response = $this->transport->open($operation, $url, $headers, $redaction, $received);
            if ($response instanceof Response) {
                throw Transport::refusal($operation, $response, $response->json(), 'detail', $redaction);
            }
            return $response;
        };
        $attemptOnce = static fn (): \Generator => $attempts->run($headers, $redaction, $once);
        return $this->transport->repeat($operation, $attemptOnce);
    }

    private function attempts(Operation $operation): Attempts
    {
        return new Attempts($this->onAttempt, Redaction::shownUrl($this->baseUrl->reveal()), $operation);
    }

    /** @param array<string, mixed> $parameters */
    private function redaction(Operation $operation, #[\SensitiveParameter] array $parameters): Redaction
    {
        $secrets = array_map(static fn (string $secret): mixed => $parameters[$secret] ?? null, $operation->secrets);
        return new Redaction([$this->credentials->reveal(), ...$secrets]);
    }

    /**
     * @param array<string, mixed> $parameters
     * @return array{string, list<string>, string|null} URL, headers and body
     */
    private function request(Operation $operation, #[\SensitiveParameter] array $parameters): array
    {
        $rest = array_filter($parameters, static fn (mixed $value): bool => $value !== null);
        $path = $operation->path;
        foreach ($rest as $name => $value) {
            if (str_contains($path, '{' . $name . '}')) {
                $path = str_replace('{' . $name . '}', rawurlencode(Transport::requireText($name, $value)), $path);
                unset($rest[$name]);
            }
        }
        $headers = [$this->header . $this->credentials->reveal(), 'Accept: application/json, application/x-ndjson, text/csv'];
        if ($operation->place === Place::Json) {
            return [$this->baseUrl->reveal() . $path, [...$headers, 'Content-Type: application/json'], self::json($rest)];
        }
        $query = $rest === [] ? '' : '?' . Signature::encodeForm($rest);
        return [$this->baseUrl->reveal() . $path . $query, $headers, null];
    }

    private static function json(mixed $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION,
        );
    }

    /**
     * @template T
     * @param callable(?string): Page<T> $fetch
     * @return \Generator<int, T>
     */
    private static function pages(callable $fetch): \Generator
    {
        $cursor = null;
        do {
            $page = $fetch($cursor);
            foreach ($page->items as $item) {
                yield $item;
            }
            $cursor = $page->next;
        } while ($cursor !== null);
    }

    /**
     * @param iterable<array<string, mixed>> $records
     * @return \Generator<int, list<array<string, mixed>>>
     */
    private static function batches(iterable $records): \Generator
    {
        $batch = [];
        $size = 0;
        foreach ($records as $record) {
            $length = strlen(self::json($record));
            if ($batch !== [] && (count($batch) === self::BATCH_RECORDS || $size + $length > self::BATCH_BYTES)) {
                yield $batch;
                $batch = [];
                $size = 0;
            }
            $batch[] = $record;
            $size += $length;
        }
        if ($batch !== []) {
            yield $batch;
        }
    }
}
