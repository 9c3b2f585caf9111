import Foundation
import Groundwork
import Replica

/// The translation of conditions on threads and mails to a mail server's filter conditions.
///
/// Two kinds of conditions are evaluated on the device alone: texts, because servers have their own ways of searching
/// by words (RFC 8621, section 4.4.1), and `hasAttachment`, because Cyrus finds no attachments in mails that arrived by
/// IMAP. An address is an exception: it is searched for in the headers. For a query with such a condition on files,
/// mails are examined until enough were found.
extension ServerFilter {
    static func thread(_ condition: QueryFilter.Condition) -> ServerFilter? {
        if let (list, address) = condition.address {
            return one(
                "\(list) \(address)",
                0,
                headers(with: address, in: list == "authors" ? ["from"] : ["from", "to", "cc"])
            )
        }
        guard case .column(let column) = condition.field else { return nil }
        switch (column.name, condition.isTrue) {
        case ("isInInbox", true?): return one("inbox", 1, inbox)
        case ("isInInbox", false?): return all(not(inbox))
        case ("isStarred", true?):
            return one(
                "starred",
                0,
                ["hasKeyword": .string(Keyword.flagged)],
                ["someInThreadHaveKeyword": .string(Keyword.flagged)]
            )
        case ("isStarred", false?): return one("not starred", 9, ["notKeyword": .string(Keyword.flagged)])
        case ("hasDrafts", true?): return one("draft", 0, ["hasKeyword": .string(Keyword.draft)])
        case ("hasDrafts", false?): return one("no draft", 9, ["notKeyword": .string(Keyword.draft)])
        case ("hasAttachments", _?): return all(.null)
        case ("mailboxIds", _):
            guard case .hasMember(let id) = condition.comparison else { return nil }
            return condition.isNegated ? all(not(inMailbox(id))) : one("in \(id)", 1, inMailbox(id))
        case ("unreadCount", _), ("unseenCount", _):
            // Unseen mails are unread too.
            guard let least = condition.bounds?.from, least > 0 else { return nil }
            let read: JSON = ["allInThreadHaveKeyword": .string(Keyword.seen)]
            return one("unread", 2, ["notKeyword": .string(Keyword.seen)], not(read))
        case ("lastMessageDate", _), ("firstMessageDate", _):
            return condition.bounds.map { one(column.name, 5, dates($0)) }
        default: return nil
        }
    }

    static func message(_ condition: QueryFilter.Condition) -> ServerFilter? {
        if let (list, address) = condition.address { return all(headers(with: address, in: [list])) }
        guard case .column(let column) = condition.field else { return nil }
        switch (column.name, condition.comparison) {
        case ("mailboxIds", .hasMember(let id)): return all(condition.isNegated ? not(inMailbox(id)) : inMailbox(id))
        case ("keywords", .hasMember(let name)):
            // The server ignores the case of keywords.
            guard name == name.lowercased() else { return all(.null) }
            return all([condition.isNegated ? "notKeyword" : "hasKeyword": .string(name)])
        case ("hasAttachment", _): return condition.isTrue.map { _ in all(.null) }
        case ("receivedAt", _): return condition.bounds.map { all(dates($0)) }
        case ("size", _): return condition.bounds.map { all(sizes($0)) }
        default: return nil
        }
    }

    private static func all(_ filter: JSON) -> ServerFilter { ServerFilter([Term(mails: .all, filter: filter)]) }

    private static func one(_ name: String, _ rank: Int, _ filter: JSON, _ threadFilter: JSON? = nil) -> ServerFilter {
        ServerFilter([Term(mails: .one(name, rank: rank), filter: filter, threadFilter: threadFilter)])
    }

    // MARK: - Mailboxes

    /// The filter for the inbox. The id is inserted when the request is sent, because the query may be older than the
    /// first sync.
    private static let inbox: JSON = ["inMailbox": ["role": "inbox"]]

    private static func inMailbox(_ id: String) -> JSON { ["inMailbox": .string(id)] }

    /// Replaces the roles in a filter by the ids of mailboxes.
    ///
    /// - Parameter id: The id of the inbox; nil if the device knows none. Then nothing is in it.
    static func resolve(_ filter: JSON, inbox id: String?) -> JSON {
        guard var object = filter.objectValue else { return filter }
        if let parts = object["conditions"]?.arrayValue {
            object["conditions"] = .array(parts.map { resolve($0, inbox: id) })
        }
        if object["inMailbox"]?["role"] != nil {
            guard let id else { return nothing }
            object["inMailbox"] = .string(id)
        }
        return .object(object)
    }

    private static let nothing: JSON = [
        "operator": "AND",
        "conditions": [["hasKeyword": .string(Keyword.seen)], ["notKeyword": .string(Keyword.seen)]],
    ]

    // MARK: - Addresses

    /// Returns the filter for an address in one of several headers.
    ///
    /// The filters `from`, `to` and `cc` aren't used: servers evaluate them with an index that lags behind, which would
    /// miss a mail that has just arrived. (Cyrus reads the headers themselves for this filter.)
    private static func headers(with address: String, in names: [String]) -> JSON {
        operation("OR", names.map { ["header": [.string($0.capitalized), .string(address)]] })
    }

    // MARK: - Dates and sizes

    /// Returns the filter for a range of dates. It has whole seconds, which all servers support.
    private static func dates(_ bounds: (from: Int?, below: Int?)) -> JSON {
        var filter = JSONObject()
        if let from = bounds.from, from > 0 { filter["after"] = date(min(from, latest) / 1_000) }
        if let below = bounds.below, below < latest { filter["before"] = date((max(below, 0) + 999) / 1_000) }
        return filter.members.isEmpty ? .null : .object(filter)
    }

    /// The end of the year 9999.
    private static let latest = 253_402_300_799_000

    private static func date(_ seconds: Int) -> JSON {
        .string(RFC3339.string(from: Date(milliseconds: seconds * 1_000)))
    }

    private static func sizes(_ bounds: (from: Int?, below: Int?)) -> JSON {
        var filter = JSONObject()
        if let from = bounds.from, from > 0 { filter["minSize"] = JSON(min(from, largest)) }
        if let below = bounds.below, below < largest { filter["maxSize"] = JSON(max(below, 0)) }
        return filter.members.isEmpty ? .null : .object(filter)
    }

    /// The maximum integer (RFC 8620, section 1.3).
    private static let largest = 1 << 53 - 1
}

extension QueryFilter.Condition {
    /// The address list of the condition, and the address, if it can be written in one way only (the plain atoms of RFC
    /// 5322, section 3.2.3). Nil for other conditions.
    fileprivate var address: (list: String, address: String)? {
        guard case .element(let list, "email") = field, case .equal(.text(let address)) = comparison, !isNegated,
            address.wholeMatch(of: /[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+/) != nil
        else { return nil }
        return (list, address)
    }

    /// The value that the condition requires of a Boolean field; nil for other conditions.
    fileprivate var isTrue: Bool? {
        if case .equal(.bool(let bool)) = comparison { bool != isNegated } else { nil }
    }

    /// The range of numbers that the condition requires, the lower bound included; nil for other conditions.
    fileprivate var bounds: (from: Int?, below: Int?)? {
        switch (comparison, isNegated) {
        case (.less(.integer(let bound)), false), (.greaterOrEqual(.integer(let bound)), true): (nil, bound)
        case (.lessOrEqual(.integer(let bound)), false), (.greater(.integer(let bound)), true): (nil, bound + 1)
        case (.greaterOrEqual(.integer(let bound)), false), (.less(.integer(let bound)), true): (bound, nil)
        case (.greater(.integer(let bound)), false), (.lessOrEqual(.integer(let bound)), true): (bound + 1, nil)
        case (.equal(.integer(let bound)), false): (bound, bound + 1)
        // The numbers are never negative.
        case (.equal(.integer(0)), true): (1, nil)
        default: nil
        }
    }
}
