public import Foundation
public import Replica

/// The sync status of a device.
public struct InboxStatus: Hashable, Sendable {
    /// The state of the connection.
    public var connection: ConnectionState
    /// The number of messages with changes that the server hasn't confirmed.
    public var pendingWrites: Int
    /// The number of events that wait to be sent to the server.
    public var pendingEvents: Int
    /// The number of events that were dropped on this device because more than 10,000 were queued.
    public var droppedEvents: Int
    /// The time of the last successful sync. Nil if there was none.
    public var lastSync: Date?
    /// The server's state at which this device is current. Nil before the first sync. Two devices with the same state
    /// hold the same data.
    public var state: String?
    /// The number of records that this version of the app couldn't read. They are kept for a version that can.
    public var unreadableRecords: Int
}
