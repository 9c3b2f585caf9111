import Foundation
import Groundwork
import Logging

/// A log handler that writes each entry as a JSON object on one line.
///
/// The object always has `time`, `level`, `logger` and `message`. It may have `metadata`, an object of strings, and
/// `error`, a string.
struct JSONLogHandler: LogHandler {
    let label: String
    /// Receives a line without its line break.
    let write: @Sendable (String) -> Void

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    init(label: String, write: @escaping @Sendable (String) -> Void) {
        self.label = label
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var object = JSONObject([
            ("time", .string(RFC3339.string(from: Date()))), ("level", .string(event.level.rawValue)),
            ("logger", .string(label)), ("message", .string(event.message.description)),
        ])
        object["error"] = event.error.map { .string("\($0)") }
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if !all.isEmpty {
            let members = all.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value.description)) }
            object["metadata"] = .object(JSONObject(members))
        }
        write(JSON.object(object).description)
    }
}
