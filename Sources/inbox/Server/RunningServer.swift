import Foundation
import InboxServer
import Logging
import ServiceLifecycle
import UnixSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The server as a process: it runs until SIGTERM or Ctrl-C.
struct RunningServer: Sendable {
    let configuration: InboxServerConfiguration

    /// The time limit for the whole shutdown after a signal, in seconds. Connections end earlier by themselves
    /// (`ConnectionLimits.stop`).
    private static let shutdownTimeout = 10

    /// Returns a logger to standard error.
    static func logger(_ level: Logger.Level, format: LogFormat = .text) -> Logger {
        var logger = Logger(label: "inbox") { label in
            switch format {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label) { Output.note($0) }
            }
        }
        logger.logLevel = level
        return logger
    }

    /// Serves until a signal arrives.
    ///
    /// - Parameters:
    ///   - companion: A service that runs as long as the server does. If it fails, the server stops.
    ///   - onReady: Called once, when the server listens.
    /// - Throws: ``Failure`` with the reason why the server can't run.
    func run(
        alongside companion: (any Service)? = nil,
        onReady: @escaping @Sendable (ReadyInformation) async -> Void
    ) async throws {
        try checkPrerequisites()
        OpenFiles.raiseLimit()
        // The server's files contain people's messages: they are readable by their owner only.
        umask(0o077)
        let server = InboxServer(configuration: configuration, onReady: onReady)
        var group = ServiceGroupConfiguration(
            services: [.init(service: server)] + (companion.map { [.init(service: NamedService($0))] } ?? []),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: configuration.logger
        )
        group.maximumGracefulShutdownDuration = configuration.shutdownPause + .seconds(Self.shutdownTimeout)
        // The group notices the first signal alone.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let second = Task {
            for await _ in signals.dropFirst() { server.endShutdownPause() }
        }
        defer { second.cancel() }
        do {
            try await ServiceGroup(configuration: group).run()
        } catch {
            if let failure = Failure(from: error) { throw failure }
            throw Failure("The server stopped: \(error)")
        }
    }

    /// Checks for the most frequent startup problems, and explains them.
    private func checkPrerequisites() throws {
        let folder = configuration.database.deletingLastPathComponent()
        var isFolder: ObjCBool = false
        guard
            !configuration.database.isFileURL
                || FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) && isFolder.boolValue
        else {
            throw Failure(
                "The folder \(folder.path) doesn't exist. Create it, or choose another \(configuration.databaseOption)."
            )
        }
        if let problem = Port.problem(configuration.port, host: configuration.host) { throw Failure(problem) }
    }
}
