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
        let key = try access.authorize(request, for: .keys).id
        var revokesTokens = false
        if let reader = try await request.optionalJSON(upTo: Self.maxSize) {
            try reader.only(["endTokens"])
            revokesTokens = try reader.member("endTokens")?.bool() ?? false
        }
        do {
            let rotation = try await sessions.rotateSigningKey(revokingTokens: revokesTokens, by: .key(key))
            let response: JSON = ["rotatedAt": JSON(rotation.at), "formerEndsAt": JSON(rotation.formerEndsAt)]
            return Response(json: response.utf8)
        } catch let error as TooManySigningKeysError {
            throw Problem(
                .conflict,
                """
                The limit of \(TooManySigningKeysError.limit) former keys is reached. The first one expires at \
                \(RFC3339.string(from: error.until)). Wait until then, or revoke all tokens with {"endTokens": true}.
                """,
                kind: .tooManySigningKeys
            )
        }
    }
}
