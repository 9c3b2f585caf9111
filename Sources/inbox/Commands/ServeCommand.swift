import ArgumentParser
import Foundation
import InboxServer
import Logging

/// `inbox serve`: the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server on a SQLite file.",
        discussion: """
            Everything is in the one file, which is made where there is none. When the server answers requests, a \
            line with its address appears on standard output; the log goes to standard error. SIGTERM and Ctrl-C end it \
            after the requests that are being answered.

            The first API key is the one given. Where none is given and the file has none, one is made and \
            printed, once.

            Example:
              INBOX_ADMIN_KEY=… inbox serve --database inbox.sqlite --port 8080
            """
    )

    @Option(help: ArgumentHelp("The SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Option(help: ArgumentHelp("The port to listen on; 0 for any that is free.", valueName: "n"))
    var port = 8080

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all.", valueName: "host"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("An API key that is to work. (default: $INBOX_ADMIN_KEY)", valueName: "key"))
    var adminKey: String?

    @Option(
        help: ArgumentHelp("How devices reach the server, where a proxy stands before it.", valueName: "url"),
        transform: { try ServerAddress.parse($0) }
    )
    var publicURL: URL?

    @Option(
        help: ArgumentHelp(
            "The least level of the log: trace, debug, info, notice, warning, error.",
            valueName: "level"
        )
    )
    var logLevel = LogLevel(.info)

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port has to be from 0 to 65535.") }
    }

    func run() async throws {
        var configuration = InboxServerConfiguration(
            database: URL(fileURLWithPath: database),
            host: host,
            port: port,
            adminKey: adminKey ?? Environment.value("INBOX_ADMIN_KEY"),
            publicURL: publicURL
        )
        configuration.logger = RunningServer.logger(logLevel.level)
        try await RunningServer(configuration: configuration).run { ready in
            Output.line("inbox is ready at \(ready.url.absoluteString)")
            if let key = ready.newAdminKey {
                Output.line("New API key, shown this once: \(key)")
            }
        }
    }
}

/// A level of the log on the command line.
struct LogLevel: ExpressibleByArgument, CustomStringConvertible {
    let level: Logger.Level

    init(_ level: Logger.Level) { self.level = level }

    init?(argument: String) {
        guard let level = Logger.Level(rawValue: argument.lowercased()) else { return nil }
        self.level = level
    }

    var description: String { level.rawValue }
    var defaultValueDescription: String { level.rawValue }
}
