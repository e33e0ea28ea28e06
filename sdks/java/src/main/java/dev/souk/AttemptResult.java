package dev.souk;

import java.time.Duration;

/**
 * How an attempt ended.
 *
 * @param status HTTP status; null without a response.
 * @param duration Time until the response was read, or until it began for an export.
 * @param requestId Request id of the server, under which its log has the request; may be null.
 * @param error Code of the error, or the HTTP status as text if the response did not come from Souk;
 *     {@code connection_error} without a response, null if Souk answered with a result.
 */
public record AttemptResult(Integer status, Duration duration, String requestId, String error) {}
