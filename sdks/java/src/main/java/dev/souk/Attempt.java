package dev.souk;

import java.util.Map;

/**
 * An attempt of a call, before its request is sent.
 *
 * @param operation The name of the operation in the contract, such as {@code tradedetail}.
 * @param method The HTTP method.
 * @param server Scheme, host and port, and the path before that of the API if the base URL has one.
 * @param path The path as in the contract, such as {@code /api/v1/datasets/{datasetId}}.
 * @param number Number of the attempt in its call, from 1.
 * @param retryReason {@link AttemptResult#error} of the previous attempt; null for the first one.
 * @param headers Takes headers to send, such as {@code traceparent}; they are not signed. Those that the client sends
 *     itself stay as they are.
 */
public record Attempt(
        String operation,
        String method,
        String server,
        String path,
        int number,
        String retryReason,
        Map<String, String> headers) {}
