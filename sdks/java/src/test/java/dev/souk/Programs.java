package dev.souk;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles and runs programs in one process, for the tests of all clients: a JSON object per line with the name of a
 * program, which is the folder of its {@code Main.java}, answered by one per line with what it prints.
 */
public final class Programs {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final StandardJavaFileManager FILES =
            COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.println(JSON.writeValueAsString(answer(JSON.readTree(line).get("call").asText())));
        }
    }

    private static Map<String, Object> answer(String name) {
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            run(Path.of(name));
            return Map.of("result", printed.toString(StandardCharsets.UTF_8));
        } catch (Exception | LinkageError error) {
            var trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace, true));
            return Map.of("error", Map.of("message", trace.toString()));
        }
    }

    private static void run(Path folder) throws Exception {
        FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
        var errors = new StringWriter();
        var sources = FILES.getJavaFileObjects(folder.resolve("Main.java"));
        if (!COMPILER.getTask(errors, FILES, null, null, null, sources).call()) {
            throw new IllegalStateException(errors.toString());
        }
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.loadClass("Main").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }

    private Programs() {}
}
