package dev.souk;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.souk.model.AccessTokenParameters;
import dev.souk.model.Page;
import dev.souk.model.Parameters;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints every public object and every exception in every way that Java has, for the tests of all clients. The variable
 * REDACTION has the settings as JSON. Each line of the output is a JSON object.
 */
public final class PrintedTypes {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final PrintStream OUTPUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final List<Map<String, Object>> RECORDS = Collections.nCopies(1001, Map.of("title", "tea"));
    private static JsonNode given;

    public static void main(String[] arguments) throws Exception {
        given = JSON.readTree(System.getenv("REDACTION"));
        for (var urls = given.get("urls").fields(); urls.hasNext(); ) {
            var url = urls.next();
            callAll(url.getKey(), url.getValue().asText());
        }
        for (JsonNode url : given.get("invalidUrls")) {
            callAll("invalid", url.asText());
        }
        for (String wrong : List.of(secret("secret") + "\n", " " + secret("secret"))) {
            attempt("Souk secret", () -> new Souk("http://localhost", appid(), wrong));
            attempt("SoukPlatform apiKey", () -> SoukPlatform.withApiKey("http://localhost", wrong));
            attempt("SoukPlatform token", () -> SoukPlatform.withToken("http://localhost", wrong));
        }
        Callbacks callbacks = new Callbacks(appid(), secret("secret")).withSecrets(List.of(secret("secret")));
        show("callbacks", callbacks);
        show("test callback", callbacks.signTestCallback(Map.of("payNo", secret("code"))));
        for (JsonNode callback : given.get("callbacks")) {
            byte[] body = callback.asText().getBytes(StandardCharsets.UTF_8);
            attempt("callback", () -> callbacks.verify(body, Map.of()));
            show("response", callbacks.respond(body, Map.of(), event -> {}));
        }
        show("options", ClientOptions.defaults());
        show("attempt", new Attempt("trade", "POST", "http://localhost", "/", 1, null, Map.of()));
        show("attempt result", new AttemptResult(200, Duration.ZERO, "1", null));
        show("not delivered", new NotDelivered(1, Map.of("off", 1), "sendNotify"));
        Path classes = Path.of(
                Souk.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (var files = Files.walk(classes.resolve("dev/souk"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                    .filter(path -> !path.toString().contains("spring"))
                    .collect(Collectors.toList())) {
                String name = classes.relativize(file).toString().replace('/', '.');
                showType(Class.forName(
                        name.substring(0, name.length() - ".class".length()), false, Souk.class.getClassLoader()));
            }
        }
    }

    private static void callAll(String name, String url) {
        double timeout = given.get("timeouts").path(name).asDouble(20);
        ClientOptions options = new ClientOptions(Duration.ofMillis((long) (timeout * 1000)), 0);
        attempt("Souk " + name, () -> new Souk(url, appid(), secret("secret"), options))
                .ifPresent(souk -> {
                    String tradeNo = given.get("tradeNo").asText();
                    show("client " + name, souk);
                    attempt("accessToken " + name, () -> souk.accessToken(secret("code"), new AccessTokenParameters()));
                    attempt("userInfo " + name, () -> souk.userInfo(secret("accessToken")));
                    attempt("tradedetail " + name, () -> souk.tradedetail(tradeNo));
                    attempt("tradeclose " + name, () -> souk.tradeclose(tradeNo));
                    attempt("fileUpload " + name, () -> souk.fileUpload(new byte[8], "a.png"));
                    attempt(
                            "waitForTrade " + name,
                            () -> souk.waitForTrade(tradeNo, Duration.ZERO, Duration.ofMillis(1)));
                });
        List<Call<SoukPlatform>> platforms = List.of(
                () -> SoukPlatform.withApiKey(url, secret("apiKey"), options),
                () -> SoukPlatform.withToken(url, secret("token"), options));
        for (Call<SoukPlatform> create : platforms) {
            attempt("SoukPlatform " + name, create).ifPresent(platform -> {
                show("platform " + name, platform);
                attempt("whoAmI " + name, platform::whoAmI);
                attempt("append " + name, () -> platform.append("d", RECORDS));
                attempt("export " + name, () -> {
                    try (InputStream stream = platform.exportRecords("d")) {
                        return stream.readAllBytes();
                    }
                });
            });
        }
    }

    private interface Call<T> {
        T get() throws Exception;
    }

    private static <T> Optional<T> attempt(String about, Call<T> call) {
        try {
            return Optional.of(call.get());
        } catch (Exception error) {
            show(about, error);
            return Optional.empty();
        }
    }

    /** Prints an object of a public type with markers in its secret fields, or only the name of any other type. */
    private static void showType(Class<?> type) throws Exception {
        if (!Modifier.isPublic(type.getModifiers())) {
            return;
        }
        if (isResult(type)) {
            Object model = modelOf(type, false);
            show("model", model);
            show("page", new Page<>(List.of(model), null));
        } else if (Parameters.class.isAssignableFrom(type) && type != Parameters.class) {
            Object parameters = type.getConstructor().newInstance();
            for (Method setter : type.getDeclaredMethods()) {
                boolean isSecret = secretsOf(type).contains(setter.getName());
                setter.invoke(parameters, valueOf(setter.getGenericParameterTypes()[0], isSecret));
            }
            show("parameters", parameters);
        } else if (Modifier.isAbstract(type.getModifiers()) || hasOnlyConstants(type)) {
            // There is no object of this type.
            print("type", type.getSimpleName(), Map.of());
        }
    }

    private static boolean isResult(Class<?> type) {
        boolean isModel = type.getPackageName().endsWith("model") && type != Page.class;
        return isModel && Stream.of(type.getConstructors()).anyMatch(it -> it.getParameterCount() > 0);
    }

    private static boolean hasOnlyConstants(Class<?> type) {
        return type == Signature.class || type == ErrorCode.class
                || type.getPackageName().endsWith("model") && type.getConstructors().length == 0;
    }

    private static List<String> secretsOf(Class<?> type) {
        List<String> names = new ArrayList<>();
        given.get("models").path(type.getSimpleName()).forEach(name -> names.add(name.asText()));
        return names;
    }

    /** Returns a model whose secret fields, or all fields, are marked. */
    private static Object modelOf(Class<?> type, boolean isSecret) throws Exception {
        Constructor<?> constructor = type.getConstructors()[0];
        List<Object> values = new ArrayList<>();
        for (Parameter parameter : constructor.getParameters()) {
            String name = parameter.getAnnotation(JsonProperty.class).value();
            values.add(valueOf(parameter.getParameterizedType(), isSecret || secretsOf(type).contains(name)));
        }
        return constructor.newInstance(values.toArray());
    }

    /** Returns a value of a type, with markers if it is secret. */
    private static Object valueOf(Type type, boolean isSecret) throws Exception {
        String text = isSecret ? given.get("marker").asText() + "text" : "text";
        long number = isSecret ? given.get("number").asLong() : 1;
        if (type instanceof ParameterizedType) {
            ParameterizedType generic = (ParameterizedType) type;
            return generic.getRawType() == Map.class
                    ? Map.of("name", text)
                    : List.of(valueOf(generic.getActualTypeArguments()[0], isSecret));
        }
        if (type == String.class || type == Object.class) {
            return text;
        }
        if (type == long.class || type == Long.class) {
            return number;
        }
        if (type == double.class || type == Double.class) {
            return number + 0.5;
        }
        return type == boolean.class || type == Boolean.class ? (Object) true : modelOf((Class<?>) type, isSecret);
    }

    private static void show(String about, Object value) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("toString", value.toString());
        texts.put("format", String.format("%s %S", value, value));
        texts.put("nested", List.of(Map.of("value", value)).toString());
        boolean isData = value.getClass().getPackageName().endsWith("model");
        if (!isData) { // Models are data, which programs store and pass on.
            try {
                texts.put("JSON", JSON.writeValueAsString(value));
            } catch (Exception error) {
                texts.put("JSON", error.toString());
            }
        }
        if (value instanceof Throwable) {
            Throwable error = (Throwable) value;
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace, true));
            texts.put("trace", trace.toString());
            texts.put("message", error.getLocalizedMessage());
        }
        print(about, value.getClass().getSimpleName(), texts);
    }

    private static void print(String about, String type, Map<String, String> texts) {
        try {
            OUTPUT.println(JSON.writeValueAsString(Map.of("about", about, "type", type, "texts", texts)));
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    private static String secret(String name) {
        return given.get("secrets").get(name).asText();
    }

    private static String appid() {
        return given.get("appid").asText();
    }

    private PrintedTypes() {}
}
