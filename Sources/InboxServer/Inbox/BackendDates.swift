/// A person's dates of a message as the app's backend may see them, in the order of ``MessageField/personal``.
///
/// What a person does with a message that needs their consent is theirs: its dates are hidden, all of them, whatever they agreed to. That
/// they are hidden is the same for each person and each state, so it tells nothing.
struct BackendDates: Hashable, Sendable {
    /// Null where they are hidden.
    let dates: [Int?]
    let areHidden: Bool

    /// - Parameter consentCategory: The message's; nil where it needs no consent.
    init(_ dates: [Int?], consentCategory: String?) {
        areHidden = consentCategory != nil
        self.dates = areHidden ? dates.map { _ in nil } : dates
    }
}
