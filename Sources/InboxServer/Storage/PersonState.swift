/// How far a person's inbox has come: the JMAP state of its messages.
///
/// Two sequences, since a broadcast moves everyone's inbox and must not write a row for each person: the person's own changes,
/// and the broadcasts.
struct PersonState: Hashable, Sendable {
    var own: Int
    var broadcast: Int

    init(own: Int, broadcast: Int) {
        self.own = own
        self.broadcast = broadcast
    }

    /// Reads a state that this server once wrote; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let own = Self.number(parts[0]), let broadcast = Self.number(parts[1]) else { return nil }
        self.init(own: own, broadcast: broadcast)
    }

    /// The state on the wire. Clients compare it, and no more (RFC 8620 §1.2).
    var text: String { "\(own)-\(broadcast)" }

    /// Whether a client may hold this state while the inbox is at that one.
    func isReachable(from latest: PersonState) -> Bool {
        own <= latest.own && broadcast <= latest.broadcast
    }

    private static func number(_ digits: Substring) -> Int? {
        guard let value = Int(digits), String(value) == digits, value >= 0 else { return nil }
        return value
    }
}
