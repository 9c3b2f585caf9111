import Groundwork
import Logging
import ServiceLifecycle

/// Something that files say, and that is read anew when they say something else.
protocol ReloadedFiles: Sendable {
    /// For the log.
    var name: String { get }

    /// Reads the files; blocks meanwhile.
    ///
    /// - Returns: Whether something is different now.
    /// - Throws: ``ServerSetupError``; then what held before goes on holding.
    func reload() throws -> Bool
}

/// Looks at files again and again.
///
/// No signal is needed: it works in a container, with links that are switched, and a terminal that is closed still ends the
/// server. What is wrong with a file is logged once, and the last that was right holds until it is mended.
struct FileReloader: Service {
    let files: [any ReloadedFiles]
    let clock: any WallClock
    let logger: Logger

    /// In seconds.
    static let interval = 10.0

    func run() async throws {
        let problems = Locked<[Int: String]>([:])
        try? await cancelWhenGracefulShutdown {
            while true {
                try await clock.sleep(seconds: Self.interval)
                await onItsOwnThread { look(problems) }
            }
        }
    }

    private func look(_ problems: Locked<[Int: String]>) {
        for (number, file) in files.enumerated() {
            do {
                if try file.reload() { logger.notice("\(file.name) was read anew") }
                problems.withLock { $0[number] = nil }
            } catch {
                let isNew = problems.withLock { $0.updateValue("\(error)", forKey: number) } != "\(error)"
                if isNew {
                    logger.error("\(file.name) can't be read anew; the last goes on", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
