/// The parts that a fetch still has to request, each a number of ids. A part that is rejected is replaced by its two
/// halves, and the others keep their size: for answers that a single record makes unreadable.
///
/// A state machine without I/O.
package struct SplittingFetch: HalvingFetch, Hashable {
    /// The next part is the last element.
    private var parts: [ArraySlice<String>]

    /// - Parameter size: The maximum number of ids in a part. At least 1.
    package init(_ ids: [String], size: Int) {
        let size = min(max(1, size), max(1, ids.count))
        parts = stride(from: 0, to: ids.count, by: size).map { ids[$0...].prefix(size) }.reversed()
    }

    package var next: [String]? { parts.last.map { Array($0) } }

    package var canHalve: Bool { (parts.last?.count ?? 0) > 1 }

    /// Records that the next part was answered, or can't be.
    package mutating func advance() { _ = parts.popLast() }

    /// Removes all parts, so that nothing further is requested.
    package mutating func stop() { parts = [] }

    package mutating func halve() {
        guard canHalve else { return }
        let part = parts.removeLast()
        let half = part.count / 2
        parts += [part.dropFirst(half), part.prefix(half)]
    }
}
