import Foundation

/// An observation of notifications that are posted on the main actor. It ends when it is released.
///
/// Unchecked, because the observer token is only passed back to the notification center.
final class NotificationObservation: @unchecked Sendable {
    private let observer: any NSObjectProtocol

    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The object of the notifications; nil for any.
    ///   - handler: Called synchronously, with the identity of the notification's object.
    init(
        _ name: Notification.Name,
        of object: AnyObject? = nil,
        _ handler: @escaping @MainActor @Sendable (ObjectIdentifier?) -> Void
    ) {
        observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { notification in
            let id = notification.object.map { ObjectIdentifier($0 as AnyObject) }
            MainActor.assumeIsolated { handler(id) }
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(observer)
    }
}
