import Foundation

typealias Json = [String: Any]

/// Thrown by a handler if the user or the application declines. The mini app gets the message.
struct Refusal: Error {
    let message: String
}

/// The application's side of the messages with /host/embed/<appid>: JSON-RPC 2.0 as text.
@MainActor
final class EmbedProtocol {
    private let version = 1
    /// Returns a session of the user.
    private let getSession: () async throws -> String
    /// Handlers that replace those of the page, by the name of the method.
    private let handlers: [String: (Json) async throws -> Json]
    /// Gets ready, failed, close and appearance.
    private let onNotification: (String, Json) -> Void
    /// Sends a text to the page.
    private let send: (String) -> Void

    private var pending: [Int: (Json) -> Void] = [:]
    private var calls = 0

    init(
        getSession: @escaping () async throws -> String,
        handlers: [String: (Json) async throws -> Json],
        onNotification: @escaping (String, Json) -> Void,
        send: @escaping (String) -> Void
    ) {
        self.getSession = getSession
        self.handlers = handlers
        self.onNotification = onNotification
        self.send = send
    }

    func receive(_ text: String) {
        guard let message = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? Json else { return }
        let params = message["params"] as? Json ?? [:]
        let id = message["id"] as? Int
        guard let method = message["method"] as? String else {
            if let id { pending.removeValue(forKey: id)?(message["result"] as? Json ?? [:]) }
            return
        }
        if let id {
            Task { await answer(id, method, params) }
        } else {
            onNotification(method, params)
        }
    }

    private func answer(_ id: Int, _ method: String, _ params: Json) async {
        do {
            guard let result = try await run(method, params) else {
                return fail(id, -32601, "The application does not implement \(method).")
            }
            post(["id": id, "result": result])
        } catch let refusal as Refusal {
            fail(id, 1, refusal.message)
        } catch {
            fail(id, -32603, "\(method) failed in the application.")
        }
    }

    private func run(_ method: String, _ params: Json) async throws -> Json? {
        switch method {
        case "getSession":
            return ["session": try await getSession()]
        case "initialize":
            guard params["version"] as? Int == version else {
                throw Refusal(message: "This application implements version \(version).")
            }
            return ["version": version, "session": try await getSession(), "handles": Array(handlers.keys)]
        default:
            return try await handlers[method]?(params)
        }
    }

    private func fail(_ id: Int, _ code: Int, _ message: String) {
        post(["id": id, "error": ["code": code, "message": message] as Json])
    }

    /// Goes back by one page. `done` gets false if no mini app is running.
    func back(done: @escaping (Bool) -> Void) {
        calls += 1
        pending[calls] = { done($0["isHandled"] as? Bool ?? false) }
        post(["id": calls, "method": "back", "params": Json()])
    }

    private func post(_ message: Json) {
        let complete = message.merging(["jsonrpc": "2.0"]) { first, _ in first }
        guard let data = try? JSONSerialization.data(withJSONObject: complete) else { return }
        send(String(decoding: data, as: UTF8.self))
    }
}
