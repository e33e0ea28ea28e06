package example.souk

import org.json.JSONObject

/** Passes the lines of the standard input to the protocol and prints what it sends, for examples/embedSamples.test.ts. */
fun main() {
    val protocol = EmbedProtocol(
        getSession = { done -> done("token") },
        handlers = mapOf(
            "share" to { call -> call.answer() },
            "shareMiniApp" to { call -> call.answer() },
            "openUrl" to { call -> call.refuse("This address cannot be opened.") },
            "askConsent" to { call -> call.answer(JSONObject().put("isAllowed", true)) }
        ),
        onNotification = { name, params -> println(JSONObject().put("notified", name).put("params", params)) },
        send = { text -> println(text) }
    )
    generateSequence(::readLine).forEach { line ->
        if (line == "back") protocol.back { isHandled -> println(JSONObject().put("back", isHandled)) }
        else protocol.receive(line)
    }
}
