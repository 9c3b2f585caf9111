import Groundwork
import InboxModel

/// A property of messages by which a query can filter and sort: its kind of value, and its storage.
enum InboxProperty: Hashable, Sendable {
    case field(MessageField)
    /// `additionalData/…`: one of the sender's additional pairs, by its key. Null if the message doesn't have it.
    case pair(String)

    enum Kind: Sendable {
        case id, text, date, number, flag
    }

    /// The table of an inbox that a row is from: the person's deliveries `d`, or the broadcasts `m` on which the person
    /// hasn't acted.
    enum Source: Sendable {
        case deliveries, broadcasts
    }

    /// Returns a property by name, or nil if messages have no such property or it is an array or an object.
    ///
    /// - Parameter name: The name as in a message's JSON object. A pair is named as in a patch (RFC 8620 §5.3):
    ///   `additionalData/key`, in which `~1` stands for `/` and `~0` for `~`.
    init?(_ name: String) {
        if let field = MessageField(rawValue: name) {
            switch field {
            case .media, .actions, .additionalData: return nil
            default: self = .field(field)
            }
        } else if let tokens = JSONPointer(parsing: "/" + name)?.tokens, tokens.count == 2,
            tokens[0] == MessageField.additionalData.rawValue
        {
            self = .pair(tokens[1])
        } else {
            return nil
        }
    }

    var kind: Kind {
        switch self {
        case .field(.id): .id
        case .field(.deliverAt), .field(.expiresAt): .date
        case .field(.priority): .number
        case .field(.pinned): .flag
        case .field(let field): MessageField.personal.contains(field) ? .date : .text
        case .pair: .text
        }
    }

    /// Whether its text is stored in normal form C.
    var isNormalized: Bool {
        switch self {
        case .field(let field): field.isNormalized
        case .pair: MessageField.additionalData.isNormalized
        }
    }

    /// Whether neither the sender's edits nor the person's actions change it after delivery.
    var isImmutable: Bool { self == .field(.id) || self == .field(.deliverAt) }

    /// Whether only the message `m` has it, so that a delivery has to be joined with its message.
    var needsMessage: Bool {
        switch self {
        case .field(let field): !isImmutable && !MessageField.personal.contains(field)
        case .pair: true
        }
    }

    /// Returns the expression for the value. Each use of the expression needs its own call, which adds its arguments.
    func sql(from source: Source, _ arguments: inout SQLArguments) -> SQLText {
        switch self {
        case .pair(let key):
            arguments += [key]
            return SQLText(
                sqlite: "(SELECT value FROM json_each(m.content, '$.additionalData') WHERE key = ?)",
                postgres: "messageText(m.content, 'additionalData', ?) COLLATE \"C\""
            )
        case .field(.id): return source == .deliveries ? "d.message" : "m.id"
        case .field(.deliverAt): return source == .deliveries ? "d.deliverAt" : "m.deliverAt"
        case .field(let field) where MessageField.personal.contains(field):
            return source == .deliveries ? "d.\(field.rawValue)" : "CAST(NULL AS bigint)"
        case .field(let field):
            switch field {
            case .surface, .category, .groupKey, .expiresAt: return "m.\(field.rawValue)"
            // A property that the sender omitted has its default value.
            case .title, .body: return "coalesce(\(Self.inContent(field)), '')"
            case .priority:
                return SQLText(
                    sqlite: "coalesce(\(Self.inContent(field).sqlite), 0)",
                    postgres: "coalesce(messageText(m.content, '\(field.rawValue)')::bigint, 0)"
                )
            case .pinned: return OutlineRow.pinned
            default: return Self.inContent(field)
            }
        }
    }

    /// Returns the expression for a text in the content, which PostgreSQL's own operator can't read if it has U+0000.
    private static func inContent(_ field: MessageField) -> SQLText {
        SQLText(
            sqlite: "json_extract(m.content, '$.\(field.rawValue)')",
            postgres: "messageText(m.content, '\(field.rawValue)') COLLATE \"C\""
        )
    }
}
