package dev.souk.model;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The base of the parameters of an operation, by their names on the wire. */
public abstract class Parameters {
    private final Map<String, Object> values = new LinkedHashMap<>();

    Parameters() {}

    final void set(String name, Object value) {
        values.put(name, value);
    }

    /** Returns the parameters that were set. */
    @JsonValue
    public final Map<String, Object> toMap() {
        return Collections.unmodifiableMap(values);
    }

    /** Returns the parameters that were set, and others. */
    public final Map<String, Object> toMap(Map<String, ?> others) {
        Map<String, Object> all = new LinkedHashMap<>(others);
        all.putAll(values);
        return all;
    }
}
