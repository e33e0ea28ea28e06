package dev.souk;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** An operation of the contract. */
final class Operation {
    private final String name;
    private final String method;
    private final String path;
    private final Place place;
    private final Retry retry;
    private final boolean signed;
    private final String resultField;
    private final List<String> secrets;

    Operation(
            String name,
            String method,
            String path,
            Place place,
            Retry retry,
            boolean signed,
            String resultField,
            List<String> secrets) {
        this.name = name;
        this.method = method;
        this.path = path;
        this.place = place;
        this.retry = retry;
        this.signed = signed;
        this.resultField = resultField;
        this.secrets = secrets;
    }

    String name() {
        return name;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    Place place() {
        return place;
    }

    Retry retry() {
        return retry;
    }

    boolean signed() {
        return signed;
    }

    /** Parameters whose values exceptions do not show. */
    List<String> secrets() {
        return secrets;
    }

    /** Returns whether JSON is a result: it has the field that every result has. Other programs may answer with JSON, too. */
    boolean isResult(JsonNode answer) {
        return resultField.isEmpty() ? answer.isBoolean() : answer.has(resultField);
    }

    /** Where the parameters are sent. */
    enum Place {
        QUERY,
        FORM,
        MULTIPART,
        JSON
    }

    /** Which failed attempts may be repeated. */
    enum Retry {
        IDEMPOTENT,
        SAME_SIGNATURE,
        IF_NOT_EXECUTED
    }
}
