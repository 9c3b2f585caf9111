public import Foundation
import InboxMail

/// What threads and mails have in common: there is one object for each of them, changed in place.
///
/// After each change it posts `INModelObjectChangedNotification` with itself as the object, on the main actor.
@MainActor
public class INModelObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The server's id.
    public nonisolated let ID: String
    /// The account that it belongs to.
    public let namespace: INNamespace
    /// The account's id.
    public var namespaceID: String { namespace.ID }
    private var watching: Watching?

    init<Record>(_ live: LiveObject<Record>, in namespace: INNamespace) {
        ID = live.id
        self.namespace = namespace
        watching = Watching(.liveObjectDidChange, of: live) { [weak self] _ in self?.notifyOfChange() }
    }

    func notifyOfChange() { NotificationCenter.default.post(name: .INModelObjectChanged, object: self) }
}

extension Notification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A thread or a mail has changed: the notification's object.
    public static let INModelObjectChanged = Notification.Name("INModelObjectChangedNotification")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A thread or a mail has changed: the notification's object.
public let INModelObjectChangedNotification = Notification.Name.INModelObjectChanged
