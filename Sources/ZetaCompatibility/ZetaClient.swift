public import Foundation
import Groundwork
import InboxClient

/// Zeta's entry point.
///
/// Give it a configuration once, early; from then on ``inbox`` is there.
public final class ZetaClient: NSObject, Sendable {
    /// The one client of the app.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public static let shared = ZetaClient()

    // Guarded by the lock: the configuration comes once, and is looked at from everywhere.
    private let current = Locked<CurrentInbox?>(nil)

    package override init() {}

    /// Makes the inbox of the configuration's person the app's.
    ///
    /// Waits for neither file nor network. Called again it changes the person: the one before is signed out
    /// (`Inbox.signOut()`), and no message of theirs is given to anybody any more. Of the rest, only another server or
    /// directory counts.
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

    /// The person's messages; nil until ``initialize(config:)`` was called.
    public var inbox: (any ZTAppInboxManagable)? { appInbox }

    var appInbox: ZTAppInbox? { current.withLock { $0 }.map(ZTAppInbox.init) }
}
