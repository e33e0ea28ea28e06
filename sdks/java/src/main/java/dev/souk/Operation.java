package dev.souk;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * An operation of the contract.
 *
 * @param resultField A field that every result has; empty if the result is a boolean.
 * @param secrets Parameters whose values exceptions do not show.
 */
record Operation(
        String name,
        String method,
        String path,
        Place place,
        Retry retry,
        boolean signed,
        String resultField,
        List<String> secrets) {
    /** Returns whether JSON is a result. Other programs may answer with JSON, too. */
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
