import Groundwork

/// The latest states of active people. They answer a request without changes from memory.
///
/// Only people who have made a request are kept, so that a message to thousands of inactive people uses no memory.
package final class LatestStates: Sendable {
    private enum Entry: Sendable {
        /// The row is being read. A commit meanwhile stores its sequence here, because the read may be older.
        case loading(atLeast: Int)
        case known(Int)
    }

    private struct Sequences: Sendable {
        var own: [Int: Entry] = [:]
        var broadcast: Int
        var surface: Int
    }

    // Both kinds of sequences, accessed only in `withLock`, so that a state never contains half a commit.
    private let sequences: Locked<Sequences>

    /// Reads the sequences that are the same for everyone.
    package convenience init(in storage: Storage) async throws {
        let (broadcast, surface) = try await storage.read { reading in
            (try reading.broadcastState(), try reading.surfaceState())
        }
        self.init(broadcast: broadcast, surface: surface)
    }

    init(broadcast: Int, surface: Int = 0) {
        sequences = Locked(Sequences(broadcast: broadcast, surface: surface))
    }

    /// The latest state of the surfaces.
    var surface: Int { sequences.withLock { $0.surface } }

    /// Returns the person's latest state, or nil if it isn't in memory.
    func state(of person: Int) -> PersonState? {
        sequences.withLock { sequences in
            guard case .known(let own) = sequences.own[person] else { return nil }
            return PersonState(own: own, broadcast: sequences.broadcast)
        }
    }

    /// Announces that the person's sequence is about to be read. Call it before the read, and then
    /// ``finishLoading(_:own:)``.
    func beginLoading(_ person: Int) {
        sequences.withLock { sequences in
            if sequences.own[person] == nil { sequences.own[person] = .loading(atLeast: 0) }
        }
    }

    /// Stores the sequence that was read, unless a commit has a later one, and returns the state.
    func finishLoading(_ person: Int, own: Int) -> PersonState {
        sequences.withLock { sequences in
            let latest =
                switch sequences.own[person] {
                case .loading(let atLeast): max(atLeast, own)
                case .known(let known): max(known, own)
                case nil: own
                }
            sequences.own[person] = .known(latest)
            return PersonState(own: latest, broadcast: sequences.broadcast)
        }
    }

    /// Removes the state of an erased person.
    func evict(_ person: Int) {
        sequences.withLock { $0.own[person] = nil }
    }

    /// Applies the sequences of a commit.
    package func apply(_ effects: WriteEffects) {
        sequences.withLock { sequences in
            // What isn't known is read again.
            if effects.isIncomplete { sequences.own = [:] }
            if let surface = effects.surface { sequences.surface = max(sequences.surface, surface) }
            if let broadcast = effects.broadcast { sequences.broadcast = max(sequences.broadcast, broadcast) }
            for (person, sequence) in effects.own {
                switch sequences.own[person] {
                case .known(let known): sequences.own[person] = .known(max(known, sequence))
                case .loading(let atLeast): sequences.own[person] = .loading(atLeast: max(atLeast, sequence))
                case nil: break
                }
            }
        }
    }
}
