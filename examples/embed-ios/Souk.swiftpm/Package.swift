// swift-tools-version: 5.9
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "Souk",
    platforms: [.iOS("16.4")],
    products: [
        .iOSApplication(
            name: "Souk",
            targets: ["AppModule"],
            bundleIdentifier: "example.souk",
            displayVersion: "1.0",
            bundleVersion: "1",
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight],
            additionalInfoPlistContentFilePath: "Additions.plist"
        )
    ],
    targets: [.executableTarget(name: "AppModule", path: ".", exclude: ["Additions.plist"])]
)
