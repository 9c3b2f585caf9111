import Foundation
import Groundwork
import InboxClient

/// The end of the last list that a device has shown, after which `inbox list --older` continues. A file of the device.
struct ListPosition {
    /// The list that the position is in.
    struct List: Equatable {
        let person: String
        let filter: MessageFilter
        let surface: String?
    }

    let list: List
    /// The last message that was shown, and the time of its delivery.
    let id: String
    let deliverAt: Date

    init(_ message: Message, in list: List) {
        (self.list, id, deliverAt) = (list, message.id, message.deliverAt)
    }

    private static func file(of device: Device) -> URL {
        device.directory.appendingPathComponent("last-list.json", isDirectory: false)
    }

    /// Returns the position in a list, or nil if the list that was shown last was another one.
    ///
    /// - Throws: ``Failure`` if the file can't be read.
    static func read(_ device: Device, in list: List) throws -> ListPosition? {
        // A file of another version has no position for this one.
        guard let bytes = try PrivateFile.read(file(of: device)), let json = try? JSON(parsing: bytes),
            let position = ListPosition(json), position.list == list
        else { return nil }
        return position
    }

    /// Stores the position in place of the one before. If that fails, as on a full disk, there is none: the content of
    /// a list doesn't depend on it.
    func save(_ device: Device) {
        var object = JSONObject([
            ("person", .string(list.person)), ("filter", .string(list.filter.rawValue)), ("id", .string(id)),
            ("deliverAt", JSON(deliverAt)),
        ])
        object["surface"] = list.surface.map(JSON.string)
        PrivateFile.replaceOrRemove(Self.file(of: device), with: Array(JSON.object(object).description.utf8))
    }

    /// Removes the position, of whichever list it is.
    static func remove(_ device: Device) throws {
        let file = file(of: device)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }

    private init?(_ json: JSON) {
        let reader = JSONReader(json)
        guard let person = json["person"]?.stringValue, let id = json["id"]?.stringValue,
            let filter = (json["filter"]?.stringValue).flatMap({ MessageFilter(rawValue: $0) }),
            let deliverAt = try? reader.required("deliverAt").date()
        else { return nil }
        list = List(person: person, filter: filter, surface: json["surface"]?.stringValue)
        (self.id, self.deliverAt) = (id, deliverAt)
    }

    /// The condition of the messages that follow in a list, newest delivery first.
    var following: Predicate<Message> {
        let (time, id) = (deliverAt, id)
        return #Predicate { $0.deliverAt < time || ($0.deliverAt == time && $0.id < id) }
    }
}
