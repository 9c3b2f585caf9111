package import Groundwork

/// The ids of the records that a request has created so far, by creation id (RFC 8620, sections 3.3 and 5.3). One map
/// serves all types.
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

    /// Adds the ids that a later call created. They replace earlier ones with the same creation id.
    package mutating func merge(_ later: CreatedIDs) {
        ids.merge(later.ids) { _, latest in latest }
    }

    /// Resolves an id or a reference: `#` and a creation id become the id of the record created under it.
    ///
    /// A reference without a created record is returned unchanged. No record has such an id, so a method that looks it
    /// up answers `notFound`.
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
