import Groundwork

/// The latest states of the people who are being served, so that "nothing new" is answered from memory.
///
/// Only people who have asked are kept: a message to thousands who aren't there costs no memory.
package final class LatestStates: Sendable {
    private enum Entry: Sendable {
        /// The row is being read. A commit meanwhile leaves its sequence here, because the read may be older than it.
        case loading(atLeast: Int)
        case known(Int)
    }

    private struct Sequences: Sendable {
        var own: [Int: Entry] = [:]
        var broadcast: Int
        var surface: Int
    }

    // Both kinds of sequences, reached in `withLock` alone, so that a state is never half of one commit.
    private let sequences: Locked<Sequences>

    /// Reads those that are the same for everyone.
    package convenience init(in storage: Storage) async throws {
        let (broadcast, surface): (Int?, Int) = try await storage.read { db in
            (try db.value("SELECT value FROM counter WHERE name = 'broadcast'"), try db.surfaceState())
        }
        self.init(broadcast: broadcast ?? 0, surface: surface)
    }

    init(broadcast: Int, surface: Int = 0) {
        sequences = Locked(Sequences(broadcast: broadcast, surface: surface))
    }

    /// The latest state of the surfaces.
    var surface: Int { sequences.withLock { $0.surface } }

    /// The person's latest state, where it is in memory.
    func state(of person: Int) -> PersonState? {
        sequences.withLock { sequences in
            guard case .known(let own) = sequences.own[person] else { return nil }
            return PersonState(own: own, broadcast: sequences.broadcast)
        }
    }

    /// Announces that the person's sequence is about to be read. Call before the read, then ``finishLoading(_:own:)``.
    func beginLoading(_ person: Int) {
        sequences.withLock { sequences in
            if sequences.own[person] == nil { sequences.own[person] = .loading(atLeast: 0) }
        }
    }

    /// Keeps what was read, unless a commit has gone past it.
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

    /// Drops the state of a person who was erased.
    func forget(_ person: Int) {
        sequences.withLock { $0.own[person] = nil }
    }

    /// Takes over what a commit changed.
    package func apply(_ effects: WriteEffects) {
        sequences.withLock { sequences in
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
