import Foundation
import Groundwork

/// The level of a log.
public enum LogLevel: Int, Hashable, Sendable, CaseIterable {
    /// Logs nothing.
    case none
    /// Logs errors.
    case error
    /// Logs warnings and errors.
    case warning
    /// Logs everything.
    case verbose
}

/// The app's log. A subclass can write it to another destination.
open class Logger: @unchecked Sendable {
    // Guarded by its lock, so the class can declare Sendable. A subclass guards its own state.
    private let level = Locked(LogLevel.warning)

    /// Logs warnings and errors.
    public init() {}

    /// The least severe level that is logged. The default is ``LogLevel/warning``.
    open var logLevel: LogLevel {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }

    /// Writes a message to the system's log if its level is logged.
    ///
    /// - Returns: Whether it was written.
    @discardableResult
    open func log(_ level: LogLevel, message: String) -> Bool {
        guard level != .none, level.rawValue <= logLevel.rawValue else { return false }
        NSLog("%@", "[Inbox] \(level): \(message)")
        return true
    }
}
