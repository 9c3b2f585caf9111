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
    ///
    /// - Parameter dates: The dates, in the order of ``MessageField/personal``.
    func datesForBackend(_ dates: [Int?]) -> [Int?] {
        dates.indices.map { contains($0) ? nil : dates[$0] }
    }

    /// Returns the set after a write. The dates that the write changed are withheld if it was made without consent, and
    /// released if it was made with consent.
    func after(_ earlier: [Int?], becoming dates: [Int?], consent: Bool) -> WithheldDates {
        var bits = rawValue
        for index in dates.indices where earlier[index] != dates[index] {
            // A cleared date leaves nothing to withhold.
            let isWithheld = !consent && dates[index] != nil
            bits = isWithheld ? bits | 1 << index : bits & ~(1 << index)
        }
        return WithheldDates(rawValue: bits)
    }

    /// Returns the set without the dates at some indexes.
    func clearing(_ isCleared: (_ index: Int) -> Bool) -> WithheldDates {
        WithheldDates(rawValue: MessageField.personal.indices.filter(isCleared).reduce(rawValue) { $0 & ~(1 << $1) })
    }

    /// Returns the names of the withheld dates, omitting dates that aren't set.
    func fields(of dates: [Int?]) -> [MessageField] {
        MessageField.personal.indices.filter { contains($0) && dates[$0] != nil }.map { MessageField.personal[$0] }
    }

    private func contains(_ index: Int) -> Bool { rawValue & 1 << index != 0 }
}
