import Foundation

/// The JMAP state of a person's messages.
///
/// It has two sequences: that of the person's own changes, and that of broadcasts. A broadcast changes everyone's inbox
/// and must not write a row for each person.
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

    /// Parses a state that this server has issued. Returns nil for any other text.
    package init?(_ text: String) {
        self.init(text.split(separator: "-", omittingEmptySubsequences: false)[...])
    }

    fileprivate init?(_ parts: ArraySlice<Substring>) {
        guard parts.count == 2, let first = parts.first, let last = parts.last, let own = Self.number(first),
            let broadcast = Self.number(last)
        else { return nil }
        self.init(own: own, broadcast: broadcast)
    }

    /// The state on the wire. It is opaque to clients, which only compare it (RFC 8620 §1.2).
    package var text: String { "\(own)-\(broadcast)" }

    /// Returns whether a client may hold this state while the inbox is at the given one.
    package func isReachable(from latest: PersonState) -> Bool {
        own <= latest.own && broadcast <= latest.broadcast && generation == latest.generation
    }

    private var generation: Int { Self.generation(of: broadcast) }

    /// Returns the generation of a sequence of broadcasts or surfaces.
    static func generation(of sequence: Int) -> Int { sequence / generationSize }

    /// The maximum number of broadcasts in a generation, which no server reaches.
    private static let generationSize = 1_000_000_000

    /// Returns the sequence, of broadcasts or surfaces, with which a restored database continues. Its generation counts
    /// seconds since 1970, so that no client has seen it, even if one backup is restored twice.
    static func nextGeneration(after sequence: Int, at time: Date) -> Int {
        max(generation(of: sequence) + 1, Int(time.timeIntervalSince1970)) * generationSize
    }

    fileprivate static func number(_ digits: Substring) -> Int? {
        guard let value = Int(digits), String(value) == digits, value >= 0 else { return nil }
        return value
    }
}

/// A client's position between one state and the latest, page by page: the `sinceState` of `changes`.
///
/// A page other than the last leads to no state that ever existed: one of its records may have moved to a later page.
/// So until the last page, the position of the pages is kept separate from the client's base state.
package struct ChangesPosition: Hashable, Sendable {
    /// The state that the client holds completely.
    let base: PersonState
    /// The position that the pages since have reached.
    package var reached: PersonState

    /// Creates the position of a client that isn't between two states.
    package init(at state: PersonState) {
        base = state
        reached = state
    }

    /// Parses a position that this server has issued. Returns nil for any other text.
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

    /// The position on the wire.
    package var text: String { base == reached ? reached.text : "\(reached.text)-\(base.text)" }
}
