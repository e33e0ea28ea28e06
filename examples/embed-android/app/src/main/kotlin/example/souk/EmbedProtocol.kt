package example.souk

import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/** A call of the page. Answer it once, on any thread. */
class Call(val params: JSONObject, private val id: Int, private val send: (JSONObject) -> Unit) {
    fun answer(result: JSONObject = JSONObject()) = send(message().put("result", result))

    /** The user or the application declines. The mini app gets the message. */
    fun refuse(reason: String) = fail(1, reason)

    fun fail(code: Int, reason: String) =
        send(message().put("error", JSONObject().put("code", code).put("message", reason)))

    private fun message() = JSONObject().put("jsonrpc", "2.0").put("id", id)
}

/**
 * The application's side of the messages with /host/embed/<appid>: JSON-RPC 2.0 as text. It uses nothing of Android
 * except org.json, so that it can be tested without a device.
 *
 * @param getSession passes a session of the user to its parameter, or null if there is none
 * @param handlers what the application does instead of the page, by the name of the method
 * @param onNotification gets ready, failed, close and appearance
 * @param send sends a text to the page
 */
class EmbedProtocol(
    private val getSession: (done: (String?) -> Unit) -> Unit,
    private val handlers: Map<String, (Call) -> Unit>,
    private val onNotification: (name: String, params: JSONObject) -> Unit,
    private val send: (String) -> Unit
) {
    private val version = 1
    private val pending = HashMap<Int, (JSONObject) -> Unit>()
    private var calls = 0

    fun receive(text: String) {
        val message = try {
            JSONObject(text)
        } catch (error: JSONException) {
            return
        }
        val method = message.optString("method")
        val params = message.optJSONObject("params") ?: JSONObject()
        if (method == "") pending.remove(message.optInt("id"))?.invoke(message.optJSONObject("result") ?: JSONObject())
        else if (!message.has("id")) onNotification(method, params)
        else answer(method, Call(params, message.optInt("id")) { send(it.toString()) })
    }

    private fun answer(method: String, call: Call) {
        val handler = handlers[method]
        if (method == "initialize" && call.params.optInt("version") != version)
            call.fail(-32602, "This application implements version $version of the protocol.")
        else if (method == "initialize" || method == "getSession") getSession { session ->
            if (session == null) call.refuse("The user is not signed in.")
            else call.answer(if (method == "initialize") introduction(session) else JSONObject().put("session", session))
        }
        else if (handler != null) handler(call)
        else call.fail(-32601, "The application does not implement $method.")
    }

    private fun introduction(session: String) = JSONObject()
        .put("version", version)
        .put("session", session)
        .put("handles", JSONArray(handlers.keys.toList()))

    /** Goes back by one page. `done` gets false if no mini app is running. */
    fun back(done: (isHandled: Boolean) -> Unit) {
        calls += 1
        pending[calls] = { done(it.optBoolean("isHandled")) }
        val message = JSONObject().put("jsonrpc", "2.0").put("id", calls).put("method", "back")
        send(message.put("params", JSONObject()).toString())
    }

    fun setVisible(isVisible: Boolean) {
        val message = JSONObject().put("jsonrpc", "2.0").put("method", "visibility")
        send(message.put("params", JSONObject().put("isVisible", isVisible)).toString())
    }
}
