import SwiftUI
import WebKit

/// A mini app in a web view.
struct MiniAppView: UIViewControllerRepresentable {
    let server: String
    let appid: String
    let onClose: () -> Void

    func makeUIViewController(context: Context) -> MiniAppController {
        MiniAppController(server: server, appid: appid, onClose: onClose)
    }

    func updateUIViewController(_ controller: MiniAppController, context: Context) {}
}

final class MiniAppController: UIViewController, WKScriptMessageHandler {
    private let server: URL
    private let appid: String
    private let onClose: () -> Void
    private lazy var webView = WKWebView(frame: .zero, configuration: configuration())
    private lazy var protocolOfPage = EmbedProtocol(
        getSession: { [server] in try await Sandbox(server: server.absoluteString).signIn() },
        handlers: [
            "share": share, "shareMiniApp": shareMiniApp, "openUrl": openUrl, "askConsent": askConsent,
            "callHostFunction": callHostFunction,
        ],
        onNotification: { [weak self] name, _ in if name == "close" { self?.onClose() } },
        send: { [weak self] text in
            // As an argument, the text needs no quoting.
            self?.webView.callAsyncJavaScript("souk.receive(text)", arguments: ["text": text], in: nil, in: .page)
        }
    )

    init(server: String, appid: String, onClose: @escaping () -> Void) {
        self.server = URL(string: server)!
        self.appid = appid
        self.onClose = onClose
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("not used") }

    private func configuration() -> WKWebViewConfiguration {
        let configuration = WKWebViewConfiguration()
        configuration.allowsInlineMediaPlayback = true
        configuration.userContentController.add(self, name: "soukHost")
        return configuration
    }

    override func loadView() {
        view = webView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let swipe = UIScreenEdgePanGestureRecognizer(target: self, action: #selector(goBack))
        swipe.edges = .left
        webView.addGestureRecognizer(swipe)
        webView.load(URLRequest(url: server.appending(path: "host/embed/\(appid)")))
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // It keeps a strong reference to this controller.
        webView.configuration.userContentController.removeScriptMessageHandler(forName: "soukHost")
    }

    /// Only the page of the server is answered. A mini app is in a frame with its own origin.
    func userContentController(_: WKUserContentController, didReceive message: WKScriptMessage) {
        let origin = message.frameInfo.securityOrigin
        guard message.frameInfo.isMainFrame, origin.host == server.host(), origin.port == server.port ?? 0,
            let text = message.body as? String
        else { return }
        protocolOfPage.receive(text)
    }

    @objc private func goBack(_ gesture: UIScreenEdgePanGestureRecognizer) {
        guard gesture.state == .ended else { return }
        protocolOfPage.back { [onClose] isHandled in if !isHandled { onClose() } }
    }

    private func share(_ params: Json) async throws -> Json {
        let items = ["text", "url"].compactMap { params[$0] as? String }.filter { $0 != "" }
        let sheet = UIActivityViewController(activityItems: items, applicationActivities: nil)
        sheet.popoverPresentationController?.sourceView = view
        present(sheet, animated: true)
        return [:]
    }

    /// Your application puts the card into a conversation. Here an alert draws it, and opens it.
    private func shareMiniApp(_ card: Json) async throws -> Json {
        let text = { (name: String) in card[name] as? String ?? "" }
        let address = server.appending(path: "host/embed/\(text("appid"))")
        var parts = URLComponents(url: address, resolvingAgainstBaseURL: false)!
        parts.queryItems = [
            URLQueryItem(name: "page", value: text("path")), URLQueryItem(name: "from", value: "card"),
            URLQueryItem(name: "extraData", value: text("extraData")),
        ]
        // Web pages read a "+" as a space, and URLComponents leaves it as it is.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        let page = parts.url!
        let message = "This card is in a conversation now."
        let alert = UIAlertController(title: text("title"), message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Close", style: .cancel))
        alert.addAction(UIAlertAction(title: "Open", style: .default) { [webView] _ in webView.load(URLRequest(url: page)) })
        present(alert, animated: true)
        return [:]
    }

    private func openUrl(_ params: Json) async throws -> Json {
        guard let url = URL(string: params["url"] as? String ?? ""), ["https", "http", "tel"].contains(url.scheme) else {
            throw Refusal(message: "This address cannot be opened.")
        }
        await UIApplication.shared.open(url)
        return [:]
    }

    /// Functions that the operator has declared. The page has checked the input, and checks the result.
    private func callHostFunction(_ params: Json) async throws -> Json {
        guard params["name"] as? String == "loyaltyCard" else { throw Refusal(message: "There is no such function.") }
        let input = try JSONSerialization.jsonObject(with: Data((params["input"] as? String ?? "").utf8)) as? Json
        return ["result": ["number": "\(input?["program"] as? String ?? "") 4711"]]
    }

    private func askConsent(_ params: Json) async throws -> Json {
        let name = params["name"] as? String ?? ""
        let scopes = params["scopes"] as? [String] ?? []
        return await withCheckedContinuation { answer in
            let message = scopes.joined(separator: "\n")
            let alert = UIAlertController(title: "Share with \(name)?", message: message, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "Deny", style: .cancel) { _ in answer.resume(returning: ["isAllowed": false]) })
            alert.addAction(UIAlertAction(title: "Allow", style: .default) { _ in answer.resume(returning: ["isAllowed": true]) })
            self.present(alert, animated: true)
        }
    }
}
