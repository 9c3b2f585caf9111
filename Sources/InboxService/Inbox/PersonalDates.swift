import InboxModel

/// A person's dates of a message, in milliseconds since 1970: those of ``MessageField/personal``.
struct PersonalDates: Hashable, Sendable {
    // Not an array: a list of messages would have one for each.
    private var seenAt, readAt, archivedAt, snoozedUntil, deletedAt: Int?

    /// - Parameter date: Returns the date of a field, or nil if it isn't set.
    init(_ date: (MessageField) throws -> Int?) rethrows {
        seenAt = try date(.seenAt)
        readAt = try date(.readAt)
        archivedAt = try date(.archivedAt)
        snoozedUntil = try date(.snoozedUntil)
        deletedAt = try date(.deletedAt)
    }

    /// - Parameter column: The first of the row's columns with the dates, in the order of ``MessageField/personal``.
    init(row: SQLRow, from column: Int) {
        seenAt = row[column]
        readAt = row[column + 1]
        archivedAt = row[column + 2]
        snoozedUntil = row[column + 3]
        deletedAt = row[column + 4]
    }

    /// The dates in the order of ``MessageField/personal``.
    var values: [Int?] { MessageField.personal.map { self[$0] } }

    /// The date of a field, or nil if it isn't set. Other fields have none.
    subscript(_ field: MessageField) -> Int? {
        get {
            switch field {
            case .seenAt: seenAt
            case .readAt: readAt
            case .archivedAt: archivedAt
            case .snoozedUntil: snoozedUntil
            case .deletedAt: deletedAt
            default: nil
            }
        }
        set {
            switch field {
            case .seenAt: seenAt = newValue
            case .readAt: readAt = newValue
            case .archivedAt: archivedAt = newValue
            case .snoozedUntil: snoozedUntil = newValue
            case .deletedAt: deletedAt = newValue
            default: break
            }
        }
    }
}
