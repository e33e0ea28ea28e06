package dev.souk;

import java.util.Map;

/**
 * The recipients whom a message does not reach (open-api §4.3).
 *
 * @param count Their number.
 * @param reasons Their numbers by reason, such as {@code off}: 2.
 * @param operation {@code sendNotify} or {@code sendActivity}.
 */
public record NotDelivered(int count, Map<String, Integer> reasons, String operation) {}
