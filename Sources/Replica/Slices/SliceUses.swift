package import GRDB
import Groundwork

/// A closure that returns the ids, of those given, that a query matches. They are ids of groups or of records.
package typealias SliceMatcher = @Sendable (_ db: Database, _ ids: [String]) throws -> Set<String>

/// The slices that this process uses, with the matchers of their queries.
package final class SliceUses: Sendable {
    // Guarded by its lock: queries write, the engine reads.
    private let state = Locked(State())

    private struct State {
        var matchers: [String: SliceMatcher] = [:]
        var counts: [String: Int] = [:]
    }

    /// Begins the use of a slice. It lasts until the returned token is released.
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

    /// The keys of the slices that are in use at present.
    package var active: [String] { state.withLock { Array($0.counts.keys) } }

    /// Returns the matcher of a slice's query; nil if no query of this process has requested the slice.
    func matcher(_ key: String) -> SliceMatcher? { state.withLock { $0.matchers[key] } }

    /// Removes the matcher of a dropped slice, unless the slice is in use.
    func removeMatcher(_ key: String) {
        state.withLock { state in if state.counts[key] == nil { state.matchers[key] = nil } }
    }
}

/// A token of the use of a slice. The slice is in use until the token is released.
package final class SliceUse: Sendable {
    private let key: String
    private let uses: SliceUses

    fileprivate init(_ key: String, _ uses: SliceUses) {
        (self.key, self.uses) = (key, uses)
    }

    deinit { uses.end(key) }
}
