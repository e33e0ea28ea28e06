package dev.souk;

/** An append failed after some batches had been stored. {@link #getCause()} says why. */
public final class AppendInterruptedException extends SoukException {
    private final long appended;

    AppendInterruptedException(long appended, RuntimeException cause) {
        super("the first " + appended + " records were stored, then the append failed: " + cause.getMessage(), cause);
        this.appended = appended;
    }

    /** Returns the number of records that were stored, counted from the first. */
    public long appended() {
        return appended;
    }
}
