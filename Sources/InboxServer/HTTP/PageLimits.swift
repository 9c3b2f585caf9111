import Groundwork

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
