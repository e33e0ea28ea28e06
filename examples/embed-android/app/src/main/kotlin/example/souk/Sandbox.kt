package example.souk

import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import org.json.JSONArray
import org.json.JSONObject

/** Signs the first mock user of a sandbox in. Your application asks its own backend for a session. */
class Sandbox(private val server: String) {
    fun signIn(): String {
        val uid = JSONArray(request("/sandbox/users")).getJSONObject(0).getInt("uid")
        return JSONObject(request("/sessions", JSONObject().put("uid", uid))).getString("session")
    }

    fun findApp(name: String, session: String): String {
        val query = URLEncoder.encode(name, "UTF-8")
        val apps = JSONObject(request("/apps?query=$query", session = session)).getJSONArray("items")
        val found = (0 until apps.length()).map(apps::getJSONObject).first { it.getString("name") == name }
        return found.getString("appid")
    }

    private fun request(path: String, body: JSONObject? = null, session: String? = null): String {
        val connection = URL("$server/host/v1$path").openConnection() as HttpURLConnection
        if (session != null) connection.setRequestProperty("Authorization", "Bearer $session")
        if (body != null) {
            connection.doOutput = true
            connection.setRequestProperty("Content-Type", "application/json")
            connection.outputStream.use { it.write(body.toString().toByteArray()) }
        }
        return connection.inputStream.bufferedReader().use { it.readText() }
    }
}
