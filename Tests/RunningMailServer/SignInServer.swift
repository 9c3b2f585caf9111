package import Foundation
package import Groundwork
import LinePrograms

/// A server of another project with which people sign in, for tests.
package final class SignInServer: Sendable {
    package let url: URL
    private let program: LineProcess

    /// An authorization server on Authlib, before a mail server whose mailboxes its tokens open: `oauth.py`.
    ///
    /// - Throws: ``Failure`` if it doesn't start; `scripts/python` installs what it needs.
    package convenience init(before server: MailServer) async throws {
        try await self.init("oauth.py", [server.folder.path(percentEncoded: false), server.url.absoluteString])
    }

    /// PyPI's oidc-provider-mock: an OpenID provider without metadata of RFC 8414, and without refresh tokens that are
    /// rotated.
    package static func openID() async throws -> SignInServer { try await SignInServer("oidc.py", []) }

    private init(_ script: String, _ arguments: [String]) async throws {
        let folder = MailServer.repository.appending(path: "Tests/RunningMailServer")
        let python = MailServer.repository.appending(path: "scripts/python").path(percentEncoded: false)
        let path = folder.appending(path: script).path(percentEncoded: false)
        program = try LineProcess([python, "python3", path] + arguments)
        guard let port = try await program.answer()["port"]?.intValue,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw Failure("no port") }
        self.url = url
    }

    /// The number of tokens that were issued by code (`codes`) and by refresh (`refreshes`), and that were `revoked`.
    package func facts() async throws -> JSON { try await ask(["do": "facts"]) }

    /// Ends the life of all access tokens, and of the refresh tokens too if `refreshTokens` is set.
    package func expire(refreshTokens: Bool = false) async throws {
        try await ask(["do": .string(refreshTokens ? "revoke" : "expire")])
    }

    /// Sets what it does from now on.
    ///
    /// - Parameters:
    ///   - lifetime: The life of an access token that its answer states, in seconds.
    ///   - hangs: Whether the token endpoint doesn't answer.
    ///   - issuer: The issuer with which the browser returns; nil for the right one.
    package func behave(lifetime: Int? = nil, hangs: Bool = false, issuer: String? = nil) async throws {
        var request = JSONObject([("do", "behave")])
        request["lifetime"] = lifetime.map { JSON($0) }
        if hangs { request["hang"] = true }
        request["issuer"] = issuer.map(JSON.string)
        try await ask(.object(request))
    }

    @discardableResult
    private func ask(_ request: JSON) async throws -> JSON { try await program.answer(to: request.utf8) }

    package func stop() async { await program.end() }
}
