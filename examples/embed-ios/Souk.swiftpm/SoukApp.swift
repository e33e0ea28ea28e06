import SwiftUI

/// On a device, use the address of your machine.
let server = "http://localhost:7070"

@main
struct SoukApp: App {
    @State private var appid: String?

    var body: some Scene {
        WindowGroup {
            if let appid {
                MiniAppView(server: server, appid: appid) { self.appid = nil }.ignoresSafeArea(.keyboard)
            } else {
                Button("Souk Coffee") {
                    Task {
                        let sandbox = Sandbox(server: server)
                        appid = try? await sandbox.findApp("Souk Coffee", session: sandbox.signIn())
                    }
                }
            }
        }
    }
}
