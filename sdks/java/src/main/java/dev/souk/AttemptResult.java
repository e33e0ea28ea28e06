package dev.souk;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.time.Duration;
import java.util.Objects;

/** How an attempt ended. */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
public final class AttemptResult {
    private final Integer status;
    private final Duration duration;
    private final String requestId;
    private final String error;

    /** Creates one, for tests. */
    public AttemptResult(Integer status, Duration duration, String requestId, String error) {
        this.status = status;
        this.duration = duration;
        this.requestId = requestId;
        this.error = error;
    }

    /** HTTP status; null without a response. */
    public Integer status() {
        return status;
    }

    /** Time until the response was read, or until it began for an export. */
    public Duration duration() {
        return duration;
    }

    /** Request id of the server, under which its log has the request; may be null. */
    public String requestId() {
        return requestId;
    }

    /**
     * Code of the error, or the HTTP status as text if the response did not come from Souk; {@code connection_error}
     * without a response, null if Souk answered with a result.
     */
    public String error() {
        return error;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof AttemptResult)) return false;
        AttemptResult that = (AttemptResult) other;
        return Objects.equals(status, that.status)
                && Objects.equals(duration, that.duration)
                && Objects.equals(requestId, that.requestId)
                && Objects.equals(error, that.error);
    }

    @Override
    public int hashCode() {
        return Objects.hash(status, duration, requestId, error);
    }

    @Override
    public String toString() {
        return "AttemptResult[status=" + status + ", duration=" + duration + ", requestId=" + requestId + ", error="
                + error + "]";
    }
}
