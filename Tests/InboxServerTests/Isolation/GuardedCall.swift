import Foundation
import Groundwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import InboxServer
@testable import InboxService

/// A request that succeeds for those whom it is for, and for nobody else.
struct GuardedCall: Sendable {
    /// Whom it is for.
    enum Access: Hashable, Sendable {
        case anyone
        case backend(Scope)
        case person
        /// The person in a browser, by the page's cookie.
        case browser
    }

    let route: Route
    let access: Access
    /// With what the route has in braces filled in.
    let path: String
    let body: [UInt8]?
    let headers: [String: String]
    /// What it answers to those whom it is for.
    let status: Int
    /// Text that only they are to see, and do.
    let shows: String?
    /// Names it beside others of the same route.
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

    /// The status with which somebody is refused; nil for those whom it is for.
    func refusal(of credential: Credential) -> Int? {
        switch (access, credential.holder) {
        case (.anyone, _), (.person, .victim), (.browser, .victimInBrowser): nil
        case (.backend(let scope), .backend(let scopes)): scopes.contains(scope) ? nil : 403
        default: 401
        }
    }
}

/// What a server answered, all of it.
struct WholeAnswer: Sendable {
    let status: Int
    let text: String
}

extension TestServer {
    /// Sends a request as somebody.
    func answer(to call: GuardedCall, from credential: Credential) async throws -> WholeAnswer {
        var path = call.path
        if let parameter = credential.parameter { path += (path.contains("?") ? "&" : "?") + parameter }
        var headers = call.headers
        headers["Cookie"] = credential.cookie
        // On Linux, URLSession may lose a stream that ends together with what it has to say; it sends no header twice;
        // and it goes where the page leads.
        let isRaw = path.hasPrefix("/jmap/eventsource") || path.hasPrefix("/inbox")
        guard credential.authorization.count > 1 || isRaw else {
            headers["Authorization"] = credential.authorization.first
            let answer = try await request(call.route.method, path, body: call.body, headers: headers)
            let lines = answer.response.allHeaderFields.map { "\($0): \($1)" }.joined(separator: "\n")
            return WholeAnswer(
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
        return WholeAnswer(status: answer.statuses.first ?? 0, text: answer.text)
    }
}
