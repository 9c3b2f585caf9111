package import Groundwork
package import JMAP

/// A value that a person gave to a field of a record, and that the server hasn't confirmed yet.
package struct PendingEntry: Hashable, Sendable {
    package let id: String
    /// The path in the patch (RFC 8620, section 5.3): the field's name, followed by the member's name in a column of
    /// members.
    package let path: String
    package let value: JSON
}

/// Writes that are being sent: sealed under a key, and repeated unchanged until the server answers.
package struct SealedWrites: Hashable, Sendable {
    package let key: Batch
    /// The entries in the order in which they were written.
    package let entries: [PendingEntry]
    /// A bulk write (``BulkRule``), which is sent in a batch of its own.
    package var bulk: PendingEntry?

    /// The bulk write as it is sent.
    package var bulkValue: JSON? {
        guard var value = bulk?.value.objectValue else { return nil }
        value[PendingBulk.listedUpTo] = nil
        return .object(value)
    }

    /// The argument `update` of a `/set` call.
    package var update: JSON {
        var patches = JSONObject()
        for entry in entries {
            var patch = patches[entry.id]?.objectValue ?? JSONObject()
            patch[entry.path] = entry.value
            patches[entry.id] = .object(patch)
        }
        return .object(patches)
    }
}
