package dev.souk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NotDeliveredTest {
    @Test
    void reasonsDoNotChange() {
        Map<String, Integer> given = new HashMap<>(Map.of("off", 2));
        NotDelivered found = new NotDelivered(2, given, "sendNotify");
        given.put("unknown", 1);
        assertThrows(UnsupportedOperationException.class, () -> found.reasons().put("unknown", 1));
        assertEquals(Map.of("off", 2), found.reasons());
    }
}
