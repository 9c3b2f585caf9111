import Foundation
import Groundwork
import InboxMailViews
import MailSignIn
import ReplicaTesting
import Screens

/// What a sign-in finds: DNS, servers, a browser and a storage, as a test sets them.
@MainActor
final class SignInWorld {
    let clock = ManualClock()
    let transport: ScriptedTransport
    let browser = Browser()
    let storage = Storage()
    let dns = DNS()
    let servers = Servers()
    private(set) var opened: [String] = []
    /// The failure of opening the mail; nil for none.
    var openingFailure: (any Error)?

    init() {
        let servers = servers
        transport = ScriptedTransport { try servers.answer($0) }
    }

    func model(_ address: String = "") -> SignInModel {
        var configuration = SignInConfiguration()
        configuration.clock = clock
        configuration.transport = transport
        configuration.resolver = dns
        return SignInModel(
            address: address,
            browser: browser,
            storage: storage,
            configuration: configuration
        ) { [weak self] keeper in
            if let failure = self?.openingFailure { throw failure }
            self?.opened.append(keeper.address)
        }
    }

    /// The mail of all addresses is on another host from now on.
    func moveMail(to host: String) {
        dns.set(["_jmap._tcp": [ServiceRecord(host: host, port: 443)]])
        let resource = "https://\(host)/.well-known/jmap"
        servers.set(resource, status: 401)
        servers.set(
            "https://\(host)/.well-known/oauth-protected-resource/.well-known/jmap",
            ["resource": .string(resource), "authorization_servers": ["https://auth.example.com"]]
        )
    }

    final class DNS: ServiceResolver {
        private let state = Locked<[String: [ServiceRecord]]?>([
            "_jmap._tcp": [ServiceRecord(host: "mail.example.com", port: 443)]
        ])

        func set(_ records: [String: [ServiceRecord]]?) { state.withLock { $0 = records } }

        func records(of service: String, in domain: String) async throws -> [ServiceRecord] {
            guard let records = state.withLock({ $0 }) else { throw SignInError(.notConnected, "no DNS") }
            return records[service] ?? []
        }
    }

    /// A browser whose person answers when the test says so.
    final class Browser: SignInBrowser {
        private struct State {
            var gate: Gate?
            var query = "code=the-code"
            var failure: SignInError?
            var pages: [URL] = []
        }

        // Guarded by the lock: the sign-in runs elsewhere.
        private let state = Locked(State())

        var pages: [URL] { state.withLock { $0.pages } }
        func waits(at gate: Gate?) { state.withLock { $0.gate = gate } }
        func returns(_ query: String) { state.withLock { $0.query = query } }
        func fails(_ failure: SignInError?) { state.withLock { $0.failure = failure } }

        func prepare() async throws -> URL { URL(string: "http://127.0.0.1:5000/return")! }

        func open(_ page: URL) async throws -> URL {
            let (gate, query, failure) = state.withLock { state in
                state.pages.append(page)
                return (state.gate, state.query, state.failure)
            }
            await gate?.wait()
            try Task.checkCancellation()
            if let failure { throw failure }
            let items = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems ?? []
            let own = items.first { $0.name == "state" }?.value ?? ""
            let issuer = "https%3A%2F%2Fauth.example.com"
            let answer = query.contains("state=") ? query : "\(query)&state=\(own)&iss=\(issuer)"
            return URL(string: "http://127.0.0.1:5000/return?\(answer)")!
        }

        func close() async {}
    }

    final class Storage: GrantStorage {
        private let state = Locked((grants: [String: SignInGrant](), isFull: false, isUnreadable: false))

        var addresses: [String] { state.withLock { $0.grants.keys.sorted() } }
        func addresses() async throws -> [String] {
            try state.withLock { state in
                if state.isUnreadable { throw SignInError(.storage, "locked") }
                return state.grants.keys.sorted()
            }
        }
        func lock(_ isUnreadable: Bool) { state.withLock { $0.isUnreadable = isUnreadable } }
        func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

        func grant(of account: String) async throws -> SignInGrant? { state.withLock { $0.grants[account] } }

        func store(_ grant: SignInGrant?, of account: String) async throws {
            try state.withLock { state in
                if state.isFull { throw SignInError(.storage, "no space") }
                state.grants[account] = grant
            }
        }
    }

    /// A mail server whose authorization server is on another host.
    final class Servers: Sendable {
        private struct State {
            var statuses: [String: Int] = [:]
            var bodies: [String: JSON] = [:]
            var failure: TransportError?
        }

        // Guarded by the lock: the sign-in runs elsewhere.
        private let state = Locked(State())

        init() {
            let resource = "https://mail.example.com/.well-known/jmap"
            state.withLock { state in
                state.statuses[resource] = 401
                state.bodies["https://mail.example.com/.well-known/oauth-protected-resource/.well-known/jmap"] = [
                    "resource": .string(resource), "authorization_servers": ["https://auth.example.com"],
                ]
                state.bodies["https://auth.example.com/.well-known/oauth-authorization-server"] = Self.metadata
                state.bodies["https://auth.example.com/register"] = ["client_id": "client-1"]
                state.statuses["https://auth.example.com/register"] = 201
                state.bodies["https://auth.example.com/token"] = [
                    "access_token": "access-1", "token_type": "Bearer", "expires_in": 3600,
                    "refresh_token": "refresh-1",
                ]
            }
        }

        private static var metadata: JSON {
            [
                "issuer": "https://auth.example.com",
                "authorization_endpoint": "https://auth.example.com/authorize",
                "token_endpoint": "https://auth.example.com/token",
                "registration_endpoint": "https://auth.example.com/register", "response_types_supported": ["code"],
                "token_endpoint_auth_methods_supported": ["none"], "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": true,
            ]
        }

        func set(_ url: String, status: Int) { state.withLock { $0.statuses[url] = status } }
        func set(_ url: String, _ body: JSON?) { state.withLock { $0.bodies[url] = body } }
        func fails(_ failure: TransportError?) { state.withLock { $0.failure = failure } }

        /// Changes a member of the authorization server's metadata; nil to remove it.
        func change(_ member: String, to value: JSON?) {
            state.withLock { state in
                let url = "https://auth.example.com/.well-known/oauth-authorization-server"
                var object = state.bodies[url]?.objectValue ?? JSONObject()
                object[member] = value
                state.bodies[url] = .object(object)
            }
        }

        func answer(_ request: TransportRequest) throws -> TransportResponse {
            let url = request.url.absoluteString
            let (status, body, failure) = state.withLock { ($0.statuses[url], $0.bodies[url], $0.failure) }
            if let failure { throw failure }
            let headers = status == 401 ? ["www-authenticate": "Bearer"] : ["content-type": "application/json"]
            return TransportResponse(
                status: status ?? (body == nil ? 404 : 200),
                headers: headers,
                body: body?.utf8 ?? [],
                url: request.url
            )
        }
    }
}
