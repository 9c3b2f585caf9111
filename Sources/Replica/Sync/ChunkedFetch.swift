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

/// The ids that a fetch still has to request, in chunks that halve when a request or its answer is too large (RFC 8620,
/// sections 3.6.1 and 5.1).
///
/// A state machine without I/O.
struct ChunkedFetch: Hashable, Sendable {
    private var remaining: ArraySlice<String>
    private var size: HalvingSize

    /// The maximum number of ids in a request, regardless of the server's limit.
    static let maxChunk = 500

    /// - Parameter limit: The server's `maxObjectsInGet`.
    init(_ ids: [String], limit: Int) {
        remaining = ids[...]
        size = HalvingSize(min(limit, Self.maxChunk))
    }

    /// The ids of the next request; nil when all are fetched.
    var next: [String]? { remaining.isEmpty ? nil : Array(remaining.prefix(size.value)) }

    /// The number of ids that aren't fetched yet.
    var count: Int { remaining.count }

    /// Whether the next request can be made smaller.
    var canHalve: Bool { min(remaining.count, size.value) > 1 }

    /// Records that the server answered the last request.
    mutating func advance() { remaining = remaining.dropFirst(size.value) }

    /// Records that the server found the last request too large.
    mutating func halve() { size.halve(requested: min(remaining.count, size.value)) }
}
