package dev.souk.model;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/** A page of a list. */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
public final class Page<T> {
    private final List<T> items;
    private final String next;

    /** Creates one, for tests. */
    @JsonCreator
    public Page(@JsonProperty("items") List<T> items, @JsonProperty("next") @Nullable String next) {
        this.items = items;
        this.next = next;
    }

    /** The items of this page. */
    public List<T> items() {
        return items;
    }

    /** The {@code cursor} of the following page; null on the last. */
    @Nullable
    public String next() {
        return next;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Page
                && Objects.equals(items, ((Page<?>) other).items)
                && Objects.equals(next, ((Page<?>) other).next);
    }

    @Override
    public int hashCode() {
        return Objects.hash(items, next);
    }

    @Override
    public String toString() {
        return "Page[items=" + items + ", next=" + next + "]";
    }
}
