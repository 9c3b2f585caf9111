import InboxModel

/// Which of a person's dates of a message were set without consent, a bit for each in the order of
/// ``MessageField/personal``.
///
/// Devices get all dates. Whatever is for the backend gets those of ``datesForBackend(_:)``.
struct WithheldDates: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    static let none = WithheldDates(rawValue: 0)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The person's dates as the backend may see them: null in place of those that were set without consent.
    ///
    /// - Parameter dates: In the order of ``MessageField/personal``.
    func datesForBackend(_ dates: [Int?]) -> [Int?] {
        dates.indices.map { contains($0) ? nil : dates[$0] }
    }

    /// The same after a write: what it changed is withheld where consent didn't hold, and isn't any longer where it
    /// did.
    func after(_ earlier: [Int?], becoming dates: [Int?], consent: Bool) -> WithheldDates {
        var bits = rawValue
        for place in dates.indices where earlier[place] != dates[place] {
            // What is taken back leaves nothing to withhold.
            let isWithheld = !consent && dates[place] != nil
            bits = isWithheld ? bits | 1 << place : bits & ~(1 << place)
        }
        return WithheldDates(rawValue: bits)
    }

    /// The same without the dates at some places.
    func clearing(_ isCleared: (_ place: Int) -> Bool) -> WithheldDates {
        WithheldDates(rawValue: MessageField.personal.indices.filter(isCleared).reduce(rawValue) { $0 & ~(1 << $1) })
    }

    /// The names of the dates that are withheld, of those that are set.
    func fields(of dates: [Int?]) -> [MessageField] {
        MessageField.personal.indices.filter { contains($0) && dates[$0] != nil }.map { MessageField.personal[$0] }
    }

    private func contains(_ place: Int) -> Bool { rawValue & 1 << place != 0 }
}
