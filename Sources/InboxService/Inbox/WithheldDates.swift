import InboxModel

/// The set of a person's dates of a message that were set without consent. It has one bit per date, in the order of
/// ``MessageField/personal``.
///
/// Devices receive all dates. Everything for the backend uses ``datesForBackend(_:)``.
struct WithheldDates: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    static let none = WithheldDates(rawValue: 0)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Returns the dates that the backend may see. Withheld dates are null.
    func datesForBackend(_ dates: PersonalDates) -> PersonalDates {
        PersonalDates { contains($0) ? nil : dates[$0] }
    }

    /// Returns the set after a write. The dates that the write changed are withheld if it was made without consent, and
    /// released if it was made with consent.
    func after(_ earlier: PersonalDates, becoming dates: PersonalDates, consent: Bool) -> WithheldDates {
        var bits = rawValue
        for field in MessageField.personal where earlier[field] != dates[field] {
            // A cleared date leaves nothing to withhold.
            let isWithheld = !consent && dates[field] != nil
            bits = isWithheld ? bits | Self.bit(of: field) : bits & ~Self.bit(of: field)
        }
        return WithheldDates(rawValue: bits)
    }

    /// Returns the set without the dates of some fields.
    func clearing(_ isCleared: (MessageField) -> Bool) -> WithheldDates {
        WithheldDates(rawValue: MessageField.personal.filter(isCleared).reduce(rawValue) { $0 & ~Self.bit(of: $1) })
    }

    /// Returns the names of the withheld dates, omitting dates that aren't set.
    ///
    /// - Parameter dates: The dates, in the order of ``MessageField/personal``.
    func fields(of dates: [Int?]) -> [MessageField] {
        zip(MessageField.personal, dates).filter { contains($0) && $1 != nil }.map(\.0)
    }

    private func contains(_ field: MessageField) -> Bool { rawValue & Self.bit(of: field) != 0 }

    private static func bit(of field: MessageField) -> Int {
        MessageField.personal.firstIndex(of: field).map { 1 << $0 } ?? 0
    }
}
