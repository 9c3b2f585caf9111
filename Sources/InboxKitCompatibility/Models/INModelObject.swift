public import Foundation
import InboxMail

/// The base class of threads and mails. Each has one object, which is updated in place.
///
/// After each change, `INModelObjectChangedNotification` is posted with the object, on the main actor.
@MainActor
public class INModelObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The server's id.
    public nonisolated let ID: String
    /// The account of the object.
    public let namespace: INNamespace
    /// The account's id.
    public var namespaceID: String { namespace.ID }
    private var observation: NotificationObservation?

    init<Record>(_ live: LiveObject<Record>, in namespace: INNamespace) {
        ID = live.id
        self.namespace = namespace
        observation = NotificationObservation(.liveObjectDidChange, of: live) { [weak self] _ in self?.notifyOfChange()
        }
    }

    func notifyOfChange() { NotificationCenter.default.post(name: .INModelObjectChanged, object: self) }
}

extension Notification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted after a thread or a mail has changed. The notification's object is the model.
    public static let INModelObjectChanged = Notification.Name("INModelObjectChangedNotification")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Posted after a thread or a mail has changed. The notification's object is the model.
public let INModelObjectChangedNotification = Notification.Name.INModelObjectChanged
