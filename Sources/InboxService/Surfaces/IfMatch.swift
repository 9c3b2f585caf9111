/// The header `If-Match` (RFC 9110 §13.1.1).
package enum IfMatch: Sendable {
    case any
    case tags([String])

    package init(_ header: String) {
        let tags = header.split(separator: ",").map { $0.trimmingPrefix(" ") }.map { tag in
            String(tag.reversed().drop { $0 == " " }.reversed())
        }
        self = tags == ["*"] ? .any : .tags(tags)
    }

    /// - Parameter tag: Nil where there is nothing yet.
    func allows(_ tag: String?) -> Bool {
        switch self {
        case .any: tag != nil
        case .tags(let tags): tag.map(tags.contains) ?? false
        }
    }
}
