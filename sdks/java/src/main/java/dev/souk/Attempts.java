package dev.souk;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reports the attempts of one call. */
final class Attempts {
    /** Headers that the HTTP client sets itself. */
    private static final Set<String> RESERVED =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

    private final Function<Attempt, Consumer<AttemptResult>> onAttempt;
    private final String server;
    private final Operation operation;
    private int number = 0;
    private String error;

    Attempts(ClientOptions options, String baseUrl, Operation operation) {
        this.onAttempt = options.onAttempt() == null ? attempt -> null : options.onAttempt();
        this.server = baseUrl;
        this.operation = operation;
    }

    /** Makes an attempt, and reports it. */
    <T> T run(HttpRequest.Builder request, Redaction redaction, Function<Exchange, T> once) {
        Map<String, String> headers = new LinkedHashMap<>();
        number++;
        Attempt attempt =
                new Attempt(operation.name(), operation.method(), server, operation.path(), number, error, headers);
        Consumer<AttemptResult> end = onAttempt.apply(attempt);
        Exchange exchange = new Exchange(with(request, headers), redaction);
        long started = System.nanoTime();
        error = null;
        try {
            return once.apply(exchange);
        } catch (SoukApiException refusal) {
            error = refusal.code() == null ? String.valueOf(refusal.status()) : refusal.code();
            throw refusal;
        } catch (SoukConnectionException failure) {
            error = "connection_error";
            throw failure;
        } finally {
            if (end != null) {
                Duration duration = Duration.ofNanos(System.nanoTime() - started);
                end.accept(new AttemptResult(exchange.status, duration, exchange.requestId, error));
            }
        }
    }

    private static HttpRequest with(HttpRequest.Builder request, Map<String, String> headers) {
        HttpHeaders own = request.build().headers();
        HttpRequest.Builder extended = request.copy();
        headers.forEach((name, value) -> {
            if (own.firstValue(name).isEmpty() && !RESERVED.contains(name.toLowerCase())) {
                extended.header(name, value);
            }
        });
        return extended.build();
    }

    /** The request and the response of an attempt. */
    static final class Exchange {
        private final HttpRequest request;
        private final Redaction redaction;
        private Integer status;
        private String requestId;

        private Exchange(HttpRequest request, Redaction redaction) {
            this.request = request;
            this.redaction = redaction;
        }

        HttpRequest request() {
            return request;
        }

        void received(HttpResponse<?> response) {
            status = response.statusCode();
            requestId = response.headers().firstValue("X-Request-Id").map(redaction::text).orElse(null);
        }
    }
}
