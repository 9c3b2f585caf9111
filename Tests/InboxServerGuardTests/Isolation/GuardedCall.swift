import Foundation
import Groundwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import InboxServer
@testable import InboxService

/// A request that succeeds with its own credential and is rejected with every other.
struct GuardedCall: Sendable {
    /// The credential that the request needs.
    enum Access: Hashable, Sendable {
        case anyone
        case backend(Scope)
        case person
        /// The person in a browser, by the page's cookie.
        case browser
    }

    let route: Route
    let access: Access
    /// The route's template with its placeholders filled in.
    let path: String
    let body: [UInt8]?
    let headers: [String: String]
    /// The status of a successful response.
    let status: Int
    /// Text that only a successful response contains.
    let shows: String?
    /// Distinguishes requests of the same route.
    let detail: String

    init(
        _ method: String,
        _ template: String,
        _ access: Access,
        _ path: String? = nil,
        body: JSON? = nil,
        bytes: [UInt8]? = nil,
        headers: [String: String] = [:],
        status: Int = 200,
        shows: String? = nil,
        detail: String = ""
    ) {
        route = Route(method: method, path: template)
        self.access = access
        self.path = path ?? template
        self.body = bytes ?? body?.utf8
        self.headers = headers
        self.status = status
        self.shows = shows
        self.detail = detail
    }

    var name: String { "\(route.method) \(route.path) \(detail)" }

    /// The status with which the credential is rejected; nil if it is sufficient.
    func refusal(of credential: Credential) -> Int? {
        switch (access, credential.holder) {
        case (.anyone, _), (.person, .victim), (.browser, .victimInBrowser): nil
        case (.backend(let scope), .backend(let scopes)): scopes.contains(scope) ? nil : 403
        default: 401
        }
    }
}

/// A server's complete response.
struct ReceivedResponse: Sendable {
    let status: Int
    let text: String
}

extension TestServer {
    /// Sends a request with a credential.
    func answer(to call: GuardedCall, from credential: Credential) async throws -> ReceivedResponse {
        var path = call.path
        if let parameter = credential.parameter { path += (path.contains("?") ? "&" : "?") + parameter }
        var headers = call.headers
        headers["Cookie"] = credential.cookie
        // On Linux, URLSession may lose the last bytes of a stream that the server closes. It also sends no header
        // twice and follows the page's redirects.
        let isRaw = path.hasPrefix("/jmap/eventsource") || path.hasPrefix("/inbox")
        guard credential.authorization.count > 1 || isRaw else {
            headers["Authorization"] = credential.authorization.first
            let answer = try await request(call.route.method, path, body: call.body, headers: headers)
            let lines = answer.response.allHeaderFields.map { "\($0): \($1)" }.joined(separator: "\n")
            return ReceivedResponse(
                status: answer.status,
                text: lines + "\n" + String(decoding: answer.bytes, as: UTF8.self)
            )
        }
        var head = ["\(call.route.method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
        head += headers.map { "\($0): \($1)" } + credential.authorization.map { "Authorization: \($0)" }
        if let body = call.body {
            head.append("Content-Length: \(body.count)")
            if headers["Content-Type"] == nil { head.append("Content-Type: application/json") }
        }
        let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (call.body ?? [])
        let answer = await RawConnection.send(bytes, to: url.port ?? 0)
        return ReceivedResponse(status: answer.statuses.first ?? 0, text: answer.text)
    }
}
