import InboxModel

/// A person's dates of a message, in milliseconds since 1970: those of ``MessageField/personal``.
struct PersonalDates: Hashable, Sendable {
    /// The dates, in the order of ``MessageField/personal``.
    private(set) var values: [Int?]

    /// - Parameter date: Returns the date of a field, or nil if it isn't set.
    init(_ date: (MessageField) throws -> Int?) rethrows {
        values = try MessageField.personal.map(date)
    }

    /// - Parameter column: The first of the row's columns with the dates, in the order of ``MessageField/personal``.
    init(row: SQLRow, from column: Int) {
        values = MessageField.personal.indices.map { row[column + $0] }
    }

    /// The date of a field, or nil if it isn't set. Other fields have none.
    subscript(_ field: MessageField) -> Int? {
        get { MessageField.personal.firstIndex(of: field).flatMap { values[$0] } }
        set { if let index = MessageField.personal.firstIndex(of: field) { values[index] = newValue } }
    }
}
