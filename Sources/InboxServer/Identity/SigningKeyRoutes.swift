import Foundation
import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The routes of the key that signs people's tokens: `/v1/signing-key`.
struct SigningKeyRoutes: Sendable {
    let access: Access
    let sessions: Sessions

    /// The maximum size of a request, in bytes.
    static let maxSize = 4_096

    func add(to routes: Routes) {
        routes.route("/v1/signing-key/rotate", [.post { request, _ in try await rotate(request) }])
    }

    private func rotate(_ request: Request) async throws -> Response {
        let key = try access.key(of: request, for: .keys)
        let bytes = try await request.bytes(upTo: Self.maxSize)
        var revokesTokens = false
        if !bytes.isEmpty {
            guard request.isJSON else { throw Request.notJSON }
            let reader = JSONReader(try JSON(parsing: bytes))
            try reader.only(["endTokens"])
            revokesTokens = try reader.member("endTokens")?.bool() ?? false
        }
        do {
            let rotation = try await sessions.rotateSigningKey(revokingTokens: revokesTokens, by: .key(key))
            let answer: JSON = ["rotatedAt": JSON(rotation.at), "formerEndsAt": JSON(rotation.formerEndsAt)]
            return Response(json: answer.utf8)
        } catch let error as TooManySigningKeys {
            throw Problem(
                .conflict,
                "\(TooManySigningKeys.limit) former keys verify still, until \(RFC3339.string(from: error.until)) the first of them. "
                    + "Wait until then, or have all tokens end with {\"endTokens\": true}.",
                kind: .tooManySigningKeys
            )
        }
    }
}
