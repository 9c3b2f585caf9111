import Crypto
import Foundation
import Groundwork

@testable import InboxServer
@testable import InboxService

/// Tokens as an app's backend signs them.
enum SignedText {
    static let secret = "0123456789abcdef0123456789abcdef"
    /// The start of the manual clock, 2026-05-01T08:00:00Z.
    static let now = 1_777_622_400

    /// Returns a token signed with HS256.
    static func token(
        _ claims: String,
        kid: String? = "a",
        alg: String = "HS256",
        by key: SymmetricKey = SymmetricKey(data: Data(secret.utf8))
    ) -> String {
        var header = JSONObject([("alg", .string(alg))])
        header["kid"] = kid.map(JSON.string)
        let text = Base64URL.encode(JSON.object(header).data) + "." + Base64URL.encode(Data(claims.utf8))
        return text + "."
            + Base64URL.encode(Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)))
    }
}

extension TestServer {
    /// Returns the key with which the server signs its own tokens.
    func tokenKey() async throws -> SymmetricKey {
        let key: Data? = try await storage().readTables { db in
            try db.value("SELECT value FROM setting WHERE name = 'tokenKey'")
        }
        return SymmetricKey(data: key ?? Data())
    }
}
