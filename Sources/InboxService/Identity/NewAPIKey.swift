package import Foundation
package import Groundwork

/// A validated request for an API key.
package struct NewAPIKey: Sendable {
    let name: String
    /// The scopes, in the order of the request.
    package let scopes: [Scope]
    let expiresAt: Date?

    /// The range of a key name's length, in bytes.
    package static let nameLengths = 1...100

    /// Validates the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid value.
    package init(checking reader: JSONReader, now: Date) throws(JSONValueError) {
        try reader.only(["name", "scopes", "expiresAt"])
        let name = try reader.required("name")
        self.name = try name.string()
        guard Self.nameLengths.contains(self.name.utf8.count), !self.name.hasControlCharacters else {
            throw name.failure("has to be 1 to \(Self.nameLengths.upperBound) bytes without control characters")
        }
        let scopes = try reader.required("scopes")
        var seen: [Scope] = []
        for element in try scopes.elements() {
            guard let scope = Scope(rawValue: try element.string()) else {
                let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw element.failure("isn't a scope; the scopes are \(known)")
            }
            guard !seen.contains(scope) else { throw element.failure("is a duplicate") }
            seen.append(scope)
        }
        guard !seen.isEmpty else { throw scopes.failure("has to contain at least one scope") }
        self.scopes = seen
        let expiry = reader.member("expiresAt")
        expiresAt = try expiry?.date()
        if let expiry, let expiresAt, expiresAt <= now { throw expiry.failure("has to be later than now") }
    }
}
