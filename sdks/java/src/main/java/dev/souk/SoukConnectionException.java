package dev.souk;

/** There was no response: the connection failed or broke, or the attempt timed out. */
public final class SoukConnectionException extends SoukException {
    private final String operation;
    private final boolean notSent;

    SoukConnectionException(String operation, String reason, boolean notSent, Throwable cause) {
        super(operation + " got no response: " + reason, cause);
        this.operation = operation;
        this.notSent = notSent;
    }

    /** Returns the name of the operation, such as {@code trade}. */
    public String operation() {
        return operation;
    }

    /** Returns whether the request was certainly not processed. */
    public boolean notSent() {
        return notSent;
    }
}
