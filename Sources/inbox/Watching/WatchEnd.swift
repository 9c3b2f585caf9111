import Foundation
import InboxClient
import Replica

/// Runs a watching command. If its store is closed meanwhile, since another process has logged out or has replaced the
/// file, the command fails with advice.
///
/// - Parameters:
///   - store: The store that is watched.
///   - login: The command to log in again.
func watching(_ store: ReplicaStore, login: String, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as InboxError where error.code == .closed {
        if store.needsReopening {
            throw Failure("Another process has replaced this device's file \(store.location.file.path). Start again.")
        }
        throw Failure("This device was logged out by another process. Log in again with: \(login)", code: .notLoggedIn)
    }
}

extension InboxError {
    /// The end of snapshots that nothing in this process has ended.
    static var closedElsewhere: InboxError { InboxError(.closed, "The store was closed by another process.") }
}
