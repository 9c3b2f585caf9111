import Foundation
package import Groundwork
package import InboxModel

/// What the app's backend wants to set of a person's dates of one message.
package struct BackendMarks: Sendable {
    private enum Mark: Sendable {
        case none
        /// The time of the request, unless there is a date.
        case now
        case date(Int)
    }

    private var marks: [Int: Mark] = [:]

    /// What a backend may set. To snooze and to delete, which can be undone, are the person's.
    package static let fields: [MessageField] = [.seenAt, .readAt, .archivedAt]
    /// Stands for the time of the request, where there is no date yet.
    package static let now = "now"

    /// Checks the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first part that isn't right.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(Set(Self.fields.map(\.rawValue)))
        for (place, field) in MessageField.personal.enumerated() where reader.value[field.rawValue] != nil {
            guard let member = reader.member(field.rawValue) else {
                marks[place] = Mark.none
                continue
            }
            if member.value == .string(Self.now) {
                marks[place] = .now
            } else if let date = try? member.date() {
                marks[place] = .date(date.milliseconds)
            } else {
                throw member.failure("has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z, or now, or null")
            }
        }
    }

    /// Whether the date at a place in ``MessageField/personal`` is set or taken back.
    func sets(_ place: Int) -> Bool { marks[place] != nil }

    /// The dates with the marks, in the order of ``MessageField/personal``.
    func applied(to dates: [Int?], at now: Date) -> [Int?] {
        dates.enumerated().map { place, date in
            switch marks[place] {
            case nil: date
            case .some(.none): nil
            case .now: date ?? now.milliseconds
            case .date(let date): date
            }
        }
    }
}
