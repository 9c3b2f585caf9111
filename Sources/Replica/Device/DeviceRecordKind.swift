/// A kind of documents that exist only on this device, such as texts that the person hasn't sent yet.
///
/// No sync, full sync or change of the schema removes them. A damaged store's documents are carried over as far as they
/// can be read. Only the module that wrote a document removes it, or a sign-out.
package struct DeviceRecordKind: Hashable, Sendable {
    /// The name. Stored: it never changes.
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// A document that exists only on this device.
package struct DeviceRecord: Hashable, Sendable {
    /// The id, unique within its kind.
    package let id: String
    /// The document, in JSON.
    package let json: String
    /// The time at which its module has something to do for it, in milliseconds since 1970; nil for never.
    package let due: Int?
    /// Whether it contains something that would be lost with this device's store.
    package let isUnsent: Bool
    /// The latest time that the document records, in milliseconds since 1970; nil if it isn't known, as of a document
    /// that an earlier version has stored.
    package let recordedAt: Int?

    package init(id: String, json: String, due: Int? = nil, isUnsent: Bool = false, recordedAt: Int? = nil) {
        (self.id, self.json, self.due, self.isUnsent, self.recordedAt) = (id, json, due, isUnsent, recordedAt)
    }
}
