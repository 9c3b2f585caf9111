/// What makes one list out of another: which elements went, came, moved, and changed.
///
/// Deletions and the start of moves are indices in the old list; insertions, the end of moves, and updates are indices
/// in the new one. For a table or collection view: delete, insert and move in one batch, and after it reconfigure what
/// was updated.
public struct ListChanges: Hashable, Sendable {
    /// An element that is in both lists, at another place among the others.
    public struct Move: Hashable, Sendable {
        /// Its index in the old list.
        public let from: Int
        /// Its index in the new list.
        public let to: Int
    }

    /// Indices in the old list, ascending.
    public internal(set) var deletions: [Int] = []
    /// Indices in the new list, ascending.
    public internal(set) var insertions: [Int] = []
    /// By the index in the new list.
    public internal(set) var moves: [Move] = []
    /// Indices in the new list, ascending: elements that were there before with another content. They may have moved
    /// too.
    public internal(set) var updates: [Int] = []

    /// No changes.
    public init() {}

    /// Whether the two lists are the same.
    public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

    /// Makes the new list out of the old one.
    ///
    /// - Parameters:
    ///   - old: The list before.
    ///   - new: The list after, from which what was inserted and updated is taken.
    public func applied<Element>(to old: [Element], from new: [Element]) -> [Element] {
        let gone = Set(deletions).union(moves.map(\.from))
        var list = old.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        let arrivals = insertions.map { ($0, new[$0]) } + moves.map { ($0.to, old[$0.from]) }
        for (index, element) in arrivals.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: index) }
        for index in updates { list[index] = new[index] }
        return list
    }

    /// Compares two lists. What begins and ends both alike is passed over at little cost.
    ///
    /// - Parameters:
    ///   - id: Tells elements apart; no list has one twice.
    ///   - isChanged: Whether an element that is in both has another content.
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

    /// A longest ascending part of different numbers: what stays where it is, so that as few as can be move.
    private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
        // The index of the least number that ends a part of each length, and for each number the one before it in its
        // part.
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
