import Foundation
import Groundwork
import InboxClient

/// The last action on messages that was performed with this device, which `inbox undo` undoes. A file of the device.
struct LastAction {
    let action: UndoableAction
    let at: Date

    private static func file(of device: Device) -> URL {
        device.directory.appendingPathComponent("last-action.json", isDirectory: false)
    }

    /// Returns the last action, or nil if there is none of this login.
    ///
    /// - Throws: ``Failure`` if the file can't be read.
    static func read(_ device: Device, _ login: Login) throws -> LastAction? {
        // A file of another version has no action for this one.
        guard let bytes = try PrivateFile.read(file(of: device)), let json = try? JSON(parsing: bytes) else {
            return nil
        }
        let reader = JSONReader(json)
        guard json["person"]?.stringValue == login.person,
            json["server"]?.stringValue == login.server.absoluteString,
            let at = try? reader.required("at").date(),
            let action = try? UndoableAction(reading: reader.required("action"))
        else { return nil }
        return LastAction(action: action, at: at)
    }

    /// Stores the action in place of the one before. If that fails, as on a full disk, none can be undone: the action
    /// itself is stored already, and the one before isn't the last any more.
    func save(_ device: Device, _ login: Login) {
        let object: JSON = [
            "person": .string(login.person), "server": .string(login.server.absoluteString), "at": JSON(at),
            "action": action.json,
        ]
        PrivateFile.replaceOrRemove(Self.file(of: device), with: Array(object.description.utf8))
    }

    /// Removes the action, so that it is undone once.
    static func remove(_ device: Device) throws {
        let file = file(of: device)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }
}

extension MessageChange {
    /// The action's name after a number: "2 archived".
    var doneText: String {
        switch self {
        case .markRead: "read"
        case .markUnread: "unread"
        case .archive: "archived"
        case .unarchive, .unsnooze: "back in the inbox"
        case .snooze(let time): "snoozed until \(ShortTime.exact(time))"
        case .delete: "deleted"
        case .undelete: "restored"
        }
    }
}
