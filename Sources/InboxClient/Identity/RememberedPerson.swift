import Foundation
import Groundwork

/// Who was identified when the app last ran, and who was being signed out: a small file beside the inboxes.
///
/// Written at once, on the caller's thread: an app that is ended right after somebody else was identified must not begin with the person
/// before, nor leave what it holds of them.
struct RememberedPerson: Sendable {
    private let file: URL
    private let server: String

    init(directory: URL, server: URL) {
        file = directory.appendingPathComponent("identified.json", isDirectory: false)
        self.server = server.absoluteString
    }

    /// What the file says of this server.
    struct Memory: Hashable, Sendable {
        /// Nil for nobody.
        var person: String?
        /// Those whose inbox is to be deleted from this device, and may still be there.
        var departing: [String] = []
    }

    var memory: Memory {
        guard let bytes = try? Data(contentsOf: file), let json = try? JSON(parsing: Array(bytes)),
            json["server"]?.stringValue == server
        else { return Memory() }
        return Memory(
            person: json["person"]?.stringValue,
            departing: json["departing"]?.arrayValue?.compactMap(\.stringValue) ?? []
        )
    }

    /// Where it can't be stored, nobody is remembered.
    func set(_ memory: Memory) {
        let files = FileManager.default
        if memory != Memory() {
            let json: JSON = [
                "server": .string(server), "person": memory.person.map(JSON.string) ?? .null,
                "departing": JSON(memory.departing),
            ]
            do {
                try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(json.utf8).write(to: file, options: .atomic)
                return
            } catch {}
        }
        try? files.removeItem(at: file)
    }
}
