import Foundation
import Groundwork

/// Who was identified when the app last ran: a small file beside the inboxes.
///
/// Written at once, on the caller's thread: an app that is ended right after somebody else was identified must not begin with the person
/// before.
struct RememberedPerson: Sendable {
    private let file: URL
    private let server: String

    init(directory: URL, server: URL) {
        file = directory.appendingPathComponent("identified.json", isDirectory: false)
        self.server = server.absoluteString
    }

    /// Nil where nobody is remembered for this server.
    var person: String? {
        guard let bytes = try? Data(contentsOf: file), let json = try? JSON(parsing: Array(bytes)),
            json["server"]?.stringValue == server
        else { return nil }
        return json["person"]?.stringValue
    }

    /// Remembers a person, or nobody. Where that can't be stored, nobody is remembered.
    func set(_ person: String?) {
        let files = FileManager.default
        if let person {
            let json: JSON = ["server": .string(server), "person": .string(person)]
            do {
                try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(json.utf8).write(to: file, options: .atomic)
                return
            } catch {}
        }
        try? files.removeItem(at: file)
    }
}
