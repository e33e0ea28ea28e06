package dev.souk.model;

import java.util.List;

/**
 * A page of a list.
 *
 * @param items The items of this page.
 * @param next The {@code cursor} of the following page; null on the last.
 */
public record Page<T>(List<T> items, String next) {}
