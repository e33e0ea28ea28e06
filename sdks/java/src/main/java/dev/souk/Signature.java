package dev.souk;

import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The sign of requests and callbacks (open-api §4.1). */
public final class Signature {
    private Signature() {}

    /** Returns the {@code sign} of a request or a callback: 64 lowercase hexadecimal digits. */
    public static String sign(Map<String, ?> parameters, String secret) {
        try {
            byte[] text = canonicalString(parameters, secret).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return String.format("%064x", new BigInteger(1, digest));
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Returns the string whose SHA-256 is the sign. */
    public static String canonicalString(Map<String, ?> parameters, String secret) {
        // Strings compare by UTF-16 code units, as the sign requires.
        Map<String, Object> pairs = new TreeMap<>(parameters);
        pairs.remove("sign");
        pairs.remove("fileData");
        pairs.put("secret", secret);
        return pairs.entrySet().stream()
                .map(pair -> pair.getKey() + "=" + textOf(pair.getValue()))
                .collect(Collectors.joining());
    }

    /** Returns a parameter as it is sent and signed: lists are joined with commas, null is empty. */
    static String textOf(Object value) {
        if (value instanceof Collection) {
            return ((Collection<?>) value).stream().map(Signature::textOf).collect(Collectors.joining(","));
        }
        return value == null ? "" : value.toString();
    }

    /** Encodes parameters for a query string or an urlencoded body; a space is {@code %20}. */
    static String encodeForm(Map<String, ?> parameters) {
        return parameters.entrySet().stream()
                .map(pair -> percentEncode(pair.getKey()) + "=" + percentEncode(textOf(pair.getValue())))
                .collect(Collectors.joining("&"));
    }

    /** Encodes all characters but the unreserved ones. */
    static String percentEncode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
