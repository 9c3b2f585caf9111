public import Foundation
public import Observation

/// The one object for a record, changed in place: whoever asks for the same id gets the same instance.
///
/// On the main actor. Its properties can be observed (SwiftUI), and after each change the notification
/// `liveObjectDidChange` is posted with the object. It is kept as long as somebody holds it.
@MainActor
@Observable
@dynamicMemberLookup
public final class LiveObject<Record: Sendable & Equatable>: Identifiable {
    /// The record's id.
    public let id: String
    /// The record as it is, or as it last was.
    public internal(set) var value: Record
    /// Whether the record is gone: deleted, expired, or no longer on this device. It may come back. Gone for good where
    /// the store was closed, such as when the person signs out.
    public internal(set) var isGone = false

    init(id: String, value: Record) {
        self.id = id
        self.value = value
    }

    /// A property of the record.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Value { value[keyPath: keyPath] }

    func update(_ new: Record?) {
        guard new.map({ $0 != value || isGone }) ?? !isGone else { return }
        if let new { value = new }
        isGone = new == nil
        NotificationCenter.default.post(name: .liveObjectDidChange, object: self)
    }
}

extension Notification.Name {
    /// A ``LiveObject`` has changed: the notification's object. Posted on the main actor.
    public static let liveObjectDidChange = Notification.Name("swift-inbox.liveObjectDidChange")
}
