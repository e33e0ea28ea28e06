<?php

declare(strict_types=1);

namespace Souk;

/**
 * A response whose body is read as it arrives.
 *
 * @internal
 */
final class Download
{
    private readonly \CurlMultiHandle $multi;
    private string $received = '';
    private bool $isRunning = true;

    /** @param float $timeout How long the server may be silent, in seconds. */
    public function __construct(
        private readonly \CurlHandle $curl,
        private readonly float $timeout,
        private readonly Redaction $redaction,
    ) {
        curl_setopt($curl, CURLOPT_WRITEFUNCTION, function (\CurlHandle $curl, string $chunk): int {
            $this->received .= $chunk;
            return strlen($chunk);
        });
        $this->multi = curl_multi_init();
        curl_multi_add_handle($this->multi, $curl);
    }

    /**
     * Yields the body in pieces. The first is empty, and yielded after the headers have arrived.
     *
     * @return \Generator<int, string>
     * @throws SoukConnectionException if the connection fails or breaks.
     */
    public function chunks(Operation $operation): \Generator
    {
        $this->receive($operation);
        yield '';
        while ($this->received !== '' || $this->isRunning) {
            if ($this->received !== '') {
                $chunk = $this->received;
                $this->received = '';
                yield $chunk;
            }
            if ($this->isRunning) {
                $this->receive($operation);
            }
        }
    }

    /** Waits until there are new bytes, or the response is complete. */
    private function receive(Operation $operation): void
    {
        $silentUntil = microtime(true) + $this->timeout;
        while ($this->received === '' && $this->isRunning) {
            curl_multi_exec($this->multi, $running);
            $this->isRunning = $running > 0;
            if ($this->received !== '' || !$this->isRunning) {
                break;
            }
            $left = $silentUntil - microtime(true);
            if ($left <= 0) {
                throw Transport::timedOut($operation, $this->curl, $this->timeout, '');
            }
            curl_multi_select($this->multi, $left);
        }
        $done = $this->isRunning ? false : curl_multi_info_read($this->multi);
        if ($done !== false && $done['result'] !== CURLE_OK) {
            throw Transport::connectionException($operation, $this->curl, $done['result'], '', $this->timeout, $this->redaction);
        }
    }

    public function __destruct()
    {
        curl_multi_remove_handle($this->multi, $this->curl);
        curl_multi_close($this->multi);
    }
}
