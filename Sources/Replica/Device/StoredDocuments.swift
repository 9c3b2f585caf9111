/// The documents that a transaction has stored, as their module's values, so that what is derived from them in the same
/// transaction doesn't read and decode them again. No other process writes meanwhile.
///
/// Few are held at a time. A transaction may store thousands, whose texts would all be in memory until it ends: the
/// others are read again.
package final class StoredDocuments {
    private struct Key: Hashable {
        let kind: DeviceRecordKind
        /// The bytes of the id, as SQLite compares ids: `String` equates different spellings of one character.
        let id: [UInt8]

        init(_ kind: DeviceRecordKind, _ id: String) { (self.kind, self.id) = (kind, Array(id.utf8)) }
    }

    private var values: [Key: Any] = [:]
    private static let maxCount = 16

    /// Returns a document as the transaction has stored it last; nil if it hasn't, if its value wasn't given, or if
    /// many were stored after it.
    package func value<Value>(_ kind: DeviceRecordKind, _ id: String) -> Value? {
        values[Key(kind, id)] as? Value
    }

    func set(_ value: Any?, _ kind: DeviceRecordKind, _ id: String) {
        if values.count >= Self.maxCount { removeAll() }
        values[Key(kind, id)] = value
    }

    func removeAll() { values = [:] }
}
