package dev.souk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Public values are compared by what they contain. */
final class ValuesTest {
    @Test
    void everyValueHasEqualsAndHashCode() throws Exception {
        List<Class<?>> values = new ArrayList<>();
        for (String folder : List.of("", "model/")) {
            for (Class<?> type : classesIn(folder)) if (isValue(type)) values.add(type);
        }
        assertTrue(values.contains(AttemptResult.class) && values.size() > 20, values::toString);
        List<Class<?>> others = values.stream()
                .filter(it -> !declares(it, "equals", Object.class) || !declares(it, "hashCode"))
                .collect(Collectors.toList());
        assertEquals(List.of(), others);
    }

    private static List<Class<?>> classesIn(String folder) throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/souk/" + folder))) {
            for (Path source : sources.filter(Files::isRegularFile).collect(Collectors.toList())) {
                String name = source.getFileName().toString().replace(".java", "");
                Class<?> type = Class.forName("dev.souk." + folder.replace('/', '.') + name);
                classes.add(type);
                classes.addAll(List.of(type.getDeclaredClasses()));
            }
        }
        return classes;
    }

    /** Returns whether a public class can be constructed, and has a public method for each field. */
    private static boolean isValue(Class<?> type) {
        List<Field> fields = Arrays.stream(type.getDeclaredFields())
                .filter(it -> !Modifier.isStatic(it.getModifiers()))
                .collect(Collectors.toList());
        boolean isPublic = Modifier.isPublic(type.getModifiers()) && type.getConstructors().length > 0;
        return isPublic && !fields.isEmpty() && fields.stream().allMatch(it -> isRead(type, it));
    }

    private static boolean isRead(Class<?> type, Field field) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(field.getName()) && method.getParameterCount() == 0) return true;
        }
        return false;
    }

    private static boolean declares(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getDeclaredMethod(name, parameters) != null;
        } catch (NoSuchMethodException error) {
            return false;
        }
    }
}
