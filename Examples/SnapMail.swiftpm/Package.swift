// swift-tools-version: 6.0
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "SnapMail",
    platforms: [.iOS("17.0")],
    products: [
        .iOSApplication(
            name: "SnapMail",
            targets: ["SnapMail"],
            displayVersion: "1.0",
            bundleVersion: "1",
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight]
        )
    ],
    dependencies: [.package(name: "swift-inbox", path: "../..")],
    targets: [
        .executableTarget(
            name: "SnapMail",
            dependencies: [
                .product(name: "InboxMail", package: "swift-inbox"),
                .product(name: "InboxMailViews", package: "swift-inbox"),
                .product(name: "InboxViews", package: "swift-inbox"),
            ],
            path: "Sources"
        )
    ]
)
