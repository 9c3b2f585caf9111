public import Foundation
public import Groundwork

/// How a device stands towards the server.
public struct InboxStatus: Hashable, Sendable {
    /// What the live connection does.
    public var connection: ConnectionState
    /// How many messages have changes of the person's that the server hasn't confirmed.
    public var pendingWrites: Int
    /// The number of events that wait to be sent to the server.
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
