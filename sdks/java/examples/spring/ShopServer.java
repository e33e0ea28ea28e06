import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Serves the controller with Jetty, for the tests. In an application, Spring Boot does this. Debian's Spring 4 cannot
 * process configuration classes such as that of {@code @EnableWebMvc}.
 */
public class ShopServer {
    private static final List<HttpMessageConverter<?>> CONVERTERS =
            List.of(new StringHttpMessageConverter(), new MappingJackson2HttpMessageConverter());

    static class Adapter extends RequestMappingHandlerAdapter {
        Adapter() {
            setMessageConverters(CONVERTERS);
        }
    }

    static class Errors extends ExceptionHandlerExceptionResolver {
        Errors() {
            setMessageConverters(CONVERTERS);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var context = new AnnotationConfigWebApplicationContext();
        context.register(RequestMappingHandlerMapping.class, Adapter.class, Errors.class, ShopController.class);
        var servlets = new ServletContextHandler();
        servlets.addServlet(new ServletHolder(new DispatcherServlet(context)), "/*");
        var server = new Server(Integer.parseInt(System.getenv("PORT")));
        server.setHandler(servlets);
        server.start();
    }
}
