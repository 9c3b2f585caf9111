package import Groundwork

/// Which part of a list is asked for: `limit` and `after`.
package struct Page<Cursor: Sendable>: Sendable {
    let limit: Int
    /// The last of the page before; nil for the first page.
    let after: Cursor?

    package init(limit: Int, after: Cursor?) {
        self.limit = limit
        self.after = after
    }
}

/// A page of a list of messages: as many as are asked for, or fewer where they are large.
package struct SizedPage: Sendable {
    let limit: Int
    private(set) var items: [JSON] = []
    /// The `after` of the next page, where there is more.
    private(set) var next: String?
    private var last: String?
    private var size = 0

    /// How many a page may have.
    package static let allowed = 1...100
    package static let usual = 50
    /// How many bytes the contents of a page have at most, unless one alone has more.
    static let maxSize = 4 * 1_048_576

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an item, unless the page is full; then it is known that there is more.
    ///
    /// - Parameter size: In bytes, about.
    /// - Returns: Whether it was added.
    mutating func add(_ item: JSON, size: Int, cursor: String) -> Bool {
        guard items.isEmpty || (items.count < limit && self.size + size <= Self.maxSize) else {
            next = last
            return false
        }
        items.append(item)
        self.size += size
        last = cursor
        return true
    }

    package var answer: JSON {
        var answer = JSONObject([("messages", .array(items))])
        answer["next"] = next.map(JSON.string)
        return .object(answer)
    }
}
