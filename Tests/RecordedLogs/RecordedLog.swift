import Groundwork
package import Logging

/// The entries of a logger, at every level.
package final class RecordedLog: Sendable {
    package struct Entry: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]
    }

    // Guarded by the lock: engines log from their own tasks.
    private let recorded = Locked<[Entry]>([])

    package init() {}

    package var entries: [Entry] { recorded.withLock { $0 } }
    package var messages: [String] { entries.map(\.message) }

    /// Everything of the entries as text: for tests of what isn't in a log.
    package var lines: [String] { entries.map { "\($0.level) \($0.message) \($0.metadata)" } }

    package var logger: Logger {
        Logger(label: "test") { [recorded] _ in Handler(recorded: recorded) }
    }

    private struct Handler: LogHandler {
        let recorded: Locked<[Entry]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let entry = Entry(
                level: event.level,
                message: "\(event.message)",
                metadata: all.mapValues { "\($0)" }
            )
            recorded.withLock { $0.append(entry) }
        }
    }
}
