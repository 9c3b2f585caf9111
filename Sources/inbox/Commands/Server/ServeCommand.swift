import ArgumentParser
import Foundation
import InboxServer

/// `inbox serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server on a SQLite file.",
        discussion: """
            Everything is in the one file, which is made where there is none. When the server answers requests, a \
            line with its address appears on standard output; the log goes to standard error. SIGTERM and Ctrl-C end it \
            after the requests that are being answered.

            The first API key, the setup key, is the one given: 32 characters at least (openssl rand -hex 32). A setup key \
            that was given before is revoked. Where none is given and the file has none, one is made and printed, once.

            Files given with --tls-…, --jwt-key and --jwt-secret are looked at every 10 seconds and read again when they change.

            Examples:
              INBOX_ADMIN_KEY=… inbox serve --database inbox.sqlite --port 8080
              inbox serve --database inbox.sqlite --host 0.0.0.0 --port 443 \
                --tls-certificate fullchain.pem --tls-key privkey.pem --jwt-key 2026-05.pem
            """
    )

    @Option(help: ArgumentHelp("The SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Option(help: ArgumentHelp("The port to listen on; 0 for any that is free.", valueName: "n"))
    var port = 8080

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all.", valueName: "host"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "A file with the setup key, an API key that is to work. (default: $INBOX_ADMIN_KEY)",
            valueName: "file"
        ),
        completion: .file()
    )
    var adminKeyFile: String?

    @Option(help: ArgumentHelp("The setup key itself; other users of the machine see it.", valueName: "key"))
    var adminKey: String?

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "Believe the X-Forwarded-For of this address or range, such as 10.0.0.0/8: attempts with wrong keys are paced by address. Repeatable.",
            valueName: "address"
        )
    )
    var trustedProxies: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many requests with wrong API keys an address has at once; one more comes every 6 seconds.",
            valueName: "n"
        )
    )
    var wrongKeyLimit = AttemptLimit().burst

    @Option(
        help: ArgumentHelp("How devices reach the server, where a proxy stands before it.", valueName: "url"),
        transform: { try ServerAddress.parsePublic($0) }
    )
    var publicURL: URL?

    @Option(
        name: .customLong("sign-in-origin"),
        help: ArgumentHelp(
            "Let forms of this web origin sign people in on the page /inbox, such as https://app.example.com. Repeatable.",
            valueName: "origin"
        )
    )
    var signInOrigins: [String] = []

    @Flag(
        name: .customLong("webhook-allow-private"),
        help: "Let webhooks go to addresses that aren't public: of this machine or its network."
    )
    var allowsPrivateWebhooks = false

    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Tokens of the app's backend") var appTokens: AppTokenOptions
    @OptionGroup(title: "Fair use") var fairUse: FairUseOptions
    @OptionGroup(title: "Log") var log: LogOptions

    func validate() throws {
        guard adminKey == nil || adminKeyFile == nil else {
            throw ValidationError("Give one of --admin-key and --admin-key-file.")
        }
        guard !database.isEmpty else {
            throw ValidationError("--database needs the name of a file, such as inbox.sqlite.")
        }
        guard (0...65_535).contains(port) else { throw ValidationError("--port has to be from 0 to 65535.") }
        guard wrongKeyLimit > 0 else { throw ValidationError("--wrong-key-limit has to be 1 at least.") }
        for origin in signInOrigins where origin.wholeMatch(of: /https?:\/\/[^\/?#\s]+/) == nil {
            throw ValidationError("--sign-in-origin has to be like https://app.example.com, not \(origin.plainLine).")
        }
    }

    func run() async throws {
        InboxServer.prepareProcess()
        var configuration = InboxServerConfiguration(
            database: URL(fileURLWithPath: database),
            host: host,
            port: port,
            adminKey: try Secret.adminKey.read(adminKey, file: adminKeyFile, warns: true),
            publicURL: publicURL
        )
        configuration.certificate = tls.certificate
        configuration.appTokens = appTokens.settings
        configuration.signInOrigins = signInOrigins
        configuration.fairUse = fairUse.fairUse
        configuration.trustedProxies = trustedProxies
        configuration.attemptLimit.burst = wrongKeyLimit
        configuration.allowsPrivateWebhooks = allowsPrivateWebhooks
        configuration.logger = log.logger
        try await RunningServer(configuration: configuration).run { ready in
            Output.line("inbox is ready at \(ready.url.absoluteString)")
            if let key = ready.newAdminKey {
                Output.line("New API key, shown this once: \(key)")
            }
        }
    }
}
