package import Groundwork

/// The app's attributes of a person, a JSON object that the server stores unchanged.
package struct PersonAttributes: Sendable {
    let json: JSONObject

    /// The maximum number of attributes.
    package static let limit = 100
    /// The length of a name, in bytes.
    package static let nameLengths = 1...64
    /// The maximum size of all attributes as compact JSON, in bytes.
    package static let maxSize = 16_384

    /// Reads and validates the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(["attributes"])
        let attributes = try reader.required("attributes")
        json = try attributes.object()
        guard json.count <= Self.limit else { throw attributes.failure("has more than \(Self.limit) attributes") }
        for name in json.names where !Self.nameLengths.contains(name.utf8.count) || name.hasControlCharacters {
            throw attributes.failure(
                """
                has a name that is empty, longer than \(Self.nameLengths.upperBound) bytes, or contains control \
                characters
                """
            )
        }
        guard JSON.object(json).utf8.count <= Self.maxSize else {
            throw attributes.failure("has more than \(Self.maxSize) bytes as compact JSON")
        }
    }
}
