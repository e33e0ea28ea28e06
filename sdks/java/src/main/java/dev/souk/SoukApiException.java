package dev.souk;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Souk answered with an error (open-api §2.2, open-api §7). */
public final class SoukApiException extends SoukException {
    private final String operation;
    private final int status;
    private final String code;
    private final String msg;
    private final String requestId;
    private final transient Map<String, Object> data;
    private final Duration retryAfter;

    SoukApiException(
            String operation,
            int status,
            String code,
            String msg,
            String requestId,
            Map<String, Object> data,
            Duration retryAfter,
            String advice) {
        super(describe(operation, status, code, msg, requestId, advice), null);
        this.operation = operation;
        this.status = status;
        this.code = code;
        this.msg = msg;
        this.requestId = requestId;
        this.data = data;
        this.retryAfter = retryAfter;
    }

    private static String describe(
            String operation, int status, String code, String msg, String requestId, String advice) {
        String facts = Stream.of(
                        "status " + status,
                        code == null ? "" : "code " + code,
                        requestId == null ? "" : "request " + requestId)
                .filter(fact -> !fact.isEmpty())
                .collect(Collectors.joining(", "));
        return operation + " failed: " + msg + (advice == null ? "" : " " + advice) + " (" + facts + ")";
    }

    /** Returns the name of the operation, such as {@code trade}. */
    public String operation() {
        return operation;
    }

    /** Returns the status of the error, which is that of the HTTP response if it does not come from Souk. */
    public int status() {
        return status;
    }

    /** Returns the stable error code; null if the response does not come from Souk. */
    public String code() {
        return code;
    }

    /** Returns the text of the server. */
    public String msg() {
        return msg;
    }

    /** Returns what identifies the request in the server's request log, or null. */
    public String requestId() {
        return requestId;
    }

    /** Returns machine-readable details, such as the differing fields of a conflict, or null. */
    public Map<String, Object> data() {
        return data;
    }

    /** Returns the delay that the server asks for, or null. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
