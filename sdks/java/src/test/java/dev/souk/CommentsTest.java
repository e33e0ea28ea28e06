package dev.souk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Everything that the client makes public has a comment. */
final class CommentsTest {
    private final List<String> missing = new ArrayList<>();
    private int seen;

    @Test
    void everythingPublicHasAComment() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (Stream<Path> found = Files.walk(Path.of("src/main/java"));
                StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<Path> sources = found.filter(it -> it.toString().endsWith(".java")).collect(Collectors.toList());
            JavacTask task =
                    (JavacTask) compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) new Scanner(comments).scan(unit, null);
        }
        assertTrue(seen > 400, seen + " declarations");
        assertEquals(List.of(), missing);
    }

    private final class Scanner extends TreePathScanner<Void, Void> {
        private final DocTrees comments;

        Scanner(DocTrees comments) {
            this.comments = comments;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!isPublic(type.getModifiers())) return null;
            see(type.getSimpleName().toString());
            return super.visitClass(type, nothing);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            if (isPublic(method.getModifiers())) see(owner() + "." + method.getName());
            return null;
        }

        @Override
        public Void visitVariable(VariableTree field, Void nothing) {
            if (isPublic(field.getModifiers())) see(owner() + "." + field.getName());
            return null;
        }

        private void see(String name) {
            seen++;
            if (comments.getDocComment(getCurrentPath()) == null) missing.add(name);
        }

        private CharSequence owner() {
            return ((ClassTree) getCurrentPath().getParentPath().getLeaf()).getSimpleName();
        }

        /** Members of public interfaces are public. What overrides has the comment of what it overrides. */
        private boolean isPublic(ModifiersTree modifiers) {
            TreePath parent = getCurrentPath().getParentPath();
            boolean isInInterface = parent.getLeaf().getKind() == Tree.Kind.INTERFACE;
            boolean overrides = modifiers.getAnnotations().stream()
                    .anyMatch(it -> it.getAnnotationType().toString().equals("Override"));
            return (isInInterface || modifiers.getFlags().contains(Modifier.PUBLIC)) && !overrides;
        }
    }
}
