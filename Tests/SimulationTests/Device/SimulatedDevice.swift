import Foundation
import Groundwork
import InboxClient

/// A process of a device: an inbox, and its life.
final class DeviceProcess: Sendable {
    let inbox: Inbox
    let life: Life

    init(inbox: Inbox, life: Life) {
        self.inbox = inbox
        self.life = life
    }
}

/// A device of the person's: a store, one process or two on it, and what is known of it from outside.
///
/// Only the world touches it.
final class SimulatedDevice {
    let name: String
    let disk = Disk()
    /// Where the store is; another place after each death, as the file then was.
    var folder: URL
    var processes: [DeviceProcess] = []
    /// How many messages it may hold; nil for all.
    let limit: Int?
    /// How many it asks for when it is new; nil for all.
    let firstLimit: Int?
    /// The person's last value of each field that was to be sent, once the call had returned.
    var acted: [FieldPath: FieldValue] = [:]
    /// How often the person gave a field a value that was to be sent.
    var taps: [FieldWrite: Int] = [:]
    /// The writes to all, by their date: the unread messages that were shown, and all that were in the inbox at the
    /// server.
    var bulk: [FieldValue: (shown: Set<String>, there: Set<String>)] = [:]
    /// How many clicks it has stored.
    var clicks = 0
    /// How far in the server's history of each field the device has come.
    var known: [FieldPath: Int] = [:]
    /// The process that was asked to sync, while it does.
    var syncing: DeviceProcess?
    /// Whether it was emptied, and hasn't synced since.
    var isCleared = false
    /// What came with a push, and may go when its time is up: what no sync has seen.
    var pushed: Set<String> = []
    /// Whether the person has signed out on it, or is about to.
    var isLeft = false
    /// Whether anything has happened to it since it was last looked at.
    var isTouched = false
    /// What has gone wrong for it so far: faults of the network and of the disk.
    var troubles = 0
    /// How much has happened in the world while one of its requests was on its way.
    var interludes = 0

    init(name: String, folder: URL, limit: Int?, firstLimit: Int?) {
        self.name = name
        self.folder = folder
        (self.limit, self.firstLimit) = (limit, firstLimit)
    }
}
