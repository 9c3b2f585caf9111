import Foundation
import Groundwork

@testable import MailSignIn

extension SignInGrant {
    /// A grant whose token expires an hour after the manual clock's start.
    static func sample(_ address: String = "anna@example.com", refresh: String? = "refresh-1") -> SignInGrant {
        var object = JSONObject([
            ("version", 1), ("address", .string(address)), ("server", "https://mail.example.com"),
            ("issuer", "https://auth.example.com"), ("clientID", "client-1"),
            ("tokenEndpoint", "https://auth.example.com/token"),
            ("revocationEndpoint", "https://auth.example.com/revoke"), ("accessToken", "access-1"),
            ("expiresAt", JSON(1_777_593_600 + 3_600)),
        ])
        object["refreshToken"] = refresh.map(JSON.string)
        return SignInGrant(storedForm: JSON.object(object).utf8)!
    }
}

/// A storage in memory, whose writes can fail.
final class MemoryStorage: GrantStorage {
    private struct State {
        var grants: [String: SignInGrant] = [:]
        var fails = false
        var writes: [String?] = []
    }

    private let state = Locked(State())

    init(_ grants: SignInGrant...) {
        state.withLock { state in for grant in grants { state.grants[grant.address] = grant } }
    }

    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    /// The refresh tokens that were stored, in order.
    var writes: [String?] { state.withLock { $0.writes } }

    func grant(of account: String) async throws -> SignInGrant? { state.withLock { $0.grants[account] } }

    func addresses() async throws -> [String] { state.withLock { $0.grants.keys.sorted() } }

    func store(_ grant: SignInGrant?, of account: String) async throws {
        try state.withLock { state in
            if state.fails { throw SignInError(.storage, "The disk is full.") }
            state.grants[account] = grant
            state.writes.append(grant?.refreshToken)
        }
    }
}

/// A token endpoint that rotates refresh tokens: each one is valid once.
final class RotatingServer: Sendable {
    private struct State {
        var number = 1
        var requests: [[String: String]] = []
        var revoked: [String] = []
    }

    private let state = Locked(State())

    /// The fields of the requests so far.
    var requests: [[String: String]] { state.withLock { $0.requests } }
    var revoked: [String] { state.withLock { $0.revoked } }

    func answer(_ request: TransportRequest) -> TransportResponse {
        let fields = FormData.fields(String(decoding: request.body ?? [], as: UTF8.self)) ?? [:]
        return state.withLock { state in
            if request.url.path() == "/revoke" {
                state.revoked.append(fields["token"] ?? "")
                return TransportResponse(status: 200, url: request.url)
            }
            state.requests.append(fields)
            guard fields["refresh_token"] == "refresh-\(state.number)" else {
                let error: JSON = ["error": "invalid_grant"]
                return TransportResponse(status: 400, body: error.utf8, url: request.url)
            }
            state.number += 1
            let tokens: JSON = [
                "access_token": .string("access-\(state.number)"), "token_type": "Bearer", "expires_in": 3600,
                "refresh_token": .string("refresh-\(state.number)"),
            ]
            return TransportResponse(status: 200, body: tokens.utf8, url: request.url)
        }
    }
}
