import Foundation
import Groundwork

/// The level of a log.
public enum LogLevel: Int, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// What failed.
    case error
    /// What is odd as well.
    case warning
    /// All.
    case verbose
}

/// The app's log. A subclass can send it somewhere else.
open class Logger: @unchecked Sendable {
    // Guarded by its lock, which is why the class may call itself Sendable; a subclass guards what it adds.
    private let level = Locked(LogLevel.warning)

    /// Logs warnings and errors.
    public init() {}

    /// The least severe level that is logged. ``LogLevel/warning`` at first.
    open var logLevel: LogLevel {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }

    /// Writes a message to the system's log, if its level is logged.
    ///
    /// - Returns: Whether it was written.
    @discardableResult
    open func log(_ level: LogLevel, message: String) -> Bool {
        guard level != .none, level.rawValue <= logLevel.rawValue else { return false }
        NSLog("%@", "[Inbox] \(level): \(message)")
        return true
    }
}
