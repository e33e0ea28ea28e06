package example.souk

import android.app.AlertDialog
import android.content.ActivityNotFoundException
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.webkit.WebView
import android.webkit.WebViewClient
import androidx.activity.ComponentActivity
import androidx.activity.OnBackPressedCallback
import androidx.webkit.JavaScriptReplyProxy
import androidx.webkit.WebViewCompat
import kotlin.concurrent.thread
import org.json.JSONObject

/** 10.0.2.2 is the machine of the emulator. */
private const val server = "http://10.0.2.2:7070"

class MainActivity : ComponentActivity() {
    private val sandbox = Sandbox(server)
    private lateinit var webView: WebView
    private var page: JavaScriptReplyProxy? = null

    private val protocol = EmbedProtocol(
        getSession = { done -> thread { done(runCatching { sandbox.signIn() }.getOrNull()) } },
        handlers = mapOf(
            "share" to ::share,
            "shareMiniApp" to ::shareMiniApp,
            "openUrl" to ::openUrl,
            "askConsent" to ::askConsent,
            "callHostFunction" to ::callHostFunction
        ),
        onNotification = { name, _ -> if (name == "close") finish() },
        send = { text -> runOnUiThread { page?.postMessage(text) } }
    )

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        webView = WebView(this)
        webView.settings.javaScriptEnabled = true
        webView.webViewClient = WebViewClient()
        // Only pages of the server get the channel. A mini app, which has its own origin, does not.
        WebViewCompat.addWebMessageListener(webView, "soukHost", setOf(server)) { _, message, _, isMainFrame, reply ->
            if (isMainFrame) {
                page = reply
                message.data?.let(protocol::receive)
            }
        }
        setContentView(webView)
        onBackPressedDispatcher.addCallback(this, object : OnBackPressedCallback(true) {
            override fun handleOnBackPressed() {
                if (page == null) finish()
                else protocol.back { isHandled -> if (!isHandled) finish() }
            }
        })
        thread {
            val appid = sandbox.findApp("Souk Coffee", sandbox.signIn())
            runOnUiThread { webView.loadUrl("$server/host/embed/$appid") }
        }
    }

    override fun onStart() {
        super.onStart()
        protocol.setVisible(true)
    }

    override fun onStop() {
        protocol.setVisible(false)
        super.onStop()
    }

    private fun share(call: Call) {
        val lines = listOf("text", "url").map(call.params::getString).filter { it != "" }
        val intent = Intent(Intent.ACTION_SEND).setType("text/plain")
            .putExtra(Intent.EXTRA_SUBJECT, call.params.getString("title"))
            .putExtra(Intent.EXTRA_TEXT, lines.joinToString("\n"))
        startActivity(Intent.createChooser(intent, null))
        call.answer()
    }

    /** Your application puts the card into a conversation. Here a dialog draws it, and opens it. */
    private fun shareMiniApp(call: Call) {
        AlertDialog.Builder(this)
            .setTitle(call.params.getString("title"))
            .setMessage("This card is in a conversation now.")
            .setPositiveButton("Open") { _, _ -> openCard(call.params) }
            .setNegativeButton("Close") { _, _ -> }
            .show()
        call.answer()
    }

    private fun openCard(card: JSONObject) {
        val (appid, path, data) = listOf("appid", "path", "extraData").map { Uri.encode(card.getString(it)) }
        webView.loadUrl("$server/host/embed/$appid?page=$path&from=card&extraData=$data")
    }

    private fun openUrl(call: Call) {
        val uri = Uri.parse(call.params.getString("url"))
        if (uri.scheme !in listOf("https", "http", "tel")) return call.refuse("This address cannot be opened.")
        try {
            startActivity(Intent(if (uri.scheme == "tel") Intent.ACTION_DIAL else Intent.ACTION_VIEW, uri))
        } catch (error: ActivityNotFoundException) {
            // A tablet without telephony, for example.
            return call.refuse("No application opens this address.")
        }
        call.answer()
    }

    private fun askConsent(call: Call) {
        val scopes = call.params.getJSONArray("scopes")
        val answer = { isAllowed: Boolean -> call.answer(JSONObject().put("isAllowed", isAllowed)) }
        AlertDialog.Builder(this)
            .setTitle("Share with ${call.params.getString("name")}?")
            .setMessage((0 until scopes.length()).joinToString("\n", transform = scopes::getString))
            .setPositiveButton("Allow") { _, _ -> answer(true) }
            .setNegativeButton("Deny") { _, _ -> answer(false) }
            .setOnCancelListener { answer(false) }
            .show()
    }

    /** Functions that the operator has declared. The page has checked the input, and checks the result. */
    private fun callHostFunction(call: Call) {
        if (call.params.getString("name") != "loyaltyCard") return call.fail(-32601, "There is no such function.")
        val program = JSONObject(call.params.getString("input")).getString("program")
        call.answer(JSONObject().put("result", JSONObject().put("number", "$program 4711")))
    }
}
