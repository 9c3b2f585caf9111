public import Foundation
public import Observation

/// The unique object of a record, updated in place. All callers that request the same id get the same instance.
///
/// It is isolated to the main actor. Its properties can be observed (SwiftUI), and after each change the notification
/// `liveObjectDidChange` is posted with the object. The object is kept as long as it is strongly referenced.
@MainActor
@Observable
@dynamicMemberLookup
public final class LiveObject<Record: Sendable & Equatable>: Identifiable {
    /// The record's id.
    public let id: String
    /// The current record, or the last one if it is gone.
    public internal(set) var value: Record
    /// Whether the record is gone: deleted, expired, or no longer on this device. It may reappear, unless the store was
    /// closed, such as by a sign-out.
    public internal(set) var isGone = false

    init(id: String, value: Record, isGone: Bool = false) {
        self.id = id
        self.value = value
        self.isGone = isGone
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
    /// A notification that is posted on the main actor when a ``LiveObject`` has changed. Its object is the live
    /// object.
    public static let liveObjectDidChange = Notification.Name("Replica.liveObjectDidChange")
}
