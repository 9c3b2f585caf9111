public import Foundation
import InboxMail

/// The base class of threads, mails, drafts and contacts. Each has one object, which is updated in place.
///
/// After each change, `INModelObjectChangedNotification` is posted with the object, on the main actor.
@MainActor
public class INModelObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The server's id; of a draft, the id that it has on all devices; of a contact, the address.
    public nonisolated let ID: String
    /// The account of the object.
    public let namespace: INNamespace
    /// The account's id.
    public var namespaceID: String { namespace.ID }
    private var observation: NotificationObservation?

    init(id: String, in namespace: INNamespace) {
        ID = id
        self.namespace = namespace
    }

    /// Posts the changes of a live object as those of this one.
    func observe<Record>(_ live: LiveObject<Record>) {
        observation = NotificationObservation(.liveObjectDidChange, of: live) { [weak self] _ in
            self?.recordDidChange()
        }
    }

    /// Called when the live object has changed.
    func recordDidChange() { notifyOfChange() }

    func notifyOfChange() { NotificationCenter.default.post(name: .INModelObjectChanged, object: self) }
}

extension Notification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted after a thread, a mail, a draft or a contact has changed. The notification's object is the model.
    public static let INModelObjectChanged = Notification.Name("INModelObjectChangedNotification")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Posted after a thread, a mail, a draft or a contact has changed. The notification's object is the model.
public let INModelObjectChangedNotification = Notification.Name.INModelObjectChanged
