import Foundation
import Groundwork

/// The login on a device: the server, the person and the token.
struct Login: Sendable {
    /// The command to log in, on this device.
    static let command = "inbox login" + DeviceOptions.again

    var server: URL
    var person: String
    var token: String
    /// The time at which the token expires, if it is known.
    var tokenExpiresAt: Date?
    /// The API key for requesting new tokens. Only if the person chose to save it.
    var key: String?
    /// The time at which the server last refused the key, if it did.
    var keyRefusedAt: Date?

    init(
        server: URL,
        person: String,
        token: String,
        tokenExpiresAt: Date? = nil,
        key: String? = nil,
        keyRefusedAt: Date? = nil
    ) {
        self.server = server
        self.person = person
        self.token = token
        self.tokenExpiresAt = tokenExpiresAt
        self.key = key
        self.keyRefusedAt = keyRefusedAt
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
            key: try reader.member("key")?.string(),
            keyRefusedAt: try reader.member("keyRefusedAt")?.date()
        )
    }

    var json: JSON {
        var object = JSONObject([
            ("server", .string(server.absoluteString)), ("person", .string(person)), ("token", .string(token)),
        ])
        object["tokenExpiresAt"] = tokenExpiresAt.map { .string(RFC3339.string(from: $0)) }
        object["key"] = key.map(JSON.string)
        object["keyRefusedAt"] = keyRefusedAt.map { .string(RFC3339.string(from: $0)) }
        return .object(object)
    }
}
