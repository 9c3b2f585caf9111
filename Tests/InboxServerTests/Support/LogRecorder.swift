import Groundwork
import Logging

/// A log handler that records every line.
struct LogRecorder: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])") }
    }

    /// Returns a logger that appends its lines to `lines`.
    static func logger(_ lines: Locked<[String]>) -> Logger {
        Logger(label: "test") { _ in LogRecorder(lines: lines) }
    }
}
