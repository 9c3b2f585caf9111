package import Groundwork

/// The ids of the records that a request has created so far, by creation id (RFC 8620 §3.3, §5.3): one map for all
/// types.
package struct CreatedIDs: Hashable, Sendable {
    private var ids: [String: String]

    package init(_ ids: [String: String] = [:]) {
        self.ids = ids
    }

    package init(reading reader: JSONReader) throws(JSONValueError) {
        ids = try reader.stringPairs()
        for (creationID, id) in ids where !(Identifier.isValid(creationID) && Identifier.isValid(id)) {
            throw reader.failure("has to have ids as names and as values")
        }
    }

    package var json: JSON {
        .object(JSONObject(ids.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// Adds what a call has created; of two records under one creation id the later counts.
    package mutating func merge(_ later: CreatedIDs) {
        ids.merge(later.ids) { _, latest in latest }
    }

    /// The id that a text means where an id is expected: `#` and a creation id stand for the record that was created
    /// under it.
    ///
    /// A reference under which nothing was created stays as it is. No record has such an id, so whatever looks for it
    /// answers `notFound`.
    package func resolve(_ text: String) -> String {
        guard text.hasPrefix("#") else { return text }
        return ids[String(text.dropFirst())] ?? text
    }
}

extension CreatedIDs: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        ids = Dictionary(elements) { _, latest in latest }
    }
}
