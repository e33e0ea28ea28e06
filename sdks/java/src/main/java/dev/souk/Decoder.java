package dev.souk;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.souk.model.Nullable;
import dev.souk.model.Page;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads results. All clients follow the same rule (ADR 327): integers are exact, only what may be null can be missing,
 * unknown fields are dropped, and unknown values of enumerations are kept.
 */
final class Decoder {
    /** The largest integer that every client reads exactly. */
    private static final long LARGEST_INTEGER = (1L << 53) - 1;

    private final String operation;

    private Decoder(Operation operation) {
        this.operation = operation.name();
    }

    /**
     * Returns JSON data as a type.
     *
     * @throws SoukResponseException for data that the contract does not allow.
     */
    @SuppressWarnings("unchecked")
    static <T> T decode(Operation operation, JsonNode data, Type type) {
        return (T) new Decoder(operation).read(data, type, "");
    }

    private Object read(JsonNode node, Type type, String path) {
        if (type == String.class) {
            return require(node.isTextual(), node, path, "a text").asText();
        }
        if (type == boolean.class || type == Boolean.class) {
            return require(node.isBoolean(), node, path, "a boolean").asBoolean();
        }
        if (type == long.class || type == Long.class) {
            double number = node.doubleValue();
            boolean isExact = Math.abs(number) <= LARGEST_INTEGER && number == Math.rint(number);
            require(node.isNumber() && isExact, node, path, "an integer");
            return (long) number;
        }
        if (type == double.class || type == Double.class) {
            boolean isFinite = node.isNumber() && Double.isFinite(node.doubleValue());
            return require(isFinite, node, path, "a number").doubleValue();
        }
        if (type == Object.class) {
            return node.isMissingNode() ? null : Transport.JSON.convertValue(node, Object.class);
        }
        if (type instanceof ParameterizedType) {
            return readGeneric(node, (ParameterizedType) type, path);
        }
        return readModel(node, (Class<?>) type, path);
    }

    private Object readGeneric(JsonNode node, ParameterizedType type, String path) {
        if (type.getRawType() == List.class) {
            return readList(node, type.getActualTypeArguments()[0], path);
        }
        require(node.isObject(), node, path, "an object");
        if (type.getRawType() == Page.class) {
            List<Object> items = readList(node.path("items"), type.getActualTypeArguments()[0], inner(path, "items"));
            return new Page<>(items, (String) readNullable(node.path("next"), String.class, inner(path, "next")));
        }
        return Transport.JSON.convertValue(node, Map.class);
    }

    private List<Object> readList(JsonNode node, Type type, String path) {
        require(node.isArray(), node, path, "a list");
        List<Object> items = new ArrayList<>();
        for (JsonNode item : node) {
            items.add(read(item, type, path + "[" + items.size() + "]"));
        }
        return items;
    }

    private Object readModel(JsonNode node, Class<?> type, String path) {
        require(node.isObject(), node, path, "an object");
        Constructor<?> constructor = type.getConstructors()[0];
        List<Object> values = new ArrayList<>();
        for (Parameter parameter : constructor.getParameters()) {
            String name = parameter.getAnnotation(JsonProperty.class).value();
            Type field = parameter.getParameterizedType();
            values.add(
                    parameter.isAnnotationPresent(Nullable.class)
                            ? readNullable(node.path(name), field, inner(path, name))
                            : read(node.path(name), field, inner(path, name)));
        }
        try {
            return constructor.newInstance(values.toArray());
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private Object readNullable(JsonNode node, Type type, String path) {
        return node.isNull() || node.isMissingNode() ? null : read(node, type, path);
    }

    private static String inner(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private JsonNode require(boolean isValid, JsonNode node, String path, String expected) {
        if (isValid) {
            return node;
        }
        String reason = "must be " + expected + ", but is " + describe(node, expected);
        throw new SoukResponseException(operation, path.isEmpty() ? "the result" : path, reason);
    }

    /** Describes a value without showing it: it can be personal data. */
    private static String describe(JsonNode node, String expected) {
        if (node instanceof MissingNode) {
            return "missing";
        }
        switch (node.getNodeType()) {
            case NULL:
                return "null";
            case STRING:
                return "a text";
            case BOOLEAN:
                return "a boolean";
            case ARRAY:
                return "a list";
            case NUMBER:
                return !expected.equals("an integer")
                        ? "a number"
                        : Math.abs(node.doubleValue()) > LARGEST_INTEGER ? "too large" : "fractional";
            default:
                return "an object";
        }
    }
}
