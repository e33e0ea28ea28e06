import Foundation

/// Signs the first mock user of a sandbox in. Your application asks its own backend for a session.
struct Sandbox {
    let server: String

    private struct User: Decodable { let uid: Int }
    private struct Session: Decodable { let session: String }
    private struct App: Decodable {
        let name: String
        let appid: String
    }
    private struct Page: Decodable { let items: [App] }

    func signIn() async throws -> String {
        let users: [User] = try await request("/sandbox/users")
        guard let user = users.first else { throw Refusal(message: "There is no mock user.") }
        let signedIn: Session = try await request("/sessions", body: ["uid": user.uid])
        return signedIn.session
    }

    func findApp(_ name: String, session: String) async throws -> String {
        let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let found: Page = try await request("/apps?query=\(query)", session: session)
        guard let app = found.items.first(where: { $0.name == name }) else {
            throw Refusal(message: "There is no mini app \(name).")
        }
        return app.appid
    }

    private func request<T: Decodable>(_ path: String, body: [String: Int]? = nil, session: String? = nil) async throws -> T {
        var request = URLRequest(url: URL(string: "\(server)/host/v1\(path)")!)
        if let session { request.setValue("Bearer \(session)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONEncoder().encode(body)
        }
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode(T.self, from: data)
    }
}
