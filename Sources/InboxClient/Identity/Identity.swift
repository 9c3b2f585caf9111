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
