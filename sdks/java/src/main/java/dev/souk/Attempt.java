package dev.souk;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.util.Map;
import java.util.Objects;

/** An attempt of a call, before its request is sent. */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
public final class Attempt {
    private final String operation;
    private final String method;
    private final String server;
    private final String path;
    private final int number;
    private final String retryReason;
    private final Map<String, String> headers;

    /** Creates one, for tests. */
    public Attempt(
            String operation,
            String method,
            String server,
            String path,
            int number,
            String retryReason,
            Map<String, String> headers) {
        this.operation = operation;
        this.method = method;
        this.server = server;
        this.path = path;
        this.number = number;
        this.retryReason = retryReason;
        this.headers = headers;
    }

    /** The name of the operation in the contract, such as {@code tradedetail}. */
    public String operation() {
        return operation;
    }

    /** The HTTP method. */
    public String method() {
        return method;
    }

    /** Scheme, host and port, and the path before that of the API if the base URL has one. */
    public String server() {
        return server;
    }

    /** The path as in the contract, such as {@code /api/v1/datasets/{datasetId}}. */
    public String path() {
        return path;
    }

    /** Number of the attempt in its call, from 1. */
    public int number() {
        return number;
    }

    /** {@link AttemptResult#error} of the previous attempt; null for the first one. */
    public String retryReason() {
        return retryReason;
    }

    /**
     * Takes headers to send, such as {@code traceparent}; they are not signed. Those that the client sends itself stay as
     * they are.
     */
    public Map<String, String> headers() {
        return headers;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Attempt)) return false;
        Attempt that = (Attempt) other;
        return Objects.equals(operation, that.operation)
                && Objects.equals(method, that.method)
                && Objects.equals(server, that.server)
                && Objects.equals(path, that.path)
                && number == that.number
                && Objects.equals(retryReason, that.retryReason)
                && Objects.equals(headers, that.headers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(operation, method, server, path, number, retryReason, headers);
    }

    @Override
    public String toString() {
        return "Attempt[operation=" + operation + ", method=" + method + ", server=" + server + ", path=" + path
                + ", number=" + number + ", retryReason=" + retryReason + ", headers=" + headers + "]";
    }
}
