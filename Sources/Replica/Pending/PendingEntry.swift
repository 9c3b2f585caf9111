package import Groundwork
package import JMAP

/// A value that a person gave to a field of a record, and that the server hasn't answered yet.
package struct PendingEntry: Hashable, Sendable {
    package let id: String
    /// The field's name: the path of the patch (RFC 8620 §5.3).
    package let path: String
    package let value: JSON
}

/// Writes that are on their way: sealed under a key, repeated exactly as they are until the server answers.
package struct SealedWrites: Hashable, Sendable {
    package let key: Batch
    /// In the order in which they were made.
    package let entries: [PendingEntry]
    /// A write without names (``BulkRule``), which travels by itself.
    package var bulk: PendingEntry?

    /// The bulk write as it travels.
    package var bulkValue: JSON? {
        guard var value = bulk?.value.objectValue else { return nil }
        value[PendingBulk.listedUpTo] = nil
        return .object(value)
    }

    /// The argument `update` of a `set`.
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
