import GRDB
import Groundwork
import JMAP
package import Logging

/// The log of one engine: rounds, retries, refusals, repairs and the state of the connection.
///
/// An entry has a fixed message and metadata without a person's data: names of types and properties, kinds of failures,
/// statuses, counts and durations. Texts of the app, the server or the person, tokens, URLs and ids are never logged.
/// The levels follow swift-log's guidance for libraries: events that need a developer's attention are a `warning`,
/// failures that are retried are `info`, and the rest is `debug`.
package struct SyncLog: Sendable {
    /// The logger, for entries of the floors above, which follow the same rules.
    package let logger: Logger

    /// Creates the log of a domain.
    package init(_ logger: Logger, _ domain: StoreDomain) {
        var logger = logger
        logger[metadataKey: "domain"] = "\(domain.label)"
        self.logger = logger
    }

    /// The logger of an app that passes none. It logs nothing.
    package static let disabled = Logger(label: "Replica") { _ in SwiftLogNoOpLogHandler() }

    func roundBegan(_ round: Int) {
        logger.debug("sync round began", metadata: ["round": "\(round)"])
    }

    func roundSucceeded(_ round: Int, seconds: Double) {
        logger.debug("sync round succeeded", metadata: ["round": "\(round)", "seconds": "\(rounded(seconds))"])
    }

    /// Logs the failure of a round.
    ///
    /// - Parameter retryIn: The seconds until the next automatic attempt; nil if there is none.
    func roundFailed(_ round: Int, _ failure: Failure, seconds: Double, retryIn: Double?) {
        var metadata = failure.metadata
        metadata["round"] = "\(round)"
        metadata["seconds"] = "\(rounded(seconds))"
        if let retryIn { metadata["retryIn"] = "\(rounded(retryIn))" }
        logger.log(level: failure.level, "sync round failed", metadata: metadata)
    }

    /// Logs the failure of work beside the rounds.
    ///
    /// - Parameter retryIn: The seconds until the next automatic attempt; nil if there is none.
    package func failed(
        _ message: Logger.Message,
        _ error: any Error,
        retryIn: Double?,
        metadata other: Logger.Metadata = [:]
    ) {
        let failure = Failure(error)
        var metadata = failure.metadata.merging(other) { _, other in other }
        if let retryIn { metadata["retryIn"] = "\(rounded(retryIn))" }
        logger.log(level: failure.level, message, metadata: metadata)
    }

    /// Logs that a full sync replaces the fetch of changes.
    func fullSyncBegan(_ type: String) {
        logger.debug("full sync began", metadata: ["type": "\(type)"])
    }

    func tokenRequested(isNew: Bool) {
        logger.info("token requested after a rejection", metadata: ["isNew": "\(isNew)"])
    }

    func connectionChanged(_ state: ConnectionState) {
        var metadata: Logger.Metadata = ["state": "\(state.name)"]
        if case .offline(let reason, _) = state { metadata["reason"] = "\(reason.code)" }
        logger.debug("connection changed", metadata: metadata)
    }

    func refused(_ refusal: RefusedWrite) {
        // The rest of a path can contain the person's text, such as a keyword.
        let property = refusal.entry.path.prefix { $0 != "/" }
        var metadata: Logger.Metadata = ["type": "\(refusal.type)", "error": "\(Self.token(refusal.error))"]
        if !property.isEmpty { metadata["property"] = "\(Self.token(String(property)))" }
        logger.warning("pending write refused", metadata: metadata)
    }

    func repaired(_ repair: ReplicaRepair) {
        logger.warning(
            "damaged store rebuilt",
            metadata: ["carriedOver": "\(repair.carriedOver)", "isComplete": "\(repair.isComplete)"]
        )
    }

    /// The loggable part of a failure: its kind and status, without its texts.
    struct Failure {
        let metadata: Logger.Metadata
        let level: Logger.Level

        init(_ error: any Error) {
            switch error {
            case let error as SyncError:
                let reason = error.offlineReason
                var metadata: Logger.Metadata = ["error": "\(SyncLog.name(of: error))"]
                if let status = reason.status { metadata["status"] = "\(status)" }
                self.metadata = metadata
                level = error.isRetryable ? .info : .warning
            case let error as StoreError:
                metadata = ["error": "\(SyncLog.name(of: error))"]
                level = .warning
            case is CancellationError:
                metadata = ["error": "cancelled"]
                level = .debug
            default:
                metadata = ["error": "\(type(of: error))"]
                level = .warning
            }
        }
    }

    private static func name(of error: SyncError) -> String {
        switch error {
        case .transport(.timedOut): "timedOut"
        case .transport(.unreachable): "notConnected"
        case .transport(.tooLarge): "tooLarge"
        case .status: "status"
        case .unauthorized(let refusal): "unauthorized (\(refusal.code))"
        case .noToken: "noToken"
        case .otherPerson: "otherPerson"
        case .noAccount: "noAccount"
        case .malformed: "malformed"
        case .method(let error): "method (\(token(error.type)))"
        case .otherProcess: "otherProcess"
        }
    }

    private static func name(of error: StoreError) -> String {
        switch error {
        case .closed: "closed"
        case .damaged: "damaged"
        case .full: "diskFull"
        case .busy: "busy"
        case .newer: "newerVersion"
        case .unopened(_, let error), .database(let error): "SQLite \(error.resultCode.rawValue)"
        case .directory: "directory"
        }
    }

    /// Returns an external name if it is well-formed: up to 64 ASCII letters, digits, `:`, `_`, `.` and `-`. Otherwise
    /// returns `other`.
    private static func token(_ text: String) -> String {
        let isToken =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F: true
                default: false
                }
            }
        return isToken ? text : "other"
    }

    private func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }
}
