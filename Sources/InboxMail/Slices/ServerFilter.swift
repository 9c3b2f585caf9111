import Groundwork
import Replica

/// The translation of a query to a mail server's filter (RFC 8621, section 4.4.1). The filter may match more mails than
/// the query, but never fewer.
///
/// A query of threads evaluates the mails of a thread together, whereas a filter evaluates each mail separately.
/// Therefore only two kinds of conditions on a thread can be combined: those that hold for each of its mails, and those
/// that hold for one and the same mail.
struct ServerFilter: Sendable {
    /// A condition on a mail.
    struct Term: Sendable {
        enum Quantifier: Hashable {
            /// The condition holds for each mail of the thread.
            case all
            /// The condition holds for one mail. Terms of the same name are about the same mail. The lower the rank,
            /// the fewer mails match.
            case one(String, rank: Int)
        }

        let mails: Quantifier
        /// The filter condition. Null always holds, so that the device alone decides.
        let filter: JSON
        /// The same condition on the whole thread, which not every server supports.
        var threadFilter: JSON?
    }

    private let terms: [Term]

    init(_ terms: [Term]) {
        self.terms = terms
    }

    /// Creates a filter that requires all parts.
    init(all parts: [ServerFilter]) {
        terms = parts.flatMap(\.terms)
    }

    /// Creates a filter that requires one of the parts.
    init(any parts: [ServerFilter]) {
        let filter = Self.operation("OR", parts.map { $0.filter(isPlain: true) })
        let coversAllMails = parts.allSatisfy { $0.terms.allSatisfy { $0.mails == .all } }
        terms = [Term(mails: coversAllMails ? .all : .one("either", rank: 6), filter: filter)]
    }

    /// The filters of `Email/query`, the most exact first. Null matches all mails.
    var filters: [JSON] {
        let (exact, plain) = (filter(isPlain: false), filter(isPlain: true))
        return exact == plain ? [exact] : [exact, plain]
    }

    private func filter(isPlain: Bool) -> JSON {
        let chosen = chosenMail(isPlain: isPlain)
        var parts: [JSON] = []
        for term in terms {
            switch term.mails {
            case .all: parts.append(term.filter)
            case .one(chosen, _): parts.append(term.filter)
            case .one: if !isPlain, let threadFilter = term.threadFilter { parts.append(threadFilter) }
            }
        }
        return Self.operation("AND", parts)
    }

    /// The name of the mail by which the server finds the thread. Terms that can be conditions on the whole thread come
    /// last, because they need no mail.
    private func chosenMail(isPlain: Bool) -> String? {
        let ones = terms.compactMap { term -> (name: String, rank: Int, isThreadCondition: Bool)? in
            guard case .one(let name, let rank) = term.mails, term.filter != .null else { return nil }
            return (name, rank, !isPlain && term.threadFilter != nil)
        }
        return ones.min {
            ($0.isThreadCondition ? 1 : 0, $0.rank, $0.name) < ($1.isThreadCondition ? 1 : 0, $1.rank, $1.name)
        }?.name
    }

    /// Combines filters with an operator. Null always holds.
    static func operation(_ name: String, _ parts: [JSON]) -> JSON {
        let translated = parts.filter { $0 != .null }
        if name == "OR", translated.count < parts.count { return .null }
        if translated.count < 2 { return translated.first ?? .null }
        return ["operator": .string(name), "conditions": .array(translated)]
    }

    static func not(_ filter: JSON) -> JSON { ["operator": "NOT", "conditions": [filter]] }
}

extension QueryFilter {
    /// Returns the filter for a mail server, or nil if no part of the condition can be translated.
    ///
    /// - Parameter condition: Returns the translation of a single condition, or nil.
    func serverFilter(_ condition: (Condition) -> ServerFilter?) -> ServerFilter? {
        switch self {
        case .open: return nil
        case .condition(let some): return condition(some)
        case .all(let parts):
            let filters = parts.compactMap { $0.serverFilter(condition) }
            return filters.isEmpty && !parts.isEmpty ? nil : ServerFilter(all: filters)
        case .any(let parts):
            let filters = parts.map { $0.serverFilter(condition) }
            guard !filters.contains(where: { $0 == nil }) else { return nil }
            return ServerFilter(any: filters.compactMap { $0 })
        }
    }

    /// Whether the filter matches nothing.
    var matchesNothing: Bool { if case .any(let parts) = self { parts.isEmpty } else { false } }
}
