package dev.souk;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The recipients whom a message does not reach (open-api §4.3). */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
public final class NotDelivered {
    private final int count;
    private final Map<String, Integer> reasons;
    private final String operation;

    /** Creates one, for tests. Copies the reasons. */
    public NotDelivered(int count, Map<String, Integer> reasons, String operation) {
        this.count = count;
        this.reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
        this.operation = operation;
    }

    /** Their number. */
    public int count() {
        return count;
    }

    /** Their numbers by reason, such as {@code off}: 2; unmodifiable. */
    public Map<String, Integer> reasons() {
        return reasons;
    }

    /** {@code sendNotify} or {@code sendActivity}. */
    public String operation() {
        return operation;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NotDelivered
                && count == ((NotDelivered) other).count
                && reasons.equals(((NotDelivered) other).reasons)
                && operation.equals(((NotDelivered) other).operation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(count, reasons, operation);
    }

    @Override
    public String toString() {
        return "NotDelivered[count=" + count + ", reasons=" + reasons + ", operation=" + operation + "]";
    }

    /**
     * Returns what the header of a response says about recipients; null if there are none. The message has been sent, so
     * malformed fields are left out instead of failing the call. All clients follow the same rule.
     */
    static NotDelivered read(Operation operation, JsonNode found) {
        Map<String, Integer> reasons = new LinkedHashMap<>();
        JsonNode numbers = found.path("reasons");
        long sum = 0;
        for (var names = numbers.fieldNames(); names.hasNext(); ) {
            String reason = names.next();
            int number = countOf(numbers.path(reason));
            if (number > 0) {
                reasons.put(reason, number);
                sum += number;
            }
        }
        int count = countOf(found.path("count"));
        int total = count > 0 ? count : (int) Math.min(sum, Integer.MAX_VALUE);
        return total > 0 ? new NotDelivered(total, reasons, operation.name()) : null;
    }

    /** Returns a number of recipients that every client can hold; 0 for other JSON. */
    private static int countOf(JsonNode node) {
        double number = node.isNumber() ? node.doubleValue() : 0;
        return number > 0 && number <= Integer.MAX_VALUE && number == Math.rint(number) ? (int) number : 0;
    }
}
