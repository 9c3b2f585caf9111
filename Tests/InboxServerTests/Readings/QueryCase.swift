import Foundation
import InboxClient
import InboxModel

/// A construct of `#Predicate`, with awkward values.
struct QueryCase: Sendable, CustomStringConvertible {
    let description: String
    let predicate: Predicate<Message>
    /// Whether SQL alone and the server alone decide it; nil where that isn't known beforehand.
    let isExact: (sql: Bool, server: Bool)?

    init(
        _ description: String,
        sql: Bool = true,
        server: Bool? = nil,
        _ predicate: Predicate<Message>
    ) {
        self.description = description
        self.predicate = predicate
        isExact = (sql, server ?? sql)
    }

    /// A case for which only equal results of all readings are expected.
    init(unmeasured description: String, _ predicate: Predicate<Message>) {
        self.description = description
        self.predicate = predicate
        isExact = nil
    }

    static let texts = [
        "", "Café", "cafe", "CAFÉ", "Cafe\u{301} 2", "100 % sure_thing", "it's \"quoted\"", "שלום עולם",
        "مرحبا بالعالم", "👍🏽 yes",
        "👍 no", "e\u{301}\u{323}", "a_b", "a%b", "axb", "\\ back", "日本語", "ﬁne", "Straße", "STRASSE", "ￆull",
        "line\nbreak", "Ωmega", "z",
    ]
    static let keys = ["k", "a/b", "t~e", "ключ", "q\"uote", "$.x", ""]
    static let start = Date(timeIntervalSince1970: 1_777_622_400)

    static func all(_ now: Date) -> [QueryCase] {
        let (low, high, none, categories) = (-2, 3, [String](), ["orders", "Café", "a%b"])
        let numbers = [-5, 0, 1]
        let (range, openRange, zero, zeros) = (-1...2, 4..<9, "caf\u{0}e", ["a\u{0}b"])
        let (unread, read, deleted) = (MessageStatus.unread, MessageStatus.read, MessageStatus.deleted)
        let browser = MessageAction.ActionType.webBrowser
        let between = now.addingTimeInterval(3_600.0004)
        let far = Date.distantFuture
        let (nothing, orders): (String?, String?) = (nil, "orders")
        var cases = [
            QueryCase("bool", #Predicate { $0.isPinned }),
            QueryCase("not", #Predicate { !$0.isPinned }),
            QueryCase("bool == false", #Predicate { $0.isPinned == false }),
            QueryCase("constant", #Predicate { _ in true }),
            QueryCase("and", #Predicate { $0.isPinned && $0.priority > 0 }),
            QueryCase("or, not", #Predicate { !($0.isPinned || $0.priority > low) }),
            QueryCase("integers", #Predicate { $0.priority >= low && $0.priority < high && $0.priority != 0 }),
            QueryCase("reversed", #Predicate { low < $0.priority && high >= $0.priority }),
            QueryCase("range", #Predicate { (-1...2).contains($0.priority) }),
            QueryCase("captured range", #Predicate { (low..<high).contains($0.priority) }),
            QueryCase(
                "range as a value",
                #Predicate { range.contains($0.priority) || openRange.contains($0.priority) }
            ),
            QueryCase("zero byte", sql: false, #Predicate { $0.title == zero || $0.body < zero }),
            QueryCase("zero byte, not", sql: false, #Predicate { $0.title != zero && !zeros.contains($0.body) }),
            QueryCase("not in range", #Predicate { !(low...high).contains($0.priority) }),
            QueryCase("date", #Predicate { $0.deliverAt > between }),
            QueryCase("date, not whole", #Predicate { $0.deliverAt <= between || $0.deliverAt == between }),
            QueryCase("dates", #Predicate { (now...between).contains($0.deliverAt) }),
            QueryCase("nil", #Predicate { $0.category == nil }),
            QueryCase("not nil", #Predicate { $0.category != nil && $0.expiresAt != nil }),
            QueryCase("captured nil", #Predicate { $0.category == nothing || $0.groupKey != nothing }),
            QueryCase("optional equal", #Predicate { $0.category == orders }),
            QueryCase("optional not equal", #Predicate { $0.category != "orders" }),
            QueryCase("??", #Predicate { ($0.expiresAt ?? far) > between }),
            QueryCase("?? text", #Predicate { ($0.category ?? "orders") == "orders" }),
            QueryCase("?? of fields", #Predicate { ($0.groupKey ?? $0.category ?? "none") < "p" }),
            QueryCase("not ??", #Predicate { !(($0.expiresAt ?? far) > between) }),
            QueryCase("if let", #Predicate { if let time = $0.expiresAt { time > between } else { false } }),
            QueryCase("if let else true", #Predicate { if let time = $0.readAt { time > now } else { true } }),
            QueryCase("not flatMap", #Predicate { !($0.expiresAt.flatMap { $0 < between } ?? false) }),
            QueryCase("flatMap == true", #Predicate { $0.category?.contains("a") == true }),
            QueryCase("flatMap != true", #Predicate { $0.category?.contains("a") != true }),
            QueryCase("flatMap == nil", #Predicate { $0.category?.isEmpty == nil }),
            QueryCase("?:", #Predicate { $0.isPinned ? $0.priority > 0 : $0.category == nil }),
            QueryCase("not ?:", #Predicate { !($0.isPinned ? $0.priority > 0 : $0.category == nil) }),
            QueryCase("list", #Predicate { numbers.contains($0.priority) }),
            QueryCase("list of texts", #Predicate { categories.contains($0.title) }),
            QueryCase("not in list", #Predicate { !categories.contains($0.title) }),
            QueryCase("empty list", #Predicate { none.contains($0.title) }),
            QueryCase("isEmpty", #Predicate { $0.title.isEmpty || !$0.body.isEmpty }),
            QueryCase("isUnread", #Predicate { $0.isUnread }),
            QueryCase("status", #Predicate { $0.status == unread }),
            QueryCase("status, not", #Predicate { $0.status != read && $0.status != deleted }),
            QueryCase("person's dates", #Predicate { $0.archivedAt == nil && $0.seenAt != nil }),
            QueryCase("localized search", sql: false, #Predicate { $0.title.localizedStandardContains("CAFE") }),
            QueryCase(
                "localized search, and",
                sql: false,
                #Predicate { $0.body.localizedStandardContains("strasse") && !$0.isPinned }
            ),
            QueryCase("dictionary", sql: false, server: true, #Predicate { $0.additionalData["k"] == "Café" }),
            QueryCase("dictionary, not", sql: false, server: true, #Predicate { $0.additionalData["a/b"] != "z" }),
            QueryCase("dictionary, nil", sql: false, server: true, #Predicate { $0.additionalData["t~e"] == nil }),
            QueryCase(
                "dictionary, default",
                sql: false,
                server: true,
                #Predicate { $0.additionalData["ключ", default: "z"] > "a" }
            ),
            QueryCase(
                "dictionary, text",
                sql: false,
                server: true,
                #Predicate { $0.additionalData["q\"uote"]?.contains("a") ?? true }
            ),
            QueryCase(
                "dictionary, or",
                sql: false,
                server: true,
                #Predicate { $0.additionalData["$.x"] != nil || $0.isPinned }
            ),
            QueryCase("to-many", sql: false, #Predicate { $0.actions.contains { $0.type == "ﬁne" } }),
            QueryCase("to-many, not", sql: false, #Predicate { !$0.actions.contains { $0.text.contains("a") } }),
            QueryCase("to-many, enum", sql: false, #Predicate { $0.actions.contains { $0.actionType == browser } }),
            QueryCase("to-many, all", sql: false, #Predicate { $0.actions.allSatisfy { $0.type.isEmpty } }),
            QueryCase("to-many, empty", sql: false, #Predicate { $0.actions.isEmpty && $0.priority < high }),
            QueryCase("to-many, count", sql: false, #Predicate { $0.actions.count > 1 }),
            QueryCase(
                "to-many and record",
                sql: false,
                #Predicate { message in message.actions.contains { $0.type == message.title } }
            ),
            QueryCase(
                "details",
                sql: false,
                server: true,
                #Predicate { $0.campaignID == nil || $0.templateID != "a_b" }
            ),
            QueryCase("two fields", sql: false, #Predicate { $0.title == $0.body }),
        ]
        for text in texts {
            cases += [
                QueryCase("== \(text)", #Predicate { $0.title == text }),
                QueryCase("!= \(text)", #Predicate { $0.body != text }),
                QueryCase("< \(text)", #Predicate { $0.title < text || $0.body >= text }),
                QueryCase("starts with \(text)", #Predicate { $0.title.starts(with: text) }),
                QueryCase("not starting with \(text)", #Predicate { !$0.body.starts(with: text) }),
                QueryCase("contains \(text)", #Predicate { $0.body.contains(text) || $0.category == text }),
                QueryCase("searches \(text)", sql: false, #Predicate { $0.body.localizedStandardContains(text) }),
            ]
        }
        return cases
    }
}
