// swift-tools-version: 6.0
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "InboxDemo",
    platforms: [.iOS("17.0")],
    products: [
        .iOSApplication(
            name: "InboxDemo",
            targets: ["InboxDemo"],
            displayVersion: "1.0",
            bundleVersion: "1",
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight]
        )
    ],
    dependencies: [.package(name: "swift-inbox", path: "../..")],
    targets: [
        .executableTarget(
            name: "InboxDemo",
            dependencies: [
                .product(name: "InboxViews", package: "swift-inbox"),
                .product(name: "InboxTesting", package: "swift-inbox"),
            ],
            path: "Sources"
        )
    ]
)
