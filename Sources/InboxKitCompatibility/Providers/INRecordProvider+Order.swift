import Foundation
import InboxMail

extension INRecordProvider {
    /// Returns a sort descriptor by the name of a property in InboxKit. Texts are compared by their bytes.
    ///
    /// - Parameters:
    ///   - key: The name, of those that predicates can use; nil for none.
    ///   - isAscending: Whether the lowest value comes first.
    /// - Throws: `MailError` `invalidArgument` for a name that isn't that of a text or a date.
    func sortDescriptor(key: String?, isAscending: Bool) throws -> SortDescriptor<Record> {
        guard let key, let descriptor = properties(key)?.sortDescriptor(isAscending ? .forward : .reverse) else {
            throw MailError(
                .invalidArgument,
                """
                The items can't be sorted by \(key ?? "a comparator"). Sort them by the key of a text or a date, such \
                as the subject or the name.
                """
            )
        }
        return descriptor
    }
}

extension RecordProperty {
    /// Returns a sort descriptor by the property; nil if its values have no order.
    fileprivate func sortDescriptor(_ order: SortOrder) -> SortDescriptor<Record>? {
        switch self {
        case .text(let path): SortDescriptor(path, comparator: .lexical, order: order)
        case .optionalText(let path): SortDescriptor(path, comparator: .lexical, order: order)
        case .date(let path): SortDescriptor(path, order: order)
        case .flag, .tags, .addresses, .names: nil
        }
    }
}
