// swift-tools-version: 6.0
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "SimpleMail",
    platforms: [.iOS("17.0")],
    products: [
        .iOSApplication(
            name: "SimpleMail",
            targets: ["SimpleMail"],
            displayVersion: "1.0",
            bundleVersion: "1",
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight]
        )
    ],
    dependencies: [.package(name: "swift-inbox", path: "../..")],
    targets: [
        .executableTarget(
            name: "SimpleMail",
            dependencies: [
                .product(name: "InboxMail", package: "swift-inbox"),
                .product(name: "InboxMailViews", package: "swift-inbox"),
            ],
            path: "Sources"
        )
    ]
)
