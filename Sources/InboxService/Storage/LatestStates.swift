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
        /// Whether each commit is applied here. Otherwise states are read of the database.
        var isCurrent: Bool
        /// The number of times that everything was read again. What began to be read before isn't kept.
        var restarts = 0
    }

    // Both kinds of sequences, accessed only in `withLock`, so that a state never contains half a commit.
    private let sequences: Locked<Sequences>
    /// The maximum number of people who are kept. Beyond it, half of them are forgotten.
    private let limit: Int

    /// Reads the sequences that are the same for everyone.
    ///
    /// If other servers share the database, states are read of it until ``finishRestart(_:isCurrent:)``.
    package convenience init(in storage: Storage) async throws {
        let (broadcast, surface) = try await storage.read { reading in
            (try reading.broadcastState(), try reading.surfaceState())
        }
        self.init(broadcast: broadcast, surface: surface, isCurrent: !storage.isShared)
    }

    init(broadcast: Int, surface: Int = 0, isCurrent: Bool = true, limit: Int = 100_000) {
        self.limit = limit
        sequences = Locked(Sequences(broadcast: broadcast, surface: surface, isCurrent: isCurrent))
    }

    /// The latest state of the surfaces.
    var surface: Int { sequences.withLock { $0.surface } }

    /// Returns the person's latest state, or nil if it isn't in memory.
    ///
    /// Another server may have committed a later one a moment ago. So it is a lower bound: a client may have a later
    /// state, and a state that differs from this one has to be compared in the database.
    func state(of person: Int) -> PersonState? {
        sequences.withLock { sequences in
            guard sequences.isCurrent, case .known(let own) = sequences.own[person] else { return nil }
            return PersonState(own: own, broadcast: sequences.broadcast)
        }
    }

    /// Announces that the person's state is about to be read. Call it before the read, and then
    /// ``finishLoading(_:_:begunAt:)``.
    ///
    /// - Returns: When the loading began, a number.
    func beginLoading(_ person: Int) -> Int {
        sequences.withLock { sequences in
            if sequences.own[person] == nil {
                if sequences.own.count >= limit {
                    // Any half. States that are being read aren't kept, as a commit may have been applied to them.
                    for old in Array(sequences.own.keys.prefix(limit / 2)) { sequences.own[old] = nil }
                    sequences.restarts += 1
                }
                sequences.own[person] = .loading(atLeast: 0)
            }
            return sequences.restarts
        }
    }

    /// Stores the state that was read, unless a commit has a later one, and returns the latest state.
    func finishLoading(_ person: Int, _ state: PersonState, begunAt start: Int) -> PersonState {
        sequences.withLock { sequences in
            let own =
                switch sequences.own[person] {
                case .loading(let atLeast): max(atLeast, state.own)
                case .known(let known): max(known, state.own)
                case nil: state.own
                }
            sequences.broadcast = max(sequences.broadcast, state.broadcast)
            if start == sequences.restarts { sequences.own[person] = .known(own) }
            return PersonState(own: own, broadcast: sequences.broadcast)
        }
    }

    // MARK: Several servers

    /// Lets states be read from the database until ``finishRestart(_:isCurrent:)``, since commits may be missed.
    func suspend() {
        sequences.withLock { $0.isCurrent = false }
    }

    /// Forgets the states of all but the given people, since they may have changed.
    func forgetAll(but people: Set<Int>) {
        sequences.withLock { sequences in
            sequences.restarts += 1
            sequences.own = sequences.own.filter { people.contains($0.key) }
        }
    }

    /// Begins to read everything again: the states in memory may be outdated.
    ///
    /// - Parameter people: The people whose sequences will be read. The others are forgotten.
    /// - Returns: The known sequences of these people, for a comparison.
    func beginRestart(of people: Set<Int>) -> [Int: Int] {
        sequences.withLock { sequences in
            sequences.restarts += 1
            var known: [Int: Int] = [:]
            var own: [Int: Entry] = [:]
            for person in people {
                switch sequences.own[person] {
                case .known(let sequence):
                    known[person] = sequence
                    own[person] = .loading(atLeast: sequence)
                case .loading(let atLeast): own[person] = .loading(atLeast: atLeast)
                case nil: own[person] = .loading(atLeast: 0)
                }
            }
            sequences.own = own
            return known
        }
    }

    /// Stores the states that were read since ``beginRestart(of:)``.
    ///
    /// - Parameter isCurrent: Whether each commit since the start of the reading is announced, and applied here.
    func finishRestart(_ read: WriteEffects, isCurrent: Bool) {
        apply(read)
        sequences.withLock { sequences in
            for (person, sequence) in read.own {
                if case .loading(let atLeast) = sequences.own[person] {
                    sequences.own[person] = .known(max(atLeast, sequence))
                }
            }
            sequences.isCurrent = isCurrent
        }
    }

    /// Removes the state of an erased person.
    func evict(_ person: Int) {
        sequences.withLock { $0.own[person] = nil }
    }

    /// Applies the sequences of a commit.
    package func apply(_ effects: WriteEffects) {
        sequences.withLock { sequences in
            if effects.isIncomplete { sequences.isCurrent = false }
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
