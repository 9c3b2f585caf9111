package import GRDB
import Groundwork

/// Says which of some groups, or of some records, a query has.
package typealias SliceMatcher = @Sendable (_ db: Database, _ ids: [String]) throws -> Set<String>

/// What this process knows of slices besides what is stored: which are in use, and what their queries have.
package final class SliceUses: Sendable {
    // Guarded by its lock: queries write, the engine reads.
    private let state = Locked(State())

    private struct State {
        var matchers: [String: SliceMatcher] = [:]
        var counts: [String: Int] = [:]
    }

    /// Begins to use a slice, until the use is released.
    package func begin(_ key: String, _ matcher: SliceMatcher?) -> SliceUse {
        state.withLock { state in
            if let matcher { state.matchers[key] = matcher }
            state.counts[key, default: 0] += 1
        }
        return SliceUse(key, self)
    }

    fileprivate func end(_ key: String) {
        state.withLock { state in
            let left = (state.counts[key] ?? 1) - 1
            state.counts[key] = left > 0 ? left : nil
        }
    }

    /// The keys of the slices that are in use now.
    package var active: [String] { state.withLock { Array($0.counts.keys) } }

    /// Nil where no query of this process has asked for the slice.
    func matcher(_ key: String) -> SliceMatcher? { state.withLock { $0.matchers[key] } }

    /// Forgets a slice that was dropped.
    func forget(_ key: String) {
        state.withLock { state in if state.counts[key] == nil { state.matchers[key] = nil } }
    }
}

/// Somebody uses a slice: for as long as this is held, it counts as used.
package final class SliceUse: Sendable {
    private let key: String
    private let uses: SliceUses

    fileprivate init(_ key: String, _ uses: SliceUses) {
        (self.key, self.uses) = (key, uses)
    }

    deinit { uses.end(key) }
}
