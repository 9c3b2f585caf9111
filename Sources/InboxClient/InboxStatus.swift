public import Foundation
public import Groundwork

/// How a device stands towards the server.
public struct InboxStatus: Hashable, Sendable {
    /// What the live connection does.
    public var connection: ConnectionState
    /// How many messages have changes of the person's that the server hasn't confirmed.
    public var pendingWrites: Int
    /// How many events wait to be told to the server.
    public var pendingEvents: Int
    /// How many events were dropped on this device, since more than 10,000 waited.
    public var droppedEvents: Int
    /// When a sync last succeeded; nil for never.
    public var lastSync: Date?
    /// The server's state up to which this device is current; nil before the first sync. Two devices with the same
    /// state agree.
    public var state: String?
    /// How many records couldn't be read, and wait for a version of the app that can.
    public var setAside: Int
}

/// A change of the person's that the server refused, and that has been taken back on this device; or an event that it
/// didn't take.
public struct RefusedAction: Hashable, Sendable {
    /// The message that was to be changed, or that the event is about.
    public let messageID: String
    /// The field that was to be changed, such as `readAt`; or the type of the event, such as `clicked`.
    public let field: String
    /// The server's reason, a JMAP set error (RFC 8620 §5.3) such as `notFound`.
    public let reason: String
    /// The server's explanation, if it gave one.
    public let explanation: String?
}
