package dev.souk;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Masks what a request kept secret, in case something between client and Souk repeats it. */
final class Redaction {
    /** Shown instead of a secret. */
    static final String HIDDEN = "******";
    /** Shorter values are no secrets of Souk, and masking them would garble texts. */
    private static final int SHORTEST = 8;

    private static final Pattern URL_IN_TEXT = Pattern.compile("(?i)[a-z]{2,10}://[^\\s\"'<>]*");
    private static final Pattern VALID_URL = Pattern.compile(
            "(?is)(https?:)?//(?:[^/?#\\\\@]*@)?([^/?#\\\\@:\\s\\[\\]]+|\\[[0-9a-f:.]+])(:\\d{1,5})?(/[^?#\\\\@]*)?(?:[?#].*)?");

    private final List<String> secrets;

    /** Creates the redaction of a request from the client's credentials and the parameters that are never logged. */
    Redaction(String credentials, Operation operation, Map<String, ?> parameters) {
        secrets = Stream.concat(
                        Stream.of(credentials),
                        operation.secrets().stream().map(parameters::get).filter(String.class::isInstance))
                .map(String.class::cast)
                .filter(secret -> secret.length() >= SHORTEST)
                // Longest first, because one secret may contain another.
                .sorted(Comparator.comparing(String::length).reversed())
                .collect(Collectors.toList());
    }

    /** Returns a text with the secrets masked, also percent-encoded ones, and with its URLs as {@link #shownUrl}. */
    String text(String text) {
        String redacted = text;
        for (String secret : secrets) {
            String encoded = Signature.percentEncode(secret);
            String form = URLEncoder.encode(secret, StandardCharsets.UTF_8);
            for (String notation : List.of(Signature.percentEncode(encoded), encoded, form, secret)) {
                int flags = Pattern.LITERAL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
                redacted = Pattern.compile(notation, flags).matcher(redacted).replaceAll(HIDDEN);
            }
        }
        return URL_IN_TEXT.matcher(redacted).replaceAll(url -> Matcher.quoteReplacement(shownUrl(url.group())));
    }

    /** Returns JSON data with the secrets masked in all texts. */
    Object data(Object value) {
        if (value instanceof String) {
            return text((String) value);
        }
        if (value instanceof List) {
            List<Object> redacted = new ArrayList<>();
            ((List<?>) value).forEach(item -> redacted.add(data(item)));
            return redacted;
        }
        if (value instanceof Map) {
            Map<Object, Object> redacted = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((name, item) -> redacted.put(data(name), data(item)));
            return redacted;
        }
        return value;
    }

    /** Returns an exception of the library, or one with the redacted text if it or a cause of it contains a secret. */
    Throwable cause(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            Stream<Throwable> all = Stream.concat(Stream.of(each), Stream.of(each.getSuppressed()));
            if (all.map(Throwable::toString).anyMatch(text -> !text(text).equals(text))) {
                IOException redacted = new IOException(text(error.toString()));
                redacted.setStackTrace(error.getStackTrace());
                return redacted;
            }
        }
        return error;
    }

    /** Returns a URL without user name, password, query and fragment, to show it in an exception. */
    static String shownUrl(String url) {
        Matcher valid = VALID_URL.matcher(url);
        if (valid.matches()) {
            return orEmpty(valid.group(1)) + "//" + valid.group(2) + orEmpty(valid.group(3)) + orEmpty(valid.group(4));
        }
        // Not a valid URL. A password may contain the characters that end it.
        String shown = url.replaceFirst("(?s)[?#].*", "");
        return url.indexOf('@', shown.length()) >= 0 ? "…" : shown.replaceFirst("(?s)^.*@", "…@");
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
