/**
 * Declarations of what MainActivity.kt uses of Android and AndroidX, as in their documentation, since Debian has no
 * android.jar. The sample is compiled against them, and never runs with them.
 */
export const androidStubs: Record<string, string> = {
  'android.app.Activity': `public class Activity extends android.content.Context {
    protected void onCreate(android.os.Bundle state) {}
    protected void onStart() {}
    protected void onStop() {}
    public void finish() {}
    public void setContentView(android.view.View view) {}
    public final void runOnUiThread(Runnable action) {}
  }`,
  'android.app.AlertDialog': `public class AlertDialog implements android.content.DialogInterface {
    public static class Builder {
      public Builder(android.content.Context context) {}
      public Builder setTitle(CharSequence title) { return this; }
      public Builder setTitle(int title) { return this; }
      public Builder setMessage(CharSequence message) { return this; }
      public Builder setMessage(int message) { return this; }
      public Builder setPositiveButton(CharSequence text, OnClickListener listener) { return this; }
      public Builder setNegativeButton(CharSequence text, OnClickListener listener) { return this; }
      public Builder setOnCancelListener(OnCancelListener listener) { return this; }
      public AlertDialog show() { return null; }
    }
  }`,
  'android.content.ActivityNotFoundException': 'public class ActivityNotFoundException extends RuntimeException {}',
  'android.content.Context': `public abstract class Context {
    public void startActivity(Intent intent) {}
  }`,
  'android.content.DialogInterface': `public interface DialogInterface {
    interface OnClickListener { void onClick(DialogInterface dialog, int which); }
    interface OnCancelListener { void onCancel(DialogInterface dialog); }
  }`,
  'android.content.Intent': `public class Intent {
    public static final String ACTION_SEND = "", ACTION_DIAL = "", ACTION_VIEW = "", EXTRA_SUBJECT = "", EXTRA_TEXT = "";
    public Intent(String action) {}
    public Intent(String action, android.net.Uri uri) {}
    public Intent setType(String type) { return this; }
    public Intent putExtra(String name, String value) { return this; }
    public Intent putExtra(String name, CharSequence value) { return this; }
    public static Intent createChooser(Intent target, CharSequence title) { return target; }
  }`,
  'android.net.Uri': `public abstract class Uri {
    public static Uri parse(String text) { return null; }
    public static String encode(String text) { return null; }
    public abstract String getScheme();
  }`,
  'android.os.Bundle': 'public final class Bundle {}',
  'android.view.View': 'public class View {}',
  'android.webkit.WebSettings': `public abstract class WebSettings {
    public abstract void setJavaScriptEnabled(boolean isEnabled);
    public abstract boolean getJavaScriptEnabled();
  }`,
  'android.webkit.WebView': `public class WebView extends android.view.View {
    public WebView(android.content.Context context) {}
    public WebSettings getSettings() { return null; }
    public void setWebViewClient(WebViewClient client) {}
    public WebViewClient getWebViewClient() { return null; }
    public void loadUrl(String url) {}
  }`,
  'android.webkit.WebViewClient': 'public class WebViewClient {}',
  'androidx.lifecycle.LifecycleOwner': 'public interface LifecycleOwner {}',
  'androidx.activity.ComponentActivity': `public class ComponentActivity extends android.app.Activity
      implements androidx.lifecycle.LifecycleOwner {
    public final OnBackPressedDispatcher getOnBackPressedDispatcher() { return null; }
  }`,
  'androidx.activity.OnBackPressedCallback': `public abstract class OnBackPressedCallback {
    public OnBackPressedCallback(boolean isEnabled) {}
    public abstract void handleOnBackPressed();
  }`,
  'androidx.activity.OnBackPressedDispatcher': `public final class OnBackPressedDispatcher {
    public void addCallback(androidx.lifecycle.LifecycleOwner owner, OnBackPressedCallback callback) {}
  }`,
  'androidx.webkit.JavaScriptReplyProxy': `public abstract class JavaScriptReplyProxy {
    public abstract void postMessage(String message);
  }`,
  'androidx.webkit.WebMessageCompat': `public class WebMessageCompat {
    public String getData() { return null; }
  }`,
  'androidx.webkit.WebViewCompat': `public class WebViewCompat {
    public interface WebMessageListener {
      void onPostMessage(android.webkit.WebView view, WebMessageCompat message, android.net.Uri sourceOrigin,
        boolean isMainFrame, JavaScriptReplyProxy replyProxy);
    }
    public static void addWebMessageListener(android.webkit.WebView view, String name, java.util.Set<String> origins,
      WebMessageListener listener) {}
  }`,
}
