import Foundation

/// Hears notifications that are posted on the main actor, until it goes.
///
/// Unchecked, since what the notification center gave is only handed back to it.
final class Watching: @unchecked Sendable {
    private let observer: any NSObjectProtocol

    /// - Parameters:
    ///   - name: Which notifications.
    ///   - object: Whose; nil for anybody's.
    ///   - heard: Called at once, with whose it was.
    init(
        _ name: Notification.Name,
        of object: AnyObject? = nil,
        _ heard: @escaping @MainActor @Sendable (ObjectIdentifier?) -> Void
    ) {
        observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { notification in
            let id = notification.object.map { ObjectIdentifier($0 as AnyObject) }
            MainActor.assumeIsolated { heard(id) }
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(observer)
    }
}
