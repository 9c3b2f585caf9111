package import Groundwork

/// The requested page of a list: `limit` and `after`.
package struct Page<Cursor: Sendable>: Sendable {
    let limit: Int
    /// The last item of the previous page; nil for the first page.
    let after: Cursor?

    package init(limit: Int, after: Cursor?) {
        self.limit = limit
        self.after = after
    }
}

/// A page of a list of messages. It has as many items as requested, or fewer if they are large.
package struct SizedPage: Sendable {
    let limit: Int
    private(set) var items: [JSON] = []
    /// The `after` of the next page; nil if there are no more items.
    private(set) var next: String?
    private var last: String?
    private var size = 0

    /// The range of `limit`.
    package static let limitRange = 1...100
    package static let defaultLimit = 50
    /// The maximum size of a page's contents in bytes. A single larger item is allowed.
    static let maxSize = 4 * 1_048_576

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends an item, unless the page is full. A rejected item sets `next`.
    ///
    /// - Parameter size: The approximate size in bytes.
    /// - Returns: Whether the item was appended.
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

    package var json: JSON {
        var response = JSONObject([("messages", .array(items))])
        response["next"] = next.map(JSON.string)
        return .object(response)
    }
}
