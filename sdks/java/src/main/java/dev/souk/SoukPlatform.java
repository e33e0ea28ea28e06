package dev.souk;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.souk.Operation.Place;
import dev.souk.Operation.Retry;
import dev.souk.model.AppendRecordsParameters;
import dev.souk.model.Dataset;
import dev.souk.model.ListDatasetsParameters;
import dev.souk.model.ListRecordsParameters;
import dev.souk.model.Page;
import dev.souk.model.PageProjectsParameters;
import dev.souk.model.Project;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Client of the platform data API (open-api §4.2) with exactly the permissions of an account. Threads may share it.
 *
 * <p>Methods throw {@link SoukApiException} for an error response and {@link SoukConnectionException} if there is no
 * response. Reading an export throws an {@link IOException} if it breaks off before its end, and a
 * {@link java.net.SocketTimeoutException} if the server is silent for the timeout.
 */
public final class SoukPlatform extends PlatformOperations {
    private static final int BATCH_RECORDS = 1000;
    private static final int BATCH_BYTES = 4 * 1024 * 1024;
    private static final int PAGE_LIMIT = 1000;
    private static final Duration FOREVER = Duration.ofDays(365);

    private final String baseUrl;
    private final String header;
    private final String prefix;
    private final String credentials;
    private final Transport transport;

    private SoukPlatform(String baseUrl, String header, String prefix, String credentials, Transport transport) {
        this.baseUrl = Transport.requireBaseUrl(baseUrl, "/api/v1");
        this.header = header;
        this.prefix = prefix;
        this.credentials = credentials;
        this.transport = transport;
    }

    /** Returns a client with other options, for some calls. It shares the connections of this one. */
    public SoukPlatform withOptions(UnaryOperator<ClientOptions> change) {
        return new SoukPlatform(baseUrl, header, prefix, credentials, transport.with(change));
    }

    /**
     * Creates a client with the API key of an account (open-api §5.1). Use it on trusted servers only.
     *
     * @param baseUrl URL of Souk before {@code /api/v1}, such as {@code http://localhost:7070}.
     * @throws IllegalArgumentException for a missing or invalid setting.
     */
    public static SoukPlatform withApiKey(String baseUrl, String apiKey) {
        return withApiKey(baseUrl, apiKey, ClientOptions.defaults());
    }

    /** Creates a client with an API key and other options. */
    public static SoukPlatform withApiKey(String baseUrl, String apiKey, ClientOptions options) {
        return new SoukPlatform(baseUrl, "X-API-Key", "", Transport.requireHeader("apiKey", apiKey), new Transport(options));
    }

    /** Creates a client with a token of an account or service account. */
    public static SoukPlatform withToken(String baseUrl, String token) {
        return withToken(baseUrl, token, ClientOptions.defaults());
    }

    /** Creates a client with a token and other options. */
    public static SoukPlatform withToken(String baseUrl, String token, ClientOptions options) {
        return new SoukPlatform(
                baseUrl, "Authorization", "Bearer ", Transport.requireHeader("token", token), new Transport(options));
    }

    /** Iterates over all projects, fetching page by page. */
    public Iterable<Project> projects() {
        return pages(cursor -> pageProjects(new PageProjectsParameters().cursor(cursor).limit(PAGE_LIMIT)));
    }

    /** Iterates over the datasets of all projects, fetching page by page. */
    public Iterable<Dataset> datasets() {
        return datasets(null);
    }

    /** Iterates over the datasets of a project, fetching page by page. */
    public Iterable<Dataset> datasets(String projectId) {
        return pages(cursor -> listDatasets(new ListDatasetsParameters()
                .projectId(projectId)
                .cursor(cursor)
                .limit(PAGE_LIMIT)));
    }

    /** Iterates over all records of a dataset, newest first, fetching page by page. */
    public Iterable<Map<String, Object>> records(String datasetId) {
        return records(datasetId, null, null);
    }

    /**
     * Iterates over records of a dataset, newest first, fetching page by page.
     *
     * @param filter Conditions as for {@link #listRecords}, or null for all records.
     * @param fields The fields to return, or null for all of them.
     */
    public Iterable<Map<String, Object>> records(String datasetId, String filter, List<String> fields) {
        return pages(cursor -> listRecords(
                datasetId,
                new ListRecordsParameters()
                        .filter(filter)
                        .fields(fields)
                        .cursor(cursor)
                        .limit(PAGE_LIMIT)));
    }

    /**
     * Appends any number of records in batches, and returns how many. Each batch is stored completely or not at all,
     * and only once.
     *
     * @throws AppendInterruptedException if earlier batches were stored before one failed.
     */
    public long append(String datasetId, Iterable<Map<String, Object>> records) {
        long appended = 0;
        Iterator<Map<String, Object>> source = records.iterator();
        Map<String, Object> next = null;
        try {
            while (next != null || source.hasNext()) {
                List<Map<String, Object>> batch = new ArrayList<>();
                int size = 0;
                while (next != null || source.hasNext()) {
                    next = next == null ? source.next() : next;
                    int length = Transport.toJson(next).length;
                    boolean isFull = batch.size() == BATCH_RECORDS || size + length > BATCH_BYTES;
                    if (isFull && !batch.isEmpty()) {
                        break;
                    }
                    batch.add(next);
                    size += length;
                    next = null;
                }
                appended += appendRecords(new AppendRecordsParameters()
                                .datasetId(datasetId)
                                .records(batch)
                                .batchId(UUID.randomUUID().toString()))
                        .appended();
            }
            return appended;
        } catch (RuntimeException error) {
            throw appended == 0 ? error : new AppendInterruptedException(appended, error);
        }
    }

    @Override
    <T> T call(Operation operation, Map<String, ?> parameters, TypeReference<T> result) {
        HttpRequest.Builder request = request(operation, parameters);
        Redaction redaction = new Redaction(credentials, operation, parameters);
        String lost = operation.retry() == Retry.IF_NOT_EXECUTED
                ? "It may have been processed: check before you retry."
                : "";
        Attempts attempts = new Attempts(transport.options(), baseUrl, operation);
        Function<Attempts.Exchange, T> once = exchange -> {
            HttpResponse<byte[]> response = transport.exchange(operation, exchange.request(), redaction, lost);
            exchange.received(response);
            JsonNode answer = Transport.jsonOf(response.body());
            if (response.statusCode() == 200 && operation.isResult(answer)) {
                return Decoder.decode(operation, answer, result.getType());
            }
            throw refusal(operation, response, response.body(), redaction);
        };
        return transport.repeat(
                operation, FOREVER, transport.maxRetries(), () -> attempts.run(request, redaction, once));
    }

    @Override
    InputStream stream(Operation operation, Map<String, ?> parameters) {
        HttpRequest.Builder request = request(operation, parameters);
        Redaction redaction = new Redaction(credentials, operation, parameters);
        Attempts attempts = new Attempts(transport.options(), baseUrl, operation);
        Function<Attempts.Exchange, InputStream> once = exchange -> {
            HttpResponse<InputStream> response =
                    transport.send(operation, exchange.request(), BodyHandlers.ofInputStream(), redaction, "");
            exchange.received(response);
            if (response.statusCode() == 200 && isExport(response)) {
                return new Download(response.body(), transport.timeout());
            }
            try (InputStream body = new Download(response.body(), transport.timeout())) {
                throw refusal(operation, response, body.readAllBytes(), redaction);
            } catch (IOException error) {
                String reason = redaction.text(String.valueOf(error.getMessage()));
                throw new SoukConnectionException(operation.name(), reason, false, redaction.cause(error));
            }
        };
        return transport.repeat(
                operation, FOREVER, transport.maxRetries(), () -> attempts.run(request, redaction, once));
    }

    /** Returns the address, without the key or token. */
    @Override
    public String toString() {
        return "SoukPlatform[baseUrl=" + baseUrl + "]";
    }

    private static boolean isExport(HttpResponse<?> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        return type.startsWith("application/x-ndjson") || type.startsWith("text/csv");
    }

    private static SoukApiException refusal(
            Operation operation, HttpResponse<?> response, byte[] body, Redaction redaction) {
        return Transport.refusal(operation, response, body, Transport.jsonOf(body), "detail", redaction);
    }

    private HttpRequest.Builder request(Operation operation, Map<String, ?> parameters) {
        Map<String, Object> rest = new LinkedHashMap<>(parameters);
        rest.values().removeIf(Objects::isNull);
        String path = operation.path();
        for (String name : parameters.keySet()) {
            String place = "{" + name + "}";
            if (path.contains(place)) {
                String value = Transport.requireText(name, Signature.textOf(rest.remove(name)));
                path = path.replace(place, Signature.percentEncode(value));
            }
        }
        boolean isJson = operation.place() == Place.JSON;
        String query = isJson || rest.isEmpty() ? "" : "?" + Signature.encodeForm(rest);
        HttpRequest.Builder request = Transport.request(baseUrl + path + query)
                .header(header, prefix + credentials)
                .header("Accept", "application/json, application/x-ndjson, text/csv");
        if (isJson) {
            request.header("Content-Type", "application/json");
        }
        return request.method(
                operation.method(),
                isJson ? BodyPublishers.ofByteArray(Transport.toJson(rest)) : BodyPublishers.noBody());
    }

    private static <T> Iterable<T> pages(Function<String, Page<T>> fetch) {
        return () -> new Iterator<>() {
            private Page<T> page = fetch.apply(null);
            private Iterator<T> items = page.items().iterator();

            @Override
            public boolean hasNext() {
                while (!items.hasNext() && page.next() != null) {
                    page = fetch.apply(page.next());
                    items = page.items().iterator();
                }
                return items.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return items.next();
            }
        };
    }
}
