import Groundwork

/// Which part of a list is asked for: `limit` and `after`.
struct Page<Cursor: Sendable>: Sendable {
    let limit: Int
    /// The last of the page before; nil for the first page.
    let after: Cursor?
}

enum PageLimits {
    /// How many a page may have.
    static let allowed = 1...1_000
    static let usual = 100

    /// The answer with a page: under its name what it has, and where there is more, `next`, the `after` of the next
    /// page.
    ///
    /// - Parameter items: What there is, each with its cursor; one more than `limit` where there is more.
    static func answer(_ name: String, _ items: [(cursor: String, json: JSON)], limit: Int) -> JSON {
        var answer = JSONObject([(name, .array(items.prefix(limit).map(\.json)))])
        if items.count > limit, let last = items.prefix(limit).last { answer.add("next", .string(last.cursor)) }
        return .object(answer)
    }
}

/// A page of a list of messages: as many as are asked for, or fewer where they are large.
struct SizedPage: Sendable {
    let limit: Int
    private(set) var items: [JSON] = []
    /// The `after` of the next page, where there is more.
    private(set) var next: String?
    private var last: String?
    private var size = 0

    /// How many a page may have.
    static let allowed = 1...100
    static let usual = 50
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

    var answer: JSON {
        var answer = JSONObject([("messages", .array(items))])
        answer["next"] = next.map(JSON.string)
        return .object(answer)
    }
}
