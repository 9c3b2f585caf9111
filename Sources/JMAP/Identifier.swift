package import Groundwork

/// The syntax of record and account ids (RFC 8620, section 1.2): 1–255 characters of `A-Za-z0-9-_`.
package enum Identifier {
    package static func isValid(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension JSONReader {
    /// Returns an id.
    package func identifier() throws(JSONValueError) -> String {
        let text = try string()
        guard Identifier.isValid(text) else { throw failure("has to be an id: 1 to 255 of A-Z a-z 0-9 - _") }
        return text
    }

    /// Returns an array of ids, which may include references to records that the request has created.
    package func references(_ createdIDs: CreatedIDs) throws(JSONValueError) -> [String] {
        try elements().map { (element) throws(JSONValueError) in try element.reference(createdIDs) }
    }

    /// Returns an id, given as such or as `#` and the creation id of a record that the request has created (RFC 8620,
    /// section 5.3).
    ///
    /// - Returns: The id. A reference without a created record is returned unchanged and names no record.
    package func reference(_ createdIDs: CreatedIDs) throws(JSONValueError) -> String {
        let text = try string()
        guard Identifier.isValid(text) || (text.hasPrefix("#") && Identifier.isValid(String(text.dropFirst()))) else {
            throw failure("has to be an id, 1 to 255 of A-Z a-z 0-9 - _, or # and a creation id")
        }
        return createdIDs.resolve(text)
    }
}
