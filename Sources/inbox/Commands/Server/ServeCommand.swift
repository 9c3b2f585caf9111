import ArgumentParser
import Foundation
import InboxServer

/// `inbox serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server with a SQLite file or a PostgreSQL database.",
        discussion: """
            All data is in one file, which is created if it doesn't exist, or in a database of PostgreSQL, which \
            several servers may share. When the server is ready, a line with its address is written to standard \
            output; the log is written to standard error. SIGTERM and Ctrl-C stop the server after the requests in \
            progress.

            The first API key, the setup key, is the given one. It has at least 32 characters (openssl rand -hex 32). \
            A setup key given earlier is revoked. Without a given key and without one in the file, a key is created \
            and printed once.

            The files of --tls-…, --jwt-key and --jwt-secret are checked every 10 seconds, and reloaded when they \
            change.

            Examples:
              INBOX_ADMIN_KEY=… inbox serve --database inbox.sqlite --port 8080
              inbox serve --database inbox.sqlite --host 0.0.0.0 --port 443 \\
                --tls-certificate fullchain.pem --tls-key privkey.pem \\
                --jwt-key 2026-05.pem
            """
    )

    @Option(help: ArgumentHelp("The SQLite file, or postgres://…", valueName: "file"), completion: .file())
    var database: String

    @Option(
        help: ArgumentHelp(
            """
            The same PostgreSQL database through a pooler in transaction mode, such as PgBouncer, for reads and \
            writes: postgres://…
            """,
            valueName: "address"
        )
    )
    var pooler: String?

    @Option(help: ArgumentHelp("The port to listen on. 0 for any free port.", valueName: "n"))
    var port = 8080

    @Option(help: ArgumentHelp("The address to listen on. 0.0.0.0 for all.", valueName: "host"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "A file with the setup key, the first API key. (default: $INBOX_ADMIN_KEY)",
            valueName: "file"
        ),
        completion: .file()
    )
    var adminKeyFile: String?

    @Option(help: ArgumentHelp("The setup key itself. Other users of this machine can see it.", valueName: "key"))
    var adminKey: String?

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            """
            Trust X-Forwarded-For from this address or range, such as 10.0.0.0/8, to limit attempts with wrong keys by \
            client address. Repeatable.
            """,
            valueName: "address"
        )
    )
    var trustedProxies: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many requests with wrong API keys an address may send at once. One more is allowed every 6 seconds.",
            valueName: "n"
        )
    )
    var wrongKeyLimit = AttemptLimit().burst

    @Option(
        help: ArgumentHelp("The URL at which devices reach the server, if it is behind a proxy.", valueName: "url"),
        transform: { try ServerAddress.parsePublic($0) }
    )
    var publicURL: URL?

    @Option(
        name: .customLong("sign-in-origin"),
        help: ArgumentHelp(
            """
            Allow forms of this web origin to sign people in on the page /inbox, such as https://app.example.com. \
            Repeatable.
            """,
            valueName: "origin"
        )
    )
    var signInOrigins: [String] = []

    @Flag(
        name: .customLong("webhook-allow-private"),
        help: "Allow webhooks to addresses that aren't public: of this machine or its network."
    )
    var allowsPrivateWebhooks = false

    @Option(
        help: ArgumentHelp(
            """
            After SIGTERM or Ctrl-C, answer requests for some more seconds, with /health/ready at 503, so that a load \
            balancer stops sending them. A second signal ends this.
            """,
            valueName: "s"
        )
    )
    var shutdownPause = 0.0

    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Tokens of the app's backend") var appTokens: AppTokenOptions
    @OptionGroup(title: "Fair use") var fairUse: FairUseOptions
    @OptionGroup(title: "Log") var log: LogOptions

    func validate() throws {
        guard adminKey == nil || adminKeyFile == nil else {
            throw ValidationError("Give one of --admin-key and --admin-key-file.")
        }
        try PathArgument.check(database, of: "--database")
        guard (0...65_535).contains(port) else { throw ValidationError("--port has to be from 0 to 65535.") }
        guard wrongKeyLimit > 0 else { throw ValidationError("--wrong-key-limit has to be at least 1.") }
        guard (0...60).contains(shutdownPause) else {
            throw ValidationError("--shutdown-pause has to be from 0 to 60 seconds.")
        }
        for origin in signInOrigins where origin.wholeMatch(of: /https?:\/\/[^\/?#\s]+/) == nil {
            throw ValidationError("--sign-in-origin has to be like https://app.example.com, not \(origin.plainLine).")
        }
    }

    func run() async throws {
        InboxServer.prepareProcess()
        var configuration = InboxServerConfiguration(
            database: try DatabaseAddress(database).read(),
            host: host,
            port: port,
            adminKey: try Secret.adminKey.read(adminKey, file: adminKeyFile),
            publicURL: publicURL
        )
        configuration.pooler = try pooler.map { try DatabaseAddress($0, option: "--pooler").read() }
        configuration.certificate = tls.certificate
        configuration.appTokens = appTokens.settings
        configuration.signInOrigins = signInOrigins
        configuration.fairUse = fairUse.fairUse
        configuration.trustedProxies = trustedProxies
        configuration.attemptLimit.burst = wrongKeyLimit
        configuration.allowsPrivateWebhooks = allowsPrivateWebhooks
        configuration.shutdownPause = .seconds(shutdownPause)
        configuration.logger = log.logger
        try await RunningServer(configuration: configuration).run { ready in
            Output.line("inbox is ready at \(ready.url.absoluteString)")
            if let key = ready.newAdminKey {
                Output.line("New API key, shown only once: \(key)")
            }
        }
    }
}
