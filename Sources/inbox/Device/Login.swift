import Foundation
import Groundwork

/// Who is logged in on a device, and with what.
struct Login: Sendable {
    var server: URL
    var person: String
    var token: String
    /// When the token ceases to work, where that is known.
    var tokenExpiresAt: Date?
    /// An API key with which new tokens are asked for; only where the person wanted it kept.
    var key: String?

    init(server: URL, person: String, token: String, tokenExpiresAt: Date? = nil, key: String? = nil) {
        self.server = server
        self.person = person
        self.token = token
        self.tokenExpiresAt = tokenExpiresAt
        self.key = key
    }

    /// - Throws: ``JSONValueError``.
    init(json: JSON) throws(JSONValueError) {
        let reader = JSONReader(json)
        let server = try reader.required("server")
        guard let url = URL(string: try server.string()) else { throw server.failure("has to be a URL") }
        self.init(
            server: url,
            person: try reader.required("person").string(),
            token: try reader.required("token").string(),
            tokenExpiresAt: try reader.member("tokenExpiresAt")?.date(),
            key: try reader.member("key")?.string()
        )
    }

    var json: JSON {
        var object = JSONObject([
            ("server", .string(server.absoluteString)), ("person", .string(person)), ("token", .string(token)),
        ])
        object["tokenExpiresAt"] = tokenExpiresAt.map { .string(RFC3339.string(from: $0)) }
        object["key"] = key.map(JSON.string)
        return .object(object)
    }
}
