/// The documents that a transaction has stored, as their module's values, so that what is derived from them in the same
/// transaction doesn't read and decode them again. No other process writes meanwhile.
package final class StoredDocuments {
    private struct Key: Hashable {
        let kind: DeviceRecordKind
        /// The bytes of the id, as SQLite compares ids: `String` equates different spellings of one character.
        let id: [UInt8]

        init(_ kind: DeviceRecordKind, _ id: String) { (self.kind, self.id) = (kind, Array(id.utf8)) }
    }

    private var values: [Key: Any] = [:]

    /// Returns a document as the transaction has stored it last; nil if it hasn't, or if its value wasn't given.
    package func value<Value>(_ kind: DeviceRecordKind, _ id: String) -> Value? {
        values[Key(kind, id)] as? Value
    }

    func set(_ value: Any?, _ kind: DeviceRecordKind, _ id: String) { values[Key(kind, id)] = value }

    func removeAll() { values = [:] }
}
