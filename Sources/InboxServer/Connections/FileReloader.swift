import Groundwork
import InboxService
import Logging
import ServiceLifecycle

/// A value that is read from files, and read again when they change.
protocol ReloadedFiles: Sendable {
    /// The name for the log.
    var name: String { get }

    /// Reads the files, on a thread of its own.
    ///
    /// - Returns: Whether the value has changed.
    /// - Throws: ``ServerSetupError`` for an invalid file. The former value is kept.
    func reload() async throws -> Bool
}

/// Checks files periodically: the TLS certificate's (through `NIOCertificateReloading`) and those of the app's keys.
///
/// No signal is needed: this works in a container and with switched symbolic links, and a closed terminal still stops
/// the server. An invalid file is logged once, and the last valid one is used until it is fixed.
struct FileReloader: Service {
    let files: [any ReloadedFiles]
    let clock: any WallClock
    let logger: Logger

    /// The interval, in seconds.
    static let interval = 10.0

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var problems: [Int: String] = [:]
            while true {
                try await clock.sleep(seconds: Self.interval)
                for (number, file) in files.enumerated() {
                    await reload(file, lastProblem: &problems[number])
                }
            }
        }
    }

    private func reload(_ file: any ReloadedFiles, lastProblem: inout String?) async {
        do {
            if try await file.reload() { logger.notice("\(file.name) was reloaded") }
            lastProblem = nil
        } catch {
            defer { lastProblem = "\(error)" }
            guard lastProblem != "\(error)" else { return }
            logger.error(
                "\(file.name) can't be reloaded; the last valid version stays in use",
                metadata: ["error": "\(error)"]
            )
        }
    }
}

/// Files with a signal for each change.
struct SignalledFiles: ReloadedFiles {
    let files: any ReloadedFiles
    let changed: WakeUp

    var name: String { files.name }

    func reload() async throws -> Bool {
        guard try await files.reload() else { return false }
        changed.signal()
        return true
    }
}

extension AppTokens: ReloadedFiles {}
