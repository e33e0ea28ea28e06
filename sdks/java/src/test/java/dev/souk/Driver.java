package dev.souk;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.souk.model.AccessTokenParameters;
import dev.souk.model.AppendRecordsParameters;
import dev.souk.model.CreateDatasetParameters;
import dev.souk.model.ExportRecordsParameters;
import dev.souk.model.ListDatasetsParameters;
import dev.souk.model.ListRecordsParameters;
import dev.souk.model.NewField;
import dev.souk.model.PageProjectsParameters;
import dev.souk.model.Parameters;
import dev.souk.model.RefundParameters;
import dev.souk.model.SendActivityParameters;
import dev.souk.model.SendNotifyParameters;
import dev.souk.model.TradeParameters;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Executes calls for the tests of all clients: a JSON object per line, answered by one per line. */
public final class Driver {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<NotDelivered> NOT_DELIVERED = new CopyOnWriteArrayList<>();
    private static final ClientOptions OPTIONS =
            ClientOptions.defaults().withTimeout(timeout()).withOnNotDelivered(Driver::onNotDelivered);
    private static volatile boolean failsOnNotDelivered = false;
    private static final String URL = System.getenv("SOUK_URL");
    private static final Souk souk = newClient();
    private static final Souk other = newClient();
    private static final SoukPlatform platform =
            SoukPlatform.withApiKey(URL, System.getenv("SOUK_API_KEY"), OPTIONS);

    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            JsonNode request = JSON.readTree(line);
            output.println(JSON.writeValueAsString(
                    answer(() -> call(request.get("call").asText(), request.get("parameters")))));
        }
    }

    private static void onNotDelivered(NotDelivered found) {
        NOT_DELIVERED.add(found);
        if (failsOnNotDelivered) {
            // A failure that the client would retry.
            throw new SoukConnectionException("sendNotify", "the callback failed", true, null);
        }
    }

    private static boolean failOnNotDelivered(boolean fails) {
        failsOnNotDelivered = fails;
        return true;
    }

    private static List<NotDelivered> takeNotDelivered() {
        List<NotDelivered> found = List.copyOf(NOT_DELIVERED);
        NOT_DELIVERED.clear();
        return found;
    }

    private static Duration timeout() {
        String seconds = System.getenv().getOrDefault("SOUK_TIMEOUT", "5");
        return Duration.ofSeconds(Long.parseLong(seconds));
    }

    private static Souk newClient() {
        return new Souk(URL, System.getenv("SOUK_APPID"), System.getenv("SOUK_SECRET"), OPTIONS);
    }

    /** Makes two calls at the same time. */
    private static boolean together(Callable<?> first, Callable<?> second) throws Exception {
        var made = new FutureTask<>(first);
        new Thread(made).start();
        second.call();
        made.get();
        return true;
    }

    /** Makes a call several times at once with a new client, and returns all answers. */
    private static List<Map<String, Object>> atOnce(JsonNode given) throws Exception {
        List<Map<String, Object>> attempts = new CopyOnWriteArrayList<>();
        ClientOptions options = ClientOptions.defaults()
                .withTimeout(Duration.ofSeconds(given.get("timeout").asLong()))
                .withOnAttempt(attempt -> observe(attempt, attempts));
        var client = new Souk(
                text(given, "url"), System.getenv("SOUK_APPID"), System.getenv("SOUK_SECRET"), options);
        var data = SoukPlatform.withApiKey(text(given, "url"), System.getenv("SOUK_API_KEY"), options);
        Callable<Object> once = text(given, "call").equals("tradedetail")
                ? () -> client.withOptions(it -> changed(it, given.get("options"))).tradedetail(text(given, "id"))
                : () -> data.withOptions(it -> changed(it, given.get("options"))).deleteDataset(text(given, "id"));
        List<FutureTask<Map<String, Object>>> made = new ArrayList<>();
        for (int i = 0; i < given.get("times").asInt(); i++) {
            made.add(new FutureTask<>(() -> answer(once)));
            new Thread(made.get(i)).start();
        }
        List<Map<String, Object>> answers = new ArrayList<>();
        for (var task : made) {
            answers.add(new LinkedHashMap<>(task.get()));
        }
        answers.get(0).put("attempts", attempts);
        return answers;
    }

    private static Consumer<AttemptResult> observe(Attempt attempt, List<Map<String, Object>> attempts) {
        // A header of the client, which stays as it is.
        attempt.headers().putAll(Map.of("traceparent", "00-" + attempt.number(), "ACCEPT", "text/html"));
        return result -> {
            Map<String, Object> observed = new LinkedHashMap<>();
            observed.put("operation", attempt.operation());
            observed.put("method", attempt.method());
            observed.put("server", attempt.server());
            observed.put("path", attempt.path());
            observed.put("number", attempt.number());
            observed.put("retryReason", attempt.retryReason());
            observed.put("status", result.status());
            observed.put("durationMs", result.duration().toNanos() / 1e6);
            observed.put("requestId", result.requestId());
            observed.put("error", result.error());
            attempts.add(observed);
        };
    }

    /** Queries a trade with the certificates and the proxy that are given. */
    private static Object secured(JsonNode given) throws Exception {
        var builder = HttpClient.newBuilder();
        if (given.has("ca")) {
            var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null);
            try (InputStream pem = Files.newInputStream(Path.of(text(given, "ca")))) {
                trusted.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            char[] password = "password".toCharArray();
            keys.init(given.has("p12") ? KeyStore.getInstance(new File(text(given, "p12")), password) : null, password);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            builder.sslContext(context);
        }
        if (given.has("proxy")) {
            var proxy = URI.create(text(given, "proxy"));
            builder.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())));
        }
        var client = new Souk(
                text(given, "url"),
                System.getenv("SOUK_APPID"),
                System.getenv("SOUK_SECRET"),
                ClientOptions.defaults().withMaxRetries(0).withHttpClient(builder.build()));
        return client.tradedetail(text(given, "id"));
    }

    /** Makes a call that gets no answer, interrupts it, and returns whether it ended for this reason. */
    private static boolean cancel(JsonNode given) throws Exception {
        ClientOptions options = ClientOptions.defaults().withTimeout(Duration.ofMinutes(10));
        var client = new Souk(
                text(given, "url"), System.getenv("SOUK_APPID"), System.getenv("SOUK_SECRET"), options);
        var made = new FutureTask<>(() -> {
            try {
                client.tradedetail(text(given, "id"));
                return false;
            } catch (SoukConnectionException error) {
                return error.getCause() instanceof InterruptedException;
            }
        });
        Thread thread = new Thread(made);
        thread.start();
        Thread.sleep(200);
        thread.interrupt();
        return made.get();
    }

    /** Returns options with those of a call. */
    private static ClientOptions changed(ClientOptions options, JsonNode given) {
        if (given == null) {
            return options;
        }
        ClientOptions changed = options.withMaxRetries(given.path("maxRetries").asInt(options.maxRetries()));
        long timeout = Math.round(given.path("timeout").asDouble() * 1000);
        return timeout == 0 ? changed : changed.withTimeout(Duration.ofMillis(timeout));
    }

    private static Map<String, Object> answer(Callable<Object> made) throws Exception {
        try {
            return Map.of("result", made.call());
        } catch (SoukApiException error) {
            Map<String, Object> answer = failure("api", error);
            answer.put("status", error.status());
            answer.put("code", error.code());
            return Map.of("error", answer);
        } catch (SoukResponseException error) {
            Map<String, Object> answer = failure("response", error);
            answer.put("path", error.path());
            return Map.of("error", answer);
        } catch (SoukConnectionException error) {
            Map<String, Object> answer = failure("connection", error);
            answer.put("notSent", error.notSent());
            return Map.of("error", answer);
        } catch (IOException error) {
            return Map.of("error", failure("connection", error));
        } catch (AppendInterruptedException error) {
            Map<String, Object> answer = failure("interrupted", error);
            answer.put("appended", error.appended());
            return Map.of("error", answer);
        } catch (TradeStillProcessingException error) {
            Map<String, Object> answer = failure("processing", error);
            answer.put("trade", error.trade());
            return Map.of("error", answer);
        } catch (CallbackVerificationException error) {
            Map<String, Object> answer = failure("callback", error);
            answer.put("code", error.reason());
            return Map.of("error", answer);
        }
    }

    private static Map<String, Object> failure(String kind, Exception error) {
        return new LinkedHashMap<>(
                Map.of("kind", kind, "type", error.getClass().getSimpleName(), "message", error.getMessage()));
    }

    private static Object call(String name, JsonNode given) throws Exception {
        switch (name) {
            case "accessToken":
                return souk.accessToken(
                    text(given, "code"), fill(new AccessTokenParameters(), given, "code"));
            case "notDelivered":
                return takeNotDelivered();
            case "failOnNotDelivered":
                return failOnNotDelivered(given.get("fails").asBoolean());
            case "userInfo":
                return souk.userInfo(text(given, "accessToken"));
            case "trade":
                return souk.trade(fill(new TradeParameters(), given));
            case "tradedetail":
                return souk.tradedetail(text(given, "tradeNo"));
            case "tradeclose":
                return souk.tradeclose(text(given, "tradeNo"));
            case "refund":
                return souk.refund(fill(new RefundParameters(), given));
            case "refunddetail":
                return souk.refunddetail(text(given, "refundNo"));
            case "waitForTrade":
                return souk.waitForTrade(
                    text(given, "tradeNo"),
                    Duration.ofSeconds(given.path("timeout").asInt(120)),
                    Duration.ofMillis(100));
            case "sendNotify":
                return souk.sendNotify(fill(new SendNotifyParameters(), given));
            case "sendActivity":
                return souk.sendActivity(fill(new SendActivityParameters(), given));
            case "queryAndClose":
                return together(
                    () -> souk.tradedetail(text(given, "tradeNo")), () -> other.tradeclose(text(given, "tradeNo")));
            case "notifyTwice":
                return together(
                    () -> souk.sendNotify(fill(new SendNotifyParameters(), given)),
                    () -> other.sendNotify(fill(new SendNotifyParameters(), given)));
            case "fileUpload":
                return souk.fileUpload(given.get("content").binaryValue(), text(given, "name"));
            case "verifyCallback":
                return souk.callbacks().verify(bodyOf(given), headersOf(given));
            case "verifyRefund":
                return souk.callbacks().verifyRefund(bodyOf(given), headersOf(given));
            case "atOnce":
                return atOnce(given);
            case "cancel":
                return cancel(given);
            case "secured":
                return secured(given);
            case "whoAmI":
                return platform.whoAmI();
            case "pageProjects":
                return platform.pageProjects(fill(new PageProjectsParameters(), given));
            case "readProject":
                return platform.readProject(text(given, "projectId"));
            case "listDatasets":
                return platform.listDatasets(fill(new ListDatasetsParameters(), given));
            case "createDataset":
                return platform.createDataset(
                    fill(new CreateDatasetParameters(), given, "fields").fields(newFields(given.get("fields"))));
            case "getDataset":
                return platform.getDataset(text(given, "datasetId"));
            case "deleteDataset":
                return platform.deleteDataset(text(given, "datasetId"));
            case "listRecords":
                return platform.listRecords(
                    text(given, "datasetId"), fill(new ListRecordsParameters(), given, "datasetId"));
            case "exportRecords":
                return export(given);
            case "appendRecords":
                return platform.appendRecords(fill(new AppendRecordsParameters(), given));
            case "append":
                return platform.append(text(given, "datasetId"), recordsOf(given));
            case "deleteRecords":
                return platform.deleteRecords(text(given, "datasetId"), text(given, "filter"));
            default:
                throw new IllegalArgumentException("There is no call " + name);
        }
    }

    private static byte[] bodyOf(JsonNode given) {
        return text(given, "body").getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, String> headersOf(JsonNode given) {
        return JSON.convertValue(given.get("headers"), new TypeReference<Map<String, String>>() {});
    }

    private static String export(JsonNode given) throws Exception {
        try (InputStream stream = platform.exportRecords(
                text(given, "datasetId"), fill(new ExportRecordsParameters(), given, "datasetId"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<Map<String, Object>> recordsOf(JsonNode given) {
        List<Map<String, Object>> records = JSON.convertValue(given.get("records"), new TypeReference<>() {});
        if (given.has("broken")) {
            records.add(Map.of("title", new Object())); // Not JSON.
        }
        return records;
    }

    private static String text(JsonNode given, String name) {
        return given.get(name).asText();
    }

    private static List<NewField> newFields(JsonNode given) throws Exception {
        List<NewField> fields = new ArrayList<>();
        for (JsonNode field : given) {
            fields.add(fill(new NewField(), field));
        }
        return fields;
    }

    /** Sets parameters by the methods of their names, except those given in {@code others}. */
    private static <T extends Parameters> T fill(T parameters, JsonNode given, String... others) throws Exception {
        for (Method method : parameters.getClass().getDeclaredMethods()) {
            String name = method.getName();
            if (given.has(name) && !List.of(others).contains(name)) {
                method.invoke(
                        parameters,
                        JSON.<Object>convertValue(
                                given.get(name), JSON.constructType(method.getGenericParameterTypes()[0])));
            }
        }
        return parameters;
    }

    private Driver() {}
}
