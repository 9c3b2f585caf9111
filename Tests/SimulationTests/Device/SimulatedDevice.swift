import Foundation
import Groundwork
import InboxClient

/// A process of a device, with its inbox and its lifetime.
final class DeviceProcess: Sendable {
    let inbox: Inbox
    let lifetime: ProcessLifetime

    init(inbox: Inbox, lifetime: ProcessLifetime) {
        self.inbox = inbox
        self.lifetime = lifetime
    }
}

/// A person's device: a store, one or two processes, and the state that the simulation expects of it.
///
/// Only the world accesses it.
final class SimulatedDevice {
    let name: String
    let disk = Disk()
    /// The store's folder. After each death it is a new folder with a copy of the file at that moment.
    var folder: URL
    var processes: [DeviceProcess] = []
    /// The number of messages that the device stores, or nil for all.
    let limit: Int?
    /// The number of messages that the device fetches when it is new, or nil for all.
    let firstLimit: Int?
    /// The last value of each field that the person set and that must be sent, recorded when the call returns.
    var expectedValues: [FieldPath: FieldValue] = [:]
    /// The number of times that the person set a field to a value that must be sent.
    var writeCounts: [FieldWrite: Int] = [:]
    /// The bulk writes by date: the unread messages shown, and all messages in the server's inbox.
    var bulkWrites: [FieldValue: (shown: Set<String>, onServer: Set<String>)] = [:]
    /// The number of clicks that the device has stored.
    var clickCount = 0
    /// The position in the server's history of each field that the device has reached.
    var historyPositions: [FieldPath: Int] = [:]
    /// The process that is syncing.
    var syncingProcess: DeviceProcess?
    /// Whether the device was cleared and hasn't synced since.
    var isCleared = false
    /// The pushed messages that no sync has confirmed. They may expire.
    var provisionalIDs: Set<String> = []
    /// Whether the person has signed out on the device, or is about to.
    var isSignedOut = false
    /// Whether the device has changed since the last check.
    var hasChanged = false
    /// The number of network and disk faults so far.
    var faultCount = 0
    /// The number of events in the world during its requests.
    var eventsDuringRequests = 0

    init(name: String, folder: URL, limit: Int?, firstLimit: Int?) {
        self.name = name
        self.folder = folder
        (self.limit, self.firstLimit) = (limit, firstLimit)
    }
}
