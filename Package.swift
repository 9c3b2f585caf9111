// swift-tools-version: 6.2
import PackageDescription

// The settings of every target. See Documentation/Architecture.md for the floors that the targets below are.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let server: TargetDependencyCondition? = .when(traits: ["Server"])
let postgreSQL: TargetDependencyCondition? = .when(traits: ["PostgreSQL"])

// What the tests of the server stand on.
let serverTests: [Target.Dependency] = [
    "Groundwork", "InboxModel", "JMAP", "Replica", "InboxClient", "InboxService", "InboxServer",
    "RawSockets", "SeededRandom", "Eventually", "RecordedLogs", "Coverage", "Corpora",
    .byName(name: "Postgres", condition: postgreSQL), .byName(name: "RunningPostgres", condition: postgreSQL),
    "HTMLInputs", .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "Crypto", package: "swift-crypto"),
    .product(name: "Hummingbird", package: "hummingbird", condition: server),
    .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
    .product(name: "Logging", package: "swift-log", condition: server),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
]

/// A floor, in `Sources`.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// What tests stand on, in `Tests` like these.
func support(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: settings)
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        resources: resources,
        swiftSettings: settings
    )
}

let package = Package(
    name: "swift-inbox",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "InboxClient", targets: ["InboxClient", "InboxModel"]),
        .library(name: "InboxMail", targets: ["InboxMail"]),
        .library(name: "MailSignIn", targets: ["MailSignIn"]),
        .library(name: "InboxCards", targets: ["InboxCards"]),
        .library(name: "InboxViews", targets: ["InboxViews", "InboxCards", "HTMLViews"]),
        .library(name: "InboxMailViews", targets: ["InboxMailViews", "InboxCards", "HTMLViews"]),
        .library(name: "InboxTesting", targets: ["InboxTesting"]),
        .library(name: "HTMLParsing", targets: ["HTMLParsing"]),
        .library(name: "HTMLCleaning", targets: ["HTMLCleaning"]),
        .library(name: "ZetaCompatibility", targets: ["ZetaCompatibility"]),
        .library(name: "BloomreachCompatibility", targets: ["BloomreachCompatibility"]),
        .library(name: "AdobeCompatibility", targets: ["AdobeCompatibility"]),
        .library(name: "InboxKitCompatibility", targets: ["InboxKitCompatibility"]),
        .library(name: "InboxServer", targets: ["InboxServer"]),
        .library(name: "InboxHTTPClient", targets: ["InboxHTTPClient"]),
        .executable(name: "inbox", targets: ["inbox"]),
    ],
    traits: [
        .trait(
            name: "Server",
            description: "The server and the command-line tool. Off by default: an app that only needs the client "
                + "doesn't download what they depend on."
        ),
        .trait(
            name: "PostgreSQL",
            description: "The server's connection to PostgreSQL, by the system's libpq. Off by default: without it, "
                + "libpq's headers aren't needed."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
        .package(url: "https://github.com/ordo-one/TextTable", from: "0.0.2"),
    ],
    targets: [
        module("Groundwork"),
        // Debian's libpq-dev, Homebrew's libpq. Only `Postgres` depends on it.
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        module("Postgres", ["Groundwork", .byName(name: "CLibpq", condition: postgreSQL)]),
        module("HTMLParsing"),
        module("HTMLCleaning", ["HTMLParsing"]),
        module("HTMLViews", ["HTMLCleaning"]),
        module("InboxModel", ["Groundwork"]),
        module("InboxCards", ["Groundwork", "InboxModel"]),
        module("InboxAdapters", ["Groundwork", "InboxModel"]),
        module("JMAP", ["Groundwork"]),
        module("MailComposing", ["Groundwork", "HTMLParsing", "HTMLCleaning"]),
        module(
            "Replica",
            [
                "Groundwork", "JMAP",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        module(
            "InboxClient",
            [
                "Groundwork", "HTMLCleaning", "InboxModel", "JMAP", "Replica",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ]
        ),
        module(
            "InboxMail",
            [
                "Groundwork", "HTMLParsing", "HTMLCleaning", "MailComposing", "InboxModel", "JMAP", "Replica",
                "InboxClient",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Lookups of SRV records: libresolv on Linux, dnssd on Apple's systems.
        .target(
            name: "CResolver",
            linkerSettings: [.linkedLibrary("resolv", .when(platforms: [.linux]))]
        ),
        module(
            "MailSignIn",
            [
                "Groundwork", "MailComposing", "InboxMail", "CResolver",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        module("ReplicaTesting", ["Groundwork", "JMAP", "Replica"]),
        module("InboxTesting", ["Groundwork", "InboxModel", "JMAP", "InboxClient", "ReplicaTesting"]),
        module("InboxHTML", ["Groundwork", "HTMLParsing", "HTMLCleaning", "InboxModel", "InboxCards"]),
        module(
            "InboxViews",
            ["Groundwork", "HTMLCleaning", "HTMLViews", "InboxModel", "InboxCards", "Replica", "InboxClient"]
        ),
        module(
            "InboxMailViews",
            [
                "Groundwork", "HTMLCleaning", "HTMLViews", "InboxModel", "InboxCards", "Replica", "InboxClient",
                "InboxMail", "InboxViews", "MailComposing", "MailSignIn",
            ]
        ),
        // Other systems' names over the client. The layer of each is thin: what needs logic is in `InboxClient`.
        module("ZetaCompatibility", ["Groundwork", "InboxModel", "InboxClient"]),
        module(
            "BloomreachCompatibility",
            [
                "Groundwork", "HTMLCleaning", "InboxModel", "InboxAdapters", "InboxCards", "InboxClient", "InboxViews",
            ]
        ),
        module(
            "AdobeCompatibility",
            [
                "Groundwork", "HTMLCleaning", "InboxModel", "InboxAdapters", "InboxCards", "Replica", "InboxClient",
                "InboxViews",
            ]
        ),
        module(
            "InboxKitCompatibility",
            ["InboxCards", "InboxMail", "InboxViews", "InboxMailViews", "MailSignIn", "Replica"]
        ),
        module(
            "InboxService",
            [
                "Groundwork", "InboxModel", "InboxAdapters", "JMAP",
                .byName(name: "Postgres", condition: postgreSQL),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ]
        ),
        module(
            "InboxServer",
            [
                "Groundwork", "HTMLCleaning", "InboxModel", "InboxAdapters", "InboxCards", "InboxHTML", "JMAP",
                "InboxService",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOCertificateReloading", package: "swift-nio-extras", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ]
        ),
        // The client's requests by AsyncHTTPClient, for Linux.
        module(
            "InboxHTTPClient",
            [
                "Groundwork",
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
                .product(name: "NIOPosix", package: "swift-nio", condition: server),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
            ]
        ),
        .executableTarget(
            name: "inbox",
            dependencies: [
                "Groundwork", "HTMLCleaning", "InboxModel", "InboxCards", "Replica", "InboxClient", "InboxMail",
                "MailSignIn", "InboxServer", "InboxHTTPClient",
                .byName(name: "Postgres", condition: postgreSQL),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
                .product(name: "Rainbow", package: "Rainbow", condition: server),
                .product(name: "TextTable", package: "TextTable", condition: server),
            ],
            swiftSettings: settings
        ),

        // Every template and state as pages, to be looked at (`make gallery`).
        .executableTarget(
            name: "inbox-gallery",
            dependencies: ["InboxModel", "InboxCards", "InboxHTML"],
            path: "Examples/Gallery",
            exclude: ["pictures.py"],
            swiftSettings: settings
        ),

        // Programs that show how mail is used: InboxKit's examples, for the terminal. None is a product.
        .target(
            name: "ExampleTerminal",
            dependencies: ["InboxMail"],
            path: "Examples/Terminal",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "inbox-eight-ball",
            dependencies: ["ExampleTerminal", "InboxMail"],
            path: "Examples/EightBall",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "inbox-triage",
            dependencies: ["ExampleTerminal", "InboxKitCompatibility"],
            path: "Examples/Triage",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "inbox-simple-mail",
            dependencies: ["ExampleTerminal", "InboxKitCompatibility"],
            path: "Examples/SimpleMail",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "inbox-snap-mail",
            dependencies: ["ExampleTerminal", "InboxKitCompatibility"],
            path: "Examples/SnapMail",
            swiftSettings: settings
        ),

        // How an app's backend makes tokens: the example of Documentation/Operations.md.
        .executableTarget(
            name: "inbox-token-example",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Examples/Token",
            swiftSettings: settings
        ),

        // Connections that misbehave, for tests.
        support("RawSockets", ["Groundwork"]),

        // Random numbers that are the same in each run, for tests.
        support("SeededRandom"),

        // Waiting for what other tasks bring about, for tests.
        support("Eventually"),

        // What a logger receives, for tests.
        support("RecordedLogs", ["Groundwork", .product(name: "Logging", package: "swift-log")]),

        // A device for tests of what is on its screen.
        support(
            "Screens",
            [
                "Groundwork", "InboxModel", "InboxClient", "InboxTesting", "Replica",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),

        // A server in the process of the test, for tests of what stands over the client.
        support(
            "RunningServer",
            [
                "Groundwork", "InboxServer",
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ]
        ),

        // Programs that tests start and talk to by lines.
        support("LinePrograms", ["Groundwork"], exclude: ["cut.py"]),

        // A database server (PostgreSQL) with a pooler (PgBouncer) beside it, for tests.
        support("RunningPostgres", ["Groundwork", "LinePrograms", "Postgres"]),

        // A mail server of another project (Cyrus), and mails of all shapes, for tests of the mail client.
        support(
            "RunningMailServer",
            ["Groundwork", "LinePrograms", "SeededRandom"],
            exclude: ["imap.py", "oauth.py", "oidc.py", "person.py", "read_mails.py", "relay.py", "smtp.py"]
        ),

        // A mail server in memory that follows the standards where Cyrus deviates.
        support("StandardMailServer", ["Groundwork", "JMAP"]),

        // Where test data is that lies beside the project.
        support("Corpora"),

        // HTML that tests, benchmarks and the fuzzer read: samples, attacks, costly inputs, generated mail.
        support("HTMLInputs", ["Corpora", "HTMLParsing", "SeededRandom"]),

        // What a test is the proof of, as a trait: `scripts/coverage` makes a page of it.
        support("Coverage"),

        tests("GroundworkTests", ["Groundwork", "SeededRandom", "Eventually", "RawSockets"]),
        tests(
            "PostgresTests",
            ["Groundwork", "Postgres", "RunningPostgres", "SeededRandom", "Eventually", "RawSockets"]
        ),
        // The domain's storage on PostgreSQL.
        tests(
            "InboxStorageTests",
            [
                "Groundwork", "InboxModel", "InboxService", "Postgres", "RunningPostgres", "SeededRandom", "Eventually",
                "RecordedLogs", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        tests("HTMLParsingTests", ["HTMLParsing", "HTMLInputs", "SeededRandom"]),
        tests(
            "HTMLCleaningTests",
            ["HTMLCleaning", "HTMLParsing", "HTMLInputs", "SeededRandom"],
            exclude: ["Samples"]
        ),
        tests("MailComposingTests", ["Groundwork", "HTMLParsing", "HTMLCleaning", "MailComposing", "SeededRandom"]),
        tests("InboxModelTests", ["Groundwork", "InboxModel"]),
        tests("InboxAdaptersTests", ["Groundwork", "InboxModel", "InboxAdapters"]),
        tests("InboxHTMLTests", ["Groundwork", "InboxModel", "InboxCards", "InboxHTML", "Coverage"]),
        tests("HTMLViewsTests", ["HTMLCleaning", "HTMLViews"]),
        tests(
            "InboxViewsTests",
            [
                "Groundwork", "HTMLCleaning", "HTMLViews", "InboxModel", "InboxCards", "InboxClient", "InboxViews",
                "InboxTesting", "Screens", "Eventually", "Coverage",
            ]
        ),
        tests(
            "InboxMailViewsTests",
            [
                "Groundwork", "HTMLCleaning", "HTMLViews", "InboxModel", "JMAP", "Replica", "InboxCards", "InboxClient",
                "InboxMail", "InboxMailViews", "InboxTesting", "InboxViews", "MailComposing", "MailSignIn",
                "ReplicaTesting", "StandardMailServer", "Eventually", "Screens",
            ]
        ),
        tests("InboxCardsTests", ["Groundwork", "InboxModel", "InboxCards", "InboxHTML", "Coverage"]),
        tests("JMAPTests", ["Groundwork", "JMAP"]),
        tests("MailServerTests", ["Groundwork", "LinePrograms", "RunningMailServer", "Eventually"]),
        tests(
            "ReplicaTests",
            [
                "Groundwork", "JMAP", "Replica", "ReplicaTesting", "SeededRandom", "Eventually", "Coverage",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ]
        ),
        tests(
            "InboxClientTests",
            [
                "Groundwork", "HTMLCleaning", "InboxModel", "JMAP", "Replica", "InboxClient", "InboxTesting",
                "SeededRandom", "Eventually", "RecordedLogs", "Coverage",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "InboxHTTPClientTests",
            [
                "Groundwork", "InboxHTTPClient", "RawSockets", "Eventually",
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
            ]
        ),
        tests(
            "InboxMailTests",
            [
                "Groundwork", "HTMLCleaning", "JMAP", "Replica", "ReplicaTesting", "InboxClient", "InboxMail",
                "InboxTesting",
                "RunningMailServer", "StandardMailServer", "MailComposing", "InboxHTTPClient",
                "SeededRandom", "Eventually", "Screens", "RawSockets", "RecordedLogs",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "MailSignInTests",
            [
                "Groundwork", "InboxMail", "MailSignIn", "ReplicaTesting", "RunningMailServer", "InboxHTTPClient",
                "RawSockets", "Eventually",
            ]
        ),
        tests(
            "ZetaCompatibilityTests",
            [
                "Groundwork", "InboxModel", "InboxClient", "InboxTesting", "ZetaCompatibility", "RunningServer",
                "Coverage",
            ]
        ),
        tests(
            "BloomreachCompatibilityTests",
            [
                "Groundwork", "HTMLCleaning", "HTMLViews", "InboxModel", "InboxCards", "InboxClient", "InboxViews",
                "InboxTesting", "BloomreachCompatibility", "RunningServer", "Screens", "Eventually", "Coverage",
            ]
        ),
        tests(
            "AdobeCompatibilityTests",
            [
                "Groundwork", "HTMLCleaning", "HTMLViews", "InboxModel", "InboxAdapters", "InboxCards", "InboxClient",
                "InboxViews", "InboxTesting", "AdobeCompatibility", "RunningServer", "Screens", "Eventually",
                "Coverage",
            ]
        ),
        tests(
            "InboxKitCompatibilityTests",
            [
                "Groundwork", "Replica", "InboxKitCompatibility", "InboxMailViews", "MailSignIn", "RunningMailServer",
                "SeededRandom", "Eventually", "Coverage", "ReplicaTesting",
            ]
        ),
        tests("InboxServerTests", serverTests, resources: [.copy("Fixtures")]),
        // Who may do what, and how much. Apart from the others: the compiler would take long for all at once.
        tests("InboxServerGuardTests", serverTests + ["ZetaCompatibility"]),
        // What people complain about elsewhere, tried against a server.
        tests(
            "ComplaintTests",
            [
                "Groundwork", "InboxModel", "JMAP", "Replica", "InboxClient", "InboxTesting", "RunningServer",
                "Eventually", "Coverage",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        // Devices, sender and server in one process, where whatever can fail does, as a seed says.
        tests(
            "SimulationTests",
            [
                "Groundwork", "InboxModel", "JMAP", "Replica", "InboxClient", "InboxMail", "InboxService",
                "InboxServer",
                "StandardMailServer",
                .byName(name: "Postgres", condition: postgreSQL),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: server),
            ]
        ),
        // Real processes: the built `inbox` as server and as devices.
        tests(
            "InboxProcessTests",
            [
                "Groundwork", "HTMLCleaning", "InboxModel", "InboxCards", "InboxMail", "Eventually", "RawSockets",
                "RunningMailServer", "SeededRandom", "Coverage", .product(name: "GRDB", package: "GRDB.swift"),
                .byName(name: "Postgres", condition: postgreSQL),
                .byName(name: "RunningPostgres", condition: postgreSQL),
                "inbox", "inbox-eight-ball", "inbox-triage", "inbox-simple-mail", "inbox-snap-mail",
                "inbox-token-example",
            ],
            resources: [.copy("Resources")]
        ),
    ]
)

// Some of the test targets alone, separated by spaces, for work on one floor: the others aren't built.
if let names = Context.environment["SWIFT_INBOX_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}

// The floors that `scripts/build-options` has optimized in a debug build, with everything that such a build checks.
if let names = Context.environment["SWIFT_INBOX_OPTIMIZED"]?.split(separator: " ") {
    for target in package.targets where names.contains(Substring(target.name)) {
        target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
    }
}

// The benchmarks read inside an open transaction, which needs `package` access, so they are targets of this package;
// only for those who run them (`make bench`).
if Context.environment["SWIFT_INBOX_BENCHMARKS"] != nil {
    package.targets += [
        .target(
            name: "RawCounterpart",
            dependencies: [.byName(name: "CLibpq", condition: postgreSQL)],
            path: "Benchmarks/RawCounterpart",
            cSettings: [.define("_GNU_SOURCE"), .define("POSTGRESQL", .when(traits: ["PostgreSQL"]))],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        // What `scripts/check-html` and `scripts/html-gallery` run.
        .executableTarget(
            name: "inbox-html",
            dependencies: ["HTMLParsing", "HTMLCleaning", "HTMLInputs"],
            path: "Tests/HTMLTool",
            exclude: ["compare.py", "pictures.py"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "inbox-bench",
            dependencies: [
                "Groundwork", "InboxModel", "InboxCards", "InboxHTML", "JMAP", "Replica", "InboxClient",
                "InboxViews", "InboxService", "InboxServer", "InboxTesting", "InboxMail", "RawCounterpart",
                "HTMLParsing", "HTMLCleaning", "HTMLInputs",
                "RunningMailServer", .byName(name: "RunningPostgres", condition: postgreSQL),
                "SeededRandom",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            path: "Benchmarks/InboxBench",
            swiftSettings: settings
        ),
    ]
}

// What `scripts/fuzz` builds: an entry for libFuzzer, which brings `main` along. It calls the simulation's server
// without its sockets, and the rules of cleaned HTML, whose files can be in one target only.
if Context.environment["SWIFT_INBOX_FUZZING"] != nil {
    package.targets.removeAll { $0.type == .test }
    package.targets.append(
        .executableTarget(
            name: "inbox-fuzz",
            dependencies: [
                "Groundwork", "HTMLParsing", "HTMLCleaning", "HTMLInputs", "InboxModel", "JMAP", "InboxService",
                "InboxServer",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: server),
            ],
            path: ".",
            sources: [
                "Fuzzing/InboxFuzz", "Tests/SimulationTests/Server/SimulatedServer.swift",
                "Tests/HTMLCleaningTests/Support/Invariants.swift",
            ],
            swiftSettings: settings
        )
    )
}
