/// The difference between two lists: deletions, insertions, moves and updates.
///
/// Deletions and the origins of moves are indices in the old list. Insertions, the destinations of moves, and updates
/// are indices in the new list. A table or collection view applies deletions, insertions and moves in one batch, and
/// reconfigures the updated elements after it.
public struct ListChanges: Hashable, Sendable {
    /// An element of both lists whose position relative to the others has changed.
    public struct Move: Hashable, Sendable {
        /// The index in the old list.
        public let from: Int
        /// The index in the new list.
        public let to: Int
    }

    /// The indices of the deleted elements in the old list, ascending.
    public internal(set) var deletions: [Int] = []
    /// The indices of the inserted elements in the new list, ascending.
    public internal(set) var insertions: [Int] = []
    /// The moved elements, ordered by their index in the new list.
    public internal(set) var moves: [Move] = []
    /// The indices in the new list, ascending, of elements whose content has changed. They may have moved too.
    public internal(set) var updates: [Int] = []

    /// Creates an empty set of changes.
    public init() {}

    /// Whether the two lists are the same.
    public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

    /// Returns the new list: the old one with the changes applied.
    ///
    /// - Parameters:
    ///   - old: The list before the changes.
    ///   - new: The list after the changes. Inserted and updated elements are taken from it.
    public func applied<Element>(to old: [Element], from new: [Element]) -> [Element] {
        let gone = Set(deletions).union(moves.map(\.from))
        var list = old.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        let arrivals = insertions.map { ($0, new[$0]) } + moves.map { ($0.to, old[$0.from]) }
        for (index, element) in arrivals.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: index) }
        for index in updates { list[index] = new[index] }
        return list
    }

    /// Creates the difference between two lists. A common prefix and suffix are cheap.
    ///
    /// - Parameters:
    ///   - id: Returns the id of an element. It is unique within a list.
    ///   - isChanged: Returns whether the content of an element of both lists has changed.
    package init<Element, ID: Hashable>(
        from old: [Element],
        to new: [Element],
        id: (Element) -> ID,
        isChanged: (Element, Element) -> Bool
    ) {
        var start = 0
        while start < old.count, start < new.count, id(old[start]) == id(new[start]) {
            if isChanged(old[start], new[start]) { updates.append(start) }
            start += 1
        }
        var end = 0
        var updatesAtEnd: [Int] = []
        while end < old.count - start, end < new.count - start,
            id(old[old.count - 1 - end]) == id(new[new.count - 1 - end])
        {
            let index = new.count - 1 - end
            if isChanged(old[old.count - 1 - end], new[index]) { updatesAtEnd.append(index) }
            end += 1
        }
        let oldMiddle = start..<(old.count - end)
        let newMiddle = start..<(new.count - end)
        let places = Dictionary(oldMiddle.map { (id(old[$0]), $0) }, uniquingKeysWith: { first, _ in first })
        var kept: [Move] = []
        for index in newMiddle {
            guard let place = places[id(new[index])] else {
                insertions.append(index)
                continue
            }
            kept.append(Move(from: place, to: index))
            if isChanged(old[place], new[index]) { updates.append(index) }
        }
        let stays = Self.longestAscending(kept.map(\.from))
        moves = kept.filter { !stays.contains($0.from) }
        let remaining = Set(kept.map(\.from))
        deletions = oldMiddle.filter { !remaining.contains($0) }
        updates += updatesAtEnd.reversed()
    }

    /// Returns a longest ascending subsequence of distinct numbers: the elements that aren't moved, so that the number
    /// of moves is minimal.
    private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
        // For each length, the index of the smallest number that ends a subsequence of that length; for each number,
        // the index of its predecessor in its subsequence.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var part: Set<Int> = []
        var index = ends.last
        while let current = index {
            part.insert(numbers[current])
            index = previous[current]
        }
        return part
    }
}
