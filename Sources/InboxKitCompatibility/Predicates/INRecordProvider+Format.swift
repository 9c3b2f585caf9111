import Foundation
import InboxMail

extension INRecordProvider {
    /// Sets a predicate in the format of `NSPredicate`, on every platform:
    /// `try provider.setItemFilterPredicate(format: "ANY tagIDs = %@ AND subject CONTAINS[cd] 'invoice'", tag)`.
    ///
    /// It supports AND, OR, NOT and parentheses, TRUEPREDICATE and FALSEPREDICATE; `=`, `!=`, `<`, `<=`, `>`, `>=`,
    /// BETWEEN, IN, CONTAINS, BEGINSWITH, ENDSWITH and LIKE, for texts with `[c]`, `[d]` or `[cd]`; ANY, SOME, ALL and
    /// NONE; texts in quotes of either kind, numbers, YES, NO, NIL, lists in braces, and arguments by `%@` and `%K`.
    /// Without `[c]` and `[d]`, texts are compared by their bytes.
    ///
    /// The properties are those of InboxKit: of a thread `ID`, `subject`, `snippet`, `lastMessageDate`, `unread`,
    /// `tagIDs`, `participants.email` and `participants.name`; of a mail `ID`, `threadID`, `subject`, `snippet`,
    /// `date`, `unread`, and `email` and `name` of `from`, `to`, `cc` and `bcc`; of a draft `ID`, `threadID`,
    /// `subject`, `snippet` and `date`; of a contact `ID`, `name` and `email`.
    ///
    /// - Parameters:
    ///   - format: The predicate.
    ///   - arguments: The values for `%@` and `%K`: texts, numbers, Booleans, dates, and lists of them; nil for NIL.
    /// - Throws: ``INPredicateError``, with the place. If it throws, nothing has changed.
    public func setItemFilterPredicate(format: String, _ arguments: (any Sendable)?...) throws {
        let form = try PredicateForm(format: format, arguments)
        try setItemFilterPredicate(form)
    }

    /// Sets a predicate in InboxKit's form.
    ///
    /// - Throws: ``INPredicateError``. If it throws, nothing has changed.
    func setItemFilterPredicate(_ form: PredicateForm) throws(INPredicateError) {
        itemFilterPredicate = try RecordCondition(form, properties).predicate
    }
}

extension PredicateForm {
    /// Reads a format.
    ///
    /// - Throws: ``INPredicateError``, with the place.
    init(format: String, _ arguments: [(any Sendable)?] = []) throws(INPredicateError) {
        self = try PredicateParser.read(format, arguments.map { PredicateValue($0) })
    }
}
