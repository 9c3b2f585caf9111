import Foundation

/// The JMAP state of a person's messages.
///
/// It has two sequences, because a broadcast changes everyone's inbox and must not write a row for each person: that of
/// the person's own changes, and that of the broadcasts.
///
/// The broadcasts' sequence also contains the generation. A restored database begins a new one, because the sequences
/// after the backup are assigned a second time, to other changes.
package struct PersonState: Hashable, Sendable {
    var own: Int
    var broadcast: Int

    init(own: Int, broadcast: Int) {
        self.own = own
        self.broadcast = broadcast
    }

    /// Reads a state that this server once wrote; nil for any other text.
    package init?(_ text: String) {
        self.init(text.split(separator: "-", omittingEmptySubsequences: false)[...])
    }

    fileprivate init?(_ parts: ArraySlice<Substring>) {
        guard parts.count == 2, let first = parts.first, let last = parts.last, let own = Self.number(first),
            let broadcast = Self.number(last)
        else { return nil }
        self.init(own: own, broadcast: broadcast)
    }

    /// The state on the wire. Clients compare it, and no more (RFC 8620 §1.2).
    package var text: String { "\(own)-\(broadcast)" }

    /// Whether a client may hold this state while the inbox is at that one.
    package func isReachable(from latest: PersonState) -> Bool {
        own <= latest.own && broadcast <= latest.broadcast && generation == latest.generation
    }

    private var generation: Int { Self.generation(of: broadcast) }

    /// In which generation a sequence is, the broadcasts' or the surfaces'.
    static func generation(of sequence: Int) -> Int { sequence / generationSize }

    /// More broadcasts than there will ever be in a generation.
    private static let generationSize = 1_000_000_000

    /// The sequence with which a restored database goes on, the broadcasts' or the surfaces': that of a generation that
    /// no client has seen, also where one backup is restored twice. So it counts seconds since 1970.
    static func nextGeneration(after sequence: Int, at time: Date) -> Int {
        max(generation(of: sequence) + 1, Int(time.timeIntervalSince1970)) * generationSize
    }

    fileprivate static func number(_ digits: Substring) -> Int? {
        guard let value = Int(digits), String(value) == digits, value >= 0 else { return nil }
        return value
    }
}

/// Where a client is on its way from one state to the latest, page by page: the `sinceState` of `changes`.
///
/// A page that isn't the last leads to no state that ever was: a record that was to come in it may have moved on to a
/// later page. So on the way, how far the pages have come is kept apart from what the client had at the start.
package struct ChangesPosition: Hashable, Sendable {
    /// What the client has, for sure, all of.
    let base: PersonState
    /// How far the pages have come since.
    package var reached: PersonState

    /// A client that is on no way.
    package init(at state: PersonState) {
        base = state
        reached = state
    }

    /// Reads a state that this server once wrote; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let reached = PersonState(parts.prefix(2)) else { return nil }
        self.reached = reached
        guard parts.count > 2 else {
            base = reached
            return
        }
        guard let base = PersonState(parts.dropFirst(2)), base != reached, base.isReachable(from: reached) else {
            return nil
        }
        self.base = base
    }

    /// The state on the wire.
    package var text: String { base == reached ? reached.text : "\(reached.text)-\(base.text)" }
}
