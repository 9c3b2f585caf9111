/// A request size, at least 1, that halves each time the server finds a request too large.
struct HalvingSize: Hashable, Sendable {
    private(set) var value: Int

    init(_ value: Int) { self.value = max(1, value) }

    /// Whether a smaller size is left to try.
    var canHalve: Bool { value > 1 }

    /// Halves the size that was requested.
    ///
    /// - Parameter requested: The size of the rejected request; nil for ``value``.
    mutating func halve(requested: Int? = nil) { value = max(1, (requested ?? value) / 2) }
}

/// A fetch in parts, each of which can be made smaller: a state machine that knows the next part.
package protocol HalvingFetch: Sendable {
    associatedtype Part

    /// The next part to request; nil if none is left.
    var next: Part? { get }

    /// Whether the next part can be made smaller.
    var canHalve: Bool { get }

    /// Records that the next part is too large.
    mutating func halve()
}

extension HalvingFetch {
    /// Requests part by part until none is left. A part that is too large is requested again in smaller ones.
    ///
    /// - Parameter request: Requests a part and records its answer. It returns false if the part is too large.
    /// - Throws: The errors of `request`; ``SyncError``, which is `malformed`, if a part is too large and can't be made
    ///   smaller.
    package mutating func run(_ request: (inout Self, Part) async throws -> Bool) async throws {
        while let part = next {
            if try await request(&self, part) { continue }
            guard canHalve else { throw SyncError.mismatchedAnswer }
            halve()
        }
    }
}

/// The ids that a fetch still has to request, in chunks that halve when a request or its answer is too large (RFC 8620,
/// sections 3.6.1 and 5.1).
///
/// A state machine without I/O.
struct ChunkedFetch: HalvingFetch, Hashable {
    private var remaining: ArraySlice<String>
    private var size: HalvingSize

    /// The maximum number of ids in a request, regardless of the server's limit.
    static let maxChunk = 500

    /// - Parameter limit: The server's `maxObjectsInGet`.
    init(_ ids: [String], limit: Int) {
        remaining = ids[...]
        size = HalvingSize(min(limit, Self.maxChunk))
    }

    /// The ids of the next request.
    var next: [String]? { remaining.isEmpty ? nil : Array(remaining.prefix(size.value)) }

    /// The number of ids that aren't fetched yet.
    var count: Int { remaining.count }

    var canHalve: Bool { min(remaining.count, size.value) > 1 }

    /// Records that the server answered the last request.
    mutating func advance() { remaining = remaining.dropFirst(size.value) }

    mutating func halve() { size.halve(requested: min(remaining.count, size.value)) }
}
