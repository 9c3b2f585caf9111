import Foundation
import Groundwork

/// The person who was identified when the app last ran, and the people whose sign-out isn't completed: a small file
/// next to the inboxes, readable by its owner only.
///
/// The file is written synchronously on the caller's thread. If the app ends right after another person was identified,
/// it must neither start with the previous person nor keep that person's data.
struct RememberedPerson: Sendable {
    // Serializes the changes: while an app changes its server, two instances use the same file.
    private static let changing = Locked(())

    private let file: URL

    init(directory: URL) {
        file = directory.appendingPathComponent("identified.json", isDirectory: false)
    }

    /// The contents of the file.
    struct Contents: Hashable, Sendable {
        /// Nil if no person is identified.
        var identified: Identity?
        /// The people whose inboxes are to be deleted and may still be on this device.
        var signingOut: Set<Identity> = []
    }

    /// Empty if there is no file or it can't be read.
    var contents: Contents {
        guard let bytes = try? Data(contentsOf: file), let json = try? JSON(parsing: Array(bytes)) else {
            return Contents()
        }
        return Contents(
            identified: json["identified"].flatMap(Identity.init),
            signingOut: Set(json["departing"]?.arrayValue?.compactMap(Identity.init) ?? [])
        )
    }

    /// Changes the file. If it can't be stored, no person is remembered.
    func change(_ change: (inout Contents) -> Void) {
        Self.changing.withLock { _ in
            var contents = contents
            change(&contents)
            do {
                if contents != Contents() { return try write(contents) }
            } catch {}
            try? PrivateFile.remove(file)
        }
    }

    /// Replaces the whole file. It is readable by its owner only at all times.
    private func write(_ contents: Contents) throws {
        let json: JSON = [
            "identified": contents.identified?.json ?? .null, "departing": .array(contents.signingOut.map(\.json)),
        ]
        try PrivateFile.write(json.utf8, to: file)
    }
}

extension Identity {
    fileprivate init?(_ json: JSON) {
        guard let server = json["server"]?.stringValue, let person = json["person"]?.stringValue else { return nil }
        self.init(server: server, person: person)
    }

    fileprivate var json: JSON { ["server": .string(server), "person": .string(person)] }
}

/// One person on one server.
///
/// Identities are compared by bytes: `String` considers two spellings of one character equal, but a server treats them
/// as two people.
struct Identity: Hashable, Sendable {
    /// The server's URL.
    let server: String
    /// The app's id for the person.
    let person: String

    static func == (one: Identity, other: Identity) -> Bool {
        one.person.utf8.elementsEqual(other.person.utf8) && one.server.utf8.elementsEqual(other.server.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in person.utf8 { hasher.combine(byte) }
    }
}
