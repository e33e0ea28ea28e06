package dev.souk;

/**
 * Souk answered with a result that the contract does not allow, such as text in place of an amount. The request has
 * probably been executed. The message contains none of the values.
 */
public final class SoukResponseException extends SoukException {
    private final String operation;
    private final String path;

    SoukResponseException(String operation, String path, String reason) {
        super(operation + " returned an invalid result: " + path + " " + reason + ".", null);
        this.operation = operation;
        this.path = path;
    }

    /** Returns the name of the operation, such as {@code trade}. */
    public String operation() {
        return operation;
    }

    /** Returns the invalid field, such as {@code items[0].ctime}. */
    public String path() {
        return path;
    }
}
