package dev.souk;

/** An operation of the contract. */
record Operation(String name, String method, String path, Place place, Retry retry, boolean signed) {
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
