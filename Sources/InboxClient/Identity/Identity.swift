/// One person on one server.
///
/// Equal where all bytes are: to String, two spellings of one character are equal, and to a server they are two people.
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
