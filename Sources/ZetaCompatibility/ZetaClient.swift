public import Foundation
import Groundwork
import InboxClient

/// Zeta's entry point.
///
/// Initialize it once, early. From then on ``inbox`` isn't nil.
public final class ZetaClient: NSObject, Sendable {
    /// The app's client.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public static let shared = ZetaClient()

    // Guarded by the lock: the configuration is set once and read from any thread.
    private let current = Locked<CurrentInbox?>(nil)

    package override init() {}

    /// Makes the inbox of the configuration's person the current one.
    ///
    /// It waits for neither the file system nor the network. A later call changes the person: the previous person is
    /// signed out (`Inbox.signOut()`), and none of their messages is returned any more. Of the other settings, a later
    /// call only applies a new server or directory.
    #if canImport(ObjectiveC)
        @objc(initializeWithConfig:)
    #endif
    public func initialize(config: ZTConfig) {
        current.withLock { current in
            if current?.server != config.server || current?.directory != config.directory {
                current?.anonymize()
                current = config.makeInbox()
            }
            if let person = config.person {
                current?.identify(person, keepingMessages: true)
            } else {
                current?.anonymize()
            }
        }
    }

    /// The person's messages, or nil before ``initialize(config:)`` was called.
    public var inbox: (any ZTAppInboxManagable)? { appInbox }

    var appInbox: ZTAppInbox? { current.withLock { $0 }.map(ZTAppInbox.init) }
}
